"""How values spread: the bins of one system, or several systems over each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from statistics import median

from markupsafe import Markup

from bleuprint.report.charts.drawing import (
    GRID,
    Drawing,
    box,
    chart_height,
    chart_width,
    drawing,
    group,
    line,
    number,
    series_group,
    stroke,
    tip,
    words,
)
from bleuprint.report.charts.frame import FOOT, Axis, Frame, framed, ruled
from bleuprint.report.charts.labels import fitted, legend, text_width
from bleuprint.report.charts.scales import Scale
from bleuprint.results.digits import FRACTIONS, Digits

_OVERLAID = 4  # systems whose outlines can be followed over each other; more stand in rows
_LEAST, _USUAL = 160, 240  # heights
_ROW, _TIGHT = 5 * GRID, 4 * GRID


def bins_of(values: Sequence[float], count: int, scale: Scale | None = None) -> list[int]:
    """How many of the values fall into each of `count` equal bins; the upper end itself is in the last.

    >>> bins_of([0.0, 0.49, 0.5, 1.0], 2)
    [2, 2]
    """
    used, bins = scale or Scale(), [0] * count
    for value in values:
        bins[min(int(used.place(value) * count), count - 1)] += 1
    return bins


def histogram(
    values: Sequence[float],
    label: str,
    *,
    bins: int = 20,
    tallest: int | None = None,
    scale: Scale | None = None,
    data: Mapping[str, object] | None = None,
    axis: str = "score of a segment",
    digits: Digits = FRACTIONS,
    width: float | None = None,
    height: float | None = None,
) -> Drawing:
    """How the values spread; `tallest` is the count the full height stands for, `data` lets the page choose by it."""
    used, across = scale or Scale(), chart_width(width)
    whole = chart_height(height, _LEAST, 176)
    counted = bins_of(values, bins, used)
    full = max(tallest or 0, *counted, 1)
    frame, drawn = framed(
        Axis(axis, used, digits=digits), Axis("segments", Scale(0.0, float(full))), top=0, width=across, height=whole
    )
    for index, count in enumerate(counted):
        if count or data is not None:
            drawn.append(_bin(frame, index, bins, count, data, bar=True))
    if values:
        drawn += _median_line(frame, median(values))
    return drawing(whole, label, drawn, "histogram" if data is None else "histogram brush", width=across)


def _bin(
    frame: Frame, index: int, bins: int, count: int, data: Mapping[str, object] | None, *, bar: bool, note: str = ""
) -> Markup:
    """One bin: its bar where there is one, and what the page needs to choose its values."""
    scale, digits = frame.across.scale, frame.across.digits
    low, high = (scale.value(edge / bins) for edge in (index, index + 1))
    step = (frame.right - frame.left) / bins
    left = frame.left + index * step
    shapes = []
    if data is not None:
        data = {**data, "low": f"{low:.6g}", "high": "" if index == bins - 1 else f"{high:.6g}"}
        shapes.append(box("hit", left, frame.top, step, frame.bottom - frame.top))
    if bar:
        shapes.append(box("mark", left + step / 20, frame.y(count), step * 0.9, frame.bottom - frame.y(count)))
    return group("pick", data, f"{digits(low, 2)} to {digits(high, 2)}: {note or count}", shapes)


def _median_line(frame: Frame, value: float) -> list[Markup]:
    x = frame.x(value)
    room = text_width("median") + GRID
    anchor = "end" if x + room > frame.right else "start"
    beside = x - 4 if anchor == "end" else x + 4
    return [line(x, frame.top - GRID, x, frame.bottom, "median"), words(beside, frame.top - 2, "median", anchor=anchor)]


def distributions(
    values: Mapping[str, Sequence[float]],
    label: str,
    *,
    axis: str,
    scale: Scale | None = None,
    bins: int = 20,
    data: Mapping[str, object] | None = None,
    digits: Digits = FRACTIONS,
    width: float | None = None,
    height: float | None = None,
) -> Drawing:
    """How the values of several systems spread, by name: outlines over each other, or in rows if they are many.

    The height is the share of a system's values, so that systems with different numbers of values can be compared.
    `data` lets the page choose a bin.
    """
    used, across = scale or Scale(), chart_width(width)
    shares = {name: [count / max(len(row), 1) for count in bins_of(row, bins, used)] for name, row in values.items()}
    highest = max((share for row in shares.values() for share in row), default=0.0) or 1.0
    measured = Axis(axis, used, digits=digits)
    if len(values) > _OVERLAID:
        return _in_rows(values, shares, highest, label, measured, across, height, data)
    names, top = legend(list(values), across, 0)
    whole = chart_height(height, _LEAST + top, _USUAL + top)
    upwards = Axis("share of segments", Scale(0.0, highest * 1.05))
    frame, drawn = framed(measured, upwards, top=top, width=across, height=whole)
    if data is not None:
        counted = {name: bins_of(row, bins, used) for name, row in values.items()}
        for index in range(bins):
            note = ", ".join(f"{name} {counts[index]}" for name, counts in counted.items())
            drawn.append(_bin(frame, index, bins, 0, data, bar=False, note=note))
    for series, (name, row) in enumerate(values.items()):
        shapes = [stroke(series, _outline(frame, shares[name]))]
        if row:
            x = frame.x(median(row))
            shapes.append(stroke(series, f"M{number(x)} {number(frame.bottom)}v{-GRID}"))
        drawn.append(series_group(series, name, shapes))
    kind = "distributions" if data is None else "distributions brush"
    return drawing(whole, label, [*names, *drawn], kind, width=across)


def _outline(frame: Frame, shares: Sequence[float]) -> str:
    """Steps from bin to bin."""
    step = (frame.right - frame.left) / len(shares)
    heights = [frame.y(share) for share in shares]
    steps = "".join(f"V{number(y)}h{number(step)}" for y in heights)
    return f"M{number(frame.left)} {number(frame.bottom)}{steps}V{number(frame.bottom)}"


def _in_rows(
    values: Mapping[str, Sequence[float]],
    shares: Mapping[str, Sequence[float]],
    highest: float,
    label: str,
    axis: Axis,
    width: float,
    height: float | None,
    data: Mapping[str, object] | None,
) -> Drawing:
    """A row for every system; with `data` the page chooses a bin of one system."""
    names = fitted(list(values), 0.4 * width)
    left = max(map(text_width, names)) + GRID
    right = width - GRID
    whole = chart_height(height, len(values) * _TIGHT + FOOT, len(values) * _ROW + FOOT, f" for {len(values)} systems")
    pitch = (whole - FOOT) / len(values)
    bottoms = list(accumulate([pitch] * len(values)))
    drawn = ruled(axis, left, right, [(0.0, bottoms[-1])], width=width)
    for series, (name, shown, bottom) in enumerate(zip(values, names, bottoms, strict=True)):
        frame = Frame(left, bottom - pitch + GRID / 2, right, bottom, axis, Axis("", Scale(0.0, highest)))
        drawn += [
            Markup('<g class="series">') + tip(name),
            words(0, bottom - pitch / 2 + 4, shown, kind="name"),
            Markup('<path class="area" d="{}z"/>').format(_outline(frame, shares[name])),
            line(left, bottom, right, bottom, "axis"),
        ]
        if values[name]:
            x = frame.x(median(values[name]))
            drawn.append(line(x, frame.top, x, bottom, "median"))
        drawn.append(Markup("</g>"))
        if data is not None:
            own, bins = {**data, "system": series}, len(shares[name])
            counts = bins_of(values[name], bins, axis.scale)
            drawn += [_bin(frame, index, bins, counts[index], own, bar=False) for index in range(bins)]
    kind = "distributions" if data is None else "distributions brush"
    return drawing(whole, label, drawn, kind, width=width)
