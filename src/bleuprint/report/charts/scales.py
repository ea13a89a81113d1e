"""Scales: from values to places, with round numbers at their ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bleuprint.report.charts.svg import clamp
from bleuprint.results.digits import FRACTIONS, Digits

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LEAST = 1e-9  # the smallest range that is drawn; two scores that differ by less are equal
_LONGEST = 16  # letters of a number before it is written with an exponent
_FAR = 2.0  # positive values that go beyond this may spread over powers of ten


@dataclass(frozen=True, slots=True)
class Scale:
    """From where to where values are drawn; what lies beyond is drawn at the end."""

    low: float = 0.0
    high: float = 1.0
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Where a value lies, between 0 and 1."""
        if self.logarithmic:
            return clamp(math.log(value / self.low) / math.log(self.high / self.low)) if value > 0 else 0.0
        return clamp((value - self.low) / (self.high - self.low))

    def value(self, place: float) -> float:
        """The value at a place."""
        if self.logarithmic:
            return float(self.low * (self.high / self.low) ** place)
        return self.low + (self.high - self.low) * place

    def ticks(self, most: int, digits: Digits = FRACTIONS) -> list[tuple[float, str]]:
        """Round values in the scale with their texts, at most so many.

        >>> [text for _, text in Scale(0.31, 0.44).ticks(4)]
        ['0.35', '0.40']
        >>> [text for _, text in Scale(0.31, 0.44).ticks(4, Digits(percent=True))]
        ['35', '40']
        >>> [text for _, text in Scale(3, 2000, logarithmic=True).ticks(4)]
        ['10', '100', '1,000']
        """
        if self.logarithmic:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            for leading in ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
                values = [digit * 10.0**power for power in powers for digit in leading]
                inside = [value for value in values if self.low * (1 - _LEAST) <= value <= self.high * (1 + _LEAST)]
                if len(inside) <= max(most, 1):
                    break
            if len(inside) < 3:  # less than a power of ten: equal steps tell more
                return Scale(self.low, self.high).ticks(most, digits)
            inside = inside[:: math.ceil(len(inside) / max(most, 1))]
            return [(value, _text(value, digits, max(0, -math.floor(math.log10(value) + _LEAST)))) for value in inside]
        span = self.high - self.low
        unit = 10.0 ** math.floor(math.log10(span / max(most, 1)))
        for factor in (*_STEPS, *(10 * step for step in _STEPS)):
            step = unit * factor
            first, last = math.ceil(self.low / step - _LEAST), math.floor(self.high / step + _LEAST)
            if last - first < max(most, 1):
                break
        decimals = max(0, -math.floor(math.log10(step) + _LEAST)) + (factor in (2.5, 25.0))
        return [(count * step, _text(count * step, digits, decimals)) for count in range(first, last + 1)]


def _text(value: float, digits: Digits, decimals: int) -> str:
    text = digits.axis_number(value, min(decimals, 15))
    return text if len(text) <= _LONGEST else f"{100 * value if digits.percent else value:.6g}"


def scale_of(values: Sequence[float]) -> Scale:
    """0 to 1 where the values are shares, else from the least to about the largest: a few outliers lie beyond.

    >>> scale_of([0.2, 0.9]).high, scale_of([10.0, 31.0]).high
    (1.0, 40.0)
    """
    finite = sorted(value for value in values if math.isfinite(value))
    if not finite or (finite[0] >= 0 and finite[-1] <= 1):
        return Scale()
    high = max(finite[math.ceil(0.98 * (len(finite) - 1))], 1e-9)
    low = finite[math.floor(0.02 * (len(finite) - 1))]
    unit = 10.0 ** math.floor(math.log10(max(high, -low)))
    return Scale(min(0.0, math.floor(low / unit) * unit), math.ceil(high / unit) * unit)


def logarithmic(values: Iterable[float]) -> Scale | None:
    """Powers of ten around values that need them, such as perplexities; None for those that do not.

    >>> logarithmic([12.0, 340.0])
    Scale(low=10.0, high=1000.0, logarithmic=True)
    >>> logarithmic([0.1, 0.9]) is None
    True
    """
    finite = [value for value in values if math.isfinite(value)]
    if not finite or min(finite) <= 0 or max(finite) <= _FAR:
        return None
    low = math.floor(math.log10(min(finite)))
    return Scale(10.0**low, 10.0 ** max(low + 1, math.ceil(math.log10(max(finite)))), logarithmic=True)


def zoom(values: Iterable[float], *, zero: bool = False) -> Scale:
    """The range of the values with a margin, so that small differences show; never below 0 if no value is.

    >>> zoom([0.40, 0.44])
    Scale(low=0.398, high=0.442, logarithmic=False)
    >>> zoom([0.0, 0.0]).low
    0.0
    """
    finite = [value for value in values if math.isfinite(value)] + ([0.0] if zero else [])
    if not finite:
        return Scale()
    low, high = min(finite), max(finite)
    margin = 0.05 * (high - low)
    if high - low <= _LEAST * max(abs(low), abs(high), 1.0):
        margin = max(0.01, 0.05 * abs(high))
    if not math.isfinite(high - low + 2 * margin):
        return Scale(-1.0, 1.0)  # beyond what a difference of two numbers can hold
    return Scale(round(low - margin if low < 0 or low - margin > 0 else 0.0, 12), round(high + margin, 12))
