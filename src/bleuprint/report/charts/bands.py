"""Bands under each other, in each of them every series a dot in its interval: parts of a corpus, or measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.report.charts import svg
from bleuprint.report.charts.axes import FOOT, Axis, draw_axis, zoom
from bleuprint.report.charts.labels import LINE, legend, shorten, text_width
from bleuprint.report.charts.svg import GRID, number, words

_STEP = 10  # from one series to the next
_TIGHT = 6

Ends = tuple[float, float, float]  # a value and the ends of its interval


class Part(NamedTuple):
    """One part of the segments: how many there are, and every system's value with the ends of its interval, by name.

    `data` lets the page choose it.
    """

    label: str
    size: int
    values: Mapping[str, Ends]
    data: svg.Data = None


def groups(parts: Sequence[Part], label: str, *, by: str, axis: str, canvas: svg.Canvas = svg.USUAL) -> svg.Drawing:
    """Every part a band of rows with its number of segments; in it every system a dot in its interval.

    `by` names what the parts are made by.
    """
    width, digits = canvas.fit_width(), canvas.digits
    systems = list(dict.fromkeys(name for part in parts for name in part.values))
    names, top = legend(systems, width, 0)
    names.append(words(0, top + 12, *shorten([by], width), kind="axis-name"))
    top += LINE + GRID / 2
    count, rows = max(len(parts), 1), max(len(systems), 1)
    least = top + FOOT + count * max(2 * LINE + GRID, rows * _TIGHT + GRID)
    usual = top + FOOT + count * max(2 * LINE + 2 * GRID, rows * _STEP + 2 * GRID)
    whole = canvas.fit_height(least, usual, f" for {count} parts of {rows} systems")
    pitch = (whole - top - FOOT) / count
    sizes = [f"n = {part.size:,}" for part in parts]
    labels = shorten([part.label for part in parts], 0.4 * width)
    left = max(map(text_width, [*labels, *sizes]), default=0.0) + 2 * GRID
    right = width - GRID
    scale = zoom(end for part in parts for row in part.values.values() for end in row)

    def across(value: float) -> float:
        return left + (right - left) * scale.place(value)

    drawn = draw_axis(Axis(axis, scale, digits=digits), left, right, [(top, whole - FOOT)], width=width)
    for index, part in enumerate(parts):
        begin = top + index * pitch
        middle = begin + pitch / 2
        shapes = [
            svg.box("hit", 0, begin, width, pitch),
            words(0, middle - 2, labels[index], kind="name"),
            words(0, middle - 2 + LINE, sizes[index]),
        ]
        for series, name in enumerate(systems):
            if name in part.values:
                value, low, high = part.values[name]
                note = f"{name}, {part.label}: {digits(value)} ({digits(low)} to {digits(high)})"
                shapes.append(_dot(series, note, part.values[name], across, _height(begin, pitch, series, rows)))
        note = f"{part.label}: {part.size:,} segments"
        drawn += [svg.line(0, begin, right, begin, "grid"), svg.group("pick", part.data, note, shapes)]
    return svg.chart("groups", label, width, whole, [*names, *drawn], brush=any(part.data for part in parts))


def _height(begin: float, pitch: float, series: int, count: int) -> float:
    """Where one of so many series lies in a band."""
    return begin + GRID / 2 + (series + 0.5) * (pitch - GRID) / count


def _dot(series: int, note: str, ends: Ends, across: Callable[[float], float], y: float) -> Markup:
    value, low, high = map(across, ends)
    interval = [svg.stroke(series, f"M{number(low)} {number(y)}H{number(high)}")] if low != high else []
    return svg.series_group(series, note, [*interval, svg.marker(series, value, y)])


class Measure(NamedTuple):
    """One measure: every series' value, interval and text by name, and the ends of its scale, which may run backwards.

    Where there is no interval, the value stands for both of its ends.
    """

    label: str
    values: Mapping[str, Ends]
    texts: Mapping[str, str]
    scale: tuple[float, float]


def measures(rows: Sequence[Measure], label: str, *, direction: str, canvas: svg.Canvas = svg.USUAL) -> svg.Drawing:
    """Measures on their scales, all turned so that `direction` lies at the right, with their values beside them."""
    width = canvas.fit_width()
    names = list(dict.fromkeys(name for row in rows for name in row.values))
    head, top = legend(names, width, 0) if len(names) > 1 else ([], 0.0)
    labels = shorten([row.label for row in rows], 0.5 * width)
    left = max(map(text_width, labels), default=0.0) + 2 * GRID
    right = width - max((text_width(text) for row in rows for text in row.texts.values()), default=0.0) - 2 * GRID
    head.append(words(right, top + 12, f"{direction} →", kind="axis-name", anchor="end"))
    top += LINE + GRID / 2
    count, series = max(len(rows), 1), max(len(names), 1)
    least = top + count * max(2 * GRID, series * _STEP + GRID)
    usual = top + count * (series * LINE + GRID)
    whole = canvas.fit_height(least, usual, f" for {count} measures of {series} series")
    pitch = (whole - top) / count
    drawn = [svg.line(x, top, x, whole, "grid") for x in (left, (left + right) / 2, right)]
    for place, row in enumerate(rows):
        begin = top + place * pitch
        drawn += [svg.line(0, begin, width, begin, "grid"), words(0, begin + pitch / 2 + 4, labels[place], kind="name")]
        first, last = row.scale

        def across(value: float, first: float = first, last: float = last) -> float:
            return left + (right - left) * (svg.clamp((value - first) / (last - first)) if last != first else 0.5)

        for at, name in enumerate(names):
            note, y = f"{name}, {row.label}: {row.texts[name]}", _height(begin, pitch, at, series)
            drawn.append(_dot(at, note, row.values[name], across, y))
            drawn.append(words(width, y + 4, row.texts[name], kind="number", anchor="end"))
    return svg.chart("measures", label, width, whole, [*head, *drawn])
