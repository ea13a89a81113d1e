"""Collects the pages of the manual in one folder and adjusts their links."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from tools.docs_site import commands, metrics, reference

ROOT = Path(__file__).resolve().parents[2]
CARDS = ROOT / "src" / "bleuprint" / "metrics" / "cards"
REFERENCE = "### Reference\n\n"
TASKS = "## Three tasks to start with\n"
# Pages that are not in docs/, where the home page could link to them.
GENERATED = """- [Metrics](metrics/index.md): each with its meaning, options and functions
- [Python API](reference/index.md): every public name
- [Command line](cli/commands.md): every command and option
"""
PROJECT = "Project"
SCORER = ROOT / "build" / "web" / "bleuprint.html"  # where make web has built it
TRY_IT = f"""## Try it

The scorer runs here in your browser. Texts never leave this page. <a href="{SCORER.name}">Open it alone</a>, or save it
and use it without a network: [Score without installing anything](how-to/score-in-a-browser.md).

<iframe src="{SCORER.name}" title="Score texts" loading="lazy" class="scorer"></iframe>

"""
_LINK = re.compile(r"\[(?P<text>(?:[^\]\[]|\[[^\]]*\])*)\]\((?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
_SECTION = re.compile(r"^### (?P<title>.*)\n(?P<text>(?:(?!#).*\n?)*)", re.MULTILINE)


def assemble(target: Path) -> dict[str, str]:
    """Write every page; pages that did not change keep their date, so that Sphinx reads only the others."""
    pages = {**_written(), **reference.pages(), **commands.pages(), **metrics.pages()}
    pages["index.md"] = pages["index.md"].replace(REFERENCE, REFERENCE + GENERATED)
    if SCORER.exists():
        pages["index.md"] = pages["index.md"].replace(TASKS, TRY_IT + TASKS)
    pages["index.md"] += "".join(_contents(title, names) for title, names in sections(pages).items())
    wanted = {target / name for name in pages}
    for name, text in pages.items():
        _write(target / name, text)
    for picture in sorted(path for path in (ROOT / "docs").rglob("*") if path.suffix in {".png", ".svg"}):
        copy = target / picture.relative_to(ROOT / "docs")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(picture, copy)
        wanted.add(copy)
    for path in [path for path in target.rglob("*") if path.is_file() and path not in wanted]:
        path.unlink()
    return pages


def sections(pages: dict[str, str]) -> dict[str, list[str]]:
    """The sidebar: the sections of the home page with the pages they link to."""
    found = {
        match["title"]: [link["target"] for link in _LINK.finditer(match["text"]) if link["target"] in pages]
        for match in _SECTION.finditer(pages["index.md"])
    }
    found[PROJECT] += [page for page in sorted(pages) if page.startswith("project/") and page not in found[PROJECT]]
    return found


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _written() -> dict[str, str]:
    """The hand-written pages, by their name in the manual."""
    places = {path: str(path.relative_to(ROOT / "docs")) for path in sorted((ROOT / "docs").rglob("*.md"))}
    places |= {path: f"project/{path.name.lower()}" for path in ROOT.glob("*.md") if path.name != "README.md"}
    known = {**places, **{path: f"metrics/{path.name}" for path in CARDS.glob("*.md")}}
    known |= {CARDS: "metrics/index.md", ROOT / "README.md": "index.md"}
    return {page: _moved(path, page, known) for path, page in places.items()}


def _moved(path: Path, page: str, known: dict[Path, str]) -> str:
    """The text of a page, with links that work at its new place."""

    def moved(match: re.Match[str]) -> str:
        text, target, anchor = match["text"], match["target"], match["anchor"] or ""
        if re.match(r"[a-z]+:", target):
            return match[0]
        source = (path.parent / target).resolve()
        if source.suffix in {".png", ".svg"} and source.exists():
            return match[0]
        if source in known:
            return f"[{text}]({'../' * page.count('/')}{known[source]}{anchor})"
        if source.exists() and source.is_relative_to(ROOT):
            return f"{text} (`{source.relative_to(ROOT)}`)"  # a file of the repository that the manual does not have
        raise SystemExit(f"{path.relative_to(ROOT)} links to {target}, which does not exist")

    return _readable(_LINK.sub(moved, path.read_text(encoding="utf-8")))


def _readable(text: str) -> str:
    """Blocks for readers: without the blank line that ends an example, and with commands highlighted as shell."""
    return re.sub(r"\n\n(?= *```$)", "\n", text, flags=re.MULTILINE).replace("```console\n", "```sh\n")


def _contents(caption: str, names: Iterable[str]) -> str:
    lines = "\n".join(name.rpartition(".")[0] for name in names)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"
