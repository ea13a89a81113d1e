"""The page cuts out of a text the very tokens that were counted."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.core import counts
from bleuprint.core.tokenizers import resolve
from bleuprint.report.sections.segments import marks
from bleuprint.report.sections.segments.marks import _BLANK, _FIRST, _STEPS, Marked, _key, mark

TEXTS = [
    "",
    "   ",
    "Hello, world!",
    'He said: "It\'s 3.5 metres," and left.',
    "a &quot;b&quot; &amp; c &lt;d&gt; <skipped> e",
    "well-\nknown",
    "İstanbul ÇAĞ ΣΑΣ",
    "日本語のテキスト、です。",
    "مرحبا بالعالم، كيف؟",
    "a\u3000b\x85c\x1cd\u200be",
    "x" * 300 + "," + "y" * 300 + "!",
    "👩‍👩‍👧 a\u0301 ﬁ",
    "``quoted'' and \"again\"",
]


def pieces(entry: Marked, *, lowercase: bool) -> list[str]:
    """The tokens, cut out again as the page does it."""
    places, at = set(), 0
    for step in entry.cuts:
        at += _STEPS if step == "|" else ord(step) - _FIRST
        if step != "|":
            places.add(at)
    spans: list[tuple[int, int]] = []
    start = -1
    for index, character in enumerate(entry.text + " "):
        if start >= 0 and (character in _BLANK or index in places):
            spans.append((start, index))
            start = -1
        if start < 0 and character not in _BLANK:
            start = index
    tokens = (
        entry.others.get(number, _key(entry.text[begin:end], lowercase)) for number, (begin, end) in enumerate(spans)
    )
    return [token for token in tokens if token is not None]


def test_blanks_are_what_python_splits_at() -> None:
    assert {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()} == _BLANK


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("scheme", counts.SCHEMES)
@pytest.mark.parametrize("text", TEXTS)
def test_every_scheme_gives_its_tokens_back(scheme: str, text: str, lowercase: bool) -> None:
    tokenizer = resolve(scheme, lowercase)
    assert pieces(mark(text, tokenizer, lowercase=lowercase), lowercase=lowercase) == tokenizer(text)


@given(text=st.text(), scheme=st.sampled_from(counts.SCHEMES), lowercase=st.booleans())
def test_tokens_come_back_from_any_text(text: str, scheme: str, lowercase: bool) -> None:
    tokenizer = resolve(scheme, lowercase)
    assert pieces(mark(text, tokenizer, lowercase=lowercase), lowercase=lowercase) == tokenizer(text)


@given(text=st.text("ab ,\n"), tokens=st.lists(st.text("ab ,▁")))
def test_tokens_come_back_from_any_tokenizer(text: str, tokens: list[str]) -> None:
    assert pieces(mark(text, lambda _: tokens, lowercase=False), lowercase=False) == tokens


@given(text=st.text("aB ,\nß"), lengths=st.lists(st.integers(0, 3)), lowercase=st.booleans())
def test_texts_cut_at_once_are_cut_as_by_search(text: str, lengths: list[int], lowercase: bool) -> None:
    """The short way for tokens that are all of a text gives what the search for every token gives."""
    rest, tokens = "".join((text.lower() if lowercase else text).split()), []
    for length in lengths:
        tokens.append(rest[:length])
        rest = rest[length:]
    tokens = [token for token in [*tokens, rest] if token]
    short = mark(text, lambda _: tokens, lowercase=lowercase)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(marks, "_cuts", lambda *_, **__: None)
        assert mark(text, lambda _: tokens, lowercase=lowercase) == short


@pytest.mark.parametrize("scheme", ["13a", "intl", "nltk", "char", "whitespace", "zh", "unicode-words"])
def test_ordinary_texts_are_shown_as_they_are(scheme: str) -> None:
    for text in TEXTS[2:5]:
        if scheme == "13a" and "skipped" in text:
            continue
        assert mark(text, resolve(scheme), lowercase=False).text == text


def test_a_text_that_needs_no_cuts_is_stored_as_text() -> None:
    assert mark("a b c", str.split, lowercase=False).to_json() == "a b c"
    assert mark("a, b", resolve("13a"), lowercase=False).to_json() == ["a, b", "$"]
    assert Marked("a", "", {}, True).to_json() == ["a", "", {}, 1]
