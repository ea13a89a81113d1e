"""Functions shared by the formulas.

Each takes plain numbers, NumPy arrays or terms and gives bit-equal results for all, so that one formula serves a single
segment, a corpus, a column of segments, a thousand resamples, and the equations of `work`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bleuprint.core import counts
from bleuprint.core.arrays import np

# An int, a float, an array of either, or a term. NumPy's own types do not let one function accept all of them.
Value = Any
_NUMBER = (int, float)


class MeanFormula(ABC):
    """Named scores of a row, or of columns of rows; the first is the metric's value."""

    @abstractmethod
    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        """The scores by name."""

    def __call__(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        return next(iter(self.scores(columns).values()))


class Symbolic:
    """What this module has to know of a term, so that scoring need not load `terms`.

    Not an abstract base class: isinstance would take five times as long, on the path of every score.
    """

    __slots__ = ()
    name: Callable[[str], Symbolic]  # the same value under a name, unless it has one
    enter: Callable[[str], Symbolic]  # the same value, with names that follow from it ending in a scope
    divide: Callable[[Value], Symbolic]  # a numerator over this value; 0 if this value is 0
    log: Callable[[], Symbolic]
    exp: Callable[[], Symbolic]
    power: Callable[[float], Symbolic]
    sum: Callable[[Iterable[Value]], Symbolic]  # of some values, rounded once


class SymbolicCondition:
    """A comparison of terms."""

    __slots__ = ()
    choose: Callable[[Value, Value], Value]  # the first or the second; a term remembers why


def named(name: str, value: Value) -> Value:
    """The value itself; if it is a term, equations show it under this name and use the name from here on.

    The values of a list are named name_1, name_2, … A value that has a name keeps it.
    """
    if isinstance(value, float):
        return value
    if isinstance(value, Symbolic):
        return value.name(name)
    if isinstance(value, list) and isinstance(value[0], Symbolic):
        return [named(f"{name}_{number}", each) for number, each in enumerate(value, start=1)]
    return value


def within(scope: str, columns: Sequence[Value]) -> Sequence[Value]:
    """The columns themselves; if they are terms, the names of all that follows from them end in the scope.

    For formulas that apply another formula more than once, which would otherwise name two values alike.
    """
    if isinstance(columns[0], Symbolic):
        return [column.enter(scope) for column in columns]
    return columns


def where(condition: Value, then: Value, otherwise: Value) -> Value:
    """`then` where the condition holds, `otherwise` elsewhere."""
    if condition is True:
        return then
    if condition is False:
        return otherwise
    if isinstance(condition, SymbolicCondition):
        return condition.choose(then, otherwise)
    return np.where(condition, then, otherwise)


def ratio(numerator: Value, denominator: Value) -> Value:
    """Numerator over denominator, 0 where the denominator is 0."""
    if isinstance(denominator, _NUMBER):
        return numerator / denominator if denominator else 0.0
    if isinstance(denominator, Symbolic):
        return denominator.divide(numerator)
    zero = denominator == 0
    if not zero.any():
        return numerator / denominator
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


def exact_sum(values: Sequence[Value]) -> Value:
    """The sum of numbers or terms, rounded once, so that their order does not matter.

    >>> exact_sum([0.1] * 10)
    1.0
    """
    term = next((value for value in values if isinstance(value, Symbolic)), None)
    return math.fsum(values) if term is None else term.sum(values)


def log(value: Value) -> Value:
    """Natural logarithm, -inf for 0."""
    if isinstance(value, _NUMBER):
        return math.log(value) if value > 0 else -math.inf
    return value.log() if isinstance(value, Symbolic) else counts.log_of(value)


def exp(value: Value) -> Value:
    """e to the power of the value."""
    if isinstance(value, _NUMBER):
        return math.exp(value)
    return value.exp() if isinstance(value, Symbolic) else counts.exp_of(value)


def power(value: Value, exponent: float) -> Value:
    """The value raised to a power."""
    if isinstance(value, _NUMBER):
        return value**exponent
    return value.power(exponent) if isinstance(value, Symbolic) else counts.power_of(value, exponent)


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
