"""The parts of formulas by hand: every function in plain numbers and in arrays, to the last bit."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from bleuprint.errors import OptionError
from bleuprint.metrics.base.formulas import exp, log, power, ratio, weighted_geometric_mean, where
from bleuprint.metrics.smoothing import Orders, Smoothing, brevity_penalty

LEAST = sys.float_info.min


def assert_both(function: Callable[..., Any], rows: Sequence[tuple[Any, ...]], expected: Sequence[float]) -> None:
    """One row of arguments after the other, and all rows as arrays, give the same."""
    assert [function(*row) for row in rows] == list(expected)
    columns = (np.array(column) for column in zip(*rows, strict=True))
    assert np.asarray(function(*columns)).tolist() == list(expected)


def test_where() -> None:
    one, two = object(), object()
    assert where(True, one, two) is one
    assert where(False, one, two) is two
    assert where(np.array([True, False]), 1, 2).tolist() == [1, 2]


def test_ratio() -> None:
    assert_both(ratio, [(3, 4), (0, 4), (3, 0), (3, 1), (5, 2)], [0.75, 0.0, 0.0, 3.0, 2.5])
    assert type(ratio(3, 4)) is type(ratio(3, 0)) is float  # plain numbers stay plain


def test_logarithms_and_powers() -> None:
    assert_both(log, [(1.0,), (0.0,), (0.5,), (2.0,)], [0.0, -math.inf, math.log(0.5), math.log(2.0)])
    assert_both(exp, [(0.0,), (-1.5,), (2.0,)], [1.0, math.exp(-1.5), math.exp(2.0)])
    assert (power(3.0, 2.0), power(4, 0.5)) == (9.0, 2.0)
    assert power(np.array([3.0, 4.0]), 0.5).tolist() == [3.0**0.5, 2.0]


def test_brevity_penalty() -> None:
    rows = [(0, 5), (4, 5), (5, 5), (6, 5), (1, 5), (1, 0), (0, 0)]
    expected = [0.0, math.exp(1 - 5 / 4), 1.0, 1.0, math.exp(1 - 5 / 1), 1.0, 0.0]
    assert_both(brevity_penalty, rows, expected)


# values, weights, whether zeros are skipped, the mean
MEANS: list[tuple[tuple[float, ...], tuple[float, ...], bool, float]] = [
    ((0.5, 0.25), (0.5, 0.5), False, math.exp(0.5 * math.log(0.5) + 0.5 * math.log(0.25))),
    ((0.5, 0.25), (1.0, 0.0), False, math.exp(math.log(0.5))),
    ((1.0, 1.0), (0.5, 0.5), False, 1.0),
    ((0.5, 0.0), (0.5, 0.5), False, 0.0),
    ((0.5, 0.0), (1.0, 0.0), False, math.exp(math.log(0.5))),
    ((0.5, 0.0), (0.5, 0.5), True, math.exp(0.5 * math.log(0.5))),
    ((0.0, 0.0), (0.5, 0.5), True, 1.0),
    ((0.5, 0.25), (0.0, 0.0), False, 0.0),
    ((1.0, 0.25), (1.0, 0.0), False, 1.0),
    ((1.0, 0.25), (0.0, 0.0), True, 0.0),
    ((0.25,), (1.0,), False, math.exp(math.log(0.25))),
]


@pytest.mark.parametrize(("values", "weights", "skip", "expected"), MEANS)
def test_geometric_mean(values: tuple[float, ...], weights: tuple[float, ...], skip: bool, expected: float) -> None:
    assert weighted_geometric_mean(values, weights, skip_zero=skip) == expected
    columns = [np.array([value, value]) for value in values]
    assert np.broadcast_to(weighted_geometric_mean(columns, weights, skip_zero=skip), 2).tolist() == [expected] * 2
    assert weighted_geometric_mean(columns, [np.array([w, w]) for w in weights], skip_zero=skip).tolist()[0] == expected
    if not skip:
        assert weighted_geometric_mean(values, weights) == expected


LOG4 = math.log(4)
# Matches, totals, length, precision of order 5, length whose n-grams method6 takes.
ONE = ((3, 0, 0, 0), (4, 3, 2, 1), 4, 0.25, 4)
ALL = ((4, 3, 2, 1), (5, 4, 3, 2), 5, 0.0, 5)
SHORT = ((1, 1, 0, 0), (2, 1, 0, 0), 2, 0.0, 2)
SINGLE = ((0, 0, 0, 0), (1, 0, 0, 0), 1, 0.0, 1)
LATE = ((4, 2, 1, 0), (6, 5, 4, 3), 6, 0.5, 6)


def neighbours(values: list[float], beyond: float) -> list[float]:
    found, before = [], values[0] + 1
    for place, value in enumerate(values):
        after = values[place + 1] if place + 1 < len(values) else beyond
        before = (before + value + after) / 3
        found.append(before)
    return found


FOURTH = [0.75, 1 / (2 * 5 / LOG4) / 3, 1 / (4 * 5 / LOG4) / 2, 1 / (8 * 5 / LOG4) / 1]
THIRD = (1 + 5 * ((2 / 5) * (2 / 5) / (4 / 6))) / (6 - 2 + 5)
PRECISIONS: list[tuple[str, tuple[Any, ...], list[float]]] = [
    ("none", ONE, [0.75, 0.0, 0.0, 0.0]),
    ("none", SHORT, [0.5, 1.0, 0.0, 0.0]),
    ("floor(0.5)", ONE, [0.75, 0.5 / 3, 0.5 / 2, 0.5]),
    ("floor(0.5)", ALL, [4 / 5, 3 / 4, 2 / 3, 1 / 2]),
    ("floor", SHORT, [0.5, 1.0, 0.0, 0.0]),
    ("add-k(2)", ONE, [0.75, 2 / 5, 2 / 4, 2 / 3]),
    ("add-k", ALL, [4 / 5, 4 / 5, 3 / 4, 2 / 3]),
    ("add-all(2)", ONE, [5 / 6, 2 / 5, 2 / 4, 2 / 3]),
    ("exp", ONE, [0.75, 1 / (2 * 3), 1 / (4 * 2), 1 / (8 * 1)]),
    ("exp", ALL, [4 / 5, 3 / 4, 2 / 3, 1 / 2]),
    ("exp", SHORT, [0.5, 1.0, 0.0, 0.0]),
    ("exp", SINGLE, [0.5, 0.0, 0.0, 0.0]),
    ("exp", LATE, [4 / 6, 2 / 5, 1 / 4, 1 / (2 * 3)]),
    ("exp", ((0,), (2,), 2, 0.0, 2), [1 / (2 * 2)]),
    ("method0", ONE, [0.75, LEAST, LEAST, LEAST]),
    ("method4", ONE, FOURTH),
    ("method4", ALL, [4 / 5, 3 / 4, 2 / 3, 1 / 2]),
    ("method4", SINGLE, [0.0, 0.0, 0.0, 0.0]),
    ("method4(2)", ((0, 0), (2, 1), 2, 0.0, 2), [1 / (2 * 2 / math.log(2)) / 2, 1 / (4 * 2 / math.log(2)) / 1]),
    ("method5", ONE, neighbours([0.75, 0.0, 0.0, 0.0], 0.25)),
    ("method5", LATE, neighbours([4 / 6, 2 / 5, 1 / 4, 0.0], 0.5)),
    ("method6", LATE, [4 / 6, 2 / 5, THIRD, (0 + 5 * (THIRD * THIRD / (2 / 5))) / (6 - 3 + 5)]),
    ("method6(0)", ((4, 3, 2, 1), (4, 3, 2, 1), 4, 0.0, 2), [1.0, 1.0, 0.0, 0.0]),
    ("method6", ONE, [0.75, 0.0, 0.0, 0.0]),
    ("method6", ((3, 2, 0, 0), (4, 3, 2, 1), 4, 0.0, 4), [0.75, 2 / 3, 0.0, 0.0]),
    ("method7", ONE, neighbours(FOURTH, 0.25)),
]


@pytest.mark.parametrize(("method", "given", "expected"), PRECISIONS)
def test_precisions(method: str, given: tuple[Any, ...], expected: list[float]) -> None:
    matches, totals, *rest = given
    smoothing = Smoothing.parse(method)
    assert smoothing.precisions(Orders(matches, totals, *rest)) == expected
    columns = [[np.array([value, value]) for value in values] for values in (matches, totals)]
    others = [np.array([value, value]) for value in rest]
    found = smoothing.precisions(Orders(columns[0], columns[1], *others))
    assert [np.broadcast_to(values, 2).tolist() for values in found] == [[value] * 2 for value in expected]


def test_what_orders_are_without_context() -> None:
    orders = Orders((1,), (2,), 2)
    assert (orders.beyond, orders.last_length) == (0.0, 0)


DEFAULTS = {"none": None, "floor": 0.1, "add-k": 1.0, "add-all": 1.0, "exp": None, "method0": None, "method5": None}
DEFAULTS |= {"method1": 0.1, "method2": 1.0, "method3": None, "add-one": 1.0}
DEFAULTS |= {"method4": 5.0, "method6": 5.0, "method7": 5.0}


@pytest.mark.parametrize(("name", "value"), DEFAULTS.items())
def test_values_of_methods(name: str, value: float | None) -> None:
    parsed = Smoothing.parse(name)
    assert parsed.value == value
    assert Smoothing.parse(parsed) is parsed
    assert Smoothing.parse(str(parsed)) == parsed
    zeros_only = {"none", "floor", "exp", "method0", "method4"}
    assert parsed.rules.for_zeros == (parsed.method in zeros_only)


@pytest.mark.parametrize(
    ("text", "value"),
    [("floor(0)", 0.0), ("floor(1)", 1.0), ("add-k(7)", 7.0), ("method6(0)", 0.0), ("method4(1)", 1.0)],
)
def test_values_at_the_edge(text: str, value: float) -> None:
    assert Smoothing.parse(text).value == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("floor(1.1)", "floor with a value of at most 1"),
        ("floor(inf)", "a finite value of at least 0"),
        ("add-k(inf)", "a finite value of at least 0"),
        ("add-k(-1)", "a finite value of at least 0"),
        ("add-k(nan)", "a finite value of at least 0"),
        ("add-k(x)", "a finite value of at least 0"),
        ("method4(0)", "method4 with a value above 0"),
        ("method7(0)", "method7 with a value above 0"),
        ("exp(2)", "one of none, floor"),
        ("method9", "one of none, floor"),
        (3, "one of none, floor"),
        (None, "one of none, floor"),
    ],
)
def test_methods_that_are_not(text: Any, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Smoothing.parse(text)
