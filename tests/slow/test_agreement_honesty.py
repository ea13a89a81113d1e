"""Honesty of the tests between metrics and of thresholds, by simulation, as `test_honesty` has it for systems."""

from __future__ import annotations

import math

import pytest

from bleuprint.ratings.threshold import Criterion
from tools.cluster_simulation import (
    LEVELS,
    NOISES,
    REAL_PAIRS,
    REAL_RUNS,
    SIZES,
    made_up_alarms,
    ratings_file,
    real_alarms,
)
from tools.interval_simulation import CRITERIA, ITEMS, threshold_coverage

pytestmark = pytest.mark.slow

RUNS = 1000


@pytest.mark.parametrize(("items", "systems"), SIZES)
@pytest.mark.parametrize("noise", NOISES)
def test_equal_metrics_are_told_apart_as_rarely_as_promised(noise: float, items: int, systems: int) -> None:
    found = made_up_alarms(items, systems, noise, RUNS)
    for level in LEVELS:
        by_output, by_segment = found[level]
        assert abs(by_segment - 0.05) <= 3 * math.sqrt(0.05 * 0.95 / RUNS), level
        if noise >= 1 and level.startswith("segment"):
            assert by_output > 0.08, level
        if noise >= 1 and level.startswith("system"):
            assert by_output < 0.03, level


@pytest.mark.skipif(not ratings_file().exists(), reason="needs the ratings that tools.shared_data fetches")
@pytest.mark.parametrize("pair", REAL_PAIRS, ids="-".join)
def test_real_metrics_that_were_exchanged_are_told_apart_as_rarely(pair: tuple[str, str]) -> None:
    for level, (by_output, by_segment) in real_alarms(pair, REAL_RUNS).items():
        assert abs(by_segment - 0.05) <= 3 * math.sqrt(0.05 * 0.95 / REAL_RUNS), level
        assert by_output > 0.2 if level.startswith("segment") else by_output < 0.03, level


@pytest.mark.parametrize("items", ITEMS)
@pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
def test_intervals_of_thresholds_hold_them(criterion: Criterion, items: int) -> None:
    """The best threshold of a sample is erratic, so that of few items is covered a little less often than 95 %."""
    population, own = threshold_coverage(criterion, items, 300)
    assert own == 1.0
    assert population >= 0.87
