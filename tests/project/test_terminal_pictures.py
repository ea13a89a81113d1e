"""The pictures of terminal sessions in the manual."""

from __future__ import annotations

import html
import re

from tests.support.cli import NEEDS_POSIX


@NEEDS_POSIX
def test_a_session_is_drawn_as_it_looks_and_needs_no_network() -> None:
    from tools.make_terminal_pictures import FOLDER, SESSIONS, picture

    drawn = picture(SESSIONS["mistake"])
    words = html.unescape(re.sub(r"<[^>]*>", "", drawn)).replace("\xa0", " ")
    assert "There is no metric 'blue'. Did you mean bleu?" in words
    for name in SESSIONS:
        stored = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        assert "url(" not in stored.replace("url(#", "")
        assert "cdn" not in stored
