"""Which swaps are surely nearer or as far: as the twin says, whatever the number of trials."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint.core.counts import judge_swaps
from tests.kernels.twins import swaps
from tests.support.effort import examples


@given(st.integers(0, 1 << 32), st.integers(1, 5), st.integers(1, 9), st.sampled_from([1, 2, 255, 256, 257, 600]))
@settings(max_examples=examples(50), deadline=None)
def test_judgements_are_those_of_the_twin(seed: int, systems: int, columns: int, trials: int) -> None:
    generator = np.random.default_rng(seed)
    sums = generator.integers(-9, 9, size=(systems * columns, trials)).astype(np.float64)
    places = generator.integers(0, len(sums), size=(3, 2, columns), dtype=np.uint32)
    bounds = generator.integers(-4, 12, size=(3, columns, 4)) / np.array([1, 0.5, 8, 32])
    bounds[0, 0, 2:] = generator.choice([1.0, np.inf, np.nan], 2)
    limits = generator.integers(0, 9, size=(3, 2)).astype(np.float64)
    as_far = np.arange(3)  # counts are added to what is there
    unknown = np.frombuffer(judge_swaps(sums, places, bounds, limits, as_far), dtype=np.uint64)
    for pair, (first, second) in enumerate(places):
        sides = zip(sums[first].T.tolist(), sums[second].T.tolist(), strict=True)
        expected = [
            swaps.judge(one, other, bounds[pair].tolist(), tuple(limits[pair].tolist())) for one, other in sides
        ]
        assert as_far[pair] == pair + expected.count(swaps.AS_FAR)
        left = [trial for trial, known in enumerate(expected) if known == swaps.UNKNOWN]
        assert [int(found) % trials for found in unknown if found // trials == pair] == left


def test_arrays_must_fit() -> None:
    sums, bounds, limits = np.zeros((6, 4)), np.zeros((1, 3, 4)), np.zeros((1, 2))
    places, out = np.arange(6, dtype=np.uint32).reshape(1, 2, 3), np.zeros(1, dtype=np.int64)
    judge_swaps(sums, places, bounds, limits, out)
    with pytest.raises(IndexError, match="not so many columns"):
        judge_swaps(sums, places + 1, bounds, limits, out)
    wrong: Any
    for wrong in (
        (sums, places, bounds[:, :2], limits, out),
        (sums, places, bounds, limits, out[:0]),
        (sums, places[:0], bounds, limits, out),
        (sums, places[:, :, :2], bounds, limits, out),
        (sums, places, bounds, limits[:0], out),
    ):
        with pytest.raises(ValueError, match="wrong sizes"):
            judge_swaps(*map(np.ascontiguousarray, wrong))
