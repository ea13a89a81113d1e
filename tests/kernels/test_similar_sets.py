"""The join of similar sets and the numbers of n-grams, against their plain twins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.core import _native, counts
from bleuprint.core.columns import checked_column
from bleuprint.core.pool import Sets, similar_sets
from tests.kernels.twins import pool as pool_twin
from tests.kernels.twins import similar_sets as twin

families = st.lists(st.frozensets(st.integers(1, 12), max_size=9), max_size=14)
thresholds = st.sampled_from([0.01, 0.2, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.8, 0.9, 1.0])
texts = st.lists(st.lists(st.sampled_from("abcd"), max_size=7), max_size=6)


def as_sets(family: Sequence[Collection[Hashable]], listed: Callable[[int], bool] = lambda holders: True) -> Sets:
    """The sets with their elements from the rarest on; those with so many holders are listed."""
    holders = Counter(element for elements in family for element in elements)
    rarest = sorted((element for element in holders if listed(holders[element])), key=lambda item: holders[item])
    number = {element: place for place, element in enumerate(rarest)}
    rows = [sorted(number[element] for element in elements if element in number) for elements in family]
    return Sets(
        np.array([element for row in rows for element in row], np.uint32),
        np.cumsum([0, *map(len, rows)]).astype(np.uint64),
        np.array([len(elements) for elements in family], np.uint32),
        len(rarest),
    )


def join(sets: Sets, threshold: float, threads: int = 1) -> list[twin.Pair]:
    pairs = similar_sets(sets, threshold, 10_000, threads)
    assert pairs is not None
    return [tuple(pair) for pair in pairs.tolist()]


@given(families, thresholds, st.integers(1, 3))
def test_the_join_finds_exactly_the_pairs_of_brute_force(
    family: list[frozenset[int]], threshold: float, threads: int
) -> None:
    assert join(as_sets(family), threshold, threads) == twin.similar_sets(family, threshold)


@given(families, thresholds)
def test_elements_of_one_set_alone_need_not_be_listed(family: list[frozenset[int]], threshold: float) -> None:
    assert join(as_sets(family, lambda holders: holders > 1), threshold) == twin.similar_sets(family, threshold)


def test_many_sets_in_several_threads() -> None:
    generator = np.random.default_rng(5)
    family = [frozenset(generator.integers(1, 400, size=12).tolist()) for _ in range(600)]
    family += [elements - {min(elements)} | {400 + place} for place, elements in enumerate(family[:300])]
    expected = twin.similar_sets(family, 0.7)
    assert len(expected) > 200
    for threads in (1, 4):
        assert join(as_sets(family), 0.7, threads) == expected


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
    pool = filled(lists)
    assert pool.ngram_numbers(order, threads).tolist() == pool_twin.ngram_numbers(lists, order)


def filled(lists: list[list[str]]) -> counts.Pool:
    pool = counts.Pool("whitespace", False)
    pool.add(checked_column(lists, "texts"), 1)
    return pool


@given(texts, st.integers(1, 4), st.booleans(), thresholds)
def test_ngram_sets_are_those_of_python(
    lists: list[list[str]], order: int, repeats_count: bool, threshold: float
) -> None:
    sets = filled(lists).ngram_sets(order, 1, repeats_count=repeats_count)
    expected = pool_twin.ngram_sets(lists, order, repeats_count=repeats_count)
    holders = Counter(element for elements in expected for element in elements)
    assert sets.sizes.tolist() == list(map(len, expected))
    assert np.diff(sets.offsets).tolist() == [sum(holders[item] > 1 for item in elements) for elements in expected]
    # The rarest come first, and elements stand for what they stand for: as many texts have each.
    frequencies = np.bincount(sets.elements, minlength=sets.element_limit).tolist()
    assert frequencies == sorted(count for count in holders.values() if count > 1)
    assert join(sets, threshold) == twin.similar_sets(expected, threshold)


@given(texts, st.integers(0, 4), st.integers(1, 2))
def test_frequency_counts(lists: list[list[str]], max_order: int, threads: int) -> None:
    assert filled(lists).frequency_counts(max_order, threads) == pool_twin.frequency_counts(lists, max_order)


def test_frequency_counts_of_a_frequent_word() -> None:
    assert filled([["a"] * 5000, ["b", "b"], ["c"]]).frequency_counts(2, 1) == [{5000: 1, 2: 1, 1: 1}, {4999: 1, 1: 1}]


def test_other_texts_in_shares_of_threads() -> None:
    words = np.random.default_rng(5).zipf(1.5, size=(30_000, 9)).clip(max=3000)
    lists = [[] if number % 1000 == 0 else list(map(str, row)) for number, row in enumerate(words.tolist())]
    pool = filled(lists)
    for order in (1, 3):
        expected = pool_twin.other_texts(lists, order)
        assert pool.other_texts(order, 1).tolist() == pool.other_texts(order, 3).tolist() == expected


@given(texts, st.integers(1, 4), st.integers(1, 2))
def test_other_texts(lists: list[list[str]], order: int, threads: int) -> None:
    assert filled(lists).other_texts(order, threads).tolist() == pool_twin.other_texts(lists, order)


@given(texts, st.integers(1, 12))
def test_window_types(lists: list[list[str]], window: int) -> None:
    tokens = sum(map(len, lists))
    width = min(window, tokens)
    found = filled(lists).window_types(window, np.ones((1, len(lists)), dtype=np.uint64), 1).tolist()
    assert found == [[tokens, width, pool_twin.window_types(lists, width) if tokens else 0]] * bool(lists)


@given(texts, st.sampled_from([0.3, 0.5, 0.72, 0.9]), st.booleans())
def test_stretches(lists: list[list[str]], threshold: float, backward: bool) -> None:
    everything = np.ones((1, len(lists)), dtype=np.uint64)
    found = filled(lists).stretches(threshold, everything, 1, backward=backward).tolist()
    expected = [sum(map(len, lists)), *pool_twin.stretches(lists, threshold, backward=backward)]
    assert found == [expected] * bool(lists)


@given(st.lists(st.lists(st.sampled_from("ab"), max_size=14), max_size=4), st.integers(1, 5), st.integers(2, 4))
def test_loops(lists: list[list[str]], max_period: int, times: int) -> None:
    tokens, spans = filled(lists).loops(max_period, times)
    expected = pool_twin.loops(lists, max_period, times)
    assert [tuple(span) for span in spans.tolist()] == expected
    inside = [
        {at for text, begin, end, _ in expected if text == place for at in range(begin, end)}
        for place in range(len(lists))
    ]
    assert tokens.tolist() == list(map(len, inside))


@given(texts, st.data())
def test_a_selection_of_texts_is_the_pool_of_these_texts(lists: list[list[str]], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(range(len(lists))), max_size=8)) if lists else []
    pool = filled(lists).select(chosen)
    assert pool.tokens(list(range(len(pool)))) == [lists[text] for text in chosen]
    assert pool.ngram_numbers(1, 1).tolist() == pool_twin.ngram_numbers([lists[text] for text in chosen], 1)
