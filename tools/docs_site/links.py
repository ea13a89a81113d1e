"""Every link of a built site leads somewhere, and no page asks anything of a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself when a page is opened, by tag: the attribute with the address.
LOADED = {
    "img": "src",
    "script": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
}
LOADING_LINKS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "modulepreload", "manifest"}
_STYLE_ADDRESS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


class Page(HTMLParser):
    """The addresses and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = {"", "top"}
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.anchors |= {given[name] for name in ("id", "name") if name in given and tag != "meta"}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and LOADING_LINKS & set(given.get("rel", "").split()):
            self.loads.append(given.get("href", ""))
        if LOADED.get(tag, "") in given:
            self.loads.append(given[LOADED[tag]])
        self.loads += _addresses(given.get("style", ""))


def problems(site: Path) -> list[str]:
    """What is wrong, one line each."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if not pages:
        return [f"{site}: there are no pages"]
    found = [problem for path, page in pages.items() for problem in _page_problems(path, page, pages)]
    for style in sorted(site.rglob("*.css")):
        for address in _addresses(style.read_text(encoding="utf-8")):
            found += [f"{style}: loads {address}"] * _foreign(address)
    base = site.resolve()
    return [problem.replace(f"{base}/", "").replace(f"{site}/", "") for problem in found]


def _page_problems(path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    for address in page.loads:
        if _foreign(address):
            yield f"{path}: loads {address}"
        elif not address.startswith("data:") and not _file(path, address).exists():
            yield f"{path}: loads {address}, which is not there"
    for address in page.links:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            if parts.scheme not in {"https", "http", "mailto"} or not (parts.netloc or parts.scheme == "mailto"):
                yield f"{path}: {address} is no address"
            continue
        target = _file(path, address)
        if not target.exists():
            yield f"{path}: {address} leads nowhere"
        elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"{path}: {address}: the page has no such anchor"


def _file(page: Path, address: str) -> Path:
    path = unquote(urlsplit(address).path)
    return (page.parent / path).resolve() if path else page


def _foreign(address: str) -> bool:
    return address.startswith("//") or urlsplit(address).scheme not in {"", "data"}


def _addresses(style: str) -> list[str]:
    return [first or second for first, second in _STYLE_ADDRESS.findall(style)]
