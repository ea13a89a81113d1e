"""Text of others on its way out: nothing acts on its readers, and nothing is lost."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.results import escaping

ACTING = (
    "\x00\x07\x08\t\n\r\x1b\x7f\x85\x9b\u061c\u180e\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\u206f\ufeff\ufff9"
)
TAGS = "".join(map(chr, range(0xE0000, 0xE0080)))
any_text = st.text(st.characters(codec="utf-8") | st.sampled_from([*ACTING, *"=+-@;,'|`#*_", "\ud800"]), max_size=12)


@pytest.mark.parametrize("character", [*ACTING, *TAGS[:3], "\ud800", "\ufffe"])
def test_what_acts_on_a_terminal_is_shown(character: str) -> None:
    shown = escaping.visible(f"a{character}b")
    assert shown == f"a{character.encode('unicode_escape').decode()}b"
    assert shown.isascii()


def test_what_scripts_need_is_left() -> None:
    for text in ("می\u200cخواهم", "👩\u200d💻", "naïve café", "漢字", "a\u00a0b"):
        assert escaping.visible(text) == text


@given(any_text)
def test_escaped_text_stays_escaped(text: str) -> None:
    shown = escaping.visible(text)
    assert escaping.visible(shown) == shown
    assert escaping.visible_lines(text).split("\n") == [escaping.visible(line) for line in text.split("\n")]


@given(any_text)
def test_json_keeps_its_meaning(text: str) -> None:
    document = escaping.json_text(json.dumps({"name": text}, ensure_ascii=False, indent=1))
    assert json.loads(document) == {"name": text}
    assert escaping.visible_lines(document) == document


@given(any_text)
def test_xml_can_be_read(text: str) -> None:
    shown = escaping.xml_text(text)
    element = ElementTree.fromstring(f'<a b="{shown}">{shown}</a>')
    assert element.attrib["b"] == escaping.visible(text)
    assert (element.text or "") == escaping.visible(text)


def _read_back(cell: str) -> str:
    """The rule of the manual."""
    return re.sub("(^|[;,|\t\r\n])'(?='*[=+\\-@＝＋－＠])|^'(?='*[\t\r\n\0%])", lambda match: match[1] or "", cell)


@given(any_text)
def test_cells_can_be_read_back(text: str) -> None:
    cell = escaping.spreadsheet_cell(text)
    assert _read_back(cell) == text
    for piece in re.split("[;,|\t\r\n]", cell):
        assert not piece.startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("`rm`", r"\`rm\`"),
        ("two\nlines", "two lines"),
        ("[a](http://b.c)", r"\[a\](http\://b.c)"),
        ("www.example.org", r"www\.example.org"),
        ("@someone, see #12 and # 3", r"@&#8203;someone, see #&#8203;12 and \# 3"),
        ("<b>&amp;", r"\<b\>\&amp;"),
        ("\x1b[2J", r"\\x1b\[2J"),
    ],
)
def test_markdown_shows_text_as_it_is(text: str, shown: str) -> None:
    assert escaping.markdown_text(text) == shown


@pytest.mark.parametrize(("text", "span"), [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a\nb", r"`a\nb`")])
def test_a_code_span_cannot_be_left(text: str, span: str) -> None:
    assert escaping.markdown_code(text) == span
