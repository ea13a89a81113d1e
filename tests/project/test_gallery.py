"""The gallery shows every picture as it is drawn today, by the command that stands beside it."""

from __future__ import annotations

import re

from bleuprint.report import CHARTS
from tests.support.markdown import blocks_of
from tools import make_gallery

PAGE = (make_gallery.ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")


def test_the_pictures_are_current() -> None:
    drawn = make_gallery.pictures()
    assert {path.name for path in make_gallery.FOLDER.iterdir()} == set(drawn)
    for name, svg in drawn.items():
        stored = (make_gallery.FOLDER / name).read_text(encoding="utf-8")
        assert stored == svg, "run python -m tools.make_gallery, and look at the pictures"


def test_every_chart_is_on_the_page() -> None:
    assert set(CHARTS) <= set(make_gallery.COMMANDS)
    assert not [name for name in make_gallery.COMMANDS if f"(_static/gallery/{name}.svg)" not in PAGE]


def test_every_picture_stands_under_the_command_that_draws_it() -> None:
    pieces = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    for name, (command, _) in make_gallery.COMMANDS.items():
        (piece,) = (piece for piece in pieces if f"(_static/gallery/{name}.svg)" in piece)
        assert command in piece.partition(f"(_static/gallery/{name}.svg)")[0].splitlines(), command
    first = next(block for block in blocks_of(PAGE) if block.language == "sh")
    commands = " ".join(first.text.replace("\\\n", " ").split())
    assert all(command in commands for command in make_gallery.SETUP)


def test_every_section_has_a_command() -> None:
    for piece in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        assert re.search(r"^```(sh|python)$", piece, re.MULTILINE), piece.partition("\n")[0]
