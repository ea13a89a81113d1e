"""Intervals and tests of statistics of whole pools."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from bleuprint.core.pool import texts_of_part
from bleuprint.statistics.comparison import PairComparison
from bleuprint.statistics.distributions import t_quantile
from bleuprint.statistics.pools import (
    Both,
    compare_pooled,
    interval_around,
    jackknife_intervals,
)
from bleuprint.statistics.settings import Settings


def means(values: NDArray[np.float64]) -> Callable[[NDArray[np.uint64]], NDArray[np.float64]]:
    """What gives the mean of each part of the values."""

    def score(members: NDArray[np.uint64]) -> NDArray[np.float64]:
        parts = (texts_of_part(members, part) for part in range(64 * len(members)))
        return np.array([[values[part].mean()] for part in parts if len(part)])

    return score


def test_quantiles_are_those_of_students_t() -> None:
    for freedom in (1, 2, 19, 49):
        assert t_quantile(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom))


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    values = np.random.default_rng(3).normal(size=40)
    (interval,) = jackknife_intervals(means(values), 40, values=[float(values.mean())], groups=40)
    low, high = stats.t.interval(0.95, 39, values.mean(), values.std(ddof=1) / 40**0.5)
    assert (interval.low, interval.high) == pytest.approx((low, high))
    assert interval.samples == 40


@pytest.mark.parametrize("hits", [0, 1, 5, 19, 20])
def test_a_rare_share_has_the_interval_of_clopper_and_pearson(hits: int) -> None:
    """With the error of 20 independent texts; where it is 0, an event takes two of 40 texts."""
    quantiles = stats.t.ppf(0.975, 19) / stats.norm.ppf(0.975)
    error = (hits / 20 * (1 - hits / 20) / 20) ** 0.5 / quantiles
    interval = interval_around(hits / 20, error, 0.95, 20, texts=40)
    expected = stats.binomtest(hits, 20).proportion_ci(0.95, method="exact")
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))
    if hits in {0, 20}:
        assert interval_around(hits / 20, 1e-17, 0.95, 20, texts=40) == interval  # rounding


def test_other_values_have_the_interval_of_student() -> None:
    reach = 0.02 * stats.t.ppf(0.975, 19)
    for value, texts in ((0.5, 4000), (0.0, None), (3.0, None)):
        interval = interval_around(value, 0.02, 0.95, 20, texts=texts)
        assert (interval.low, interval.high) == pytest.approx((value - reach, value + reach))


def test_every_text_is_left_out_once() -> None:
    left: list[int] = []

    def statistics(members: NDArray[np.uint64]) -> NDArray[np.float64]:
        for part in range(20):
            left.extend(set(range(47)) - set(texts_of_part(members, part).tolist()))
        return np.zeros((64, 1))

    jackknife_intervals(statistics, 47, values=[0.0])
    assert sorted(left) == list(range(47))


def compare_means(first: NDArray[np.float64], second: NDArray[np.float64], swaps: int) -> PairComparison:
    """The comparison of two systems by a plain mean, for which all is known."""
    values = {"first": first, "second": second}
    (pair,) = compare_pooled(
        {name: float(one.mean()) for name, one in values.items()},
        len(first),
        lambda name: means(values[name]),
        lambda name, other: Both(means(np.concatenate([values[name], values[other]])), True, False),
        Settings(resamples=swaps),
        higher_is_better=True,
        has_percent=False,
    ).pairs
    return pair


def test_a_swap_test_without_early_end_is_the_share_of_swaps() -> None:
    pair = compare_means(np.arange(10.0, 18.0), np.arange(8.0), 999)
    # All differences are 10, so 2 of the 256 swaps reach the observed one: about 8 of 999, and the observed itself.
    assert pair.samples == 999
    assert (pair.p_value * 1000) % 1 == pytest.approx(0)
    assert pair.p_value == pytest.approx(2 / 256, abs=4 * (2 / 256 / 999) ** 0.5)
    never = compare_means(np.arange(30.0) + 5, np.arange(30.0), 99)
    assert (never.p_value, never.samples) == (1 / 100, 99)


def test_a_swap_test_ends_at_the_fiftieth_difference_as_large() -> None:
    """Besag, Clifford (1991): p is then the number of exceedances over the number of swaps, without adding 1."""
    same = compare_means(np.arange(9.0), np.arange(9.0), 999)
    assert (same.p_value, same.samples) == (1.0, 50)  # every swap reaches a difference of 0
    values = np.random.default_rng(2).normal(size=(2, 40))
    pair = compare_means(values[0], values[1], 999)
    assert 50 < pair.samples < 999
    assert pair.p_value == 50 / pair.samples
    assert pair.p_value == pytest.approx(compare_means(values[0], values[1], 49).p_value, abs=0.3)
    exact = stats.permutation_test(tuple(values), lambda x, y: (x - y).mean(), permutation_type="samples").pvalue
    assert pair.p_value == pytest.approx(exact, abs=4 * (exact * (1 - exact) / pair.samples) ** 0.5)
