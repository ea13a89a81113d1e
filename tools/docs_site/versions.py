"""The versions of the manual side by side: build/docs/0.1.0, build/docs/latest, and a list that every page loads.

A page asks for the list with a script tag, which works from a file:// address and from any static host. The list is
beside the versions, so pages that were built years ago also offer the newest.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from packaging.version import Version

LATEST = "latest"
LIST = "version-list.js"
_HOME = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>bleuprint</title>
<meta http-equiv="refresh" content="0; url={LATEST}/index.html">
<link rel="canonical" href="{LATEST}/index.html">
<p><a href="{LATEST}/index.html">The manual of bleuprint</a></p>
</html>
"""


def publish(built: Path, version: str, docs: Path) -> None:
    """Put a site that was built into its place, and write what connects it with the versions that are there."""
    docs.mkdir(parents=True, exist_ok=True)
    _replace(built, docs / version)
    newest = versions(docs)[0]
    _replace(docs / newest, docs / LATEST)
    pages = {name: _pages(docs / name) for name in versions(docs)}
    listed = {LATEST: pages[newest], **pages}
    (docs / LIST).write_text(f"window.bleuprintVersions = {json.dumps(listed)};\n", encoding="utf-8")
    (docs / "index.html").write_text(_HOME, encoding="utf-8")


def versions(docs: Path) -> list[str]:
    """The versions that are there, newest first."""
    folders = [path.parent.name for path in docs.glob("*/index.html")]
    return sorted((name for name in folders if name != LATEST), key=Version, reverse=True)


def _replace(source: Path, target: Path) -> None:
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(source, target)


def _pages(site: Path) -> list[str]:
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
