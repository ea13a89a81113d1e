"""Exact means equal sums of fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleuprint.averages import ExactMean

any_number = st.floats(-1e300, 1e300, allow_nan=False, allow_subnormal=True)
scores = st.one_of(
    st.floats(0, 1), st.builds(lambda part, whole: part / (part + whole), st.integers(0, 99), st.integers(1, 99))
)


@given(st.one_of(st.lists(scores, max_size=30), st.lists(st.one_of(scores, any_number), max_size=30)))
@example([2.0**-81, 1.0, -1.0, 0.1])
@example([2.0**-82])
@example([5e-324, 1.0])
@example([-0.3, 0.7, -1.0])
@example([-3.986387918166473e-95])
def test_a_mean_is_rounded_once(values: list[float]) -> None:
    expected = float(sum(map(Fraction, values)) / len(values)) if values else 0.0
    assert ExactMean().add(values).value == expected
    parts = ExactMean()
    for value in reversed(values):
        parts.merge(ExactMean().add([value]))
    assert parts.value == expected


@pytest.mark.parametrize("value", [1 / 3, 5e-324, 1e300])
def test_many_values(value: float) -> None:
    assert ExactMean().add([value] * 100_000).value == value
