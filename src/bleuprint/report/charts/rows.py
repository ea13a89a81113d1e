"""Charts of rows: a name, a plot and a number beside each other; names that are too long for that stand above.

The plots are bars on one scale, a waterfall, or dots in their intervals. A bar and a dot alone fill a cell of a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.report.charts import svg
from bleuprint.report.charts.axes import FOOT, Axis, Scale, draw_axis, zoom
from bleuprint.report.charts.labels import LINE, shorten, text_width, told_apart
from bleuprint.report.charts.svg import GRID, USUAL, Canvas, Drawing, box, clamp, line, words

_SHARE = 0.45  # of the width, at most, for names beside their rows
_ROW, _STACKED = 3 * GRID, 5 * GRID
_TIGHT, _TIGHT_STACKED = 2 * GRID, 4 * GRID  # the least height of a row
_THICK = 10  # of a bar
_METER = (200, 8)  # width and height
_STRIP_WIDTH, _STRIP_HEIGHT, _MARGIN = 120, 16, 5


class Row(NamedTuple):
    """A name, a value with its text, and a note, which is name and text if it is empty.

    `interval` is the one a dot lies in, and `strong` says whether it tells something; a bar is from 0 to 1 long.
    """

    label: str
    value: float
    text: str
    note: str = ""
    interval: tuple[float, float] | None = None
    strong: bool = True


class RowLayout(NamedTuple):
    """Where the parts of every row are."""

    rows: Sequence[Row]
    labels: Sequence[str]
    stacked: bool
    left: float
    right: float
    width: float
    pitch: float
    height: float

    @classmethod
    def of(cls, rows: Sequence[Row], canvas: Canvas) -> RowLayout:
        """Names at the left and texts at the right, as far as there is room for a plot between them."""
        used, labels = canvas.fit_width(), [row.label for row in rows]
        beside = max((text_width(row.text) for row in rows), default=0.0)
        room = _SHARE * used - beside / 2
        stacked = not told_apart(labels, room)
        if stacked:
            room = used - beside - GRID
        shown = shorten(labels, room)
        count = max(len(labels), 1)
        least = count * (_TIGHT_STACKED if stacked else _TIGHT) + FOOT
        usual = count * (_STACKED if stacked else _ROW) + FOOT
        whole = canvas.fit_height(least, usual, f" for {count} rows")
        left = GRID if stacked else max(map(text_width, shown), default=0.0) + GRID
        right = used - GRID if stacked else used - (beside + GRID if beside else GRID)
        return cls(rows, shown, stacked, left, right, used, (whole - FOOT) / count, whole)

    def middle(self, row: int) -> float:
        """The height at which the values of a row are drawn."""
        return row * self.pitch + self.pitch * (0.7 if self.stacked else 0.5)

    @property
    def bands(self) -> list[tuple[float, float]]:
        """The heights between which lines may run without crossing a name."""
        if not self.stacked:
            return [(0.0, len(self.labels) * self.pitch)]
        return [(row * self.pitch + LINE, (row + 1) * self.pitch) for row in range(len(self.labels))]

    def draw(self, place: int, shapes: Sequence[Markup]) -> Markup:
        """A row: its name, these shapes and its number."""
        row, baseline = self.rows[place], place * self.pitch + 12 if self.stacked else self.middle(place) + 4
        name = words(0, baseline, self.labels[place], kind="name")
        value = words(self.width, baseline, row.text, kind="number", anchor="end")
        return svg.group("", None, row.note or f"{row.label}: {row.text}", [name, *shapes, value])


def bars(rows: Sequence[Row], label: str, *, axis: str, largest: float = 1.0, canvas: Canvas = USUAL) -> Drawing:
    """Horizontal bars with their numbers at the right; a full bar stands for `largest`, where the axis ends."""
    layout = RowLayout.of(rows, canvas)
    drawn = _axis(layout, axis, largest, canvas)
    full = layout.right - layout.left
    for place, row in enumerate(rows):
        top = layout.middle(place) - _THICK / 2
        track = box("track", layout.left, top, full, _THICK, 2)
        mark = box("mark", layout.left, top, full * clamp(row.value), _THICK, 2)
        drawn.append(layout.draw(place, [track, mark]))
    return svg.chart("bars", label, layout.width, layout.height, drawn)


def _axis(layout: RowLayout, name: str, largest: float, canvas: Canvas) -> list[Markup]:
    axis = Axis(name, Scale(0.0, largest), digits=canvas.digits)
    return draw_axis(axis, layout.left, layout.right, layout.bands, width=layout.width)


def waterfall(steps: Sequence[Row], label: str, *, axis: str, canvas: Canvas = USUAL) -> Drawing:
    """From the first value down (or up) to the last: every step begins where the one before ended."""
    layout = RowLayout.of(steps, canvas)
    drawn, before = _axis(layout, axis, 1.0, canvas), 0.0

    def across(value: float) -> float:
        return layout.left + (layout.right - layout.left) * value

    for place, step in enumerate(steps):
        value, top = clamp(step.value), layout.middle(place) - _THICK / 2
        first = place in (0, len(steps) - 1)
        low, high = (0.0, value) if first else sorted((before, value))
        kind = "mark" if first else "mark loss" if value < before else "mark quiet"
        length = max(across(high) - across(low), 1)
        drawn.append(layout.draw(place, [box(kind, across(low), top, length, _THICK, 1.5)]))
        if place + 1 < len(steps):
            drawn.append(line(across(value), top, across(value), top + layout.pitch + _THICK, "axis"))
        before = value
    return svg.chart("waterfall", label, layout.width, layout.height, drawn)


def meter(value: float, label: str) -> Markup:
    """One bar that fills whatever room the page gives it."""
    width, height = _METER
    return Markup(
        '<svg class="meter" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" '
        'aria-label="{label}"><rect class="track" width="{width}" height="{height}"/>'
        '<rect class="mark" width="{length}" height="{height}"/></svg>'
    ).format(width=width, height=height, label=svg.visible(label), length=svg.number(width * clamp(value)))


def ranges(rows: Sequence[Row], label: str, *, axis: str, zero: bool = False, canvas: Canvas = USUAL) -> Drawing:
    """Every row a dot in its interval, zoomed to the data; with `zero` a line stands where there is no difference."""
    layout = RowLayout.of(rows, canvas)
    intervals = [row.interval or (row.value, row.value) for row in rows]
    scale = zoom([end for ends in intervals for end in ends] + [row.value for row in rows], zero=zero)
    left, right = layout.left + GRID, layout.right - GRID

    def across(value: float) -> float:
        return left + (right - left) * scale.place(value)

    drawn = draw_axis(Axis(axis, scale, digits=canvas.digits), left, right, layout.bands, width=layout.width)
    if zero:
        drawn += [line(across(0), top, across(0), end, "median") for top, end in layout.bands]
    for place, (row, (low, high)) in enumerate(zip(rows, intervals, strict=True)):
        ends = across(low), across(high)
        drawn.append(layout.draw(place, [_dot(across(row.value), layout.middle(place), 4.5, ends, row.strong)]))
    return svg.chart("ranges", label, layout.width, layout.height, drawn)


def _dot(x: float, y: float, radius: float, ends: tuple[float, float] | None, strong: bool) -> Markup:
    """A dot, over its interval if there is one."""
    kind = "mark" if strong else "mark quiet"
    interval = Markup("") if ends is None else box(kind, ends[0], y - 1.5, max(ends[1] - ends[0], 1), 3)
    return interval + svg.circle(kind, x, y, radius)


def strip(
    value: float, interval: tuple[float, float] | None, scale: Scale, label: str, *, strong: bool = False
) -> Markup:
    """A dot in its interval; all strips of a column have the same scale."""

    def place(number: float) -> float:
        return _MARGIN + (_STRIP_WIDTH - 2 * _MARGIN) * scale.place(number)

    middle = _STRIP_HEIGHT / 2
    drawn = line(0, middle, _STRIP_WIDTH, middle, "axis")
    drawn += _dot(place(value), middle, 4, interval and (place(interval[0]), place(interval[1])), strong)
    return Markup('<svg class="strip" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        _STRIP_WIDTH, _STRIP_HEIGHT, svg.visible(label), drawn
    )
