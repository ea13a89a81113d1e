"""Few items: intervals hold the truth, and tests err no more often than they may."""

from __future__ import annotations

import math

import pytest

from tools.small_sample_simulation import INTERVALS, RATES, SIZES, coverage, error_rates

pytestmark = pytest.mark.slow

RUNS = 200
LEAST = {"mean score": 0.93, "difference of two mean scores": 0.92}  # which the bootstrap of skewed scores keeps


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", INTERVALS)
def test_intervals_hold_the_truth(name: str, size: int) -> None:
    """Of all shares together as often as promised, and of each nearly as often."""
    level = LEAST.get(name, 0.95)
    held = [coverage(name, size, rate, RUNS) for rate in RATES]
    assert sum(held) / len(held) >= level - 3 * math.sqrt(level * (1 - level) / (RUNS * len(held)))
    assert min(held) >= level - 4 * math.sqrt(level * (1 - level) / RUNS)


@pytest.mark.parametrize("size", SIZES)
def test_tests_rarely_err(size: int) -> None:
    found = [error_rates(size, rate, RUNS) for rate in RATES]
    for errors in zip(*found, strict=True):
        assert max(errors) <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / RUNS)
        assert sum(errors) / len(errors) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / (RUNS * len(errors)))
