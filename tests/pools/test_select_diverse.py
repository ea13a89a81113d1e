"""Choosing varied texts, against plain greedy choices."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import OptionError
from tests.kernels.twins import pool as twin

pools = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), min_size=1, max_size=7)


@given(pools, st.integers(1, 2), st.data())
def test_distinct_takes_what_adds_most(texts: list[list[str]], order: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, len(texts)))
    sets = [set(twin.ngrams(text, order)) for text in texts]
    expected: list[int] = []
    covered: set[object] = set()
    while len(expected) < k:
        rest = [place for place in range(len(texts)) if place not in expected]
        best = max(rest, key=lambda place: (len(sets[place] - covered), -place))
        covered |= sets[best]
        expected.append(best)
    assert bp.select_diverse(texts, k, order=order) == expected


@given(pools, st.integers(1, 2), st.data())
def test_jaccard_takes_what_is_farthest(texts: list[list[str]], order: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, len(texts)))
    sets = [set(twin.ngrams(text, order)) for text in texts]

    def similarity(one: int, other: int) -> float:
        return len(sets[one] & sets[other]) / max(len(sets[one] | sets[other]), 1)

    expected = [max(range(len(texts)), key=lambda place: (len(sets[place]), -place))][:k]
    while len(expected) < k:
        rest = [place for place in range(len(texts)) if place not in expected]
        expected.append(min(rest, key=lambda place: (max(similarity(place, other) for other in expected), place)))
    assert bp.select_diverse(texts, k, metric="jaccard", order=order) == expected


def test_the_choice_is_more_diverse_than_the_first_texts() -> None:
    texts = ["the cat sat on the mat"] * 20 + [f"w{number} x{number} y{number}" for number in range(5)]
    chosen = [texts[place] for place in bp.select_diverse(texts, 6)]
    assert bp.distinct(chosen, max_order=2).value > bp.distinct(texts[:6], max_order=2).value
    assert len(set(chosen)) == 6


def test_bad_input() -> None:
    with pytest.raises(OptionError, match="from 0 to 2"):
        bp.select_diverse(["a", "b"], 3)
    with pytest.raises(OptionError, match="distinct or jaccard"):
        bp.select_diverse(["a", "b"], 1, metric="bleu")
