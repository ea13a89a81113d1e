"""Means that do not depend on the order of the values or on how they are split.

Floating-point addition is not associative, so means merged from shards could differ from the mean of the whole. An
exact sum avoids this: every double is an integer times a power of two, and Python's integers are unbounded.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.core.arrays import Floats, NDArray, np

_SCALE = 1074  # the smallest double is 2**-1074
_HALF = 27  # half a mantissa: sums of 2**36 halves still fit in 64 bits
_DIGITS = 3  # of 27 bits each
_MOST = 1 << 25  # values added at a time


class ExactMean:
    """A running mean of doubles, stored as an exact sum.

    >>> mean = ExactMean()
    >>> mean.add([0.1] * 10).value
    0.1
    >>> mean.merge(ExactMean().add([1e-300, 0.9])).count
    12
    """

    __slots__ = ("_sum", "count")

    def __init__(self) -> None:
        self._sum = 0
        self.count = 0

    def add(self, values: Floats | list[float]) -> ExactMean:
        """Add finite values."""
        numbers = np.asarray(values, dtype=np.float64)
        for start in range(0, len(numbers), _MOST):
            part = numbers[start : start + _MOST]
            near_one = _sum_near_one(part)
            self._sum += _sum_of_any(part) if near_one is None else near_one
        self.count += len(numbers)
        return self

    def merge(self, other: ExactMean) -> ExactMean:
        """Add the values of another mean."""
        self._sum += other._sum
        self.count += other.count
        return self

    def state(self) -> tuple[int, int]:
        """Return the sum in units of 2**-1074, and the number of values."""
        return self._sum, self.count

    @classmethod
    def of_state(cls, state: Sequence[int]) -> ExactMean:
        """Restore a mean from its state.

        >>> ExactMean.of_state(ExactMean().add([0.1, 0.2]).state()).value == ExactMean().add([0.1, 0.2]).value
        True
        """
        mean = cls()
        mean._sum, mean.count = state
        return mean

    @property
    def sum(self) -> float:
        """The sum, rounded once like math.fsum."""
        return self._sum / (1 << _SCALE)

    def without_each(self, values: Floats) -> list[float]:
        """Return, for each added value, the mean of all others, rounded once. Takes two 1100-bit integers per value.

        >>> import numpy as np
        >>> values = np.array([0.25, 0.5, 0.75])
        >>> ExactMean().add(values).without_each(values)
        [0.625, 0.5, 0.375]
        """
        others = max(1, self.count - 1) << _SCALE
        return [(self._sum - _to_scale(value)) / others for value in values.tolist()]

    @property
    def value(self) -> float:
        """The mean, rounded once; 0 without values."""
        return self._sum / (self.count << _SCALE) if self.count else 0.0


def exact_sums(rows: NDArray[np.int64 | np.float64]) -> tuple[int, ...]:
    """Return the sum of each column, in units of 2**-1074."""
    if rows.dtype == np.int64:
        return tuple(sum(column) << _SCALE for column in rows.T.tolist())
    return tuple(ExactMean().add(column).state()[0] for column in rows.T)


def round_sum(scaled: int) -> int | float:
    """Return a sum in units of 2**-1074: as an integer if it is one, otherwise as the nearest double.

    >>> round_sum(3 << 1074), round_sum(3 << 1073)
    (3, 1.5)
    """
    whole, fraction = divmod(scaled, 1 << _SCALE)
    return scaled / (1 << _SCALE) if fraction else whole


def sums_without_each(values: Floats) -> list[int | float]:
    """Return, for each value, the sum of all others, as `round_sum` gives it.

    >>> sums_without_each(np.array([0.1, 0.2, 0.3]))
    [0.5, 0.4, 0.30000000000000004]
    """
    (whole,) = exact_sums(values[:, np.newaxis])
    return [round_sum(whole - _to_scale(value)) for value in values.tolist()]


def ratio_of(scaled: int) -> tuple[int, int]:
    """Return a sum in units of 2**-1074 as a numerator and the smallest denominator that is a power of two.

    >>> ratio_of(3 << 1073)
    (3, 2)
    """
    zeros = min(_SCALE, (scaled & -scaled).bit_length() - 1) if scaled else _SCALE
    return scaled >> zeros, 1 << (_SCALE - zeros)


def scaled_ratio(numerator: int, denominator: int) -> int | None:
    """Return a ratio in units of 2**-1074; None if that is not an integer."""
    whole, rest = divmod(numerator << _SCALE, denominator)
    return None if rest else whole


def _to_scale(value: float) -> int:
    numerator, denominator = value.as_integer_ratio()
    return (numerator << _SCALE) // denominator


def _sum_near_one(values: Floats) -> int | None:
    """Return the scaled sum if all values are in [-1, 1] and multiples of 2**-81, otherwise None.

    Scores qualify, and the mean of 10,000 of them takes a seventh of the time of the general case.
    """
    if np.abs(values).max() > 1:
        return None
    total, rest = 0, values
    for _ in range(_DIGITS):
        rest = rest * (1 << _HALF)
        digit = np.trunc(rest)  # not floor: the remainder of a tiny negative number would be rounded to 1
        # Integers below 28 bits, few enough that their sum stays below 2**53, so it is exact in any order.
        total = (total << _HALF) + int(digit.sum())
        rest = rest - digit
    return None if rest.any() else total << (_SCALE - _DIGITS * _HALF)


def _sum_of_any(values: Floats) -> int:
    mantissas, exponents = np.frexp(values)
    whole = np.ldexp(mantissas, 53).astype(np.int64)
    scaled = 0
    for exponent in np.unique(exponents):
        same_exponent = whole[exponents == exponent]
        total = (int((same_exponent >> _HALF).sum()) << _HALF) + int((same_exponent & ((1 << _HALF) - 1)).sum())
        shift = _SCALE + int(exponent) - 53
        # If the shift is negative, the mantissa of a denormal ends in zeros, so no bits are lost.
        scaled += total << shift if shift >= 0 else total >> -shift
    return scaled
