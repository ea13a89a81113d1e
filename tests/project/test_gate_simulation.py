"""The simulation of gates runs, and its table on the page is whole."""

from __future__ import annotations

import pytest

from bleuprint.runners.gates import RULES
from tools.gate_simulation import BEGIN, DROP, END, PAGE, SIZES, Population, simulate, table


def test_a_small_simulation() -> None:
    rates = simulate((5, 12), trials=3)
    assert [(row.rule, row.segments) for row in rates] == [(rule, size) for rule in RULES for size in (5, 12)]
    assert all(sum(shares.values()) == pytest.approx(1) for row in rates for shares in row[2:])
    assert table(rates, 3).count("\n| ") == 1 + len(rates)


def test_the_drop_is_the_wanted_one() -> None:
    population = Population()
    assert population._drop(0.5) == 0
    assert population._drop(population.swap_probability(DROP)) == pytest.approx(DROP, abs=1e-9)


def test_the_page_has_the_table() -> None:
    lines = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].splitlines()
    rows = [line.split("|")[1:3] for line in lines if line.startswith("| ")][1:]
    assert [(rule.strip(), size.strip()) for rule, size in rows] == [
        (rule, f"{size:,}") for rule in RULES for size in SIZES
    ]
