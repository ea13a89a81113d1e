"""Charts of one kind side by side, each under its name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from markupsafe import Markup

from bleuprint.report.charts.labels import LINE, shorten
from bleuprint.report.charts.svg import GRID, USUAL, Canvas, Drawing, chart, number, tip, words

_GAP = 3 * GRID
_COMFORTABLE = 280  # the width of a panel that gets others beside it
_HEAD = LINE + GRID


def panels(
    names: Sequence[str],
    draw: Callable[[str, Canvas], Drawing],
    label: str,
    *,
    canvas: Canvas = USUAL,
) -> Drawing:
    """A chart for every name, as many beside each other as fit; `draw` gets a name and the canvas of its chart."""
    wide = canvas.fit_width()
    columns = min(len(names), max(1, int((wide + _GAP) // (_COMFORTABLE + _GAP))))
    rows = math.ceil(len(names) / columns)
    each = (wide - (columns - 1) * _GAP) / columns
    tall = None if canvas.height is None else (canvas.height - (rows - 1) * _GAP) / rows - _HEAD
    drawn = [draw(name, canvas._replace(width=each, height=tall)) for name in names]
    pitch = max(panel.height for panel in drawn) + _HEAD + _GAP
    shown = shorten(names, each)
    content = []
    for place, (name, title, panel) in enumerate(zip(names, shown, drawn, strict=True)):
        left, top = (place % columns) * (each + _GAP), (place // columns) * pitch
        content += [
            Markup('<g transform="translate({} {})"><g>').format(number(left), number(top)),
            tip(name) + words(0, 12, title, kind="title") + Markup("</g>"),
            Markup('<g transform="translate(0 {})">{}</g></g>').format(_HEAD, panel.content),
        ]
    return chart(f"panels {drawn[0].kind}", label, wide, rows * pitch - _GAP, content)
