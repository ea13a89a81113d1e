"""Output to the terminal, a pipe, or a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Literal

import click

from bleuprint.errors import OutputError
from bleuprint.results.display import Cell, DisplayTable, text_width
from bleuprint.results.escaping import json_text, visible, visible_lines

if TYPE_CHECKING:
    from rich.text import Text

_STDOUT = "standard output"


class PipeClosedError(OutputError):
    """The program that reads the output has seen enough, as `head` does."""


@contextmanager
def _failures_named() -> Iterator[None]:
    """Raise an OutputError where standard output is closed or cannot be written."""
    if sys.stdout is None:
        raise OutputError(_STDOUT, "it is closed")
    try:
        yield
    except BrokenPipeError:
        raise PipeClosedError(_STDOUT, "the reading program closed the pipe") from None
    except OSError as error:
        raise OutputError(_STDOUT, error.strerror or str(error)) from None


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def write(text: str) -> None:
    """Print text, escaped but for line breaks; any failure raises OutputError."""
    with _failures_named():
        sys.stdout.write(visible_lines(text))


def write_lines(lines: Iterable[str]) -> None:
    """Print lines; control characters in them are shown."""
    with _failures_named():
        for line in lines:
            sys.stdout.write(f"{visible(line)}\n")


def write_sentences(lines: Iterable[str]) -> None:
    """Print sentences, one per line; a terminal gets them broken between words."""
    shown = [visible(line) for line in lines]
    if _is_terminal():
        import shutil
        import textwrap

        columns = min(100, shutil.get_terminal_size().columns)
        shown = [textwrap.fill(line, columns, subsequent_indent="  ", break_on_hyphens=False) for line in shown]
    write("".join(f"{line}\n" for line in shown))


def write_json(document: str) -> None:
    """Print JSON as UTF-8, whatever the terminal's encoding."""
    flush()
    with _failures_named():
        sys.stdout.buffer.write(json_text(document).encode())


def flush() -> None:
    """Flush standard output; a full disk or a closed pipe may only fail here."""
    if sys.stdout is not None:
        with _failures_named():
            sys.stdout.flush()


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


def draw_rows(head: Sequence[str], rows: Iterable[Sequence[str]], words: Iterable[int] = (0,)) -> None:
    """Print a table of nothing but text; columns in `words` are left-aligned, all others hold numbers."""
    draw(DisplayTable(tuple(head), tuple(tuple(map(Cell, row)) for row in rows), words=frozenset(words)))


def draw(shown: DisplayTable) -> None:
    """Print a table: with rules on a terminal, as aligned plain text elsewhere.

    The best cells are marked on a terminal only, so that programs read plain numbers.
    """
    if _is_terminal():
        _draw_ruled(shown)
    else:
        write_lines(shown.lines())


def write_definitions(entries: Sequence[tuple[str, str]]) -> None:
    """Print names with their descriptions: wrapped on a terminal, one line each elsewhere."""
    if _is_terminal():
        formatter = click.HelpFormatter(max_width=100)
        formatter.write_dl(entries)
        write(formatter.getvalue())
    else:
        width = max(len(name) for name, _ in entries)
        write_lines(f"{name:{width}}  {text}" for name, text in entries)


def draw_markdown(text: str) -> None:
    """Print Markdown: rendered on a terminal, unchanged elsewhere."""
    if not _is_terminal():
        write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    with _failures_named():
        Console(width=min(100, Console().width)).print(Markdown(visible_lines(text), hyperlinks=False))


def _draw_ruled(shown: DisplayTable) -> None:
    """Draw the table with rules; columns that do not fit beside the first one follow below it."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    marked = {index for row in shown.rows for index, cell in enumerate(row) if cell.best}
    for columns in _fitting(shown, console.width, marked):
        ruled = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
        for index in columns:
            justify: Literal["left", "right"] = "left" if index in shown.words else "right"
            ruled.add_column(Text(visible(shown.header[index])), justify=justify, no_wrap=bool(index), overflow="fold")
        for row in shown.rows:
            ruled.add_row(*(_rich_text(row[index], index in marked) for index in columns))
        with _failures_named():
            console.print(ruled)
    if marked:
        write("* best; several if they are equal\n")


def _rich_text(cell: Cell, marked: bool) -> Text:
    from rich.text import Text

    end = ("*" if cell.best else " ") if marked else ""
    return Text(visible(cell.plain) + end, style="bold green" if cell.best else "")


def _fitting(shown: DisplayTable, width: int, marked: Collection[int]) -> Iterator[list[int]]:
    """Yield columns, the first one always among them, that fit into the width; text in the first one can be folded."""
    cells = ([cell.plain for cell in row] for row in shown.rows)
    columns = enumerate(zip(shown.header, *cells, strict=True))
    widths = [max(map(text_width, column)) + 3 + (index in marked) for index, column in columns]
    room = width - 2 - min(widths[0], max(width // 3, 10))
    chosen: list[int] = []
    for index in range(1, len(widths)):
        if chosen and sum(widths[other] for other in (*chosen, index)) > room:
            yield [0, *chosen]
            chosen = []
        chosen.append(index)
    yield [0, *chosen]
