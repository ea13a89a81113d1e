"""Intervals where the bootstrap does not hold: shares of items, scores that hardly vary, and few segments.

A bootstrap draws what was seen: where 12 of 12 items pass, every resample does, and the interval has no width. Instead,

- a share of items that pass has the exact interval of Clopper and Pearson, and the difference of two shares that of Zou
  and Donner around the shares of items that only one system passes;
- where all segments but a few have no difference, or a score at an end of the scale, unseen ones may: so many of them
  as Clopper and Pearson allow, each by as much as the scale allows;
- the score of fewer than 20 segments has Student's t interval with the jackknife standard error.

Clopper, Pearson (1934): The use of confidence or fiducial limits illustrated in the case of the binomial.
Zou, Donner (2008): Construction of confidence limits about effect measures. Statistics in Medicine 27.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from bleuprint.core.arrays import Floats, np
from bleuprint.statistics.distributions import beta_quantile, t_quantile

EXACT, BOUND, STUDENT = "clopper-pearson", "bound", "t"
TESTED = {EXACT, BOUND}  # the methods whose intervals decide on a margin
_ENOUGH = 20  # segments, from which on the bootstrap holds
_HALVINGS = 20  # which leave 5e-7 of a p-value open

Ends = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Evidence:
    """The scores of all segments or clusters alone, of one system or of two whose difference is asked for."""

    value: float
    standard_error: float
    alone: Floats
    other: Floats | None = None
    has_percent: bool = True

    @cached_property
    def differences(self) -> Floats:
        """The score of each segment, or its difference between two systems, without the noise of rounding."""
        scores = self.alone if self.other is None else self.alone - self.other
        unit = np.ldexp(1.0, np.frexp(np.abs(scores).max())[1])
        differences: Floats = (scores / unit).round(12) * unit
        return differences

    @cached_property
    def are_shares(self) -> bool:
        """Whether every segment passes or fails, and the score is the share of those that pass."""
        both = (self.alone,) if self.other is None else (self.alone, self.other)
        passes = all(((scores == 0) | (scores == 1)).all() for scores in both)
        return passes and math.isclose(self.value, self.differences.mean(), abs_tol=1e-12)

    def method(self, alpha: float) -> str:
        """The interval that holds for this evidence; an empty text if that is the bootstrap's."""
        if self.are_shares:
            return EXACT
        size, usual, differences = len(self.alone), self._usual, self.differences
        others = size if usual is None else np.count_nonzero(differences != usual)
        if self._is_constant or min(size, others) < fewest_changes(alpha):
            return BOUND
        return STUDENT if size < _ENOUGH else ""

    def ends(self, method: str, level: float) -> Ends:
        """The ends of the interval at this level."""
        if method == EXACT:
            return self._ends_of_shares(level)
        size = len(self.alone)
        margin = t_quantile((1 + level) / 2, size - 1) * self.standard_error if size > 1 else 0.0
        low, high = self.value - margin, self.value + margin
        if method == BOUND:
            least, most = self._bounds(level)
            low, high = min(low, least), max(high, most)
        lowest, highest = self._scale
        return max(low, min(lowest, self.value)), min(high, max(highest, self.value))

    def p_value(self, method: str, sign: int, limit: float) -> float:
        """The p-value of the test that the value is above the limit, or with sign -1 that it is below.

        It is the smallest α at which the interval at level 1 - 2α is all on that side.
        """
        low, high = 0.0, 0.5
        for _ in range(_HALVINGS):
            alpha = (low + high) / 2
            below, above = self.ends(method, 1 - 2 * alpha)
            beyond = below > limit if sign > 0 else above < limit
            low, high = (low, alpha) if beyond else (alpha, high)
        return 1.0 if high == 0.5 else high

    @cached_property
    def _scale(self) -> Ends:
        """Between which numbers a score or a difference can lie; one with its own scale reaches twice the largest."""
        both = self.alone if self.other is None else np.concatenate([self.alone, self.other])
        largest = float(abs(both).max())
        highest = max(1.0, largest) if self.has_percent else 2 * largest
        lowest = -highest if both.min() < 0 else 0.0
        return (lowest, highest) if self.other is None else (lowest - highest, highest - lowest)

    @cached_property
    def _is_constant(self) -> bool:
        """Whether all segments have the same score, or the same difference."""
        return bool((self.differences == self.differences[0]).all())

    @cached_property
    def _usual(self) -> float | None:
        """What more than half of the segments have: no difference, or a score at an end of the scale."""
        differences = self.differences
        ends = (0.0,) if self.other is not None else (0.0, 1.0 if self.has_percent else float(differences.max()))
        return next((end for end in ends if 2 * np.count_nonzero(differences == end) > len(differences)), None)

    def _ends_of_shares(self, level: float) -> Ends:
        if self.other is None:
            return share_ends(int(self.alone.sum()), len(self.alone), level)
        differences, size = self.differences, len(self.alone)
        first, second = (int((sign * differences > 0).sum()) for sign in (1, -1))
        # An item that only one system passes is none that only the other one passes.
        against = (size - first) * (size - second)
        correlation = -math.sqrt(first * second / against) if against and size >= fewest_changes(1 - level) else -1.0
        only, none = ((count / size, *share_ends(count, size, level)) for count in (first, second))
        return difference_ends(only, none, correlation)

    def _bounds(self, level: float) -> Ends:
        """How far unseen segments could move what the others usually have, by as much as the scale allows.

        Equal differences that are not 0 could have the other sign there, or be three times as large.
        """
        size, differences, usual = len(self.alone), self.differences, self._usual
        lowest, highest = self._scale
        below, above, reach = 0, 0, math.inf
        if usual is None or self._is_constant:  # smoothing may score all segments unlike each of them
            usual = self.value
            if self.other is not None and usual and size > 1 and self._is_constant:
                reach = 2 * abs(usual)
        else:
            below, above = int((differences < usual).sum()), int((differences > usual).sum())
        low = usual - share_ends(below, size, level)[1] * min(usual - lowest, reach)
        return low, usual + share_ends(above, size, level)[1] * min(highest - usual, reach)


def fewest_changes(alpha: float) -> int:
    """The fewest changes of which a test could be significant: of k changes, 2 ** k signs are equally likely.

    >>> fewest_changes(0.05)
    6
    """
    return math.floor(math.log2(2 / alpha)) + 1


def share_ends(hits: float, trials: float, level: float) -> Ends:
    """The exact interval of a share by Clopper and Pearson; trials need not be whole if they depend on each other.

    >>> [round(end, 3) for end in share_ends(12, 12, 0.95)]
    [0.735, 1.0]
    """
    tail, misses = (1 - level) / 2, trials - hits
    low = beta_quantile(tail, hits, misses + 1) if hits else 0.0
    return low, beta_quantile(1 - tail, hits + 1, misses) if misses else 1.0


def difference_ends(
    first: tuple[float, float, float], second: tuple[float, float, float], correlation: float = 0.0
) -> Ends:
    """The ends of the interval of a difference, from the two values, each with the ends of its own interval.

    Zou, Donner (2008): Construction of confidence limits about effect measures.
    """
    (value, low, high), (other, other_low, other_high) = first, second
    below, above = ((value - low, other_high - other), (high - value, other - other_low))
    spread = [math.sqrt(max(0.0, a * a + b * b - 2 * correlation * a * b)) for a, b in (below, above)]
    return value - other - spread[0], value - other + spread[1]
