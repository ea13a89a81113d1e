"""Collects the pages of the manual in one folder and adjusts their links."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from tools.docs_site import cards, commands, reference

__all__ = ["ROOT", "assemble"]

ROOT = Path(__file__).resolve().parents[2]
CARDS = ROOT / "src" / "bleuprint" / "metrics" / "cards"
PROJECT = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "RELEASING.md": "releasing.md"}
_LINK = re.compile(r"(?P<open>\]\()(?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")


def assemble(target: Path) -> None:
    """Write every page; pages that did not change keep their date, so that Sphinx reads only the others."""
    pages = {**_written(), **reference.pages(), **commands.pages(), **cards.pages()}
    pages["index.md"] += _navigation(pages)
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


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _written() -> dict[str, str]:
    """The hand-written pages, by their name in the manual."""
    places = {path: str(path.relative_to(ROOT / "docs")) for path in sorted((ROOT / "docs").rglob("*.md"))}
    places |= {ROOT / name: page for name, page in PROJECT.items() if (ROOT / name).exists()}
    known = {**places, **{path: f"cards/{path.name}" for path in CARDS.glob("*.md")}, ROOT / "README.md": "index.md"}
    return {page: _moved(path, page, known) for path, page in places.items()}


def _moved(path: Path, page: str, known: dict[Path, str]) -> str:
    """The text of a page, with links that work at its new place."""

    def moved(match: re.Match[str]) -> str:
        target = match["target"]
        if re.match(r"[a-z]+:", target):
            return match[0]
        source = (path.parent / target).resolve()
        if source.suffix in {".png", ".svg"} and source.exists():
            return match[0]
        if source not in known:
            raise SystemExit(f"{path.relative_to(ROOT)} links to {target}, which is not a page of the manual")
        up = "../" * page.count("/")
        return f"{match['open']}{up}{known[source]}{match['anchor'] or ''})"

    return _readable(_LINK.sub(moved, path.read_text(encoding="utf-8")))


def _readable(text: str) -> str:
    """Blocks for readers: without the blank line that ends an example, and with commands highlighted as shell."""
    return re.sub(r"\n\n(?= *```$)", "\n", text, flags=re.MULTILINE).replace("```console\n", "```sh\n")


def _navigation(pages: dict[str, str]) -> str:
    """Tables of contents for the sidebar: in the order of the links on the home page, then all others."""
    linked = [match["target"] for match in _LINK.finditer(pages["index.md"])]
    order = [*(page for page in linked if page in pages), *sorted(pages)]
    tops = [page for page in dict.fromkeys(order) if "/" not in page]
    project = [page for page in PROJECT.values() if page in pages]
    generated = ["cards/index.md", "reference/index.md", "cli/commands.md"]
    last = [page for page in ("performance.md",) if page in pages]
    explained = [page for page in tops if page not in {"index.md", "tutorial.md", *project, *last}]
    chapters: dict[str, Iterable[str]] = {
        "Get started": ["tutorial.md"],
        "How to": [page for page in dict.fromkeys(order) if page.startswith("how-to/")],
        "Learn more": explained,
        "Reference": [*generated, *last],
        "Project": project,
    }
    return "".join(_contents(caption, names) for caption, names in chapters.items())


def _contents(caption: str, names: Iterable[str]) -> str:
    lines = "\n".join(name.rpartition(".")[0] for name in names)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"
