"""Output to the terminal, a pipe, or a file."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from bleuprint.errors import OutputError
from bleuprint.results.escaping import json_text, visible, visible_lines
from bleuprint.results.text_tables import aligned, text_width

__all__ = [
    "PipeClosedError",
    "Table",
    "draw",
    "draw_markdown",
    "flush",
    "note",
    "plain",
    "settle",
    "visible",
    "write",
    "write_json",
    "write_sentences",
]

_STDOUT = "standard output"

_COLOUR = re.compile("(\x1b\\[[0-9]+m)")


class PipeClosedError(OutputError):
    """The program that reads the output has seen enough, as `head` does."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells. Columns in `words` hold text and are left-aligned; all others hold numbers.

    `best` are the rows to mark in a column, and `mark` says what the mark means. They are marked on a terminal only, so
    that programs read plain numbers. Columns in `attached` are drawn beside the column before them.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int] = frozenset({0})
    best: Mapping[int, frozenset[int]] = field(default_factory=dict)
    mark: str = "best; several if they are equal"
    attached: frozenset[int] = frozenset()


def write(text: str, *, coloured: bool = False) -> None:
    """Print text, escaped but for line breaks and, if asked for, colors; any failure raises OutputError."""
    if sys.stdout is None:
        raise OutputError(_STDOUT, "it is closed")
    pieces = _COLOUR.split(text) if coloured else [text]
    pieces[::2] = map(visible_lines, pieces[::2])
    try:
        sys.stdout.write("".join(pieces))
    except OSError as error:
        raise _failure(error) from None


def write_sentences(lines: Iterable[str]) -> None:
    """Print sentences, one per line; a terminal gets them broken between words."""
    shown = [visible(line) for line in lines]
    if sys.stdout is not None and sys.stdout.isatty():
        import shutil
        import textwrap

        columns = min(100, shutil.get_terminal_size().columns)
        shown = [textwrap.fill(line, columns, subsequent_indent="  ", break_on_hyphens=False) for line in shown]
    write("".join(f"{line}\n" for line in shown))


def write_json(document: str) -> None:
    """Print JSON as UTF-8, whatever the terminal's encoding."""
    flush()
    if sys.stdout is None:
        raise OutputError(_STDOUT, "it is closed")
    try:
        sys.stdout.buffer.write(json_text(document).encode())
    except OSError as error:
        raise _failure(error) from None


def flush() -> None:
    """Flush standard output; a full disk or a closed pipe may only fail here."""
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except OSError as error:
            raise _failure(error) from None


def note(text: str) -> None:
    """Print one line to standard error."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(visible(text) + "\n")
            sys.stderr.flush()


def settle() -> None:
    """After a failure, discard unsent output; otherwise the interpreter retries the flush on exit."""
    try:
        flush()
    except OutputError:
        with suppress(OSError, ValueError):
            devnull = os.open(os.devnull, os.O_WRONLY)
            os.dup2(devnull, sys.stdout.fileno())
            os.close(devnull)


def draw(table: Table) -> None:
    """Print a table: with rules on a terminal, as aligned plain text elsewhere."""
    if sys.stdout is not None and sys.stdout.isatty():
        _draw_ruled(table)
    else:
        write("".join(f"{line}\n" for line in plain(table)))


def draw_markdown(text: str) -> None:
    """Print Markdown: rendered on a terminal, unchanged elsewhere."""
    if sys.stdout is None or not sys.stdout.isatty():
        write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    try:
        Console(width=min(100, Console().width)).print(Markdown(visible_lines(text), hyperlinks=False))
    except OSError as error:
        raise _failure(error) from None


def plain(table: Table) -> Iterable[str]:
    """Return the table's lines with two spaces between columns."""
    return aligned([table.head, *table.rows], table.words)


def _draw_ruled(table: Table) -> None:
    """Draw the table with rules; columns that do not fit beside the first one follow below it."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console()
    for columns in _fitting(table, console.width):
        ruled = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
        for index in columns:
            justify: Any = "left" if index in table.words else "right"
            ruled.add_column(Text(visible(table.head[index])), justify=justify, no_wrap=bool(index), overflow="fold")
        for place, row in enumerate(table.rows):
            ruled.add_row(*(_cell(table, place, row[index], index) for index in columns))
        try:
            console.print(ruled)
        except OSError as error:
            raise _failure(error) from None
    if table.best:
        write(f"* {table.mark}\n")


def _cell(table: Table, place: int, cell: str, index: int) -> Any:
    from rich.text import Text

    if index not in table.best:
        return Text(visible(cell))
    marked = place in table.best[index]
    return Text(f"{visible(cell)}{'*' if marked else ' '}", style="bold green" if marked else "")


def _fitting(table: Table, width: int) -> Iterator[list[int]]:
    """Yield columns, the first one always among them, that fit into the width; text in the first one can be folded."""
    widths = [max(map(text_width, column)) + 3 for column in zip(table.head, *table.rows, strict=True)]
    blocks: list[list[int]] = []
    for index in range(1, len(widths)):
        widths[index] += index in table.best
        if index in table.attached:
            blocks[-1].append(index)
        else:
            blocks.append([index])
    room = width - 2 - min(widths[0], max(width // 3, 10))
    chosen: list[int] = []
    for block in blocks:
        if chosen and sum(widths[index] for index in chosen + block) > room:
            yield [0, *chosen]
            chosen = []
        chosen += block
    yield [0, *chosen]


def _failure(error: OSError) -> OutputError:
    if isinstance(error, BrokenPipeError):
        return PipeClosedError(_STDOUT, "the reading program closed the pipe")
    return OutputError(_STDOUT, error.strerror or str(error))
