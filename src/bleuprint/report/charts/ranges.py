"""Numbers with their intervals: under each other on one scale, or one as small as a cell of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.report.charts.frame import FOOT, Axis, draw_axis
from bleuprint.report.charts.rows import RowLayout
from bleuprint.report.charts.scales import Scale, zoom
from bleuprint.report.charts.svg import GRID, USUAL, Canvas, Drawing, chart, line, number, visible

_STRIP_WIDTH, _STRIP_HEIGHT, _MARGIN = 120, 16, 5


class Range(NamedTuple):
    """A number and the interval it lies in; `strong` where the interval tells something."""

    label: str
    value: float
    low: float
    high: float
    text: str
    strong: bool = True
    note: str = ""


def ranges(rows: Sequence[Range], label: str, *, zero: bool = False, axis: str = "", canvas: Canvas = USUAL) -> Drawing:
    """Every row a dot in its interval, zoomed to the data; with `zero` a line stands where there is no difference."""
    layout = RowLayout.of(rows, canvas, FOOT if axis else FOOT - 2 * GRID)
    scale = zoom((end for row in rows for end in (row.low, row.high, row.value)), zero=zero)
    left, right = layout.left + GRID, layout.right - GRID

    def across(value: float) -> float:
        return left + (right - left) * scale.place(value)

    drawn = draw_axis(Axis(axis, scale, digits=canvas.digits), left, right, layout.bands, width=layout.width)
    if zero:
        drawn += [line(across(0), top, across(0), end, "median") for top, end in layout.bands]
    for place, row in enumerate(rows):
        ends = across(row.low), across(row.high)
        drawn.append(layout.draw(place, [_dot(across(row.value), layout.middle(place), 4.5, ends, row.strong)]))
    return chart("ranges", label, layout.width, layout.height, drawn)


def _dot(x: float, y: float, radius: float, ends: tuple[float, float] | None, strong: bool) -> Markup:
    """A dot, over its interval if there is one."""
    kind, interval = "mark" if strong else "mark quiet", Markup("")
    if ends is not None:
        interval = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="3"/>').format(
            kind, number(ends[0]), number(y - 1.5), number(max(ends[1] - ends[0], 1))
        )
    return interval + Markup('<circle class="{}" cx="{}" cy="{}" r="{}"/>').format(
        kind, number(x), number(y), number(radius)
    )


def strip(
    value: float, interval: tuple[float, float] | None, scale: Scale, label: str, *, strong: bool = False
) -> Markup:
    """A dot in its interval; all strips of a column have the same scale."""

    def place(number: float) -> float:
        return _MARGIN + (_STRIP_WIDTH - 2 * _MARGIN) * scale.place(number)

    middle = _STRIP_HEIGHT / 2
    drawn = Markup('<line class="axis" x1="0" y1="8" x2="{}" y2="8"/>').format(_STRIP_WIDTH)
    drawn += _dot(place(value), middle, 4, interval and (place(interval[0]), place(interval[1])), strong)
    return Markup('<svg class="strip" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        _STRIP_WIDTH, _STRIP_HEIGHT, visible(label), drawn
    )
