"""Blocks of texts that exchange tables know what one pool knows."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint.core import counts
from bleuprint.core.counts import CROSS, SUMS, TOP_TWO, MergedTable, TextBlock
from tests.kernels.twins import pool as twin

tokens = st.sampled_from(["a", "b", "c", "é", "a token of more than sixteen bytes", ""])
texts = st.lists(tokens, max_size=9)
Blocks = list[list[list[str]]]
blocks = st.lists(st.lists(texts, max_size=4), min_size=1, max_size=4)


def block(lists: list[list[str]], *, second_side: bool = False) -> TextBlock:
    column = counts.column(list(lists), groups=False, tokenized=True)
    return TextBlock.of(column, "whitespace", False, second_side=second_side)


def exchange(
    parts: list[TextBlock], rule: str, buckets: int, seed: int = 7
) -> tuple[list[TextBlock], list[np.ndarray[tuple[int, int], np.dtype[np.int64]]]]:
    """All blocks at the next order, in fresh processes' clothes, and the counts of every bucket."""
    tables = [part.tables(rule, seed, buckets) for part in parts]
    answers: list[list[bytes]] = [[] for _ in parts]
    found = []
    for bucket in range(buckets):
        merged = MergedTable(rule, parts[0].order + 1)
        places = [merged.add(table[bucket]) for table in tables]
        for mine, place in zip(answers, places, strict=True):
            mine.append(merged.answer(place))
        found.append(merged.counts())
    moved = [TextBlock.unpacked(part.packed()) for part in parts]
    for part, mine in zip(moved, answers, strict=True):
        part.take_answers(rule, seed, mine)
    return moved, found


@settings(deadline=None)
@given(parts=blocks, buckets=st.integers(1, 5), seed=st.integers(0, 2**64 - 1))
def test_top_two_tables_give_leave_one_out_matches(parts: Blocks, buckets: int, seed: int) -> None:
    together = [block(part) for part in parts]
    for _ in range(3):
        together, _ = exchange(together, TOP_TWO, buckets, seed)
    every = [text for part in parts for text in part]
    found = [row for part in together for row in part.matches().tolist()]
    assert found == twin.leave_one_out(every, 3)
    assert [length for part in together for length in part.lengths().tolist()] == [len(text) for text in every]


@settings(deadline=None)
@given(first=blocks, second=blocks, buckets=st.integers(1, 5))
def test_cross_tables_give_matches_with_the_other_side(first: Blocks, second: Blocks, buckets: int) -> None:
    together = [block(part) for part in first] + [block(part, second_side=True) for part in second]
    for _ in range(3):
        together, _ = exchange(together, CROSS, buckets)
    texts, references = ([text for part in side for text in part] for side in (first, second))
    found = [row for part in together[: len(first)] for row in part.matches().tolist()]
    assert found == twin.cross(texts, references, 3)


@settings(deadline=None)
@given(first=blocks, second=blocks, buckets=st.integers(1, 5))
def test_sums_give_the_counts_of_both_sides(first: Blocks, second: Blocks, buckets: int) -> None:
    together = [block(part) for part in first] + [block(part, second_side=True) for part in second]
    left, right = ([text for part in side for text in part] for side in (first, second))
    for order in range(1, 4):
        single = sum(max(0, len(text) - order + 1) for text in left + right)
        candidates = sum(part.candidates for part in together)
        together, found = exchange(together, SUMS, buckets)
        counted = Counter((int(one), int(other)) for table in found for one, other in table.tolist())
        # What was pruned before occurs once, on whichever side.
        expected = Counter(twin.paired_counts(left, right, order))
        pruned = expected - counted
        assert counted - expected == Counter()
        assert pruned.total() == single - candidates
        assert set(pruned) <= {(1, 0), (0, 1)}


def test_a_block_made_again_has_the_same_bytes_and_another_has_another_fingerprint() -> None:
    generator = random.Random(1)
    lists = [[generator.choice("abcdef") for _ in range(8)] for _ in range(50)]
    one, two = block(lists), block(lists)
    assert one.packed() == two.packed()
    assert one.fingerprint == two.fingerprint
    assert one.tables(TOP_TWO, 3, 4) == two.tables(TOP_TWO, 3, 4)
    assert block(lists[1:]).fingerprint != one.fingerprint
    assert block([*lists[1:], lists[0]]).fingerprint != one.fingerprint


def test_bytes_that_are_no_block_or_belong_to_another_are_refused() -> None:
    whole = block([["a", "b"], ["b"]]).packed()
    for cut in range(len(whole)):
        with pytest.raises(ValueError, match="bytes"):
            TextBlock.unpacked(whole[:cut])
    with pytest.raises(ValueError, match="bytes"):
        TextBlock.unpacked(whole + b"x")
    # Two texts at order 2^63 have 2^64 matches, which is 0 in 64 bits.
    with pytest.raises(ValueError, match="no whole block"):
        TextBlock.unpacked(whole[:8] + (2**63).to_bytes(8, "little") + whole[16:])
    one = block([["a", "b"], ["b", "c"]])
    with pytest.raises(ValueError, match="bytes end too early"):
        one.take_answers(TOP_TWO, 1, [b""])
    with pytest.raises(ValueError, match="another block"):
        one.take_answers(TOP_TWO, 1, [b"\0" * 4])
    with pytest.raises(ValueError, match="bytes"):
        MergedTable(TOP_TWO, 1).add(b"\xff")
    with pytest.raises(ValueError, match="buckets"):
        one.tables(TOP_TWO, 1, 0)
