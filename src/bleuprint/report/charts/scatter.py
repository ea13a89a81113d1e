"""Two scores against each other: of every segment, in quadrants or for two systems, or of whole systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from markupsafe import Markup

from bleuprint.insight.quadrants import NAMES, Quadrants
from bleuprint.insight.quadrants import Axis as Measured
from bleuprint.report.charts import svg
from bleuprint.report.charts.axes import FOOT, Axis, Frame, Scale, draw_frame, logarithmic, scale_of, zoom
from bleuprint.report.charts.labels import LINE, legend, shorten, text_width
from bleuprint.report.charts.svg import GRID, attributes, line, number, words
from bleuprint.results.digits import FRACTIONS, Digits

_MOST = 2000  # dots; more are a blot, and bytes
_LEAST, _USUAL, _SQUARE = 240, 320, 440  # heights

_OUTLIERS = 5  # segments of two systems that carry their numbers
_RING = 4.0  # the radius of the circle around an outlier

_GAP = 3 * GRID  # between panels
_COMFORTABLE = 280  # the width of a panel that gets others beside it
_PANEL_HEAD = LINE + GRID

Box = tuple[float, float, float, float]  # left, top, right, bottom
Point = TypeVar("Point")


def scatter(
    assignment: Quadrants, system: str, label: str, *, data: svg.Data = None, canvas: svg.Canvas = svg.USUAL
) -> svg.Drawing:
    """The segments of a system in four quadrants, better upwards and to the right; `data` lets the page choose by them.

    All systems have the same axes and thresholds. A dot is a point of a path, ten bytes each.
    """
    wide = canvas.fit_width()
    names = assignment.systems[system]
    counts = assignment.counts(system)
    texts = {name: f"{name}: {counts[name]}" for name in NAMES.values()}
    upper, lower = _sides(assignment, wide)
    top, bottom = LINE * upper, LINE * lower
    whole = canvas.fit_height(_LEAST + top + bottom, _USUAL + top + bottom)
    percent = canvas.digits.percent
    across = _axis(assignment.fluency, "fluent", percent, "→")
    upwards = _axis(assignment.fidelity, "faithful", percent, "↑")
    frame, drawn = draw_frame(across, upwards, top=top, width=wide, height=whole - bottom)
    middle_x, middle_y = frame.x(assignment.fluency.threshold), frame.y(assignment.fidelity.threshold)
    drawn += [
        _box(frame),
        line(middle_x, frame.top, middle_x, frame.bottom, "median"),
        line(frame.left, middle_y, frame.right, middle_y, "median"),
    ]
    pairs = zip(assignment.fluency.values[system], assignment.fidelity.values[system], names, strict=True)
    points = _thin_out(list(pairs))
    numbers = {name: f"{place}" for place, name in enumerate(NAMES.values())}
    for (faithful, fluent), name in NAMES.items():
        kind = "best" if faithful and fluent else "mixed" if faithful or fluent else "worst"
        drawn.append(_cloud(frame, [(x, y) for x, y, at in points if at == name], kind))
        first = 12 if faithful else whole - bottom + 12
        lines = upper if faithful else lower
        count = words(
            frame.right if fluent else 0,
            first + (LINE if lines > 1 and fluent else 0),
            texts[name],
            kind="quadrant",
            anchor="end" if fluent else "start",
        )
        if data is not None:
            choice = attributes({"quadrant": name, "side": numbers[name]})
            count = Markup('<g class="side"{}>{}</g>').format(choice, count)
        drawn.append(count)
    sides = "".join(map(numbers.__getitem__, names))  # the quadrant of each segment
    known = {} if data is None else {**data, **_for_the_page(frame), "sides": sides}
    return svg.chart("scatter", label, wide, whole, drawn, brush=data is not None, data=known)


def panels(
    names: Sequence[str], draw: Callable[[str, svg.Canvas], svg.Drawing], label: str, *, canvas: svg.Canvas = svg.USUAL
) -> svg.Drawing:
    """A chart for every name, as many beside each other as fit; `draw` gets a name and the canvas of its chart."""
    wide = canvas.fit_width()
    columns = min(len(names), max(1, int((wide + _GAP) // (_COMFORTABLE + _GAP))))
    rows = math.ceil(len(names) / columns)
    each = (wide - (columns - 1) * _GAP) / columns
    tall = None if canvas.height is None else (canvas.height - (rows - 1) * _GAP) / rows - _PANEL_HEAD
    drawn = [draw(name, canvas._replace(width=each, height=tall)) for name in names]
    pitch = max(panel.height for panel in drawn) + _PANEL_HEAD + _GAP
    shown = shorten(names, each)
    content = []
    for place, (name, title, panel) in enumerate(zip(names, shown, drawn, strict=True)):
        left, top = (place % columns) * (each + _GAP), (place // columns) * pitch
        content += [
            Markup('<g transform="translate({} {})"><g>').format(number(left), number(top)),
            svg.tip(name) + words(0, 12, title, kind="title") + Markup("</g>"),
            Markup('<g transform="translate(0 {})">{}</g></g>').format(_PANEL_HEAD, panel.content),
        ]
    return svg.chart(f"panels {drawn[0].kind}", label, wide, rows * pitch - _GAP, content)


def _sides(assignment: Quadrants, width: float) -> tuple[int, int]:
    """How many lines the names of the upper and the lower quadrants take: two if those of a system do not fit into one.

    It is the same for all systems, so that their panels are equal.
    """
    most = {name: max(assignment.counts(system)[name] for system in assignment.systems) for name in NAMES.values()}
    lines = []
    for side in (True, False):
        needed = sum(text_width(f"{name}: {most[name]}") for (faithful, _), name in NAMES.items() if faithful is side)
        lines.append(1 if needed + 2 * GRID <= width else 2)
    return lines[0], lines[1]


def _axis(measured: Measured, good: str, percent: bool, arrow: str) -> Axis:
    values = [value for segments in measured.values.values() for value in (*segments, measured.threshold)]
    scale = logarithmic(values) or scale_of(values)
    unit = ", log scale" if scale.logarithmic else ""
    name = f"{good}: {measured.in_words(percent=percent)}{unit} {arrow}"
    return Axis(name, scale, not measured.higher_is_better, Digits(percent and measured.has_percent))


def _box(frame: Frame) -> Markup:
    return svg.box("field", frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top)


def _thin_out(points: list[Point]) -> list[Point]:
    return points[:: max(1, -(-len(points) // _MOST))]


def _cloud(frame: Frame, points: Sequence[tuple[float, float]], kind: str) -> Markup:
    path = "".join(f"M{number(round(frame.x(x), 1))} {number(round(frame.y(y), 1))}h0" for x, y in points)
    return Markup('<path class="dots {}" d="{}"/>').format(kind, path)


def _for_the_page(frame: Frame) -> dict[str, object]:
    """How a place in the picture becomes two numbers."""
    return {
        "box": f"{frame.left:.2f} {frame.top:.2f} {frame.right:.2f} {frame.bottom:.2f}",
        "across": "{:g} {:g}".format(*frame.across.ends),
        "upwards": "{:g} {:g}".format(*frame.upwards.ends),
        "logarithmic": f"{frame.across.scale.logarithmic:d} {frame.upwards.scale.logarithmic:d}",
    }


def versus(
    first: tuple[str, Sequence[float]],
    second: tuple[str, Sequence[float]],
    label: str,
    *,
    metric: str,
    data: svg.Data = None,
    canvas: svg.Canvas = svg.USUAL,
) -> svg.Drawing:
    """The segments of two systems: the score of the first to the right, that of the second upwards.

    On the diagonal both are equal. The segments with the largest differences carry their numbers, from 1. `data` lets
    the page choose by a rectangle.
    """
    wide = canvas.fit_width()
    whole = canvas.fit_height(_LEAST, min(wide, _SQUARE) + FOOT)
    scale = _common_scale([*first[1], *second[1]])
    pairs = list(zip(first[1], second[1], strict=True))
    ahead = [f"higher in {sum(x > y for x, y in pairs):,}", f"higher in {sum(x < y for x, y in pairs):,}"]
    room = wide - text_width(f"{metric} of : {max(ahead, key=len)} of {len(pairs):,} →")
    names = shorten([first[0], second[0]], room)
    titles = [
        f"{metric} of {name}: {count} of {len(pairs):,} {arrow}"
        for name, count, arrow in zip(names, ahead, "→↑", strict=True)
    ]
    across, upwards = (Axis(title, scale, digits=canvas.digits) for title in titles)
    frame, drawn = draw_frame(across, upwards, top=0, width=wide, height=whole)
    drawn += [_box(frame), line(frame.left, frame.bottom, frame.right, frame.top, "median")]
    for kind, sign in (("first", 1), ("second", -1), ("equal", 0)):
        chosen = [(x, y) for x, y in pairs if (x > y) - (x < y) == sign]
        drawn.append(_cloud(frame, _thin_out(chosen), kind))
    gaps = {place: abs(x - y) for place, (x, y) in enumerate(pairs) if 0 < abs(x - y) < math.inf}
    far = sorted(gaps, key=gaps.__getitem__, reverse=True)[:_OUTLIERS]
    drawn += _named_outliers(frame, {place: pairs[place] for place in far})
    known = {} if data is None else {**data, **_for_the_page(frame)}
    return svg.chart("versus", label, wide, whole, drawn, brush=data is not None, data=known)


def _common_scale(values: Sequence[float]) -> Scale:
    finite = [value for value in values if math.isfinite(value)]
    if finite and min(finite) >= 0 and max(finite) <= 1:
        return Scale()
    return logarithmic(finite) or zoom(finite)


def _named_outliers(frame: Frame, points: Mapping[int, tuple[float, float]]) -> list[Markup]:
    digits, drawn = frame.across.digits, []
    labels = _place_labels(frame, [(f"{place + 1}", frame.x(x), frame.y(y)) for place, (x, y) in points.items()])
    for (place, (x, y)), label in zip(points.items(), labels, strict=True):
        ring = svg.circle("ring", frame.x(x), frame.y(y), _RING)
        note = f"segment {place + 1}: {digits(x)} against {digits(y)}"
        drawn.append(svg.group("outlier", {"segment": place}, note, [ring, label]))
    return drawn


def _place_labels(frame: Frame, labels: Sequence[tuple[str, float, float]]) -> list[Markup]:
    """The labels beside their points, each where it covers no other label and no point; left out where it must."""
    taken = [(x - _RING, y - _RING, x + _RING, y + _RING) for _, x, y in labels]
    drawn = []
    for text, x, y in labels:
        room, gap = text_width(text), _RING + 3
        for left, base in (
            (x + gap, y + 4),
            (x - gap - room, y + 4),
            (x - room / 2, y - gap),
            (x - room / 2, y + gap + 10),
            (x + gap, y - gap),
            (x + gap, y + gap + 8),
            (x - gap - room, y - gap),
            (x - gap - room, y + gap + 8),
        ):
            around = (left, base - 10, left + room, base + 3)
            inside = left >= frame.left and left + room <= frame.right
            inside = inside and base - 10 >= frame.top and base + 3 <= frame.bottom
            if inside and not any(_overlap(around, other) for other in taken):
                taken.append(around)
                drawn.append(words(left, base, text, kind="name"))
                break
        else:
            drawn.append(Markup(""))
    return drawn


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def dots(
    systems: Mapping[str, tuple[float, float]],
    label: str,
    *,
    axis: str,
    value_axis: str,
    backwards: tuple[bool, bool] = (False, False),
    lines: tuple[float, float] | None = None,
    digits: tuple[Digits, Digits] = (FRACTIONS, FRACTIONS),
    canvas: svg.Canvas = svg.USUAL,
) -> svg.Drawing:
    """Systems by two scores, better upwards and to the right: `backwards` axes run from large to small.

    `lines` divide the picture into quadrants. Values that need it get a logarithmic axis.
    """
    wide = canvas.fit_width()
    shown, top = legend(list(systems), wide, 0)
    whole = canvas.fit_height(_LEAST + top, _USUAL + top)
    scales = [
        _zoom_around([pair[side] for pair in (*systems.values(), *([lines] if lines else []))]) for side in (0, 1)
    ]
    titles = [
        f"{name}{', log scale' if scale.logarithmic else ''} {arrow}"
        for name, scale, arrow in zip((axis, value_axis), scales, "→↑", strict=True)
    ]
    axes = [Axis(*given) for given in zip(titles, scales, backwards, digits, strict=True)]
    frame, drawn = draw_frame(axes[0], axes[1], top=top, width=wide, height=whole)
    drawn.append(_box(frame))
    if lines is not None:
        x, y = frame.x(lines[0]), frame.y(lines[1])
        drawn += [line(x, frame.top, x, frame.bottom, "median"), line(frame.left, y, frame.right, y, "median")]
    for series, (name, (x, y)) in enumerate(systems.items()):
        note = f"{name}: {digits[0](x)}, {digits[1](y)}"
        drawn.append(svg.series_group(series, note, [svg.marker(series, frame.x(x), frame.y(y))]))
    return svg.chart("tradeoff", label, wide, whole, [*shown, *drawn])


def _zoom_around(values: Sequence[float]) -> Scale:
    """Zoomed to the values, and logarithmic where they are perplexities and the like."""
    every = [value for value in values if math.isfinite(value)]
    if logarithmic(every) is None:
        return zoom(every)
    low, high = min(every), max(every)
    margin = max((high / low) ** 0.05, 1.05)
    return Scale(low / margin, high * margin, logarithmic=True)
