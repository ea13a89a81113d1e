"""Every system against every other: the difference, and whether it may be chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.report.charts.labels import LINE, shorten, text_width
from bleuprint.report.charts.svg import GRID, USUAL, Canvas, Drawing, box, chart, group, number, words

_ROW, _TIGHT = 3 * GRID, 2 * GRID
# By the sign of a cell: what it is called, and its shape.
_SIGNS = {
    1: ("better", "M0 -4l4.5 8h-9z"),
    -1: ("worse", "M0 4l4.5 -8h-9z"),
    0: ("even", "M-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z"),
}


class Cell(NamedTuple):
    """The system of a row against that of a column: 1 if it is better, -1 if worse, 0 if that may be chance."""

    sign: int
    text: str
    note: str
    data: Mapping[str, object] | None = None


def matrix(
    names: Sequence[str], cells: Mapping[tuple[str, str], Cell], label: str, *, axis: str, canvas: Canvas = USUAL
) -> Drawing:
    """Rows against columns, in the same order; `cells` are keyed by the names of row and column.

    Columns carry the numbers of the rows. A triangle points up where the row is better. Numbers stand in the cells if
    there is room for all of them.
    """
    across, count = canvas.fit_width(), max(len(names), 1)
    numbers = [f"{place}" for place in range(1, len(names) + 1)]
    beside = max(map(text_width, numbers), default=0.0) + GRID
    largest = max((text_width(cell.text) for cell in cells.values()), default=0.0) + GRID
    room = min(max(map(text_width, names), default=0.0), max(0.35 * across, across - beside - count * largest - GRID))
    shown = shorten(names, min(room, 0.5 * across))
    left = beside + max(map(text_width, shown), default=0.0) + GRID
    step = (across - left) / count
    written = step >= largest
    head, foot = LINE + GRID / 2, 3 * LINE
    least, usual = head + foot + count * _TIGHT, head + foot + count * _ROW
    whole = canvas.fit_height(least, usual, f" for {count} systems")
    pitch = (whole - head - foot) / count
    every = 1
    while every * step < beside and every < count:
        every += 1 if every == 1 else 5 - every % 5
    drawn = []
    for place, name in enumerate(shown):
        middle = head + (place + 0.5) * pitch
        labels = [
            words(beside - GRID, middle + 4, numbers[place], anchor="end"),
            words(beside, middle + 4, name, kind="name"),
        ]
        drawn.append(group("name", None, names[place], labels))
        if place % every == 0:
            drawn.append(words(left + (place + 0.5) * step, head - GRID / 2, numbers[place], anchor="middle"))
    for row, first in enumerate(names):
        for column, second in enumerate(names):
            x, y = left + column * step, head + row * pitch
            cell = cells.get((first, second))
            drawn.append(_cell(cell, x, y, step, pitch, written))
    drawn += _key(axis, across, whole - foot, written)
    return chart("matrix", label, across, whole, drawn, brush=any(cell.data for cell in cells.values()))


def _cell(cell: Cell | None, x: float, y: float, step: float, pitch: float, written: bool) -> Markup:
    kind = "none" if cell is None else _SIGNS[cell.sign][0]
    field = box(f"cell {kind}", x + 0.5, y + 0.5, step - 1, pitch - 1)
    if cell is None:
        return field
    if written:
        inside = words(x + step / 2, y + pitch / 2 + 4, cell.text, kind=f"number {kind}-text", anchor="middle")
    else:
        inside = _sign(cell.sign, x + step / 2, y + pitch / 2)
    return group("pair", cell.data, cell.note, [field, inside])


def _sign(sign: int, x: float, y: float) -> Markup:
    kind, shape = _SIGNS[sign]
    return Markup(f'<path class="{kind}-sign" transform="translate({number(x)} {number(y)})" d="{shape}"/>')


def _key(axis: str, width: float, top: float, written: bool) -> list[Markup]:
    """What the colors mean, and the signs where the cells have them."""
    (name,) = shorten([axis], width)
    drawn, left, line = [words(0, top + LINE, name, kind="axis-name")], 0.0, top + 2 * LINE
    for sign, text in ((1, "row better"), (-1, "row worse"), (0, "may be chance")):
        if left + text_width(text) + 3 * GRID > width:
            left, line = 0.0, line + LINE
        drawn += [
            box(f"cell {_SIGNS[sign][0]}", left, line - 11, 16, 14),
            Markup("") if written else _sign(sign, left + GRID, line - 4),
            words(left + 2 * GRID + 4, line, text),
        ]
        left += text_width(text) + 4.5 * GRID
    return drawn
