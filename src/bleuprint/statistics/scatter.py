"""Means and covariances of points, computed in integers so that merged shards equal the whole exactly.

A coordinate is rounded to steps of 2⁻²⁶ and split into three digits of 13 bits. Products of digits have 26 bits, so the
matrix product of a block of doubles is exact in any order of summation. Only int64 sums of these are stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from bleuprint.core.arrays import Floats, Integers, NDArray, np
from bleuprint.errors import OptionError

_STEP_BITS = 26
_DIGIT_BITS = 13
_DIGITS = 3
LARGEST = 2.0 ** (_DIGIT_BITS * _DIGITS - 1 - _STEP_BITS)  # largest coordinate: 4096
_MOST = 1 << 20  # points at a time: the sum of their products still has fewer than 53 bits


class Scatter:
    """The running count, mean, and covariance of points.

    >>> import numpy as np
    >>> points = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 2.0]])
    >>> whole, shard = Scatter().add(points), Scatter().add(points[:1]).merge(Scatter().add(points[1:]))
    >>> whole.mean().tolist(), whole.covariance().tolist() == shard.covariance().tolist()
    ([2.0, 2.0], True)
    """

    def __init__(self) -> None:
        self.count = 0
        self._sums: Integers | None = None
        self._products: Integers | None = None  # indexed by the sum of the two digit positions

    @property
    def dimensions(self) -> int:
        return 0 if self._sums is None else len(self._sums)

    def add(self, points: Floats) -> Scatter:
        """Add points, one per row."""
        if len(points) == 0:
            return self
        if points.ndim != 2 or not np.abs(points).max(initial=0.0) < LARGEST:
            raise OptionError("points", f"rows of coordinates within ±{LARGEST:g}", points.shape)
        for begin in range(0, len(points), _MOST):
            self._add_whole(np.rint(points[begin : begin + _MOST] * 2.0**_STEP_BITS).astype(np.int64))
        return self

    def _add_whole(self, steps: Integers) -> None:
        digits = []
        rest = steps
        for _ in range(_DIGITS - 1):
            digits.append((rest & ((1 << _DIGIT_BITS) - 1)).astype(np.float64))
            rest = rest >> _DIGIT_BITS
        digits.append(rest.astype(np.float64))
        size = steps.shape[1]
        products = np.zeros((2 * _DIGITS - 1, size, size), dtype=np.int64)
        for place, digit in enumerate(digits):
            for other in range(place, _DIGITS):
                product = (digit.T @ digits[other]).astype(np.int64)
                products[place + other] += product if other == place else product + product.T
        self._merge(len(steps), steps.sum(axis=0), products)

    def merge(self, other: Scatter) -> Scatter:
        """Add the points of another scatter."""
        if other._sums is not None and other._products is not None:
            self._merge(other.count, other._sums, other._products)
        return self

    def _merge(self, count: int, sums: Integers, products: Integers) -> None:
        if self._sums is None or self._products is None:
            self.count, self._sums, self._products = count, sums.copy(), products.copy()
            return
        if len(sums) != len(self._sums):
            raise OptionError("points", f"rows of {len(self._sums)} coordinates like the earlier ones", len(sums))
        self.count += count
        self._sums += sums
        self._products += products

    def state(self) -> dict[str, Any]:
        """The count, the sums and the products as plain integers."""
        return {
            "count": self.count,
            "sums": [] if self._sums is None else self._sums.tolist(),
            "products": [] if self._products is None else self._products.tolist(),
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Self:
        """Restore a scatter from its state; ValueError says why no points could have given it."""
        scatter = cls()
        count = state["count"]
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise ValueError("count must be an integer of at least 1")
        sums, products = (_integers(state[name], name) for name in ("sums", "products"))
        if sums.ndim != 1 or products.shape != (2 * _DIGITS - 1, len(sums), len(sums)):
            raise ValueError(f"sums and products differ in size: {sums.shape} and {products.shape}")
        scatter.count, scatter._sums, scatter._products = count, sums, products
        largest = count << (_DIGIT_BITS * _DIGITS - 1)
        if not all(-largest <= total <= largest for total in sums.tolist()):
            raise ValueError(f"sums must be those of {count} points within ±{LARGEST:g}")
        diagonals = products.diagonal(axis1=1, axis2=2).T.tolist()
        squares = [sum(product << (_DIGIT_BITS * place) for place, product in enumerate(each)) for each in diagonals]
        spread = all(square * count >= total**2 for square, total in zip(squares, sums.tolist(), strict=True))
        if not spread or not np.array_equal(products, products.transpose(0, 2, 1)):
            raise ValueError("products must be those of points with these sums")
        return scatter

    def mean(self) -> Floats:
        """Return the mean of all points."""
        sums = [] if self._sums is None else self._sums.tolist()
        return np.array([total / (self.count << _STEP_BITS) for total in sums])

    def covariance(self) -> Floats:
        """Return the covariance over count − 1, from an exact numerator: points far from 0 lose no precision."""
        if self._sums is None or self._products is None or self.count < 2:
            return np.zeros((self.dimensions, self.dimensions))
        sums: NDArray[Any] = self._sums.astype(object)
        squares: NDArray[Any] = np.zeros((self.dimensions, self.dimensions), dtype=object)
        for place, product in enumerate(self._products):
            squares = squares + product.astype(object) * (1 << (_DIGIT_BITS * place))
        numerator = squares * self.count - np.outer(sums, sums)
        scale = (self.count * (self.count - 1)) << (2 * _STEP_BITS)
        return np.asarray(numerator / scale, dtype=np.float64)


def _integers(numbers: Any, name: str) -> Integers:
    found = np.array(numbers)
    if found.dtype.kind != "i":
        raise ValueError(f"{name} must hold integers of at most 64 bits")
    return found.astype(np.int64)
