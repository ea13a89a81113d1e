"""Bars: side by side on one scale, one alone, and a waterfall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.report.charts import svg
from bleuprint.report.charts.frame import FOOT, Axis, draw_axis
from bleuprint.report.charts.rows import RowLayout
from bleuprint.report.charts.scales import Scale
from bleuprint.report.charts.svg import clamp, number, visible

_THICK = 10
_METER = (200, 8)  # width and height


class Bar(NamedTuple):
    """One row of a bar chart; the value lies between 0 and 1."""

    label: str
    value: float
    text: str
    note: str = ""


def bars(
    rows: Sequence[Bar], label: str, *, axis: str, largest: float = 1.0, canvas: svg.Canvas = svg.USUAL
) -> svg.Drawing:
    """Horizontal bars with their numbers at the right; a full bar stands for `largest`, where the axis ends."""
    layout = RowLayout.of(rows, canvas, FOOT)
    drawn = _axis(layout, axis, largest, canvas)
    full = layout.right - layout.left
    for place, row in enumerate(rows):
        top = layout.middle(place) - _THICK / 2
        track, mark = (
            _bar("track", layout.left, top, full, 2),
            _bar("mark", layout.left, top, full * clamp(row.value), 2),
        )
        drawn.append(layout.draw(place, [track, mark]))
    return svg.chart("bars", label, layout.width, layout.height, drawn)


def _axis(layout: RowLayout, name: str, largest: float, canvas: svg.Canvas) -> list[Markup]:
    axis = Axis(name, Scale(0.0, largest), digits=canvas.digits)
    return draw_axis(axis, layout.left, layout.right, layout.bands, width=layout.width)


def _bar(kind: str, left: float, top: float, length: float, radius: float) -> Markup:
    return Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="{}"/>').format(
        kind, number(left), number(top), number(length), _THICK, radius
    )


def waterfall(steps: Sequence[Bar], label: str, *, axis: str, canvas: svg.Canvas = svg.USUAL) -> svg.Drawing:
    """From the first value down (or up) to the last: every step begins where the one before ended."""
    layout = RowLayout.of(steps, canvas, FOOT)
    drawn, before = _axis(layout, axis, 1.0, canvas), 0.0

    def across(value: float) -> float:
        return layout.left + (layout.right - layout.left) * value

    for place, step in enumerate(steps):
        value, top = clamp(step.value), layout.middle(place) - _THICK / 2
        first = place in (0, len(steps) - 1)
        low, high = (0.0, value) if first else sorted((before, value))
        kind = "mark" if first else "mark loss" if value < before else "mark quiet"
        length = max(across(high) - across(low), 1)
        drawn.append(layout.draw(place, [_bar(kind, across(low), top, length, 1.5)]))
        if place + 1 < len(steps):
            drawn.append(svg.line(across(value), top, across(value), top + layout.pitch + _THICK, "axis"))
        before = value
    return svg.chart("waterfall", label, layout.width, layout.height, drawn)


def meter(value: float, label: str) -> Markup:
    """One bar that fills whatever room the page gives it."""
    width, height = _METER
    return Markup(
        '<svg class="meter" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" '
        'aria-label="{label}"><rect class="track" width="{width}" height="{height}"/>'
        '<rect class="mark" width="{length}" height="{height}"/></svg>'
    ).format(width=width, height=height, label=visible(label), length=number(width * clamp(value)))
