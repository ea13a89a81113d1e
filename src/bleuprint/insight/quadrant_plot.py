"""Draw the quadrants as an SVG file for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from bleuprint.insight.quadrants import NAMES, Axis, Quadrants
from bleuprint.results.escaping import xml_text

__all__ = ["draw"]

_SIDE, _MARGIN, _HEAD, _FOOT = 300, 36, 52, 68
_MOST = 4000  # dots per system; more would blur and only add bytes
_STYLE = (
    "svg{background:#fff;color:#1d2430;font:12px system-ui,sans-serif}"
    ".dot{fill:#2455c3;fill-opacity:.45}.dot.neither{fill:#b3261e}.dot.clumsy{fill:#9a6700}.dot.wrong{fill:#7a3fb5}"
    ".line{stroke:currentColor;stroke-opacity:.35}text{fill:currentColor}.soft{fill-opacity:.65}"
    "@media(prefers-color-scheme:dark){svg{background:#14181f;color:#e6e9ef}.dot{fill:#8fb0ff}"
    ".dot.neither{fill:#ff8a80}.dot.clumsy{fill:#e3b341}.dot.wrong{fill:#cf9fff}}"
)


def draw(quadrants: Quadrants) -> str:
    """One panel per system: fluency to the right, fidelity upwards, one dot per segment with its number.

    >>> from bleuprint import evaluate
    >>> from bleuprint.insight.quadrants import quadrants
    >>> result = evaluate(["a b", "c"], ["a b", "d"], metrics=["chrf", "bleu"])
    >>> draw(quadrants(result, fluency="bleu")).startswith("<svg ")
    True
    """
    across, upwards = _scale(quadrants.fluency), _scale(quadrants.fidelity)
    width, height = _MARGIN + len(quadrants.systems) * (_SIDE + _MARGIN), _HEAD + _SIDE + _FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="fidelity against fluency"><style>{_STYLE}</style>'
    ]
    for number, name in enumerate(quadrants.systems):
        left = _MARGIN + number * (_SIDE + _MARGIN)
        parts.append(f'<g transform="translate({left},{_HEAD})">')
        parts += _frame(quadrants, name, across, upwards)
        parts += _dots(quadrants, name, across, upwards)
        parts.append("</g>")
    return "".join([*parts, "</svg>\n"])


_Scale = Callable[[float], float]


def _scale(axis: Axis) -> _Scale:
    """Position of a value between 0 (worst) and 1; logarithmic if values go far beyond 1."""
    values = [value for segments in axis.values.values() for value in segments] + [axis.threshold]
    logarithmic = min(values) > 0 and max(values) > 2
    transform: _Scale = math.log if logarithmic else float
    lowest, highest = transform(min(values)), transform(max(values))
    span = highest - lowest or 1.0

    def place(value: float) -> float:
        share = (transform(value) - lowest) / span
        return share if axis.higher_is_better else 1 - share

    return place


def _frame(quadrants: Quadrants, name: str, across: _Scale, upwards: _Scale) -> list[str]:
    x, y = _SIDE * across(quadrants.fluency.threshold), _SIDE * (1 - upwards(quadrants.fidelity.threshold))
    counts, across_rule = quadrants.counts(name), f"fluent: {quadrants.fluency}"
    corners = {
        NAMES[True, True]: (_SIDE, -7, "end"),
        NAMES[True, False]: (0, -7, "start"),
        NAMES[False, True]: (_SIDE, _SIDE + 15, "end"),
        NAMES[False, False]: (0, _SIDE + 15, "start"),
    }
    return [
        f'<text x="0" y="-28" font-weight="600">{xml_text(name)}</text>',
        f'<rect class="line" width="{_SIDE}" height="{_SIDE}" fill="none"/>',
        f'<line class="line" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{_SIDE}"/>',
        f'<line class="line" x1="0" x2="{_SIDE}" y1="{y:.1f}" y2="{y:.1f}"/>',
        *(
            f'<text class="soft" x="{right}" y="{down}" text-anchor="{anchor}">{label}: {counts[label]}</text>'
            for label, (right, down, anchor) in corners.items()
        ),
        f'<text class="soft" x="{_SIDE}" y="{_SIDE + 37}" text-anchor="end">→ {xml_text(across_rule)}</text>',
        f'<text class="soft" x="0" y="{_SIDE + 54}">↑ faithful: {xml_text(str(quadrants.fidelity))}</text>',
    ]


def _dots(quadrants: Quadrants, name: str, across: _Scale, upwards: _Scale) -> list[str]:
    places: Sequence[int] = range(len(quadrants.systems[name]))
    if len(places) > _MOST:
        places = [place * len(places) // _MOST for place in range(_MOST)]
    circles = []
    for place in places:
        fluent, faithful = quadrants.fluency.values[name][place], quadrants.fidelity.values[name][place]
        quadrant = quadrants.systems[name][place]
        tip = f"segment {place + 1}: {quadrant}"
        circles.append(
            f'<circle class="dot {quadrant.rpartition(" ")[2]}" cx="{_SIDE * across(fluent):.1f}" '
            f'cy="{_SIDE * (1 - upwards(faithful)):.1f}" r="3.5"><title>{tip}</title></circle>'
        )
    return circles
