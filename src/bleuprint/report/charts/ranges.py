"""Numbers with their intervals, under each other on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bleuprint.report.charts.drawing import WIDTH, Drawing, drawing, line, number, short, words
from bleuprint.report.text import visible

__all__ = ["Range", "ranges"]

_ROW = 40
_LETTERS = 40


@dataclass(frozen=True, slots=True)
class Range:
    """A number and the interval it lies in; `strong` where the interval tells something."""

    label: str
    value: float
    low: float
    high: float
    text: str
    strong: bool = True


def ranges(rows: Sequence[Range], label: str, *, zero: bool = False) -> Drawing:
    """Every row a dot in its interval; with `zero` a line stands where there is no difference."""
    low, high = _limits(rows, zero)
    left, right = 6, WIDTH - 6

    def place(value: float) -> float:
        return left + (right - left) * (value - low) / (high - low)

    bottom = len(rows) * _ROW + 4
    drawn = []
    for index, row in enumerate(rows):
        top = index * _ROW
        if zero:
            drawn.append(line(place(0), top + 19, place(0), top + 35, "median"))
        kind = "mark" if row.strong else "mark quiet"
        drawn += [
            Markup("<g><title>{}</title>").format(visible(f"{row.label}: {row.text}")),
            words(0, top + 14, short(row.label, _LETTERS), kind="name"),
            words(WIDTH, top + 14, row.text, kind="number", anchor="end"),
            Markup('<rect class="{}" x="{}" y="{}" width="{}" height="3"/>').format(
                kind, number(place(row.low)), top + 25.5, number(max(place(row.high) - place(row.low), 1))
            ),
            Markup('<circle class="{}" cx="{}" cy="{}" r="4.5"/></g>').format(kind, number(place(row.value)), top + 27),
        ]
    drawn += [
        line(left, bottom, right, bottom, "axis"),
        words(left, bottom + 15, f"{low:g}"),
        words(right, bottom + 15, f"{high:g}", anchor="end"),
    ]
    if zero and left + 24 < place(0) < right - 24:
        drawn.append(words(place(0), bottom + 15, "0", anchor="middle"))
    return drawing(bottom + 20, label, drawn, "ranges")


def _limits(rows: Sequence[Range], zero: bool) -> tuple[float, float]:
    """Round numbers around all that is drawn."""
    ends = [end for row in rows for end in (row.low, row.high, row.value) if math.isfinite(end)]
    low, high = min([*ends, *([0.0] if zero else [])], default=0.0), max([*ends, *([0.0] if zero else [])], default=1.0)
    if low == high:
        low, high = low - 0.01, high + 0.01
    unit = 10.0 ** math.floor(math.log10(high - low)) / 2
    return round(math.floor(low / unit) * unit, 10), round(math.ceil(high / unit) * unit, 10)
