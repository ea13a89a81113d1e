"""Parts of a corpus: the scores of several systems beside each other in every part, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bleuprint.report.charts.drawing import (
    GRID,
    Drawing,
    box,
    chart_height,
    chart_width,
    drawing,
    group,
    line,
    marker,
    number,
    series_group,
    stroke,
    words,
)
from bleuprint.report.charts.frame import FOOT, Axis, ruled
from bleuprint.report.charts.labels import LINE, fitted, legend, text_width
from bleuprint.report.charts.scales import zoomed
from bleuprint.results.digits import FRACTIONS, Digits

_STEP = 10  # from one system to the next
_TIGHT = 6


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the segments: how many there are, and every system's value with the ends of its interval, by name.

    `data` lets the page choose it.
    """

    label: str
    size: int
    values: Mapping[str, tuple[float, float, float]]
    data: Mapping[str, object] | None = None


def groups(
    parts: Sequence[Part],
    label: str,
    *,
    by: str,
    axis: str,
    digits: Digits = FRACTIONS,
    width: float | None = None,
    height: float | None = None,
) -> Drawing:
    """Every part a band of rows with its number of segments; in it every system a dot in its interval.

    `by` names what the parts are made by.
    """
    across = chart_width(width)
    systems = list(dict.fromkeys(name for part in parts for name in part.values))
    names, top = legend(systems, across, 0)
    names.append(words(0, top + 12, *fitted([by], across), kind="axis-name"))
    top += LINE + GRID / 2
    count = max(len(parts), 1)
    rows = max(len(systems), 1)
    least = top + FOOT + count * max(2 * LINE + GRID, rows * _TIGHT + GRID)
    usual = top + FOOT + count * max(2 * LINE + 2 * GRID, rows * _STEP + 2 * GRID)
    whole = chart_height(height, least, usual, f" for {count} parts of {rows} systems")
    pitch = (whole - top - FOOT) / count
    sizes = [f"n = {part.size:,}" for part in parts]
    labels = fitted([part.label for part in parts], 0.4 * across)
    left = max(map(text_width, [*labels, *sizes]), default=0.0) + 2 * GRID
    right = across - GRID
    scale = zoomed(number for part in parts for row in part.values.values() for number in row)

    def place(value: float) -> float:
        return left + (right - left) * scale.place(value)

    drawn = ruled(Axis(axis, scale, digits=digits), left, right, [(top, whole - FOOT)], width=across)
    step = (pitch - GRID) / rows
    for index, part in enumerate(parts):
        begin = top + index * pitch
        middle = begin + pitch / 2
        shapes = [
            box("hit", 0, begin, across, pitch),
            words(0, middle - 2, labels[index], kind="name"),
            words(0, middle - 2 + LINE, sizes[index]),
        ]
        for series, name in enumerate(systems):
            if name not in part.values:
                continue
            value, low, high = part.values[name]
            y = begin + GRID / 2 + (series + 0.5) * step
            note = f"{name}, {part.label}: {digits(value)} ({digits(low)} to {digits(high)})"
            interval = stroke(series, f"M{number(place(low))} {number(y)}H{number(place(high))}")
            shapes.append(series_group(series, note, [interval, marker(series, place(value), y)]))
        note = f"{part.label}: {part.size:,} segments"
        drawn += [line(0, begin, right, begin, "grid"), group("pick", part.data, note, shapes)]
    kind = "groups brush" if any(part.data for part in parts) else "groups"
    return drawing(whole, label, [*names, *drawn], kind, width=across)
