"""How values spread."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from markupsafe import Markup

from bleuprint.report.charts.drawing import WIDTH, Drawing, attributes, clamp, drawing, line, number, words

__all__ = ["Scale", "bins_of", "histogram", "scale_of"]

_TOP, _BOTTOM, _LEFT, _RIGHT = 16, 104, 2, WIDTH - 2


@dataclass(frozen=True, slots=True)
class Scale:
    """From where to where values are drawn; what lies beyond is drawn at the end."""

    low: float = 0.0
    high: float = 1.0
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Where a value lies, between 0 and 1."""
        if self.logarithmic:
            return clamp(math.log(value / self.low) / math.log(self.high / self.low)) if value > 0 else 0.0
        return clamp((value - self.low) / (self.high - self.low))


def scale_of(values: Sequence[float]) -> Scale:
    """0 to 1 where the values are shares, else from the least to about the largest: a few outliers lie beyond.

    >>> scale_of([0.2, 0.9]).high, scale_of([10.0, 31.0]).high
    (1.0, 40.0)
    """
    finite = sorted(value for value in values if math.isfinite(value))
    if not finite or (finite[0] >= 0 and finite[-1] <= 1):
        return Scale()
    high = max(finite[math.ceil(0.98 * (len(finite) - 1))], 1e-9)
    low = finite[math.floor(0.02 * (len(finite) - 1))]
    unit = 10.0 ** math.floor(math.log10(max(high, -low)))
    return Scale(min(0.0, math.floor(low / unit) * unit), math.ceil(high / unit) * unit)


def bins_of(values: Sequence[float], count: int, scale: Scale | None = None) -> list[int]:
    """How many of the values fall into each of `count` equal bins; the upper end itself is in the last.

    >>> bins_of([0.0, 0.49, 0.5, 1.0], 2)
    [2, 2]
    """
    used, bins = scale or Scale(), [0] * count
    for value in values:
        bins[min(int(used.place(value) * count), count - 1)] += 1
    return bins


def histogram(
    values: Sequence[float],
    label: str,
    *,
    bins: int = 20,
    tallest: int | None = None,
    scale: Scale | None = None,
    data: Mapping[str, object] | None = None,
) -> Drawing:
    """How the values spread; `tallest` is the count the full height stands for, `data` lets the page choose by it."""
    used = scale or Scale()
    counted = bins_of(values, bins, used)
    full = max(tallest or 0, *counted, 1)
    step = (_RIGHT - _LEFT) / bins
    drawn = [line(_LEFT, _BOTTOM, _RIGHT, _BOTTOM, "axis")]
    for index, count in enumerate(counted):
        left, height = _LEFT + index * step, (_BOTTOM - _TOP) * count / full
        low, high = (used.low + (used.high - used.low) * edge / bins for edge in (index, index + 1))
        if not count and data is None:
            continue
        drawn.append(_bin(left, step, height, (low, high), count, data, last=index == bins - 1))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        anchor = "start" if share == 0 else "end" if share == 1 else "middle"
        text = f"{used.low + (used.high - used.low) * share:g}"
        drawn.append(words(_LEFT + (_RIGHT - _LEFT) * share, 120, text, anchor=anchor))
    if values:
        drawn += _median_line(_LEFT + (_RIGHT - _LEFT) * used.place(median(values)))
    return drawing(124, label, drawn, "histogram" if data is None else "histogram brush")


def _bin(
    left: float,
    step: float,
    height: float,
    ends: tuple[float, float],
    count: int,
    data: Mapping[str, object] | None,
    *,
    last: bool,
) -> Markup:
    low, high = ends
    tip = f"{low:.2f} to {high:.2f}: {count}"
    chosen = Markup("<g>")
    hit = Markup("")
    if data is not None:
        marks = attributes({**data, "low": f"{low:.6g}", "high": "" if last else f"{high:.6g}"})
        chosen = Markup('<g class="pick"{}>').format(marks)
        hit = Markup('<rect class="hit" x="{}" y="0" width="{}" height="{}"/>').format(
            number(left), number(step), _BOTTOM
        )
    bar = Markup('<rect class="mark" x="{}" y="{}" width="{}" height="{}"/>').format(
        number(left + 0.75), number(_BOTTOM - height), number(step - 1.5), number(height)
    )
    return Markup("{}<title>{}</title>{}{}</g>").format(chosen, tip, hit, bar)


def _median_line(x: float) -> list[Markup]:
    anchor = "end" if x > WIDTH / 2 else "start"
    beside = x - 5 if anchor == "end" else x + 5
    return [line(x, 4, x, _BOTTOM, "median"), words(beside, 11, "median", anchor=anchor)]
