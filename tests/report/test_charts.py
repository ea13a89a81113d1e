"""Charts: text that never collides and never leaves the picture, names that stay apart, round ticks, safe colors."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import OptionError
from bleuprint.insight.quadrants import NAMES, Axis, Quadrants
from bleuprint.report import charts, render
from bleuprint.report.charts import Canvas, Scale
from bleuprint.report.charts.svg import COLORS
from bleuprint.report.pictures import alone

SVG = "{http://www.w3.org/2000/svg}"
LONG = "generaltest2022.en-de.hyp.{}.de"
KINDS: dict[str, Callable[[int], str]] = {
    "short": lambda place: f"system-{place}",
    "long": lambda place: LONG.format(f"System-{place}"),
    "wide": lambda place: f"日本語の機械翻訳システム第{place}版です、とても長い名前",
    "arabic": lambda place: f"نظام الترجمة الآلية رقم {place}",
    "unrelated": lambda place: f"{place} {'x' * 60} {place}",
}
WIDTHS = (300.8, 680.0)  # of the chart in a column of 3.3 in, and on a page
Box = tuple[float, float, float, float]


def boxes(svg: str) -> Iterator[tuple[str, Box]]:
    """The text of a picture, with the rectangle it needs."""

    def walk(element: ElementTree.Element, left: float, top: float) -> Iterator[tuple[str, Box]]:
        moved = re.search(r"translate\(([-0-9.]+) ([-0-9.]+)\)", element.get("transform", ""))
        if moved:
            left, top = left + float(moved[1]), top + float(moved[2])
        if element.tag == f"{SVG}text":
            text = element.text or ""
            width = charts.text_width(text)
            x, y = left + float(element.get("x", 0)), top + float(element.get("y", 0))
            x -= {"start": 0.0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
            yield text, (x, y - 9, x + width, y + 2)
        for child in element:
            yield from walk(child, left, top)

    yield from walk(ElementTree.fromstring(svg), 0.0, 0.0)


def check_text(drawn: charts.Drawing) -> None:
    """No text covers another, and all of it is inside of the picture."""
    svg = alone(drawn, "a title that may be longer than the picture is wide, so that it is shortened to fit into it")
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    found = list(boxes(svg))
    for text, (left, top, right, bottom) in found:
        assert left >= -0.5, text
        assert top >= 0, text
        assert right <= width + 0.5, text
        assert bottom <= height, text
    for (first, one), (second, other) in itertools.combinations(found, 2):
        apart = one[2] <= other[0] + 0.5 or other[2] <= one[0] + 0.5 or one[3] <= other[1] or other[3] <= one[1]
        assert apart, f"{first!r} and {second!r}"


def named(kind: str, count: int) -> list[str]:
    return [KINDS[kind](place) for place in range(1, count + 1)]


def quadrants_of(names: list[str], generator: random.Random) -> Quadrants:
    faithful = {name: tuple(generator.random() for _ in range(50)) for name in names}
    fluent = {name: tuple(10 ** generator.uniform(0.5, 4) for _ in range(50)) for name in names}
    sides = list(NAMES.values())
    return Quadrants(
        Axis("bleu", True, 0.5, faithful),
        Axis("perplexity", False, 123.4, fluent),
        {name: tuple(generator.choice(sides) for _ in range(50)) for name in names},
    )


def every_chart(names: list[str], width: float) -> Iterator[charts.Drawing]:
    generator, canvas = random.Random(1), Canvas(width)
    scores = sorted((generator.uniform(0.2, 0.5) for _ in names), reverse=True)
    rows = [
        charts.Row(name, score, f"{score:.4f}", interval=(score - 0.01, score + 0.02))
        for name, score in zip(names, scores, strict=True)
    ]
    yield charts.ranges(rows, "scores", axis="bleu (higher is better, 95 % intervals)", canvas=canvas)
    yield charts.ranges(rows, "differences", axis="difference in bleu", zero=True, canvas=canvas)
    yield charts.bars([charts.Row(name, 0.5, "0.5000") for name in names], "bars", axis="bleu", canvas=canvas)
    yield charts.waterfall([charts.Row(name, 0.5, "+0.5000") for name in names], "steps", axis="bleu", canvas=canvas)
    cells = {
        pair: charts.Cell(generator.choice((-1, 0, 1)), "+0.0123", "note") for pair in itertools.permutations(names, 2)
    }
    yield charts.matrix(names, cells, "matrix", axis="bleu of the row minus that of the column", canvas=canvas)
    values = {name: [generator.random() for _ in range(30)] for name in names}
    yield charts.distributions(values, "spread", axis="bleu of a segment", canvas=canvas)
    far = {name: [10 ** (5 * value) for value in row] for name, row in values.items()}
    scale = charts.logarithmic(value for row in far.values() for value in row)
    yield charts.distributions(far, "spread", axis="perplexity, log scale", scale=scale, canvas=canvas)
    parts = [
        charts.Part(
            label, 1234, {name: (score, score - 0.1, score + 0.1) for name, score in zip(names, scores, strict=True)}
        )
        for label in ("0–9", "10–19", "60 and more")
    ]
    yield charts.groups(parts, "buckets", by="tokens of the references", axis="bleu (higher is better)", canvas=canvas)
    orders = {name: [generator.random() for _ in range(5)] for name in names}
    yield charts.lines(range(1, 6), orders, "orders", axis="longest n-grams", value_axis="Self-BLEU", canvas=canvas)
    alphas = [0.5 + 0.05 * place for place in range(11)]
    yield charts.lines(alphas, dict.fromkeys(names, alphas), "sweep", axis="alpha", value_axis="iBLEU", canvas=canvas)
    points = {name: (10 ** (3 * score), score) for name, score in zip(names, scores, strict=True)}
    yield charts.dots(points, "tradeoff", axis="perplexity", value_axis="bleu", backwards=(True, False), canvas=canvas)
    assignment = quadrants_of(names, generator)
    yield charts.scatter(assignment, names[0], "quadrants", canvas=canvas)
    yield charts.panels(
        names, lambda name, canvas: charts.scatter(assignment, name, name, canvas=canvas), "p", canvas=canvas
    )
    first, second = (names[0], values[names[0]]), (names[-1] + "!", values[names[-1]][::-1])
    yield charts.versus(first, second, "versus", metric="bleu", canvas=canvas)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 2, 6, 20])
def test_text_never_collides_or_leaves_the_picture(kind: str, count: int) -> None:
    for width in WIDTHS:
        for drawn in every_chart(named(kind, count), width):
            assert drawn.width == width
            check_text(drawn)


@pytest.mark.parametrize("count", [1, 2, 6, 20])
def test_every_unit_is_a_pixel_whatever_the_number_of_systems(count: int) -> None:
    """Text was 9 px with six systems and far larger than that of the page with one."""
    for drawn in every_chart(named("short", count), 400):
        root = ElementTree.fromstring(alone(drawn))
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        style = root.findtext(f"{SVG}style") or ""
        assert set(re.findall(r"font-size: (\w+)", style)) == {"12px"}
        assert not [element for element in root.iter(f"{SVG}text") if "scale" in element.get("transform", "")]


@given(
    names=st.lists(st.text(max_size=60), min_size=1, max_size=20, unique=True),
    prefix=st.text(max_size=30),
    room=st.floats(60, 400),
)
def test_different_names_stay_different_and_fit(names: list[str], prefix: str, room: float) -> None:
    """28 labels were cut to the same string."""
    whole = [prefix + name for name in names]
    shown = charts.shorten(whole, room)
    assert len(set(shown)) == len(set(whole))
    assert all(charts.text_width(label) <= room or label == name for label, name in zip(shown, whole, strict=True))
    assert charts.shorten(whole, 1e9) == whole


def test_what_names_share_is_cut_first() -> None:
    names = [LONG.format(system) for system in ("Online-B", "Online-W", "PROMT", "JDExploreAcademy")]
    assert charts.shorten(names, 180) == ["…Online-B.de", "…Online-W.de", "…PROMT.de", "…JDExploreAcademy.de"]
    assert charts.shorten(names[:3], 88) == ["…Online-B…", "…Online-W…", "…PROMT…"]
    assert charts.shorten(names[:1], 1000) == names[:1]


@given(low=st.floats(-1e4, 1e4), span=st.floats(1e-4, 1e6), most=st.integers(1, 12))
def test_ticks_are_few_round_and_inside(low: float, span: float, most: int) -> None:
    scale = Scale(low, low + span)
    ticks = scale.ticks(most)
    assert len({text for _, text in ticks}) == len(ticks) <= most
    for value, text in ticks:
        assert scale.low - 1e-6 * span <= value <= scale.high + 1e-6 * span
        assert float(text.replace(",", "")) == pytest.approx(value, rel=1e-5, abs=1e-6 * span)


@given(low=st.floats(1e-3, 1e6), factor=st.floats(1.01, 1e8), most=st.integers(1, 12))
def test_logarithmic_ticks_are_few_and_inside(low: float, factor: float, most: int) -> None:
    scale = Scale(low, low * factor, logarithmic=True)
    ticks = scale.ticks(most)
    assert len(ticks) <= most
    assert all(scale.low * (1 - 1e-6) <= value <= scale.high * (1 + 1e-6) for value, _ in ticks)


@given(values=st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=8), zero=st.booleans())
def test_a_zoomed_scale_holds_every_finite_value(values: list[float], zero: bool) -> None:
    scale = charts.zoom(values, zero=zero)
    assert scale.low < scale.high
    for value in values:
        assert 0 <= scale.place(value) <= 1
    finite = [value for value in values if math.isfinite(value) and abs(value) < 1e300]
    if finite and len(finite) == len(values):
        assert scale.low <= min(finite)
        assert scale.high >= max(finite)
        if min(finite) >= 0:
            assert scale.low >= 0 or zero


def test_small_differences_show() -> None:
    """Bars from 0 to 1 made all systems look equal."""
    rows = [charts.Row(name, value, "") for name, value in (("a", 0.412), ("b", 0.414))]
    circles = re.findall(r'cx="([0-9.]+)"', charts.ranges(rows, "scores", axis="bleu", canvas=Canvas(400)))
    assert float(circles[1]) - float(circles[0]) > 200


@pytest.mark.parametrize("canvas", [Canvas(20), Canvas(1e6), Canvas(height=30), Canvas(height=True)])
def test_sizes_that_hold_no_chart_are_refused(canvas: Canvas) -> None:
    option = "height" if canvas.width is None else "width"
    rows = [charts.Row(f"system {place}", 0.5, "0.5000", interval=(0.4, 0.6)) for place in range(20)]
    with pytest.raises(OptionError, match=f"{option} must be from .* pixels"):
        charts.ranges(rows, "scores", axis="bleu", canvas=canvas)


def test_a_given_height_is_kept() -> None:
    for names in (named("short", 3), named("long", 3)):
        rows = [charts.Row(name, 0.5, "0.5000", interval=(0.4, 0.6)) for name in names]
        for height in (160.0, 400.0):
            drawn = charts.ranges(rows, "scores", axis="bleu", canvas=Canvas(320, height))
            assert drawn.height == height
            check_text(drawn)


def _linear(color: str) -> list[float]:
    channels = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]


def _luminance(color: str) -> float:
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), _linear(color), strict=True))


# Machado, Oliveira, Fernandes (2009): A physiologically-based model for simulation of color vision deficiency, Table 1,
# severity 1.0.
BLINDNESS = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}


def _lab(color: str, blindness: str) -> tuple[float, float, float]:
    red, green, blue = (
        min(max(sum(weight * value for weight, value in zip(row, _linear(color), strict=True)), 0), 1)
        for row in BLINDNESS[blindness]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def test_colors_differ_for_all_eyes_and_stand_out_on_both_backgrounds() -> None:
    """Every series also has a shape and dashes of its own; colors alone must tell the first six apart."""
    style = "".join(
        (Path(charts.__file__).parents[1] / "style" / name).read_text() for name in ("base.css", "charts.css")
    )
    known = {
        name: (light, dark) for name, light, dark in re.findall(r"--([a-z0-9-]+): light-dark\((#\w+), (#\w+)\)", style)
    }
    for theme in (0, 1):
        colors = [known[f"series-{series}"][theme] for series in range(COLORS)]
        ground = _luminance(known["sheet"][theme])
        for color in colors:
            light, dark = sorted((_luminance(color), ground), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 3, "WCAG 1.4.11 for graphics"
        for blindness in BLINDNESS:
            labs = [_lab(color, blindness) for color in colors[:6]]
            nearest = min(math.dist(one, other) for one, other in itertools.combinations(labs, 2))
            assert nearest > 20, (theme, blindness)


def test_a_system_has_one_color_in_all_charts_of_a_page() -> None:
    """Self-BLEU was drawn best system first, other charts in the order of the result."""
    result = bp.evaluate({"b": ["x y", "z z"], "a": ["a b c", "d e f"]}, ["a b c", "d e f"], metrics=["chrf"])
    page = render(result)
    for kind in ("lines", "distributions"):
        (chart,) = re.findall(rf'<svg class="chart {kind}.*?</svg>', page, re.DOTALL)
        assert re.findall(r'<g class="entry"[^>]*><title>(\w)</title>', chart) == ["b", "a"]


def test_series_have_shapes_and_dashes_too() -> None:
    drawn = charts.lines([0, 1], {str(place): [0, place] for place in range(20)}, "l", axis="x", value_axis="y")
    entries = re.findall(r'<g class="entry">.*?</g>', drawn)
    looks = {
        re.sub(r'(transform|x|y)="[^"]*"|M[-0-9. ]+h24|<title>.*?</title>|<text.*?</text>', "", e) for e in entries
    }
    assert len(looks) == 20


def test_quadrants_of_all_systems_are_equally_large_with_arrows_along_their_axes() -> None:
    values = {"few": (0.9,) * 4, "many": (0.9,) * 40_000}
    axes = [Axis(name, True, 0.5, values, True) for name in ("bleu", "fluency")]
    names = {name: (NAMES[True, True],) * len(scores) for name, scores in values.items()}
    assignment = Quadrants(axes[0], axes[1], names)
    widths = range(240, 400, 10)
    drawings = [[charts.scatter(assignment, name, name, canvas=Canvas(width)) for name in values] for width in widths]
    assert all(few.height == many.height for few, many in drawings)
    assert len({few.height for few, _ in drawings}) > 1
    drawn = str(drawings[-1][0].content)
    assert "faithful: bleu ≥ 0.5 ↑<" in drawn
    assert "fluent: fluency ≥ 0.5 →<" in drawn
