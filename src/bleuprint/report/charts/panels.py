"""Charts of one kind side by side, each under its name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from markupsafe import Markup

from bleuprint.report.charts.drawing import GRID, Drawing, chart_width, drawing, number, tip, words
from bleuprint.report.charts.labels import LINE, fitted

_GAP = 3 * GRID
_COMFORTABLE = 280  # the width of a panel that gets others beside it
_HEAD = LINE + GRID


def panels(
    names: Sequence[str],
    draw: Callable[[str, float, float | None], Drawing],
    label: str,
    *,
    width: float | None = None,
    height: float | None = None,
) -> Drawing:
    """A chart for every name, as many beside each other as fit; `draw` gets a name and the size of its chart."""
    wide = chart_width(width)
    columns = min(len(names), max(1, int((wide + _GAP) // (_COMFORTABLE + _GAP))))
    rows = math.ceil(len(names) / columns)
    each = (wide - (columns - 1) * _GAP) / columns
    tall = None if height is None else (height - (rows - 1) * _GAP) / rows - _HEAD
    drawn = [draw(name, each, tall) for name in names]
    pitch = max(panel.height for panel in drawn) + _HEAD + _GAP
    shown = fitted(names, each)
    content = []
    for place, (name, title, panel) in enumerate(zip(names, shown, drawn, strict=True)):
        left, top = (place % columns) * (each + _GAP), (place // columns) * pitch
        content += [
            Markup('<g transform="translate({} {})"><g>').format(number(left), number(top)),
            tip(name) + words(0, 12, title, kind="title") + Markup("</g>"),
            Markup('<g transform="translate(0 {})">{}</g></g>').format(_HEAD, panel.content),
        ]
    return drawing(rows * pitch - _GAP, label, content, f"panels {drawn[0].kind}", width=wide)
