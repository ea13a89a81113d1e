"""Names in charts: how wide they are, and how to shorten them so that they can still be told apart."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

from markupsafe import Markup

from bleuprint.report.charts.svg import GRID, group, marker, stroke, visible, words

LINE = 2 * GRID  # from one line of text to the next
_TEXT = 12  # the size of all text, as in charts.css
_SEPARATORS = " ./:_"
_FEW = 6  # series that may have a line of the legend each
_SAMPLE = 3 * GRID  # the piece of line beside a name in a legend
# Widths in em. They are those of DejaVu Sans, rounded up: it is the widest of the fonts that charts.css asks for, so
# that text is never wider than this.
_WIDTHS = {
    **dict.fromkeys("ijl|'", 0.34),
    **dict.fromkeys(" .,:;!Irtf()[]/\\-", 0.42),
    **dict.fromkeys("mw@%MWm—…", 1.0),
    **dict.fromkeys("+=<>~−≥≤±×→↑", 0.84),
}


def text_width(text: str) -> float:
    """The room a text needs, in pixels; a little more than most fonts need.

    >>> text_width("0.4123") < 48 < text_width("日本語の系")
    True
    """
    return _TEXT * sum(map(_em, visible(text)))


def _em(letter: str) -> float:
    known = _WIDTHS.get(letter)
    if known is not None:
        return known
    if unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    return 0.79 if letter.isupper() else 0.65


def shorten(names: Sequence[str], room: float) -> list[str]:
    """The names, those too long for the room shortened. Words that they all begin or end with go first.

    Different names stay different: where nothing else does it, they are numbered.

    >>> shorten(["generaltest2022.en-de.hyp.Online-B.de", "generaltest2022.en-de.hyp.Online-W.de"], 100)
    ['…Online-B.de', '…Online-W.de']
    >>> shorten(["one long name"], 60)
    ['one…me']
    """
    if all(text_width(name) <= room for name in names):
        return list(names)
    start, end = _shared_ends(names)
    alike = _cut_alike(names, room, start, end)
    if alike is not None:
        return alike
    short = [_shorten_one(name, room, start, end) for name in names]
    places = {name: place for place, name in enumerate(dict.fromkeys(names), start=1)}
    owners: dict[str, set[str]] = {}
    for name, label in zip(names, short, strict=True):
        owners.setdefault(label, set()).add(name)
    numbered = []
    for name, label in zip(names, short, strict=True):
        mark = f" ({places[name]})" if len(owners[label]) > 1 else ""
        numbered.append(_shorten_one(name, room - text_width(mark), start, end) + mark)
    return numbered


def told_apart(names: Sequence[str], room: float) -> bool:
    """Whether all that differs between the names fits into the room."""
    start, end = _shared_ends(names)
    return all(min(text_width(name), text_width(_cut(name, start, len(name) - end))) <= room for name in names)


def _shared_ends(names: Sequence[str]) -> tuple[int, int]:
    """How many letters all names begin and end with, up to whole words."""
    if len(set(names)) < 2:
        return 0, 0
    start = _common_start(names)
    end = _common_start([name[start:][::-1] for name in names])
    first = names[0]
    while start and first[start - 1] not in _SEPARATORS:
        start -= 1
    while end and first[len(first) - end] not in _SEPARATORS:
        end -= 1
    return start, end


def _common_start(names: Sequence[str]) -> int:
    first, last = min(names), max(names)
    return next((place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))


def _cut_alike(names: Sequence[str], room: float, start: int, end: int) -> list[str] | None:
    """All names without the same words at their ends, as few as possible; None if what remains is too long."""
    first, size = names[0], len(names[0])
    lefts = [place for place in range(start + 1) if not place or first[place - 1] in _SEPARATORS]
    ends = [place for place in range(end + 1) if not place or first[size - place] in _SEPARATORS]
    for left, right in sorted(((left, right) for left in lefts for right in ends), key=sum):
        cut = [_cut(name, left, len(name) - right) for name in names]
        if all(text_width(name) <= room for name in cut):
            return cut
    return None


def _shorten_one(name: str, room: float, start: int, end: int) -> str:
    """What tells the name from others, without its middle if it is too long for the room."""
    core = name[start : len(name) - end]
    for text in (name, _cut(name, start, len(name) - end), core):
        if text and text_width(text) <= room:
            return text
    return _without_middle(core or name, room)


def _cut(name: str, left: int, right: int) -> str:
    return ("…" if left else "") + name[left:right] + ("…" if right < len(name) else "")


def _without_middle(text: str, room: float) -> str:
    head, tail = 0, len(text)
    while head < tail:
        if text_width(f"{text[: head + 1]}…{text[tail:]}") > room:
            break
        head += 1
        if text_width(f"{text[:head]}…{text[tail - 1 :]}") > room:
            break
        tail -= 1
    return f"{text[:head]}…{text[tail:]}"


def legend(names: Sequence[str], width: float, top: float) -> tuple[list[Markup], float]:
    """The line and the shape of every series beside its name, and the height of that.

    The page's script finds a system by the title of its entry.
    """
    if not names:
        return [], 0.0
    beside = _SAMPLE + GRID
    shown = shorten(names, width - beside)
    if len(names) > _FEW:
        shown = shorten(names, (width - 2 * GRID) / 2 - beside)
    each = max(map(text_width, shown)) + beside
    columns = max(1, int((width + 2 * GRID) // (each + 2 * GRID)))
    drawn = []
    for series, (name, label) in enumerate(zip(names, shown, strict=True)):
        left = (series % columns) * (each + 2 * GRID)
        middle = top + (series // columns) * LINE + GRID
        shapes = [
            stroke(series, f"M{left:.1f} {middle:.1f}h{_SAMPLE}"),
            marker(series, left + _SAMPLE / 2, middle),
            words(left + beside, middle + 4, label, kind="name"),
        ]
        drawn.append(group("entry", {}, name, shapes))
    return drawn, math.ceil(len(names) / columns) * LINE + GRID
