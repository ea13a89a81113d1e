"""Bars: side by side on one scale, one alone, and a waterfall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bleuprint.report.charts.drawing import Drawing, attributes, clamp, drawing, line, number, tip, words
from bleuprint.report.charts.frame import FOOT, Axis, ruled
from bleuprint.report.charts.rows import RowLayout, row_layout
from bleuprint.report.charts.scales import Scale
from bleuprint.report.text import visible
from bleuprint.results.digits import FRACTIONS, Digits

_THICK = 10


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a bar chart; the value lies between 0 and 1. `data` lets the page choose by it."""

    label: str
    value: float
    text: str
    note: str = ""
    quiet: bool = False
    data: Mapping[str, object] | None = None


def bars(
    rows: Sequence[Bar],
    label: str,
    *,
    axis: str = "",
    largest: float = 1.0,
    digits: Digits = FRACTIONS,
    width: float | None = None,
    height: float | None = None,
) -> Drawing:
    """Horizontal bars on a common scale, with their numbers at the right.

    With the name of an `axis` they get one, from 0 to `largest`, which is what a full bar stands for.
    """
    kind = "bars brush" if any(row.data for row in rows) else "bars"
    layout = _layout(rows, axis, width, height)
    drawn = [_bar(row, place, layout) for place, row in enumerate(rows)]
    return drawing(layout.height, label, [*_axis(layout, axis, largest, digits), *drawn], kind, width=layout.width)


def _layout(rows: Sequence[Bar], axis: str, width: float | None, height: float | None) -> RowLayout:
    labels, texts = [row.label for row in rows], [row.text for row in rows]
    return row_layout(labels, texts, width=width, height=height, foot=FOOT if axis else 0.0)


def _axis(layout: RowLayout, name: str, largest: float, digits: Digits) -> list[Markup]:
    if not name:
        return []
    axis = Axis(name, Scale(0.0, largest), digits=digits)
    return ruled(axis, layout.left, layout.right, layout.bands, width=layout.width)


def _bar(row: Bar, place: int, layout: RowLayout) -> Markup:
    full = layout.right - layout.left
    kind = "mark quiet" if row.quiet else "mark"
    group = Markup('<g class="pick"{}>').format(attributes(row.data)) if row.data else Markup("<g>")
    hit = Markup('<rect class="hit" x="0" y="{}" width="{}" height="{}"/>').format(
        number(place * layout.pitch), number(layout.width), number(layout.pitch)
    )
    return (
        group
        + tip(row.note or f"{row.label}: {row.text}")
        + (hit if row.data else "")
        + words(0, layout.baseline(place), layout.labels[place], kind="name")
        + Markup(
            '<rect class="track" x="{x}" y="{y}" width="{full}" height="{thick}" rx="2"/>'
            '<rect class="{kind}" x="{x}" y="{y}" width="{length}" height="{thick}" rx="2"/>'
        ).format(
            x=number(layout.left),
            y=number(layout.middle(place) - _THICK / 2),
            full=number(full),
            kind=kind,
            length=number(full * clamp(row.value)),
            thick=_THICK,
        )
        + words(layout.width, layout.baseline(place), row.text, kind="number", anchor="end")
        + Markup("</g>")
    )


def waterfall(
    steps: Sequence[Bar],
    label: str,
    *,
    axis: str = "",
    digits: Digits = FRACTIONS,
    width: float | None = None,
    height: float | None = None,
) -> Drawing:
    """From the first value down (or up) to the last: every step begins where the one before ended."""
    layout = _layout(steps, axis, width, height)
    drawn, before = _axis(layout, axis, 1.0, digits), 0.0

    def across(value: float) -> float:
        return layout.left + (layout.right - layout.left) * value

    for place, step in enumerate(steps):
        value, top = clamp(step.value), layout.middle(place) - _THICK / 2
        first = place in (0, len(steps) - 1)
        low, high = (0.0, value) if first else sorted((before, value))
        kind = "mark" if first else "mark loss" if value < before else "mark quiet"
        drawn += [
            Markup("<g>") + tip(step.note or f"{step.label}: {step.text}"),
            words(0, layout.baseline(place), layout.labels[place], kind="name"),
            Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="1.5"/>').format(
                kind, number(across(low)), number(top), number(max(across(high) - across(low), 1)), _THICK
            ),
            words(layout.width, layout.baseline(place), step.text, kind="number", anchor="end"),
            Markup("</g>"),
        ]
        if place + 1 < len(steps):
            drawn.append(line(across(value), top, across(value), top + layout.pitch + _THICK, "axis"))
        before = value
    return drawing(layout.height, label, drawn, "waterfall", width=layout.width)


def meter(
    value: float, label: str, *, interval: tuple[float, float] | None = None, width: int = 200, height: int = 8
) -> Markup:
    """One bar that fills whatever room the page gives it; the interval of its value lies over its end."""
    drawn = Markup("")
    if interval is not None:
        low, high = (width * clamp(place) for place in interval)
        drawn = Markup('<rect class="interval" x="{}" y="0" width="{}" height="{}"/>').format(
            number(low), number(max(high - low, 0.5)), height
        )
    return Markup(
        '<svg class="meter" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" '
        'aria-label="{label}"><rect class="track" width="{width}" height="{height}"/>'
        '<rect class="mark" width="{length}" height="{height}"/>{interval}</svg>'
    ).format(width=width, height=height, label=visible(label), length=number(width * clamp(value)), interval=drawn)
