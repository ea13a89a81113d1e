"""Axes: scales from values to places, ticks with round numbers, and lines to read values by."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.report.charts.labels import LINE, shorten, text_width
from bleuprint.report.charts.svg import GRID, clamp, line, words
from bleuprint.results.digits import FRACTIONS, Digits

FOOT = 5 * GRID  # below a plot: the numbers of the axis and its name
_TICK = 4
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
        decimals = max(0, -math.floor(math.log10(step) + _LEAST)) + (factor in (2.5, 25.0) and step < 10)
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
    """The range of the values with a margin, so that small differences show; never below 0 or above 1 if no value is.

    >>> zoom([0.40, 0.44])
    Scale(low=0.398, high=0.442, logarithmic=False)
    >>> zoom([0.0, 0.0]).low, zoom([0.5, 0.99]).high
    (0.0, 1.0)
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
    least, most = (0.0 if low >= 0 else -math.inf), (1.0 if high <= 1 else math.inf)
    return Scale(round(max(low - margin, least), 12), round(min(high + margin, most), 12))


class Axis(NamedTuple):
    """What is measured along one side; `backwards` where the larger values come first, because less is better."""

    name: str
    scale: Scale
    backwards: bool = False
    digits: Digits = FRACTIONS

    def place(self, value: float) -> float:
        place = self.scale.place(value)
        return 1 - place if self.backwards else place

    @property
    def ends(self) -> tuple[float, float]:
        """The values at its beginning and at its end."""
        low, high = self.scale.low, self.scale.high
        return (high, low) if self.backwards else (low, high)


class Frame(NamedTuple):
    """The rectangle that values are drawn in, with an axis below it and one at its left."""

    left: float
    top: float
    right: float
    bottom: float
    across: Axis
    upwards: Axis

    def x(self, value: float) -> float:
        return self.left + (self.right - self.left) * self.across.place(value)

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * self.upwards.place(value)


def draw_frame(
    across: Axis, upwards: Axis, *, top: float, width: float, height: float, ticks: Sequence[float] | None = None
) -> tuple[Frame, list[Markup]]:
    """A frame that fills the rest of a picture below `top`, and its axes; the name of the left one stands above it.

    `ticks` are the only values that the lower axis names, such as orders.
    """
    first = top + LINE + GRID
    bottom = height - FOOT
    marks = upwards.scale.ticks(max(2, int((bottom - first) // (4 * GRID))), upwards.digits)
    left = max(text_width(text) for _, text in marks) + GRID if marks else GRID
    right = width - GRID
    frame = Frame(left, first, right, bottom, across, upwards)
    drawn = [words(0, top + 12, *shorten([upwards.name], width), kind="axis-name")]
    for value, text in marks:
        y = frame.y(value)
        drawn += [line(left, y, right, y, "grid"), words(left - _TICK, y + 4, text, anchor="end")]
    return frame, drawn + draw_axis(across, left, right, [(first, bottom)], width=width, ticks=ticks)


def draw_axis(
    axis: Axis,
    left: float,
    right: float,
    bands: Sequence[tuple[float, float]],
    *,
    width: float,
    ticks: Sequence[float] | None = None,
) -> list[Markup]:
    """The axis below a plot: lines through its `bands` at every tick, its numbers and its name."""
    bottom = bands[-1][1] if bands else 0.0
    drawn = [line(left, bottom, right, bottom, "axis")]
    for value, text in _ticks(axis, right - left) if ticks is None else [(value, f"{value:g}") for value in ticks]:
        x = left + (right - left) * axis.place(value)
        drawn += [line(x, top, x, end, "grid") for top, end in bands]
        drawn.append(line(x, bottom, x, bottom + _TICK, "axis"))
        half = text_width(text) / 2
        drawn.append(words(min(max(x, half), width - half), bottom + LINE, text, anchor="middle"))
    (name,) = shorten([axis.name], width)
    middle = min(max((left + right) / 2, text_width(name) / 2), width - text_width(name) / 2)
    drawn.append(words(middle, bottom + 2 * LINE, name, kind="axis-name", anchor="middle"))
    return drawn


def _ticks(axis: Axis, room: float) -> list[tuple[float, str]]:
    """As many numbers as fit beside each other."""
    for most in range(10, 2, -1):
        ticks = axis.scale.ticks(most, axis.digits)
        places = sorted((axis.place(value) * room, text_width(text)) for value, text in ticks)
        if all(after - before >= (first + second) / 2 + GRID for (before, first), (after, second) in pairwise(places)):
            return ticks
    return axis.scale.ticks(2, axis.digits)
