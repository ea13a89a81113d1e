"""Plain text tables, and text escaped for Markdown cells."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence

__all__ = ["aligned", "markdown_text"]


def aligned(rows: Sequence[Sequence[str]], words: Collection[int] = (0,)) -> Iterator[str]:
    """Yield the lines of a table; columns in `words` are left-aligned, all others right-aligned.

    >>> print(*aligned([["system", "bleu"], ["A", "0.25"]]), sep=chr(10))
    system  bleu
    A       0.25
    """
    widths = [max(map(_cells, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = []
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (width - _cells(cell))
            cells.append(cell + blanks if place in words else blanks + cell)
        yield "  ".join(cells).rstrip()


def _cells(text: str) -> int:
    """Return the width of a text on a terminal: wide characters take two cells, combining ones none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def markdown_text(text: str) -> str:
    """Return the text on one line, with all characters escaped that are special in a Markdown table.

    >>> print(markdown_text("a|b *c*"))
    a\\|b \\*c\\*
    """
    plain = " ".join(text.split())
    return "".join(f"\\{character}" if character in "\\`*_{}[]<>#|" else character for character in plain)
