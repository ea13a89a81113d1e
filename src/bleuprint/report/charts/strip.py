"""One number in its interval, as small as a cell of a table."""

from __future__ import annotations

from markupsafe import Markup

from bleuprint.report.charts.drawing import number
from bleuprint.report.charts.scales import Scale
from bleuprint.report.text import visible

_WIDTH, _HEIGHT, _MARGIN = 120, 16, 5


def strip(
    value: float, interval: tuple[float, float] | None, scale: Scale, label: str, *, strong: bool = False
) -> Markup:
    """A dot in its interval; all strips of a column have the same scale."""

    def place(number: float) -> float:
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * scale.place(number)

    drawn = Markup('<line class="axis" x1="0" y1="8" x2="{}" y2="8"/>').format(_WIDTH)
    kind = "mark" if strong else "mark quiet"
    if interval is not None:
        left, right = place(interval[0]), place(interval[1])
        drawn += Markup('<rect class="{}" x="{}" y="6.5" width="{}" height="3"/>').format(
            kind, number(left), number(max(right - left, 1))
        )
    drawn += Markup('<circle class="{}" cx="{}" cy="8" r="4"/>').format(kind, number(place(value)))
    return Markup('<svg class="strip" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        _WIDTH, _HEIGHT, visible(label), drawn
    )
