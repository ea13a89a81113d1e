"""Charts of rows: a name, a plot and a number beside each other; names that are too long for that stand above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bleuprint.report.charts.drawing import GRID, chart_height, chart_width
from bleuprint.report.charts.labels import LINE, fitted, text_width, told_apart

_SHARE = 0.45  # of the width, at most, for names beside their rows
_ROW, _STACKED = 3 * GRID, 5 * GRID
_TIGHT, _TIGHT_STACKED = 2 * GRID, 4 * GRID  # the least height of a row


@dataclass(frozen=True, slots=True)
class RowLayout:
    """Where the parts of every row are."""

    labels: tuple[str, ...]
    stacked: bool
    left: float
    right: float
    width: float
    pitch: float
    height: float

    def middle(self, row: int) -> float:
        """The height at which the values of a row are drawn."""
        return row * self.pitch + self.pitch * (0.7 if self.stacked else 0.5)

    def baseline(self, row: int) -> float:
        """The height of the text of a row."""
        return row * self.pitch + 12 if self.stacked else self.middle(row) + 4

    @property
    def bands(self) -> list[tuple[float, float]]:
        """The heights between which lines may run without crossing a name."""
        if not self.stacked:
            return [(0.0, self.bottom)]
        return [(row * self.pitch + LINE, (row + 1) * self.pitch) for row in range(len(self.labels))]

    @property
    def bottom(self) -> float:
        return len(self.labels) * self.pitch


def row_layout(
    labels: Sequence[str],
    texts: Sequence[str],
    *,
    width: float | None = None,
    height: float | None = None,
    foot: float = 0.0,
) -> RowLayout:
    """Names at the left and texts at the right, as far as there is room for a plot between them."""
    used = chart_width(width)
    beside = max(map(text_width, texts), default=0.0)
    room = _SHARE * used - beside / 2
    stacked = not told_apart(labels, room)
    if stacked:
        room = used - beside - GRID
    shown = tuple(fitted(labels, room))
    count = max(len(labels), 1)
    least = count * (_TIGHT_STACKED if stacked else _TIGHT) + foot
    usual = count * (_STACKED if stacked else _ROW) + foot
    whole = chart_height(height, least, usual, f" for {count} rows")
    left = GRID if stacked else max(map(text_width, shown), default=0.0) + GRID
    right = used - GRID if stacked else used - (beside + GRID if beside else GRID)
    return RowLayout(shown, stacked, left, right, used, (whole - foot) / count, whole)
