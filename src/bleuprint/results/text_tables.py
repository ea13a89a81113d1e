"""Plain text tables."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence

from bleuprint.results.escaping import visible


def aligned(rows: Sequence[Sequence[str]], words: Collection[int] = (0,)) -> Iterator[str]:
    """Yield the lines of a table, safe to print; columns in `words` are left-aligned, all others right-aligned.

    >>> print(*aligned([["system", "bleu"], ["A", "0.25"]]), sep=chr(10))
    system  bleu
    A       0.25
    """
    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(text_width, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        cells = []
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (width - text_width(cell))
            cells.append(cell + blanks if place in words else blanks + cell)
        yield "  ".join(cells).rstrip()


def text_width(text: str) -> int:
    """Return the width of a text on a terminal: wide characters take two cells, combining ones none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)
