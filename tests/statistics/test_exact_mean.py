"""Exact means equal sums of fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleuprint.statistics.exact_mean import ExactMean

any_number = st.floats(-1e300, 1e300, allow_nan=False, allow_subnormal=True)
scores = st.one_of(
    st.floats(0, 1), st.builds(lambda part, whole: part / (part + whole), st.integers(0, 99), st.integers(1, 99))
)


@given(st.one_of(st.lists(scores, max_size=30), st.lists(st.one_of(scores, any_number), max_size=30)))
@example([2.0**-81, 1.0, -1.0, 0.1])
@example([2.0**-82])
@example([5e-324, 1.0])
@example([-0.3, 0.7, -1.0])
@example([0.5, 1e300, -1e300])
@example([-3.986387918166473e-95])
def test_a_mean_is_rounded_once(values: list[float]) -> None:
    expected = float(sum(map(Fraction, values)) / len(values)) if values else 0.0
    assert ExactMean().add(values).value == expected
    assert ExactMean().add(values).sum == math.fsum(values)
    parts = ExactMean()
    for value in reversed(values):
        parts.merge(ExactMean().add([value]))
    assert parts.value == expected


@given(st.lists(scores, min_size=1, max_size=6))
@example([0.25])
@example([0.25, 0.75])
def test_the_mean_of_all_others(values: list[float]) -> None:
    others = [values[:place] + values[place + 1 :] for place in range(len(values))]
    expected = [ExactMean().add(rest).value for rest in others]
    assert ExactMean().add(values).without_each(np.array(values)) == expected


@pytest.mark.parametrize("value", [1 / 3, 5e-324, 1e300])
def test_many_values(value: float) -> None:
    assert ExactMean().add([value] * 100_000).value == value


@pytest.mark.parametrize("values", [[], [1.0], [3.0], [-0.5, 0.25], [2.0**-90, 1.0], [2.0**-1074, 1e300], [0.1] * 3])
def test_a_state_is_the_sum_in_units_of_the_smallest_double(values: list[float]) -> None:
    """It is written to files that a later version adds to, so the unit stays."""
    exact = sum(map(Fraction, values), start=Fraction(0)) * 2**1074
    assert ExactMean().add(values).state() == (int(exact), len(values))
