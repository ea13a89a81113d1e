"""A sweep over alpha equals a score for every alpha, from one counting."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import errors
from bleuprint.metrics.ibleu import IBLEU, alphas_between

words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=7).map(" ".join)
segments = st.lists(st.tuples(words, words, words), min_size=1, max_size=5)


@given(
    rows=segments,
    alphas=st.lists(st.floats(0, 1), min_size=1, max_size=4),
    options=st.sampled_from(
        [{}, {"max_order": 2}, {"smoothing": "none"}, {"profile": "editeval"}, {"lowercase": True}]
    ),
)
def test_every_score_equals_that_of_its_alpha(
    rows: list[tuple[str, str, str]], alphas: list[float], options: dict[str, Any]
) -> None:
    hypotheses, references, sources = ([row[place] for row in rows] for place in range(3))
    swept = bp.IBLEU(**options).sweep(hypotheses, references, sources=sources, alphas=alphas)
    for alpha, score in zip(alphas, swept, strict=True):
        alone = bp.ibleu(hypotheses, references, sources=sources, alpha=alpha, **options)
        assert score.value == alone.value
        assert score.signature == alone.signature
        assert score.alpha == alpha
        assert score.parts == alone.parts
        assert str(score) == str(alone)


def test_texts_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    corpus = IBLEU.corpus

    def counted(self: IBLEU, *given: Any, **named: Any) -> Any:
        calls.append(1)
        return corpus(self, *given, **named)

    monkeypatch.setattr(IBLEU, "corpus", counted)
    assert len(bp.IBLEU().sweep(["a b"], ["a c"], sources=["a b"], alphas=alphas_between("0", "1", "0.01"))) == 101
    assert calls == [1]


def test_the_default_is_the_range_of_the_papers() -> None:
    swept = bp.IBLEU().sweep(["a b"], ["a c"], sources=["a b"])
    assert [score.alpha for score in swept] == [0.5, 0.6, 0.7, 0.8, 0.9]


def test_steps_are_decimals_and_include_the_last() -> None:
    assert alphas_between("0.1", "0.3", "0.1") == (0.1, 0.2, 0.3)
    assert alphas_between("0", "1", "0.3") == (0.0, 0.3, 0.6, 0.9)
    assert alphas_between("0.7", "0.7", "1") == (0.7,)


@pytest.mark.parametrize(
    "given_range", [("0.9", "0.5", "0.1"), ("0", "2", "0.1"), ("0", "1", "0"), ("a", "1", "0.1"), ("0", "1", "1e-9")]
)
def test_ranges_that_are_refused(given_range: tuple[str, str, str]) -> None:
    with pytest.raises(errors.OptionError, match="FIRST:LAST:STEP"):
        alphas_between(*given_range)


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        ({"alphas": []}, "at least one"),
        ({"alphas": [1.5]}, "from 0 to 1"),
        ({"alphas": 0.5}, "a list of numbers"),
        ({"alphas": "0.5"}, "a list of numbers"),
        ({"alphas": [True]}, "from 0 to 1"),
    ],
)
def test_wrong_alphas_are_refused(options: dict[str, Any], refusal: str) -> None:
    with pytest.raises(errors.OptionError, match=refusal):
        bp.IBLEU().sweep(["a"], ["a"], sources=["a"], **options)
