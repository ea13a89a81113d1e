"""The gallery shows every chart as it is drawn today."""

from __future__ import annotations

from bleuprint.report import CHARTS
from tools import make_gallery


def test_the_pictures_are_current() -> None:
    drawn = make_gallery.pictures()
    assert {path.name for path in make_gallery.FOLDER.iterdir()} == set(drawn)
    for name, svg in drawn.items():
        stored = (make_gallery.FOLDER / name).read_text(encoding="utf-8")
        assert stored == svg, "run python -m tools.make_gallery, and look at the pictures"


def test_every_chart_is_on_the_page() -> None:
    page = (make_gallery.ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    assert not [chart for chart in CHARTS if f"(_static/gallery/{chart}.svg)" not in page]
