"""Writing to the terminal or whatever stands in for it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bleuprint.errors import OutputError
from bleuprint.results.text_tables import aligned

__all__ = ["Table", "draw", "draw_markdown", "flush", "note", "plain", "settle", "visible", "write", "write_bytes"]

_STDOUT = "standard output"

# What moves the cursor, breaks the line, reorders text or is half a character: file names may hold all of it.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    r"""The text with control characters written out.

    >>> print(visible("a\x1b[31mb"))
    a\x1b[31mb
    """
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the columns in `words` are text, as the first one usually is, the others numbers."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int] = frozenset({0})


def write(text: str) -> None:
    """Print a text; whatever keeps it from arriving is an OutputError."""
    if sys.stdout is None:
        raise OutputError(_STDOUT, "it is closed")
    try:
        sys.stdout.write(text)
    except OSError as error:
        raise _failure(error) from None


def write_bytes(content: bytes) -> None:
    """Print bytes as they are, past the terminal's encoding."""
    flush()
    if sys.stdout is None:
        raise OutputError(_STDOUT, "it is closed")
    try:
        sys.stdout.buffer.write(content)
    except OSError as error:
        raise _failure(error) from None


def flush() -> None:
    """Send what is buffered; a full disk or a closed pipe shows only here."""
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except OSError as error:
            raise _failure(error) from None


def note(text: str) -> None:
    """One line beside the output, for the person who watches."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(visible(text) + "\n")
            sys.stderr.flush()


def settle() -> None:
    """After a failure: what cannot be sent goes nowhere, or the interpreter would try again as it exits."""
    try:
        flush()
    except OutputError:
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


def draw(table: Table) -> None:
    """Print a table: ruled on a terminal, plain aligned text everywhere else."""
    if sys.stdout is not None and sys.stdout.isatty():
        _draw_ruled(table)
    else:
        write("".join(f"{line}\n" for line in plain(table)))


def draw_markdown(text: str) -> None:
    """Print Markdown: rendered on a terminal, as it is everywhere else."""
    if sys.stdout is None or not sys.stdout.isatty():
        write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    try:
        Console(width=min(100, Console().width)).print(Markdown(text, hyperlinks=False))
    except OSError as error:
        raise _failure(error) from None


def plain(table: Table) -> Iterable[str]:
    """The lines of the table, columns two blanks apart."""
    lines = [[visible(cell) for cell in row] for row in (table.head, *table.rows)]
    return aligned(lines, table.words)


def _draw_ruled(table: Table) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    ruled = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for index, head in enumerate(table.head):
        ruled.add_column(Text(visible(head)), justify="left" if index in table.words else "right", no_wrap=bool(index))
    for row in table.rows:
        ruled.add_row(*(Text(visible(cell)) for cell in row))
    try:
        Console().print(ruled)
    except OSError as error:
        raise _failure(error) from None


def _failure(error: OSError) -> OutputError:
    if isinstance(error, BrokenPipeError):
        return OutputError(_STDOUT, "its reader has closed the pipe")
    return OutputError(_STDOUT, error.strerror or str(error))
