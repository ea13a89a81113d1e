"""Lines: one value after the other, for several systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from bleuprint.report.charts import svg
from bleuprint.report.charts.axes import Axis, Scale, draw_frame, zoom
from bleuprint.report.charts.labels import legend
from bleuprint.report.charts.svg import number

_LEAST, _USUAL = 160, 240  # heights


def lines(
    places: Sequence[float],
    values: Mapping[str, Sequence[float]],
    label: str,
    *,
    axis: str,
    value_axis: str,
    intervals: Mapping[str, Sequence[tuple[float, float]]] | None = None,
    from_zero: bool = False,
    canvas: svg.Canvas = svg.USUAL,
) -> svg.Drawing:
    """The values of every system at these places of the lower axis, in order; values that are not finite are left out.

    Every place is a tick if they are few and apart, such as the orders of n-grams. `intervals` has the ends around each
    value. Shares start `from_zero`.
    """
    across = canvas.fit_width()
    ends = [end for row in (intervals or {}).values() for pair in row for end in pair]
    names, top = legend(list(values), across, 0)
    whole = canvas.fit_height(_LEAST + top, _USUAL + top)
    low, high = min(places, default=0.0), max(places, default=1.0)
    margin = (high - low or 1.0) * 0.04
    scale = Scale(low - margin, high + margin)
    frame, drawn = draw_frame(
        Axis(axis, scale),
        Axis(
            value_axis,
            zoom([value for row in values.values() for value in row] + ends, zero=from_zero),
            digits=canvas.digits,
        ),
        top=top,
        width=across,
        height=whole,
        ticks=places if _can_be_ticks(places) else None,
    )
    for series, (name, row) in enumerate(values.items()):
        points = [
            (frame.x(place), frame.y(value)) for place, value in zip(places, row, strict=True) if math.isfinite(value)
        ]
        shapes = []
        if points:
            shapes.append(svg.stroke(series, "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)))
        for place, (low, high) in zip(places, (intervals or {}).get(name, ()), strict=False):
            if math.isfinite(low) and math.isfinite(high):
                # Beside each other, so that none hides another.
                x = frame.x(place) + 3 * (series - (len(values) - 1) / 2)
                shapes.append(svg.stroke(series, f"M{number(x)} {number(frame.y(low))}V{number(frame.y(high))}"))
        if len(points) <= 25:  # more would hide the line
            shapes += [svg.marker(series, x, y) for x, y in points]
        drawn.append(svg.series_group(series, name, shapes))
    return svg.chart("lines", label, across, whole, [*names, *drawn])


def _can_be_ticks(places: Sequence[float]) -> bool:
    """Whether the places are few integers, and far enough apart for their numbers to stand beside each other."""
    if len(places) > 10 or any(place != int(place) for place in places):
        return False
    closest = min((later - place for place, later in pairwise(places)), default=1.0)
    return closest * 20 >= places[-1] - places[0] if places else True
