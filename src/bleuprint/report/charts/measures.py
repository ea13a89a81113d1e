"""Measures under each other, each with its own scale, turned so that all are read in one direction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bleuprint.report.charts.drawing import (
    GRID,
    Drawing,
    chart_height,
    chart_width,
    clamp,
    drawing,
    line,
    marker,
    number,
    series_group,
    stroke,
    words,
)
from bleuprint.report.charts.labels import LINE, fitted, legend, text_width

_STEP = 10  # from one series to the next
_TIGHT = 6


@dataclass(frozen=True, slots=True)
class Row:
    """One measure: every series' value, interval and text by name, and the ends of its scale with their texts.

    A scale may run backwards. Where there is none, nothing but the text is shown; where there is no interval, the value
    stands for both of its ends.
    """

    label: str
    values: Mapping[str, tuple[float, float, float]]
    texts: Mapping[str, str]
    scale: tuple[float, float] | None
    ends: tuple[str, str] = ("", "")


def measures(
    rows: Sequence[Row],
    label: str,
    *,
    direction: str,
    width: float | None = None,
    height: float | None = None,
) -> Drawing:
    """Every measure a row; in it every series a dot in its interval. `direction` says what lies at the right.

    One series has its values beside it, several have the ends of the scales.
    """
    across = chart_width(width)
    names = list(dict.fromkeys(name for row in rows for name in row.values))
    head, top = legend(names, across, 0) if len(names) > 1 else ([], 0.0)
    single = len(names) == 1
    before = [row.ends[0] for row in rows]
    behind = [next(iter(row.texts.values())) if single else row.ends[1] for row in rows]
    labels = fitted([row.label for row in rows], 0.5 * across)
    scale_room = max(map(text_width, before), default=0.0)
    left = max(map(text_width, labels), default=0.0) + scale_room + 3 * GRID
    right = across - max(map(text_width, behind), default=0.0) - GRID
    head.append(words(right, top + 12, f"{direction} →", kind="axis-name", anchor="end"))
    top += LINE + GRID / 2
    count, series = max(len(rows), 1), max(len(names), 1)
    least = top + count * max(2 * GRID, series * _TIGHT + GRID)
    usual = top + count * max(2.5 * GRID, series * _STEP + GRID)
    whole = chart_height(height, least, usual, f" for {count} measures of {series} series")
    pitch = (whole - top) / count
    drawn = [line(x, top, x, whole, "grid") for x in (left, (left + right) / 2, right)]
    for place, row in enumerate(rows):
        begin = top + place * pitch
        drawn.append(line(0, begin, across, begin, "grid"))
        baseline = begin + pitch / 2 + 4
        drawn += [
            words(0, baseline, labels[place], kind="name"),
            words(left - GRID, baseline, before[place], anchor="end"),
            words(across, baseline, behind[place], kind="number" if single else "label", anchor="end"),
        ]
        if row.scale is None:
            continue
        for at, name in enumerate(names):
            y = begin + GRID / 2 + (at + 0.5) * (pitch - GRID) / series
            drawn.append(_dot(row, row.scale, name, at, left, right, y))
    return drawing(whole, label, [*head, *drawn], "measures", width=across)


def _dot(row: Row, scale: tuple[float, float], name: str, series: int, left: float, right: float, y: float) -> Markup:
    begin, end = scale

    def x(given: float) -> float:
        return left + (right - left) * (clamp((given - begin) / (end - begin)) if end != begin else 0.5)

    value, low, high = map(x, row.values[name])

    shapes = [stroke(series, f"M{number(low)} {number(y)}H{number(high)}")] if low != high else []
    return series_group(series, f"{name}, {row.label}: {row.texts[name]}", [*shapes, marker(series, value, y)])
