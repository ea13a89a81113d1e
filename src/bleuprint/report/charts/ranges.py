"""Numbers with their intervals, under each other on one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bleuprint.report.charts.drawing import GRID, Drawing, attributes, drawing, line, number, tip, words
from bleuprint.report.charts.frame import FOOT, Axis, ruled
from bleuprint.report.charts.rows import row_layout
from bleuprint.report.charts.scales import zoomed
from bleuprint.results.digits import FRACTIONS, Digits


@dataclass(frozen=True, slots=True)
class Range:
    """A number and the interval it lies in; `strong` where the interval tells something. `data` is for the page."""

    label: str
    value: float
    low: float
    high: float
    text: str
    strong: bool = True
    note: str = ""
    data: Mapping[str, object] | None = None


def ranges(
    rows: Sequence[Range],
    label: str,
    *,
    zero: bool = False,
    axis: str = "",
    digits: Digits = FRACTIONS,
    width: float | None = None,
    height: float | None = None,
) -> Drawing:
    """Every row a dot in its interval, zoomed to the data; with `zero` a line stands where there is no difference."""
    layout = row_layout(
        [row.label for row in rows],
        [row.text for row in rows],
        width=width,
        height=height,
        foot=FOOT if axis else FOOT - 2 * GRID,
    )
    scale = zoomed((end for row in rows for end in (row.low, row.high, row.value)), zero=zero)
    left, right = layout.left + GRID, layout.right - GRID

    def across(value: float) -> float:
        return left + (right - left) * scale.place(value)

    drawn = ruled(Axis(axis, scale, digits=digits), left, right, layout.bands, width=layout.width)
    if zero:
        drawn += [line(across(0), top, across(0), end, "median") for top, end in layout.bands]
    for place, row in enumerate(rows):
        kind, middle = "mark" if row.strong else "mark quiet", layout.middle(place)
        data = Markup("") if row.data is None else attributes(row.data)
        drawn += [
            Markup('<g class="range"{}>').format(data) + tip(row.note or f"{row.label}: {row.text}"),
            words(0, layout.baseline(place), layout.labels[place], kind="name"),
            words(layout.width, layout.baseline(place), row.text, kind="number", anchor="end"),
            Markup('<rect class="{}" x="{}" y="{}" width="{}" height="3"/>').format(
                kind, number(across(row.low)), number(middle - 1.5), number(max(across(row.high) - across(row.low), 1))
            ),
            Markup('<circle class="{}" cx="{}" cy="{}" r="4.5"/></g>').format(
                kind, number(across(row.value)), number(middle)
            ),
        ]
    return drawing(layout.height, label, drawn, "ranges", width=layout.width)
