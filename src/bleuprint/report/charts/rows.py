"""Charts of rows: a name, a plot and a number beside each other; names that are too long for that stand above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from markupsafe import Markup

from bleuprint.report.charts.labels import LINE, shorten, text_width, told_apart
from bleuprint.report.charts.svg import GRID, Canvas, group, words

_SHARE = 0.45  # of the width, at most, for names beside their rows
_ROW, _STACKED = 3 * GRID, 5 * GRID
_TIGHT, _TIGHT_STACKED = 2 * GRID, 4 * GRID  # the least height of a row


class Row(Protocol):
    """What every row has: its name, the text of its number, and a note, which is both of them if it is empty."""

    @property
    def label(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def note(self) -> str: ...


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
    def of(cls, rows: Sequence[Row], canvas: Canvas, foot: float) -> RowLayout:
        """Names at the left and texts at the right, as far as there is room for a plot between them."""
        used, labels = canvas.fit_width(), [row.label for row in rows]
        beside = max((text_width(row.text) for row in rows), default=0.0)
        room = _SHARE * used - beside / 2
        stacked = not told_apart(labels, room)
        if stacked:
            room = used - beside - GRID
        shown = shorten(labels, room)
        count = max(len(labels), 1)
        least = count * (_TIGHT_STACKED if stacked else _TIGHT) + foot
        usual = count * (_STACKED if stacked else _ROW) + foot
        whole = canvas.fit_height(least, usual, f" for {count} rows")
        left = GRID if stacked else max(map(text_width, shown), default=0.0) + GRID
        right = used - GRID if stacked else used - (beside + GRID if beside else GRID)
        return cls(rows, shown, stacked, left, right, used, (whole - foot) / count, whole)

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
        return group("", None, row.note or f"{row.label}: {row.text}", [name, *shapes, value])
