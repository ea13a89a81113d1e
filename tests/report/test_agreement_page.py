"""The page of agreement with people: right numbers, and text that stays text whatever it holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.ratings.agreement.result import Agreement
from bleuprint.report import AGREEMENT_SECTIONS
from bleuprint.report.sections.disagreements import highlight
from tests.report.test_page import HOSTILE, Page
from tests.support.rated import rated_rows

QUICK: dict[str, Any] = {"resamples": 30, "permutations": 49}


@pytest.fixture(scope="module")
def result() -> Agreement:
    return bp.Ratings.read(rated_rows(12, 4), "rating", group="document").agreement(["bleu", "chrf", "ter"], **QUICK)


def test_the_page_shows_the_numbers_of_the_result(result: Agreement) -> None:
    html = result.to_html()
    page = Page(html)
    ids = {attributes.get("id") for tag, attributes in page.tags if tag == "section"}
    assert set(AGREEMENT_SECTIONS) <= ids
    for level in result.levels:
        assert page.texts.count(level.verdict) == 1
        for metric in level.metrics:
            for estimate in metric.statistics.values():
                if estimate.value is not None:
                    assert estimate.text in page.texts
                    assert not estimate.interval or estimate.interval in page.texts
    for system in result.systems:
        assert any(system in text for text in page.texts)
    assert result.signature.split("|")[0] in html
    assert "No output was rated twice" in html
    assert "): ranked lower than by people" in html


def test_without_systems_and_texts_sections_are_left_out() -> None:
    table = {"rating": [1, 2, 3, 5, 4], "mine": [1, 2, 3, 4, 5]}
    result = bp.Ratings.read(table, "rating", scores=["mine"]).agreement((), **QUICK)
    page = Page(result.to_html(title="A title", date="2026-01-02"))
    ids = {attributes.get("id") for tag, attributes in page.tags if tag == "section"}
    assert ids & set(AGREEMENT_SECTIONS) == {"agreement"}
    assert "A title" in page.texts
    assert any("2026-01-02" in text for text in page.texts)


def rated_with(texts: list[str]) -> Agreement:
    names = [f"{system} {texts[system]}" for system in range(3)]
    rows = [
        {
            "segment": f"{place} {text}",
            "system": name,
            "document": texts[place % 2] or "x",
            "hypothesis": text if number else f"{text} {text}",
            "reference": f"x{text}",
            "source": text,
            f"rating {texts[0]}": (place * 7 + number * 3) % 11,
        }
        for place, text in enumerate(texts)
        for number, name in enumerate(names)
    ]
    return bp.Ratings.read(rows, f"rating {texts[0]}", group="document").agreement(["bleu", "chrf"], **QUICK)


def test_hostile_texts_add_no_structure() -> None:
    texts = HOSTILE[:11]
    hostile = Page(rated_with(texts).to_html())
    harmless = Page(rated_with([f"text {index} of many" for index in range(len(texts))]).to_html())
    fixed = {"section", "h1", "h2", "h3", "a", "script", "style", "meta", "table", "th", "td", "iframe", "img", "link"}
    assert [item for item in hostile.shape if item[0] in fixed] == [item for item in harmless.shape if item[0] in fixed]
    for tag, attributes in hostile.tags:
        assert not any(name.startswith("on") or name in {"style", "src", "action"} for name in attributes), tag


@given(st.text(alphabet="ab .", max_size=30), st.lists(st.text(alphabet="ab .", max_size=30), max_size=3))
def test_highlighted_pieces_are_the_text(text: str, references: list[str]) -> None:
    pieces = highlight(text, references)
    assert "".join(piece.text for piece in pieces) == text
    if text in references:
        assert all(piece.depth is None or piece.depth > 0 for piece in pieces)
    if not references:
        assert all(not piece.depth for piece in pieces)


def test_a_match_is_as_deep_as_its_longest_ngram_and_counts_once() -> None:
    pieces = [(piece.text, piece.depth) for piece in highlight("the cat sat on the mat the", ["the cat sat here"])]
    assert pieces[0] == ("the cat sat", 3)
    assert [depth for text, depth in pieces if text == "the"] == [0, 0], "the reference has it once"
