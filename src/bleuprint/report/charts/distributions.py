"""How values spread: several systems over each other, or in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from statistics import median

from markupsafe import Markup

from bleuprint.report.charts import svg
from bleuprint.report.charts.axes import FOOT, Axis, Frame, Scale, draw_axis, draw_frame
from bleuprint.report.charts.labels import legend, shorten, text_width
from bleuprint.report.charts.svg import GRID, line, number, words

BINS = 20
_OVERLAID = 4  # systems whose outlines can be followed over each other; more stand in rows
_LEAST, _USUAL = 160, 240  # heights
_ROW, _TIGHT = 5 * GRID, 4 * GRID


def bins_of(values: Sequence[float], count: int, scale: Scale) -> list[int]:
    """How many of the values fall into each of `count` equal bins; the upper end itself is in the last.

    >>> bins_of([0.0, 0.49, 0.5, 1.0], 2, Scale())
    [2, 2]
    """
    bins = [0] * count
    for value in values:
        bins[min(int(scale.place(value) * count), count - 1)] += 1
    return bins


def distributions(
    values: Mapping[str, Sequence[float]],
    label: str,
    *,
    axis: str,
    scale: Scale | None = None,
    data: svg.Data = None,
    canvas: svg.Canvas = svg.USUAL,
) -> svg.Drawing:
    """How the values of several systems spread, by name: outlines over each other, or in rows if they are many.

    The height is the share of a system's values, so that systems with different numbers of values can be compared.
    `data` lets the page choose a bin.
    """
    across = Axis(axis, scale or Scale(), digits=canvas.digits)
    counts = {name: bins_of(row, BINS, across.scale) for name, row in values.items()}
    shares = {name: [count / max(len(values[name]), 1) for count in row] for name, row in counts.items()}
    highest = max((share for row in shares.values() for share in row), default=0.0) or 1.0
    if len(values) > _OVERLAID:
        drawn, height = _draw_rows(values, counts, shares, across, Scale(0.0, highest), data, canvas)
    else:
        names, top = legend(list(values), canvas.fit_width(), 0)
        height = canvas.fit_height(_LEAST + top, _USUAL + top)
        upwards = Axis("share of segments", Scale(0.0, highest * 1.05))
        frame, axes = draw_frame(across, upwards, top=top, width=canvas.fit_width(), height=height)
        drawn = [*names, *axes]
        if data is not None:
            notes = [", ".join(f"{name} {row[place]}" for name, row in counts.items()) for place in range(BINS)]
            drawn += _bins(frame, notes, data)
        for series, (name, row) in enumerate(values.items()):
            shapes = [svg.stroke(series, _outline(frame, shares[name]))]
            if row:
                x = frame.x(median(row))
                shapes.append(svg.stroke(series, f"M{number(x)} {number(frame.bottom)}v{-GRID}"))
            drawn.append(svg.series_group(series, name, shapes))
    return svg.chart("distributions", label, canvas.fit_width(), height, drawn, brush=data is not None)


def _bins(frame: Frame, notes: Sequence[object], data: Mapping[str, object]) -> list[Markup]:
    """What the page needs to choose the values of a bin, for every bin."""
    scale, digits, step = frame.across.scale, frame.across.digits, (frame.right - frame.left) / BINS
    drawn = []
    for place, note in enumerate(notes):
        low, high = (scale.value(edge / BINS) for edge in (place, place + 1))
        ends = {"low": f"{low:.6g}", "high": "" if place == BINS - 1 else f"{high:.6g}"}
        hit = svg.box("hit", frame.left + place * step, frame.top, step, frame.bottom - frame.top)
        drawn.append(svg.group("pick", {**data, **ends}, f"{digits(low, 2)} to {digits(high, 2)}: {note}", [hit]))
    return drawn


def _outline(frame: Frame, shares: Sequence[float]) -> str:
    """Steps from bin to bin."""
    step = number((frame.right - frame.left) / len(shares))
    steps = "".join(f"V{number(frame.y(share))}h{step}" for share in shares)
    return f"M{number(frame.left)} {number(frame.bottom)}{steps}V{number(frame.bottom)}"


def _draw_rows(
    values: Mapping[str, Sequence[float]],
    counts: Mapping[str, Sequence[int]],
    shares: Mapping[str, Sequence[float]],
    axis: Axis,
    upwards: Scale,
    data: svg.Data,
    canvas: svg.Canvas,
) -> tuple[list[Markup], float]:
    """A row for every system, and the height of all; with `data` the page chooses a bin of one system."""
    width, count = canvas.fit_width(), len(values)
    names = shorten(list(values), 0.4 * width)
    left, right = max(map(text_width, names)) + GRID, width - GRID
    whole = canvas.fit_height(count * _TIGHT + FOOT, count * _ROW + FOOT, f" for {count} systems")
    pitch = (whole - FOOT) / count
    bottoms = list(accumulate([pitch] * count))
    drawn = draw_axis(axis, left, right, [(0.0, bottoms[-1])], width=width)
    for series, (name, shown, bottom) in enumerate(zip(values, names, bottoms, strict=True)):
        frame = Frame(left, bottom - pitch + GRID / 2, right, bottom, axis, Axis("", upwards))
        shapes = [
            words(0, bottom - pitch / 2 + 4, shown, kind="name"),
            Markup('<path class="area" d="{}z"/>').format(_outline(frame, shares[name])),
            line(left, bottom, right, bottom, "axis"),
        ]
        if values[name]:
            x = frame.x(median(values[name]))
            shapes.append(line(x, frame.top, x, bottom, "median"))
        drawn.append(svg.group("series", {}, name, shapes))
        if data is not None:
            drawn += _bins(frame, counts[name], {**data, "system": series})
    return drawn, whole
