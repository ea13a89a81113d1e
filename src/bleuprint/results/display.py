"""Tables as values, drawn in five ways: plain text, Markdown, LaTeX, HTML and CSV; and as data frames.

Whatever is shown as a table builds a `DisplayTable` and inherits its methods from `Displayed`.
"""

from __future__ import annotations

import csv
import importlib
import io
import math
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from bleuprint.errors import ExtraImport
from bleuprint.results import escaping
from bleuprint.results.escaping import latex_text, markdown_text, visible, visible_lines, xml_text
from bleuprint.results.notebook import add_style

if TYPE_CHECKING:
    import pandas

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LONG_TEXT = 40  # letters
_LATEX_MARKS = {"†": r"\dagger", "‡": r"\ddagger", "*": r"\ast"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what is shown, the value behind it, and how it stands out."""

    text: str
    value: object = None  # for CSV and data frames; the text if None
    ends: tuple[float, float] | None = None  # of the confidence interval, for CSV and data frames
    best: bool = False
    mark: str = ""  # such as †, explained in a note of the table
    tone: Literal["", "good", "bad"] = ""

    @property
    def plain(self) -> str:
        return f"{self.text}{self.mark}"


def words(*texts: str) -> tuple[Cell, ...]:
    """Cells of nothing but text."""
    return tuple(map(Cell, texts))


@dataclass(frozen=True, slots=True)
class DisplayTable:
    """A table with its caption, notes and signatures; columns in `words` are left-aligned.

    Plain text, CSV and data frames have the names that -m and Python take; LaTeX, Markdown and HTML those of `titles`.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    signatures: Mapping[str, str] | None = None  # by what they belong to, see `signed`; others are of the whole table
    words: frozenset[int] = frozenset({0})
    label: str = "scores"
    signed: int | None = None  # the column that names what a signature belongs to; None: the header
    titles: tuple[str, ...] = ()  # the header as papers print it; the header if empty

    def lines(self) -> Iterator[str]:
        """The header and the rows as lines, safe to print, with two spaces between columns."""
        return align_rows([self.header, *([cell.plain for cell in row] for row in self.rows)], self.words)

    def text(self) -> str:
        """Plain text; the caption is left out, because the table stands by itself."""
        lines = list(self.lines())
        if self.notes:
            lines += ["", *map(visible_lines, self.notes)]
        if self.signatures:
            lines += ["", *map(visible, self._short().values())]
        return "\n".join(lines)

    def markdown(self) -> str:
        """A Markdown table; the best scores are bold."""
        head = "| " + " | ".join(map(markdown_text, self.titles or self.header)) + " |"
        rule = "|" + "|".join("---" if place in self.words else "---:" for place in range(len(self.header))) + "|"
        rows = ("| " + " | ".join(map(_markdown_cell, row)) + " |" for row in self.rows)
        lines = ["\n".join([head, rule, *rows])]
        lines += [markdown_text(note) for note in self.notes]
        if self.signatures:
            lines.append("\n".join(f"{escaping.markdown_code(text)}  " for text in self._short().values()))
        return "\n\n".join(lines) + "\n"

    def latex(self, *, caption: str | None = None, label: str | None = None) -> str:
        """A LaTeX table for the package booktabs, with the signatures as its footnotes."""
        letters = self._letters()
        head = [
            latex_text(title) + self._footnote(name, letters) * (self.signed is None)
            for name, title in zip(self.header, self.titles or self.header, strict=True)
        ]
        rows = [
            [
                _latex_cell(cell) + self._footnote(cell.text, letters) * (place == self.signed)
                for place, cell in enumerate(row)
            ]
            for row in self.rows
        ]
        columns = "".join(map(self._latex_column, range(len(self.header))))
        shown = latex_text(" ".join(filter(None, (self.caption, *self.notes)))) if caption is None else caption
        lines = [
            "% needs \\usepackage{booktabs}",
            "\\begin{table}[t]",
            "\\centering",
            f"\\caption{{{shown}}}",
            f"\\label{{{label or f'tab:{self.label}'}}}",
            f"\\begin{{tabular}}{{{columns}}}",
            "\\toprule",
            f"{' & '.join(head)} \\\\",
            "\\midrule",
            *(f"{' & '.join(row)} \\\\" for row in rows),
            "\\bottomrule",
            "\\end{tabular}",
        ]
        if self.signatures:
            lines.append("\\par\\smallskip\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright")
            for text, short in self._short().items():
                letter = f"$^{{{letters[text]}}}$ " if text in letters else ""
                lines.append(f"{letter}{escaping.latex_code(short)}\\par")
            lines.append("\\end{minipage}")
        return "\n".join([*lines, "\\end{table}"]) + "\n"

    def html(self) -> str:
        """A table in HTML, without its style; all texts are escaped."""
        titles = enumerate(self.titles or self.header)
        head = "".join(f"<th{self._side(place)}>{xml_text(title)}</th>" for place, title in titles)
        rows = "".join(
            f"<tr>{''.join(self._html_cell(place, cell) for place, cell in enumerate(row))}</tr>" for row in self.rows
        )
        caption = f'<div class="caption">{xml_text(self.caption)}</div>' if self.caption else ""
        notes = "".join(f"<small>{xml_text(note)}</small>" for note in self.notes)
        listed = "".join(f"<small><code>{xml_text(text)}</code></small>" for text in self._short().values())
        return f"{caption}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{notes}{listed}"

    def columns(self) -> dict[str, list[object]]:
        """The values by column, for CSV and data frames; the ends of intervals have columns of their own."""
        columns: dict[str, list[object]] = {}
        for place, name in enumerate(self.header):
            cells = [row[place] for row in self.rows]
            columns[name] = [cell.text if cell.value is None else cell.value for cell in cells]
            for end, side in enumerate(("low", "high") if any(cell.ends for cell in cells) else ()):
                columns[f"{name} {side}"] = [cell.ends[end] if cell.ends else None for cell in cells]
        return columns

    def csv(self) -> str:
        """Comma-separated values with full digits; cells that a spreadsheet would run as formulas are made harmless."""
        return separated_values(self.columns())

    def _short(self) -> dict[str, str]:
        """The short form of every signature."""
        from bleuprint.results.naming import short_signature  # which loads the metrics

        return {text: short_signature(text) for text in (self.signatures or {}).values()}

    def _letters(self) -> dict[str, str]:
        """The letters of the footnotes by signature, in the order in which the table refers to them: a … z, aa, ab …"""
        signatures = self.signatures or {}
        names = self.header if self.signed is None else [row[self.signed].text for row in self.rows]
        texts = dict.fromkeys(signatures[name] for name in names if name in signatures)
        letters = ("".join(pair) for pair in product(("", *_LETTERS), _LETTERS))
        return dict(zip(texts, letters, strict=False))

    def _footnote(self, name: str, letters: Mapping[str, str]) -> str:
        letter = letters.get((self.signatures or {}).get(name, ""))
        return "" if letter is None else f"$^{{{letter}}}$"

    def _latex_column(self, place: int) -> str:
        """Long texts are wrapped, so that the table fits the page."""
        if place not in self.words:
            return "r"
        longest = max((len(row[place].text) for row in self.rows), default=0)
        return "p{0.4\\linewidth}" if longest > _LONG_TEXT else "l"

    def _side(self, place: int) -> str:
        return ' class="words"' if place in self.words else ""

    def _html_cell(self, place: int, cell: Cell) -> str:
        kinds = filter(None, ("words" if place in self.words else "", "best" if cell.best else "", cell.tone))
        listed = " ".join(kinds)
        opening = f'<td class="{listed}">' if listed else "<td>"
        mark = f"<sup>{xml_text(cell.mark)}</sup>" if cell.mark else ""
        return f"{opening}{xml_text(cell.text)}{mark}</td>"


def _markdown_cell(cell: Cell) -> str:
    text = markdown_text(cell.text)
    return f"{f'**{text}**' if cell.best and text else text}{markdown_text(cell.mark)}"


def _latex_cell(cell: Cell) -> str:
    text = latex_text(cell.text)
    mark = "".join(_LATEX_MARKS.get(sign, latex_text(sign)) for sign in cell.mark)
    shown = f"\\textbf{{{text}}}" if cell.best else text
    return f"{shown}$^{{{mark}}}$" if mark else shown


def align_rows(rows: Sequence[Sequence[str]], words: Collection[int] = (0,)) -> Iterator[str]:
    """Yield the lines of a table, safe to print; columns in `words` are left-aligned, all others right-aligned.

    >>> print(*align_rows([["system", "bleu"], ["A", "0.25"]]), sep=chr(10))
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


def separated_values(columns: Mapping[str, Sequence[object]]) -> str:
    """Columns as comma-separated values, with an empty field for a missing number (NaN).

    See `spreadsheet_cell` for cells that a spreadsheet would run as a formula.
    """
    file = io.StringIO(newline="")
    # Python 3.11 does not quote a lone carriage return. A spreadsheet would start a new row there, possibly with a
    # formula.
    returns = any("\r" in cell for cells in columns.values() for cell in cells if isinstance(cell, str))
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL
    writer = csv.writer(file, lineterminator="\n", quoting=quoting)
    writer.writerow(map(_field, columns))
    writer.writerows(map(_field, row) for row in zip(*columns.values(), strict=True))
    return file.getvalue()


def _field(cell: object) -> object:
    if isinstance(cell, float) and math.isnan(cell):
        return ""  # a missing number
    return escaping.spreadsheet_cell(cell) if isinstance(cell, str) else cell


def frame(columns: Mapping[str, Sequence[object]], library: str) -> Any:
    """Columns as a data frame of `library`."""
    with ExtraImport(f"to_{library}", (library,), library):
        return importlib.import_module(library).DataFrame(columns)


class Displayed:
    """Something that is shown as one or more tables: `display` builds them, everything else follows.

    A class defines `display(*, percent=False, ...)`, which returns the most important table first. The methods below
    take the options of `display`.
    """

    __slots__ = ()

    display: Callable[..., tuple[DisplayTable, ...]]

    def __str__(self) -> str:
        return self.pretty()

    def pretty(self, *, percent: bool = False, **options: object) -> str:
        """Return the tables as plain text."""
        return "\n\n".join(table.text() for table in self.display(percent=percent, **options))

    def to_markdown(self, *, percent: bool = False, **options: object) -> str:
        """Return the tables as Markdown, with the best scores in bold."""
        return "\n".join(table.markdown() for table in self.display(percent=percent, **options))

    def to_latex(
        self, *, percent: bool = False, caption: str | None = None, label: str | None = None, **options: object
    ) -> str:
        """Return the main table in LaTeX, for the package booktabs.

        `caption` is used as it is, so it may contain commands; by default it explains the table and its marks.
        """
        first, *_ = self.display(percent=percent, **options)
        return first.latex(caption=caption, label=label)

    def to_csv(self, level: Any = None, *, percent: bool = False, **options: object) -> str:
        """Return the main table as comma-separated values with full digits; `level` names another table."""
        return self._table(level, percent=percent, **options).csv()

    def to_pandas(self, level: Any = None) -> pandas.DataFrame:
        """Return the main table as a pandas DataFrame; `level` names another table."""
        return frame(self._table(level).columns(), "pandas")

    def _table(self, level: str | None, **options: object) -> DisplayTable:
        return self.display(**options, **({} if level is None else {"level": level}))[0]

    def _repr_html_(self) -> str:
        notes = (f"<small>note: {xml_text(note)}</small>" for note in getattr(self, "notes", ()))
        return add_style("".join([*(table.html() for table in self.display()), *notes]))
