"""The simulation of comparisons of pools runs, and its table on the page is whole."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from tools.pool_simulation import ALPHA, BEGIN, END, PAGE, SIZES, binomial_range, metrics, simulate, table


def test_a_small_simulation() -> None:
    rates = simulate((6, 10), trials=2)
    assert [(row.metric, row.texts) for row in rates] == [(name, size) for size in (6, 10) for name in metrics()]
    assert all(0 <= share <= 1 for row in rates for share in row[3:])
    assert table(rates).count("\n| ") == len(rates)


@pytest.mark.slow
def test_false_alarms_and_coverage_are_within_binomial_error() -> None:
    for row in simulate((50,), trials=200):
        error = math.sqrt(ALPHA * (1 - ALPHA) / row.trials)
        assert abs(row.false_alarms - ALPHA) < 3 * error
        assert row.coverage > 1 - ALPHA - 3 * error
        assert row.bootstrap_coverage < 0.5  # which is why it is not used


def test_the_page_has_rates_within_binomial_error() -> None:
    lines = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")][1:]
    assert [tuple(row[:2]) for row in rows] == [(name, f"{size:,}") for size in SIZES for name in metrics()]
    for row in rows:
        trials = int(row[2].replace(",", ""))
        alarms, coverage = (float(row[place].removesuffix(" %")) / 100 for place in (3, 5))
        assert trials >= 200
        # The page has one decimal, and one row in twenty of an exact test is outside its 95 % range.
        assert abs(alarms - ALPHA) < 3 * math.sqrt(ALPHA * (1 - ALPHA) / trials) + 0.0005
        assert coverage > 0.92  # of intervals that are not exact for few texts


def test_the_binomial_range_is_that_of_scipy() -> None:
    for trials in (20, 200, 1000):
        expected = (stats.binom.ppf(share, trials, ALPHA) / trials for share in (0.025, 0.975))
        assert binomial_range(trials) == pytest.approx(tuple(expected))
