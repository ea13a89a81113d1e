"""chrF: options, what a score tells about itself, what is refused, and giving up a huge line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bleuprint as bp
from bleuprint import CHRF
from bleuprint.errors import NotTextError, OptionError
from tests.support.interrupts import assert_interrupted

_ORDER = "must be an integer from 0 to 16, got"
BAD_OPTIONS: list[tuple[dict[str, Any], str]] = [
    *(({"char_order": value}, f"char_order {_ORDER} {value!r}.") for value in (-1, 17, 2.5, True, "6")),
    *(({"word_order": value}, f"word_order {_ORDER} {value!r}.") for value in (-1, 17, 2.5, True, "2")),
    ({"char_order": 0}, "char_order must be at least 1 if word_order is 0, got 0."),
    *(
        ({"beta": value}, f"beta must be a number from 0 to 1000, got {value!r}.")
        for value in (-1, 1001, float("nan"), float("inf"), "2", True, None, 2j)
    ),
    *(({name: 1}, f"{name} must be True or False, got 1.") for name in ("lowercase", "whitespace", "eps_smoothing")),
    ({"profile": "nltk"}, "profile must be one of sacrebleu, chrf++ for chrf, got 'nltk'."),
]


@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as raised:
        CHRF(**options)
    assert str(raised.value) == message


def test_options_beside_a_profile_win() -> None:
    assert CHRF(profile="chrf++").options == CHRF(word_order=2).options
    assert CHRF(profile="chrf++", word_order=0).options == CHRF().options


def test_parts() -> None:
    score = bp.sentence_chrf("abcd", ["abxd", "zz"], char_order=3, word_order=1)
    assert score.parts == {
        "precision": (3 / 4 + 1 / 3 + 0 + 0) / 4,
        "recall": (3 / 4 + 1 / 3 + 0 + 0) / 4,
        "matches": (3, 1, 0, 0),
        "hypothesis_totals": (4, 3, 2, 1),
        "reference_totals": (4, 3, 2, 1),
    }
    assert score.value == pytest.approx(13 / 48, rel=1e-15)
    assert str(score) == "chrF2+ = 0.2708 (precision = 0.2708, recall = 0.2708)"
    assert score.metric.columns[:4] == (
        *("hypothesis_character_1", "reference_character_1", "matches_character_1"),
        "hypothesis_character_2",
    )
    assert score.metric.columns[-1] == "matches_word_1"


def test_the_two_definitions_of_a_short_text() -> None:
    """sacrebleu 2.6.0, run: 'a' against 'a' is 100 with effective order and 16.67 with epsilons."""
    assert bp.sentence_chrf("a", "a").value == 1.0
    assert bp.sentence_chrf("a", "a", eps_smoothing=True).value == pytest.approx(1 / 6, rel=1e-15)


@pytest.mark.parametrize("eps_smoothing", [False, True])
def test_one_formula_serves_numbers_and_arrays(eps_smoothing: bool) -> None:
    metric = CHRF(eps_smoothing=eps_smoothing, word_order=1)
    chance = np.random.default_rng(5)
    reference = chance.integers(0, 4, (500, 7))
    hypothesis = np.where(reference > 0, chance.integers(0, 4, (500, 7)), 0)
    matches = np.minimum(np.minimum(hypothesis, reference), chance.integers(0, 4, (500, 7)))
    rows = np.stack([hypothesis, reference, matches], axis=2).reshape(500, 21)
    alone = [metric.definition.formula(tuple(row)) for row in rows.tolist()]
    assert metric.definition.formula(tuple(rows.T)).tobytes() == np.array(alone).tobytes()
    assert 0.0 in alone or eps_smoothing
    assert len(set(alone)) > 250


def test_tokens_are_refused() -> None:
    message = (
        "hypotheses must be a list of str, got tokens; characters are compared, so pass the text before tokenization."
    )
    with pytest.raises(NotTextError) as raised:
        bp.corpus_chrf([["a", "b"]], [[["a"]]])
    assert str(raised.value) == message
    with pytest.raises(NotTextError, match="hypothesis must be a str, got tokens; "):
        CHRF().sentence([1, 2], [[1, 2]])


# One segment that takes minutes and little memory: a call that answers an interrupt only at its end is killed.
LONG_CALLS = {
    "long texts": "bp.sentence_chrf('ab c' * 50_000, ['abc ' * 50_000] * 20_000)",
    "short texts": "bp.sentence_chrf('the cat' * 100, ['the dog' * 1_000] * 500_000)",
}
SETTING = "import bleuprint as bp"


@pytest.mark.parametrize("call", LONG_CALLS.values(), ids=LONG_CALLS.keys())
def test_an_interrupt_ends_a_long_line(call: str) -> None:
    assert_interrupted(call, SETTING)
