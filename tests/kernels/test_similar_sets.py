"""The join of similar sets and the numbers of n-grams, against their plain twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.core import _native, counts
from bleuprint.core.columns import checked_column
from bleuprint.core.similar_sets import Sets, similar_sets
from tests.kernels.twins import pool as pool_twin
from tests.kernels.twins import similar_sets as twin

families = st.lists(st.frozensets(st.integers(1, 12), max_size=9), max_size=14)
thresholds = st.sampled_from([0.01, 0.2, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.8, 0.9, 1.0])
texts = st.lists(st.lists(st.sampled_from("abcd"), max_size=7), max_size=6)


def as_sets(family: list[frozenset[int]]) -> Sets:
    pairs = [(owner, element) for owner, elements in enumerate(family) for element in elements]
    owners, elements = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Sets.of(len(family), owners, elements)


@given(families, thresholds, st.integers(1, 3))
def test_the_join_finds_exactly_the_pairs_of_brute_force(
    family: list[frozenset[int]], threshold: float, threads: int
) -> None:
    pairs = similar_sets(as_sets(family), threshold, 10_000, threads)
    assert pairs is not None
    assert [tuple(pair) for pair in pairs.tolist()] == twin.similar_sets(family, threshold)


@given(families, thresholds)
def test_elements_of_one_set_alone_need_not_be_listed(family: list[frozenset[int]], threshold: float) -> None:
    alone = {element for element in range(13) if sum(element in elements for elements in family) == 1}
    pairs = [(owner, 0 if e in alone else e) for owner, elements in enumerate(family) for e in elements]
    owners, elements = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    joined = similar_sets(Sets.of(len(family), owners, elements), threshold, 10_000, 1)
    assert joined is not None
    assert [tuple(pair) for pair in joined.tolist()] == twin.similar_sets(family, threshold)


def test_many_sets_in_several_threads() -> None:
    generator = np.random.default_rng(5)
    family = [frozenset(generator.integers(1, 400, size=12).tolist()) for _ in range(600)]
    family += [elements - {min(elements)} | {400 + place} for place, elements in enumerate(family[:300])]
    expected = twin.similar_sets(family, 0.7)
    assert len(expected) > 200
    for threads in (1, 4):
        pairs = similar_sets(as_sets(family), 0.7, 10_000, threads)
        assert pairs is not None
        assert [tuple(pair) for pair in pairs.tolist()] == expected


def test_more_pairs_than_the_limit_are_refused_whole() -> None:
    family = [frozenset({1, 2, 3})] * 5
    assert similar_sets(as_sets(family), 1.0, 9, 1) is None
    pairs = similar_sets(as_sets(family), 1.0, 10, 1)
    assert pairs is not None
    assert len(pairs) == 10


@pytest.mark.parametrize(
    ("elements", "offsets", "sizes", "limit", "threshold"),
    [
        ([1, 0], [0, 2], [2], 2, 0.5),  # not ascending
        ([0, 5], [0, 2], [2], 2, 0.5),  # an element beyond the limit
        ([0, 1], [0, 2], [1], 2, 0.5),  # more than its size
        ([0, 1], [0, 3], [3], 2, 0.5),  # an offset beyond the elements
        ([0, 1], [0, 2, 1, 2], [2, 0, 1], 2, 0.5),  # offsets that go back
        ([0], [0, 1], [1], 1, 0.0),
        ([0], [0, 1], [1], 1, float("nan")),
    ],
)
def test_sets_that_are_none_are_refused(
    elements: list[int], offsets: list[int], sizes: list[int], limit: int, threshold: float
) -> None:
    arrays = np.array(elements, np.uint32), np.array(offsets, np.uint64), np.array(sizes, np.uint32)
    with pytest.raises(ValueError, match=r"set|threshold|offsets"):
        _native.similar_sets(*arrays, limit, threshold, 10, 1)


@given(texts, st.integers(1, 4), st.integers(1, 2))
def test_ngram_numbers(lists: list[list[str]], order: int, threads: int) -> None:
    pool = counts.Pool("whitespace", False)
    pool.add(checked_column(lists, "texts"), 1)
    assert pool.ngram_numbers(order, threads).tolist() == pool_twin.ngram_numbers(lists, order)
    owners, numbers = pool.text_ngrams(order, threads)
    expected = [len(set(pool_twin.ngrams(text, order))) for text in lists]
    assert np.bincount(owners, minlength=len(lists)).tolist() == expected
    assert len(numbers) == sum(expected)
