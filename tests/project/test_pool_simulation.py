"""The simulation of comparisons of pools runs, and its table on the page is whole."""

from __future__ import annotations

import math

import pytest

from tools.pool_simulation import ALPHA, BEGIN, END, PAGE, SIZES, metrics, simulate, table


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


def test_the_page_has_the_table() -> None:
    lines = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].splitlines()
    rows = [tuple(cell.strip() for cell in line.split("|")[1:3]) for line in lines if line.startswith("| ")][1:]
    assert rows == [(name, f"{size:,}") for size in SIZES for name in metrics()]
