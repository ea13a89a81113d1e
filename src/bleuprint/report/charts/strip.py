"""One number in its interval, as small as a cell of a table."""

from __future__ import annotations

import math
from collections.abc import Iterable

from markupsafe import Markup

from bleuprint.report.charts.drawing import number
from bleuprint.report.text import visible

__all__ = ["strip", "zoomed"]

_WIDTH, _HEIGHT, _MARGIN = 120, 16, 5
Ends = tuple[float, float]


def zoomed(values: Iterable[float]) -> Ends:
    """From where to where a column of strips is drawn: the data and a little more, never from zero for its own sake.

    >>> zoomed([0.36, 0.38])
    (0.36, 0.38)
    >>> zoomed([0.5])
    (0.49, 0.51)
    """
    finite = [value for value in values if math.isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    return (low, high) if low < high and math.isfinite(high - low) else (low - 0.01, low + 0.01)


def strip(value: float, interval: Ends | None, ends: Ends, label: str, *, strong: bool = False) -> Markup:
    """A dot in its interval; all strips of a column have the same ends."""
    low, high = ends

    def place(number: float) -> float:
        share = (number - low) / (high - low) if math.isfinite(number) else 0.0
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * min(max(share, 0.0), 1.0)

    drawn = Markup('<line class="axis" x1="0" y1="8" x2="{}" y2="8"/>').format(_WIDTH)
    kind = "mark" if strong else "mark quiet"
    if interval is not None:
        left, right = place(interval[0]), place(interval[1])
        drawn += Markup('<rect class="{}" x="{}" y="6.5" width="{}" height="3"/>').format(
            kind, number(left), number(max(right - left, 1))
        )
    drawn += Markup('<circle class="{}" cx="{}" cy="8" r="4"/>').format(kind, number(place(value)))
    return Markup('<svg class="strip" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        _WIDTH, _HEIGHT, visible(label), drawn
    )
