"""Functions shared by the formulas.

Each takes plain numbers or NumPy arrays and gives bit-equal results for both, so that one formula serves a single
segment, a corpus, a column of segments and a thousand resamples.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from bleuprint.core import counts
from bleuprint.core.arrays import np

__all__ = ["Value", "exp", "log", "power", "ratio", "sum_of", "weighted_geometric_mean", "where"]

# An int, a float or an array of either. NumPy's own types do not let one function accept all three.
Value = Any
_NUMBER = (int, float)


def where(condition: Value, then: Value, otherwise: Value) -> Value:
    """`then` where the condition holds, `otherwise` elsewhere."""
    if condition is True:
        return then
    if condition is False:
        return otherwise
    return np.where(condition, then, otherwise)


def ratio(numerator: Value, denominator: Value) -> Value:
    """Numerator over denominator, 0 where the denominator is 0."""
    if isinstance(denominator, _NUMBER):
        return numerator / denominator if denominator else 0.0
    zero = denominator == 0
    return np.where(zero, 0.0, numerator / np.where(zero, 1, denominator))


def sum_of(values: Iterable[Value]) -> Value:
    """The values added up from left to right: since Python 3.12, sum() rounds floats differently from arrays.

    >>> sum_of([0.1] * 10)
    0.9999999999999999
    """
    added: Value = 0
    for value in values:
        added = added + value
    return added


def log(value: Value) -> Value:
    """Natural logarithm, -inf for 0."""
    if isinstance(value, _NUMBER):
        return math.log(value) if value > 0 else -math.inf
    return counts.log_of(value)


def exp(value: Value) -> Value:
    """e to the power of the value."""
    return math.exp(value) if isinstance(value, _NUMBER) else counts.exp_of(value)


def power(value: Value, exponent: float) -> Value:
    """The value raised to a power."""
    return value**exponent if isinstance(value, _NUMBER) else counts.power_of(value, exponent)


def weighted_geometric_mean(values: Sequence[Value], weights: Sequence[Value], *, skip_zero: bool = False) -> Value:
    """exp(Σ w·log v); zero if a value with weight is zero (unless zeros are skipped) or if all weights are zero."""
    total: Value = 0.0
    weighted: Value = False  # whether any weight is positive; NLTK's mean over only skipped values is 1
    if isinstance(values[0], float):
        for value, weight in zip(values, weights, strict=True):
            if value > 0:
                total += weight * math.log(value)
            elif weight and not skip_zero:
                return 0.0
        return math.exp(total) if total or any(weights) else 0.0
    for value, weight in zip(values, weights, strict=True):
        used = where(weight > 0, where(value > 0, value, 1.0 if skip_zero else 0.0), 1.0)
        total = total + weight * log(used)
        weighted = weighted | (weight > 0)
    return where(weighted, exp(total), 0.0)
