"""The few strokes that all charts are drawn with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from bleuprint.report.text import visible

__all__ = ["WIDTH", "Drawing", "attributes", "clamp", "drawing", "line", "number", "short", "words"]

WIDTH = 320


class Drawing(Markup):
    """A whole chart: markup that still knows how tall it is and what it holds."""

    kind: str
    height: float
    content: Markup


def drawing(height: float, label: str, content: Sequence[Markup], kind: str, extra: Markup | None = None) -> Drawing:
    """A whole chart; one whose parts can be chosen is a group of them, any other is a picture."""
    role, inside = "group" if "brush" in kind else "img", Markup("").join(content)
    drawn = Drawing(
        Markup('<svg class="chart {}" viewBox="0 0 {} {}" role="{}" aria-label="{}"{}>{}</svg>').format(
            kind, WIDTH, number(height), role, visible(label), extra or Markup(""), inside
        )
    )
    drawn.kind, drawn.height, drawn.content = kind, float(number(height)), inside
    return drawn


def words(x: float, y: float, text: str, *, kind: str = "label", anchor: str = "start") -> Markup:
    return Markup('<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>').format(
        kind, number(x), number(y), anchor, visible(text)
    )


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    return Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(
        kind, number(x1), number(y1), number(x2), number(y2)
    )


def attributes(values: Mapping[str, object]) -> Markup:
    """What the page's script reads of a shape.

    >>> attributes({"low": 0.5})
    Markup(' data-low="0.5"')
    """
    return Markup("").join(Markup(' data-{}="{}"').format(name, value) for name, value in values.items())


def clamp(value: float) -> float:
    """The nearest number from 0 to 1; 0 for what is no number."""
    return min(max(0.0, value), 1.0)


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def short(text: str, letters: int) -> str:
    """A label that fits into so many letters.

    >>> short("a-long-name", 6)
    'a-lon…'
    """
    return text if len(text) <= letters else text[: letters - 1] + "…"
