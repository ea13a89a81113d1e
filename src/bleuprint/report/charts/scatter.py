"""Fidelity of every segment against its fluency."""

from __future__ import annotations

import math
from collections.abc import Mapping

from markupsafe import Markup

from bleuprint.insight.quadrants import NAMES, Axis, Quadrants
from bleuprint.report.charts.drawing import WIDTH, Drawing, attributes, drawing, line, number, words
from bleuprint.report.charts.histogram import Scale, scale_of
from bleuprint.report.text import visible

__all__ = ["scatter"]

_TOP, _BOTTOM, _LEFT, _RIGHT = 20, 260, 26, WIDTH - 6
_MOST = 2000  # dots; more are a blot, and bytes
_FAR = 2.0  # an axis of positive values that go beyond this is logarithmic: perplexities spread over powers of ten


def scatter(assignment: Quadrants, system: str, label: str, *, data: Mapping[str, object] | None = None) -> Drawing:
    """The segments of a system in four quadrants, better upwards and to the right; `data` lets the page choose by them.

    All systems have the same axes and thresholds. A dot is a point of a path, ten bytes each.
    """
    across, upwards = _scale(assignment.fluency), _scale(assignment.fidelity)

    def x_of(value: float) -> float:
        place = across.place(value)
        return _LEFT + (_RIGHT - _LEFT) * (place if assignment.fluency.higher_is_better else 1 - place)

    def y_of(value: float) -> float:
        place = upwards.place(value)
        return _BOTTOM - (_BOTTOM - _TOP) * (place if assignment.fidelity.higher_is_better else 1 - place)

    middle_x, middle_y = x_of(assignment.fluency.threshold), y_of(assignment.fidelity.threshold)
    drawn = [
        Markup('<rect class="field" x="{}" y="{}" width="{}" height="{}"/>').format(
            _LEFT, _TOP, _RIGHT - _LEFT, _BOTTOM - _TOP
        ),
        line(middle_x, _TOP, middle_x, _BOTTOM, "median"),
        line(_LEFT, middle_y, _RIGHT, middle_y, "median"),
    ]
    names = assignment.systems[system]
    every = max(1, -(-len(names) // _MOST))
    dots = list(zip(assignment.fluency.values[system], assignment.fidelity.values[system], names, strict=True))[::every]
    for place, ((faithful, fluent), name) in enumerate(NAMES.items()):
        path = "".join(f"M{number(round(x_of(x), 1))} {number(round(y_of(y), 1))}h0" for x, y, at in dots if at == name)
        kind = "best" if faithful and fluent else "mixed" if faithful or fluent else "worst"
        drawn.append(Markup('<path class="dots {}" d="{}"/>').format(kind, path))
        count = words(
            _RIGHT if fluent else _LEFT,
            _TOP - 7 if faithful else _BOTTOM + 34,
            f"{name}: {assignment.counts(system)[name]}",
            kind="quadrant",
            anchor="end" if fluent else "start",
        )
        drawn.append(count if data is None else _pick(count, name, place))
    drawn += _axes(assignment, across, upwards)
    extra = None
    if data is not None:
        extra = attributes({**data, **_frame(assignment, system, across, upwards)})
    return drawing(302, label, drawn, "scatter" if data is None else "scatter brush", extra)


def _scale(axis: Axis) -> Scale:
    values = [value for segments in axis.values.values() for value in (*segments, axis.threshold)]
    finite = [value for value in values if math.isfinite(value)]
    if not finite or min(finite) <= 0 or max(finite) <= _FAR:
        return scale_of(values)
    low = math.floor(math.log10(min(finite)))
    return Scale(10.0**low, 10.0 ** max(low + 1, math.ceil(math.log10(max(finite)))), logarithmic=True)


def _pick(label: Markup, name: str, place: int) -> Markup:
    return Markup('<g class="side"{}>{}</g>').format(attributes({"quadrant": name, "side": place}), label)


def _ends(scale: Scale, axis: Axis) -> tuple[float, float]:
    """The worst and the best value of an axis."""
    return (scale.low, scale.high) if axis.higher_is_better else (scale.high, scale.low)


def _axes(assignment: Quadrants, across: Scale, upwards: Scale) -> list[Markup]:
    (left, right), (low, high) = _ends(across, assignment.fluency), _ends(upwards, assignment.fidelity)
    upright = Markup('<text class="label" transform="translate(12 {}) rotate(-90)" text-anchor="middle">{}</text>')
    return [
        words(_LEFT, _BOTTOM + 15, f"{left:g}"),
        words((_LEFT + _RIGHT) / 2, _BOTTOM + 15, f"fluent: {assignment.fluency} →", anchor="middle"),
        words(_RIGHT, _BOTTOM + 15, f"{right:g}", anchor="end"),
        words(_LEFT - 4, _BOTTOM, f"{low:g}", anchor="end"),
        words(_LEFT - 4, _TOP + 9, f"{high:g}", anchor="end"),
        upright.format(number((_TOP + _BOTTOM) / 2), visible(f"faithful: {assignment.fidelity} →")),
    ]


def _frame(assignment: Quadrants, system: str, across: Scale, upwards: Scale) -> dict[str, object]:
    """What the script needs: the quadrant of each segment, and how a place in the picture becomes two numbers."""
    places = {name: str(place) for place, name in enumerate(NAMES.values())}
    return {
        "box": f"{_LEFT} {_TOP} {_RIGHT} {_BOTTOM}",
        "across": "{:g} {:g}".format(*_ends(across, assignment.fluency)),
        "upwards": "{:g} {:g}".format(*_ends(upwards, assignment.fidelity)),
        "logarithmic": f"{across.logarithmic:d} {upwards.logarithmic:d}",
        "sides": "".join(places[name] for name in assignment.systems[system]),
    }
