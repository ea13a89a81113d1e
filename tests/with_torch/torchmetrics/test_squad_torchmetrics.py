"""SQuAD F1 and exact match against torchmetrics, which multiplies both by 100 and adds them up in single precision.

Its F1 of an answer without words against such a reference is 1, as in SQuAD 2.0; in version 1.1 it is 0.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from torchmetrics.functional.text import squad

import bleuprint as bp
from bleuprint.core import normalizers

WORDS = ["the", "a", "An", "Paris", "paris!", "theatre", "x-y", "“q”", "U.S.A.", "42", "Zürich", "the-end", ",", "it's"]


def theirs(outputs: list[str], references: list[list[str]]) -> dict[str, float]:
    predictions = [{"prediction_text": text, "id": str(number)} for number, text in enumerate(outputs)]
    targets: list[Any] = [
        {"answers": {"answer_start": [0] * len(group), "text": group}, "id": str(number)}
        for number, group in enumerate(references)
    ]
    return {name: float(value) for name, value in squad(predictions, targets).items()}


def assert_equal(outputs: list[str], references: list[list[str]]) -> None:
    found = theirs(outputs, references)
    assert bp.squad_f1(outputs, references).percent == pytest.approx(found["f1"], rel=1e-5, abs=1e-5)
    exact = bp.exact_match(outputs, references, normalizer="squad").percent
    assert exact == pytest.approx(found["exact_match"], rel=1e-6, abs=1e-6)


def has_words(text: str) -> bool:
    return bool(normalizers.resolve("squad")(text))


answers = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


@given(output=answers, references=st.lists(answers, min_size=1, max_size=3))
def test_one_answer(output: str, references: list[str]) -> None:
    assert_equal([output], [references] if has_words(output) else [["Paris", *filter(has_words, references)]])


@given(output=st.text(max_size=20), reference=st.text(max_size=20))
def test_any_text(output: str, reference: str) -> None:
    assert_equal([output], [[reference if has_words(output) else f"Paris {reference}"]])


def test_two_answers_without_words() -> None:
    assert theirs(["the"], [["a"]]) == {"exact_match": 100.0, "f1": 100.0}
    assert bp.SquadF1().sentence("the", "a").value == 0
    assert bp.ExactMatch(normalizer="squad").sentence("the", "a").value == 1


def test_a_corpus() -> None:
    chance = random.Random(3)
    texts = [f"Paris {' '.join(chance.choices(WORDS, k=chance.randrange(6)))}" for _ in range(400)]
    assert_equal(texts[:100], [texts[place : place + 3] for place in range(100, 400, 3)])
