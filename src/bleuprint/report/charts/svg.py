"""The strokes that all charts are drawn with. One unit is one CSS pixel, so text has the same size in every chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from bleuprint import checks
from bleuprint.results.digits import FRACTIONS, Digits

WIDTH = 320  # pixels; 3.3 in, a column of a paper, are 317
WHOLE = 1024  # what has the page for itself
BROAD = 704  # what has many columns gets as much room as the page has beside its segments
NARROWEST = 240
_LARGEST = 10_000
GRID = 8  # distances are multiples of it
COLORS = 8
# Around the origin, about 8 pixels across.
_SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-3.5 -3.5h7v7h-7z",
    "M0 -4.5l4.5 8h-9z",
    "M0 -5l5 5l-5 5l-5 -5z",
    "M0 4.5l4.5 -8h-9z",
    "M-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "M-4.5 -2.5l2 -2l2.5 2.5l2.5 -2.5l2 2l-2.5 2.5l2.5 2.5l-2 2l-2.5 -2.5l-2.5 2.5l-2 -2l2.5 -2.5z",
)
_DASHES = 4
# Control characters as the symbols Unicode has for them; those without one, and halves of pairs, as U+FFFD.
_VISIBLE = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"},
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
    **dict.fromkeys(range(0xD800, 0xE000), 0xFFFD),
    **dict.fromkeys((0xFFFE, 0xFFFF), 0xFFFD),  # XML has no place for them, so a chart alone would not open
}
Data = Mapping[str, object] | None  # what a shape tells the script of the page, which chooses segments by it


def visible(text: str) -> str:
    """The text as HTML may hold it.

    >>> visible("a\\x00b")
    'a␀b'
    """
    return text.translate(_VISIBLE)


class Drawing(Markup):
    """A whole chart: markup that still knows its size and what it holds."""

    kind: str
    width: float
    height: float
    content: Markup

    def _repr_svg_(self) -> str:
        """The chart with its colors, for notebooks."""
        from bleuprint.report.pictures import alone

        return alone(self)

    def __repr__(self) -> str:
        return f"<Drawing {self.kind}, {self.width:g} × {self.height:g}>"


class Canvas(NamedTuple):
    """The size of a chart in pixels, and how its numbers are written; its content decides what is None."""

    width: float | None = None
    height: float | None = None
    digits: Digits = FRACTIONS

    def of(self, signature: str) -> Canvas:
        """The canvas for scores with this signature; a metric with its own scale has no percent."""
        return self._replace(digits=self.digits.of(signature))

    def fit_width(self) -> float:
        """The width: the usual one unless given."""
        return WIDTH if self.width is None else _check_size("width", self.width, NARROWEST)

    def fit_height(self, least: float, usual: float, why: str = "") -> float:
        """The height: the usual one unless given, and an error if the chart does not fit into it."""
        return usual if self.height is None else _check_size("height", self.height, least, why)


USUAL = Canvas()


def _check_size(option: str, given: float, least: float, why: str = "") -> float:
    allowed = f"from {least:.0f} to {_LARGEST:,} pixels ({least / 96:.1f}in to {_LARGEST / 96:.0f}in){why}"
    return checks.number(option, given, least, _LARGEST, allowed=allowed)


def chart(
    kind: str,
    label: str,
    width: float,
    height: float,
    content: Sequence[Markup],
    *,
    brush: bool = False,
    data: Mapping[str, object] | None = None,
) -> Drawing:
    """A whole chart; one whose parts can be chosen is a group of them, any other is a picture."""
    role, inside = "group" if brush else "img", Markup("").join(content)
    kind = f"{kind} brush" if brush else kind
    drawn = Drawing(
        Markup(
            '<svg class="chart {}" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'role="{}" aria-label="{}"{}>{}</svg>'
        ).format(kind, role, visible(label), attributes(data or {}), inside, width=number(width), height=number(height))
    )
    drawn.kind, drawn.width, drawn.height, drawn.content = kind, float(width), float(number(height)), inside
    return drawn


# Texts are added to markup of our own words and numbers, which escapes them: Markup.format takes ten times as long.


def words(x: float, y: float, text: str, *, kind: str = "label", anchor: str = "start") -> Markup:
    place = f'x="{number(x)}" y="{number(y)}" text-anchor="{anchor}"'
    return Markup(f'<text class="{kind}" {place}>') + visible(text) + Markup("</text>")


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    ends = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
    return Markup(f'<line class="{kind}" {ends}/>')


def box(kind: str, x: float, y: float, width: float, height: float, radius: float = 0) -> Markup:
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    corners = f' rx="{number(radius)}"' if radius else ""
    return Markup(f'<rect class="{kind}" {place}{corners}/>')


def circle(kind: str, x: float, y: float, radius: float) -> Markup:
    return Markup(f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>')


def group(kind: str, data: Mapping[str, object] | None, note: str, shapes: Sequence[Markup]) -> Markup:
    """Shapes with a note; with `data`, by which the page lets one choose them, they are of this kind."""
    begin = [Markup("<g>")] if data is None else [Markup(f'<g class="{kind}"'), attributes(data), Markup(">")]
    return Markup("").join([*begin, tip(note), *shapes, Markup("</g>")])


def series_group(series: int, note: str, shapes: Sequence[Markup]) -> Markup:
    """What is drawn of a series, which the page can show alone."""
    return group("series", {"series": series}, note, shapes)


def marker(series: int, x: float, y: float) -> Markup:
    """A dot in the color and the shape of a series; both together tell 56 series apart."""
    shape, place = _SHAPES[series % len(_SHAPES)], f"translate({number(x)} {number(y)})"
    return Markup(f'<path class="fill-{series % COLORS}" transform="{place}" d="{shape}"/>')


def stroke(series: int, path: str) -> Markup:
    """A line in the color and the dashes of a series."""
    return Markup(f'<path class="stroke line-{series % COLORS} dash-{series % _DASHES}" d="{path}"/>')


def tip(text: str) -> Markup:
    """What the page shows when the pointer rests on a group."""
    return Markup("<title>") + visible(text) + Markup("</title>")


def attributes(values: Mapping[str, object]) -> Markup:
    """What the page's script reads of a shape.

    >>> attributes({"low": 0.5})
    Markup(' data-low="0.5"')
    """
    return Markup("").join(Markup(f' data-{name}="') + str(value) + Markup('"') for name, value in values.items())


def clamp(value: float) -> float:
    """The nearest number from 0 to 1; 0 for what is no number."""
    return min(max(0.0, value), 1.0)


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
