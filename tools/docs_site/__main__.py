"""Build the manual, check its links, and put it beside its other versions."""

from __future__ import annotations

import shutil
import sys

from sphinx.cmd.build import build_main

import bleuprint
from tools.docs_site import assembly, links, search, versions

BUILD = assembly.ROOT / "build"


def main() -> int:
    sources, site, scorer = BUILD / "docs-pages", BUILD / "docs-site", BUILD / "docs-scorer.js"
    scorer.parent.mkdir(exist_ok=True)
    scorer.write_text(search.scorer(assembly.assemble(sources)), encoding="utf-8")
    shutil.rmtree(site, ignore_errors=True)  # pages that are gone
    # All pages are written, also those that did not change: each shows the whole navigation.
    settings = ["-q", "-a", "-W", "--keep-going", "-j", "auto", "-d", str(BUILD / "docs-state")]
    settings += ["-D", f"html_search_scorer={scorer}", "-b", "html", "-c", str(assembly.ROOT / "docs")]
    if assembly.SCORER.exists():
        settings += ["-D", f"html_extra_path={assembly.SCORER}"]
    if build_main([*settings, str(sources), str(site)]):
        return 1
    problems = links.problems(site)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(list(site.rglob('*.html')))} pages, {len(problems)} broken links")
    if problems:
        return 1
    docs = BUILD / "docs"
    versions.publish(site, bleuprint.__version__, docs)
    print(f"versions {', '.join(versions.versions(docs))}: {docs / versions.LATEST / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
