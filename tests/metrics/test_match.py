"""Exact match and contains match against their plain twin, and Hugging Face's rule where the two agree."""

from __future__ import annotations

import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import ExactMatch
from bleuprint.errors import NoSegmentsError, NotTextError, OptionError
from bleuprint.metrics import ContainsMatch, ExactStringMatch
from tests.kernels.twins.equal import clean
from tests.support.text_strategies import nasty_text, random_texts

options = st.fixed_dictionaries(
    {
        "lowercase": st.booleans(),
        "ignore_punctuation": st.booleans(),
        "ignore_numbers": st.booleans(),
        "whitespace": st.sampled_from(["keep", "strip", "collapse", "remove"]),
    }
)
pieces = st.text("aAbB 1.,\t", max_size=6)


@given(hypothesis=pieces, references=st.lists(pieces, min_size=1, max_size=3), chosen=options)
def test_equals_the_twin(hypothesis: str, references: list[str], chosen: dict[str, Any]) -> None:
    text, others = clean(hypothesis, **chosen), [clean(reference, **chosen) for reference in references]
    assert ExactMatch(**chosen).sentence(hypothesis, references).value == float(text in others)
    assert ContainsMatch(**chosen).sentence(hypothesis, references).value == float(any(o in text for o in others))


@given(text=nasty_text(), chosen=options)
def test_odd_text_is_cleaned_as_the_twin_cleans_it(text: str, chosen: dict[str, Any]) -> None:
    """A text equals what the twin made of it, once that needs no further cleaning."""
    cleaned = clean(text, **chosen)
    stable = clean(cleaned, **chosen) == cleaned
    assert ExactMatch(**chosen).sentence(text, cleaned).value == float(stable) or not stable


@given(text=st.text("ab", max_size=30), wanted=st.text("ab", max_size=8))
def test_searching(text: str, wanted: str) -> None:
    assert ContainsMatch().sentence(text, wanted).value == float(wanted in text)


def test_searching_is_linear() -> None:
    """A hundred times the length of either text would be 10¹⁴ comparisons the naive way."""
    text, wanted = "a" * 10_000_000, "a" * 5_000_000 + "b"
    assert ContainsMatch().sentence(text, wanted).value == 0.0
    assert ContainsMatch().sentence(text, wanted[:-1]).value == 1.0


def hugging_face(prediction: str, reference: str, *, case: bool, punctuation: bool, numbers: bool) -> bool:
    """evaluate's exact_match: case, then string.punctuation, then string.digits; nothing is stripped."""
    table = str.maketrans("", "", (string.punctuation if punctuation else "") + (string.digits if numbers else ""))
    sides = [(text.lower() if case else text).translate(table) for text in (prediction, reference)]
    return sides[0] == sides[1]


@given(pieces, pieces, st.booleans(), st.booleans(), st.booleans())
def test_equals_hugging_face_on_ascii(first: str, second: str, case: bool, punctuation: bool, numbers: bool) -> None:
    metric = ExactMatch(
        lowercase=case, ignore_punctuation=punctuation, ignore_numbers=numbers, whitespace="keep"
    ).sentence(first, second)
    assert metric.value == hugging_face(first, second, case=case, punctuation=punctuation, numbers=numbers)


def test_ascii_marks_are_those_of_string_punctuation() -> None:
    ascii_text = "".join(map(chr, range(128)))
    expected = clean(ascii_text, ignore_punctuation=True, ignore_numbers=True, whitespace="keep")
    assert len(expected) == 128 - len(string.punctuation) - 10
    metric = ExactMatch(ignore_punctuation=True, ignore_numbers=True, whitespace="keep")
    assert metric.sentence(ascii_text, expected).value == 1.0


def test_marks_and_numbers_of_other_scripts() -> None:
    metric = ExactMatch(ignore_punctuation=True, ignore_numbers=True)
    assert metric.sentence("«Да»、それは…。", "Даそれは").value == 1.0
    assert metric.sentence("x² ٣½", "x").value == 1.0
    assert metric.sentence("5 €", "€").value == 1.0  # a symbol that ASCII has not got stays


def test_a_corpus() -> None:
    score = bp.exact_match(["Paris", "Rome", "Bonn"], ["paris", ["Milan", "Rome"], "Berlin"])
    assert score.value == 1 / 3
    assert score.parts == {"matches": 1, "segments": 3}
    assert score.matches == 1
    assert str(score) == "exact-match = 0.3333 (1 of 3)"
    with pytest.raises(NoSegmentsError):
        bp.exact_match([], [])
    assert ExactStringMatch is ExactMatch


def test_both_sides_are_cleaned() -> None:
    """axion strips the expected side alone, so that an output with a line feed at its end never matches there."""
    assert bp.ExactMatch().sentence("Paris\n", "Paris").value == 1.0
    assert bp.ExactMatch().sentence("Paris", " Paris ").value == 1.0
    assert bp.metrics.ContainsMatch().sentence("in Paris", " Paris ").value == 1.0


def test_bulk_text_equals_itself() -> None:
    texts = list(random_texts(4, 2000))
    assert bp.exact_match(texts, texts, lowercase=True, whitespace="collapse").value == 1.0
    assert bp.metrics.ContainsMatch(whitespace="keep").corpus([f"so {text}!" for text in texts], texts).value == 1.0


def test_bad_options_and_input() -> None:
    bad: list[dict[str, Any]] = [{"whitespace": "trim"}, {"ignore_numbers": 1}, {"ignore_punctuation": "no"}]
    for wrong in [*bad, {"lowercase": None}]:
        with pytest.raises(OptionError):
            ExactMatch(**wrong)
    with pytest.raises(NotTextError, match="characters are compared, so pass the text before tokenization"):
        ContainsMatch().sentence(["a", "b"], ["a"])
