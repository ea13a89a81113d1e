"""Two scores of every segment against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from markupsafe import Markup

from bleuprint.insight.quadrants import NAMES
from bleuprint.report.charts.drawing import WIDTH, Drawing, attributes, drawing, line, number, words
from bleuprint.report.charts.histogram import Scale

__all__ = ["QUADRANTS", "Cloud", "scatter"]

# By (better on the axis across, better on the axis upwards).
QUADRANTS = {(across, upwards): NAMES[upwards, across] for upwards in (True, False) for across in (False, True)}
_TOP, _BOTTOM, _LEFT, _RIGHT = 20, 260, 26, WIDTH - 6
_MOST = 2000  # dots; more are a blot, and bytes


@dataclass(frozen=True, slots=True)
class Cloud:
    """Two numbers of every segment, the better always to the right and upwards."""

    across: Sequence[float]
    upwards: Sequence[float]
    across_scale: Scale
    upwards_scale: Scale
    across_name: str
    upwards_name: str
    across_better_high: bool = True
    upwards_better_high: bool = True

    def sides(self) -> list[tuple[bool, bool]]:
        """For every segment whether it is among the better half, across and upwards."""
        middles = self.middles()
        return [
            (
                _better(x, middles[0], self.across_better_high),
                _better(y, middles[1], self.upwards_better_high),
            )
            for x, y in zip(self.across, self.upwards, strict=True)
        ]

    def middles(self) -> tuple[float, float]:
        """The medians, where the quadrants meet."""
        return median(self.across), median(self.upwards)


def _better(value: float, middle: float, high: bool) -> bool:
    return value >= middle if high else value <= middle


def scatter(cloud: Cloud, label: str, *, data: Mapping[str, object] | None = None) -> Drawing:
    """Dots in four quadrants that meet at the medians; a dot is a point of a path, ten bytes each."""

    def x_of(value: float) -> float:
        place = cloud.across_scale.place(value)
        return _LEFT + (_RIGHT - _LEFT) * (place if cloud.across_better_high else 1 - place)

    def y_of(value: float) -> float:
        place = cloud.upwards_scale.place(value)
        return _BOTTOM - (_BOTTOM - _TOP) * (place if cloud.upwards_better_high else 1 - place)

    drawn = [
        Markup('<rect class="field" x="{}" y="{}" width="{}" height="{}"/>').format(
            _LEFT, _TOP, _RIGHT - _LEFT, _BOTTOM - _TOP
        )
    ]
    if cloud.across:
        middle_x, middle_y = cloud.middles()
        drawn += [
            line(x_of(middle_x), _TOP, x_of(middle_x), _BOTTOM, "median"),
            line(_LEFT, y_of(middle_y), _RIGHT, y_of(middle_y), "median"),
        ]
    every = max(1, -(-len(cloud.across) // _MOST))
    sides = cloud.sides() if cloud.across else []
    for side, name in QUADRANTS.items():
        dots = [
            f"M{number(round(x_of(x), 1))} {number(round(y_of(y), 1))}h0"
            for x, y, where in list(zip(cloud.across, cloud.upwards, sides, strict=True))[::every]
            if where == side
        ]
        kind = "best" if all(side) else "worst" if not any(side) else "mixed"
        drawn.append(Markup('<path class="dots {}" d="{}"/>').format(kind, "".join(dots)))
        label_of = words(
            _RIGHT if side[0] else _LEFT,
            _TOP - 7 if side[1] else _BOTTOM + 34,
            f"{name}: {sum(found == side for found in sides)}",
            kind="quadrant",
            anchor="end" if side[0] else "start",
        )
        drawn.append(label_of if data is None else _pick(label_of, name, side))
    drawn += _axes(cloud)
    extra = None
    if data is not None:
        extra = attributes({**data, **_frame(cloud)})
    return drawing(302, label, drawn, "scatter" if data is None else "scatter brush", extra)


def _pick(label: Markup, name: str, side: tuple[bool, bool]) -> Markup:
    marks = attributes({"quadrant": name, "side": f"{side[0]:d} {side[1]:d}"})
    return Markup('<g class="side"{}>{}</g>').format(marks, label)


def _axes(cloud: Cloud) -> list[Markup]:
    middle = (_TOP + _BOTTOM) / 2
    ends = [(cloud.across_scale, cloud.across_better_high), (cloud.upwards_scale, cloud.upwards_better_high)]
    (left, right), (low, high) = (
        (scale.low, scale.high) if better else (scale.high, scale.low) for scale, better in ends
    )
    upright = Markup('<text class="label" transform="translate(12 {}) rotate(-90)" text-anchor="middle">{}</text>')
    return [
        words(_LEFT, _BOTTOM + 15, f"{left:g}"),
        words((_LEFT + _RIGHT) / 2, _BOTTOM + 15, f"{cloud.across_name}, better to the right", anchor="middle"),
        words(_RIGHT, _BOTTOM + 15, f"{right:g}", anchor="end"),
        words(_LEFT - 4, _BOTTOM, f"{low:g}", anchor="end"),
        words(_LEFT - 4, _TOP + 9, f"{high:g}", anchor="end"),
        upright.format(number(middle), f"{cloud.upwards_name}, better upwards"),
    ]


def _frame(cloud: Cloud) -> dict[str, object]:
    """What the script needs to turn a place in the picture into two numbers."""
    across, upwards = cloud.across_scale, cloud.upwards_scale
    ends = (across.low, across.high) if cloud.across_better_high else (across.high, across.low)
    rises = (upwards.low, upwards.high) if cloud.upwards_better_high else (upwards.high, upwards.low)
    return {
        "box": f"{_LEFT} {_TOP} {_RIGHT} {_BOTTOM}",
        "across": f"{ends[0]:g} {ends[1]:g}",
        "upwards": f"{rises[0]:g} {rises[1]:g}",
        "middles": " ".join(map(repr, cloud.middles())) if cloud.across else "0 0",
        "better": f"{cloud.across_better_high:d} {cloud.upwards_better_high:d}",
    }
