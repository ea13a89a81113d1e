"""The charts, as SVG text.

Shapes carry class names and take their colours from the page's style sheet, so one drawing serves light, dark
and print. Markup.format escapes every text it puts in. Nothing here reads a result, only numbers and labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from markupsafe import Markup

from bleuprint.report.text import visible

__all__ = ["Bar", "bars", "bins_of", "histogram", "meter"]

_WIDTH = 320
_BAR_START, _BAR_END = 62, 262
_ROW = 26


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a bar chart; the value lies between 0 and 1."""

    label: str
    value: float
    text: str
    note: str = ""
    quiet: bool = False


def bars(rows: Sequence[Bar], label: str) -> Markup:
    """Horizontal bars on a common scale from 0 to 1, with their numbers at the right."""
    drawn = Markup("").join(_bar(row, index * _ROW) for index, row in enumerate(rows))
    return _svg(_WIDTH, max(len(rows), 1) * _ROW, label, drawn, "bars")


def _bar(row: Bar, top: int) -> Markup:
    length = (_BAR_END - _BAR_START) * _clamp(row.value)
    kind = "mark quiet" if row.quiet else "mark"
    tip = Markup("<title>{}</title>").format(visible(row.note)) if row.note else Markup("")
    return Markup(
        '<g>{tip}<text class="label" x="0" y="{text}">{label}</text>'
        '<rect class="track" x="{x}" y="{y}" width="{full}" height="10" rx="2"/>'
        '<rect class="{kind}" x="{x}" y="{y}" width="{length}" height="10" rx="2"/>'
        '<text class="number" x="{end}" y="{text}" text-anchor="end">{value}</text></g>'
    ).format(
        tip=tip,
        text=top + 17,
        label=visible(row.label),
        x=_BAR_START,
        y=top + 8,
        full=_BAR_END - _BAR_START,
        kind=kind,
        length=_number(length),
        end=_WIDTH,
        value=visible(row.text),
    )


def bins_of(values: Sequence[float], count: int) -> list[int]:
    """How many of the values fall into each of `count` equal bins of [0, 1]; 1 itself is in the last.

    >>> bins_of([0.0, 0.49, 0.5, 1.0], 2)
    [2, 2]
    """
    bins = [0] * count
    for value in values:
        bins[min(int(_clamp(value) * count), count - 1)] += 1
    return bins


def histogram(values: Sequence[float], label: str, *, bins: int = 20, tallest: int | None = None) -> Markup:
    """How the values spread over [0, 1]; `tallest` is the count the full height stands for."""
    top, bottom, left, right = 16, 104, 2, _WIDTH - 2
    counted = bins_of(values, bins)
    full = max(tallest or 0, *counted, 1)
    step = (right - left) / bins
    drawn = [Markup('<line class="axis" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(left, bottom, right, bottom)]
    for index, count in enumerate(counted):
        if count:
            height = (bottom - top) * count / full
            tip = f"{index / bins:.2f} to {(index + 1) / bins:.2f}: {count}"
            drawn.append(
                Markup('<g><title>{}</title><rect class="mark" x="{}" y="{}" width="{}" height="{}"/></g>').format(
                    tip,
                    _number(left + index * step + 0.75),
                    _number(bottom - height),
                    _number(step - 1.5),
                    _number(height),
                )
            )
    drawn += [_tick(left + (right - left) * place, place) for place in (0.0, 0.25, 0.5, 0.75, 1.0)]
    if values:
        drawn.append(_median_line(left + (right - left) * _clamp(median(values)), bottom))
    return _svg(_WIDTH, 124, label, Markup("").join(drawn), "histogram")


def _tick(x: float, place: float) -> Markup:
    anchor = "start" if place == 0 else "end" if place == 1 else "middle"
    return Markup('<text class="label" x="{}" y="120" text-anchor="{}">{}</text>').format(
        _number(x), anchor, f"{place:g}"
    )


def _median_line(x: float, bottom: int) -> Markup:
    anchor = "end" if x > _WIDTH / 2 else "start"
    return Markup(
        '<line class="median" x1="{x}" y1="4" x2="{x}" y2="{bottom}"/>'
        '<text class="label" x="{beside}" y="11" text-anchor="{anchor}">median</text>'
    ).format(x=_number(x), bottom=bottom, beside=_number(x - 5 if anchor == "end" else x + 5), anchor=anchor)


def meter(value: float, label: str, *, width: int = 100, height: int = 4) -> Markup:
    """One bar that fills whatever room the page gives it."""
    return Markup(
        '<svg class="meter" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" '
        'aria-label="{label}"><rect class="track" width="{width}" height="{height}"/>'
        '<rect class="mark" width="{length}" height="{height}"/></svg>'
    ).format(width=width, height=height, label=visible(label), length=_number(width * _clamp(value)))


def _svg(width: int, height: int, label: str, content: Markup, kind: str) -> Markup:
    return Markup('<svg class="chart {}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        kind, width, height, visible(label), content
    )


def _clamp(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
