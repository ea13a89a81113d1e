"""The score of the same counts with another alpha equals that of a metric with this alpha."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import errors

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
    counted = bp.IBLEU(**options).corpus(hypotheses, references, sources=sources)
    for alpha in alphas:
        score = counted.at(alpha)
        alone = bp.ibleu(hypotheses, references, sources=sources, alpha=alpha, **options)
        assert score.value == alone.value
        assert score.signature == alone.signature
        assert score.alpha == alpha
        assert score.parts == alone.parts
        assert str(score) == str(alone)


@pytest.mark.parametrize("alpha", [1.5, -0.1, True, "0.5"])
def test_wrong_alphas_are_refused(alpha: Any) -> None:
    score = bp.ibleu(["a"], ["a"], sources=["a"])
    with pytest.raises(errors.OptionError, match="from 0 to 1"):
        score.at(alpha)
