"""Build the manual and check its links."""

from __future__ import annotations

import sys

from sphinx.cmd.build import build_main

from tools.docs_site import assembly, links

ROOT = assembly.ROOT


def main() -> int:
    pages, site = ROOT / "build" / "docs", ROOT / "build" / "site"
    assembly.assemble(pages)
    # All pages are written, also those that did not change: each shows the whole navigation.
    settings = ["-q", "-a", "-W", "--keep-going", "-j", "auto", "-d", str(ROOT / "build" / "docs-state")]
    if build_main([*settings, "-b", "html", "-c", str(ROOT / "docs"), str(pages), str(site)]):
        return 1
    problems = links.problems(site)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(list(site.rglob('*.html')))} pages, {len(problems)} broken links: {site / 'index.html'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
