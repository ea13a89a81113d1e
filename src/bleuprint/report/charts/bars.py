"""Bars: side by side on one scale, one alone, and a waterfall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bleuprint.report.charts.drawing import WIDTH, Drawing, attributes, clamp, drawing, line, number, short, words
from bleuprint.report.text import visible

__all__ = ["Bar", "bars", "meter", "waterfall"]

_START, _END = 78, 262
_ROW = 26
_LETTERS = 12


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a bar chart; the value lies between 0 and 1. `data` lets the page choose by it."""

    label: str
    value: float
    text: str
    note: str = ""
    quiet: bool = False
    data: Mapping[str, object] | None = None


def bars(rows: Sequence[Bar], label: str) -> Drawing:
    """Horizontal bars on a common scale from 0 to 1, with their numbers at the right."""
    chosen = "bars brush" if any(row.data for row in rows) else "bars"
    return drawing(max(len(rows), 1) * _ROW, label, [_bar(row, i * _ROW) for i, row in enumerate(rows)], chosen)


def _bar(row: Bar, top: int) -> Markup:
    length = (_END - _START) * clamp(row.value)
    kind = "mark quiet" if row.quiet else "mark"
    tip = Markup("<title>{}</title>").format(visible(row.note)) if row.note else Markup("")
    group = Markup('<g class="pick"{}>').format(attributes(row.data)) if row.data else Markup("<g>")
    hit = Markup('<rect class="hit" x="0" y="{}" width="{}" height="{}"/>').format(top, WIDTH, _ROW)
    return (
        group
        + tip
        + (hit if row.data else "")
        + words(0, top + 17, short(row.label, _LETTERS))
        + Markup(
            '<rect class="track" x="{x}" y="{y}" width="{full}" height="10" rx="2"/>'
            '<rect class="{kind}" x="{x}" y="{y}" width="{length}" height="10" rx="2"/>'
        ).format(x=_START, y=top + 8, full=_END - _START, kind=kind, length=number(length))
        + words(WIDTH, top + 17, row.text, kind="number", anchor="end")
        + Markup("</g>")
    )


def waterfall(steps: Sequence[Bar], label: str) -> Drawing:
    """From the first value down (or up) to the last: every step begins where the one before ended."""
    drawn, before = [], 0.0
    for index, step in enumerate(steps):
        top = index * _ROW
        value = clamp(step.value)
        first = index in (0, len(steps) - 1)
        low, high = (0.0, value) if first else sorted((before, value))
        left, right = (_START + (_END - _START) * place for place in (low, high))
        kind = "mark" if first else "mark loss" if value < before else "mark quiet"
        tip = Markup("<title>{}</title>").format(visible(step.note)) if step.note else Markup("")
        drawn += [
            Markup("<g>") + tip,
            words(0, top + 17, short(step.label, _LETTERS)),
            Markup('<rect class="{}" x="{}" y="{}" width="{}" height="12" rx="1.5"/>').format(
                kind, number(left), top + 7, number(max(right - left, 1))
            ),
            words(WIDTH, top + 17, step.text, kind="number", anchor="end"),
            Markup("</g>"),
        ]
        if index + 1 < len(steps):
            place = _START + (_END - _START) * value
            drawn.append(line(place, top + 7, place, top + _ROW + 19, "axis"))
        before = value
    return drawing(max(len(steps), 1) * _ROW, label, drawn, "waterfall")


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
