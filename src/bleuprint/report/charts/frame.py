"""Axes: ticks with round numbers, lines to read values by, and the name of what is measured."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.report.charts.labels import LINE, shorten, text_width
from bleuprint.report.charts.scales import Scale
from bleuprint.report.charts.svg import GRID, line, words
from bleuprint.results.digits import FRACTIONS, Digits

FOOT = 5 * GRID  # below a plot: the numbers of the axis and its name
_TICK = 4


class Axis(NamedTuple):
    """What is measured along one side; `backwards` where the larger values come first, because less is better."""

    name: str
    scale: Scale
    backwards: bool = False
    digits: Digits = FRACTIONS

    def place(self, value: float) -> float:
        place = self.scale.place(value)
        return 1 - place if self.backwards else place

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """Round values with their texts, at most so many."""
        return self.scale.ticks(most, self.digits)

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
    marks = upwards.ticks(max(2, int((bottom - first) // (4 * GRID))))
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
        ticks = axis.ticks(most)
        places = sorted((axis.place(value) * room, text_width(text)) for value, text in ticks)
        if all(after - before >= (first + second) / 2 + GRID for (before, first), (after, second) in pairwise(places)):
            return ticks
    return axis.ticks(2)
