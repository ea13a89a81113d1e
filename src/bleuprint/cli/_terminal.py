"""Output to the terminal, a pipe, or a file."""

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

# Characters that move the cursor, break the line, or reorder text, and lone surrogates; file names may hold any.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    r"""Return the text with control characters escaped.

    >>> print(visible("a\x1b[31mb"))
    a\x1b[31mb
    """
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells. Columns in `words` hold text and are left-aligned; all others hold numbers."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int] = frozenset({0})


def write(text: str) -> None:
    """Print text; any failure raises OutputError."""
    if sys.stdout is None:
        raise OutputError(_STDOUT, "it is closed")
    try:
        sys.stdout.write(text)
    except OSError as error:
        raise _failure(error) from None


def write_bytes(content: bytes) -> None:
    """Print raw bytes, bypassing the terminal's encoding."""
    flush()
    if sys.stdout is None:
        raise OutputError(_STDOUT, "it is closed")
    try:
        sys.stdout.buffer.write(content)
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
        Console(width=min(100, Console().width)).print(Markdown(text, hyperlinks=False))
    except OSError as error:
        raise _failure(error) from None


def plain(table: Table) -> Iterable[str]:
    """Return the table's lines with two spaces between columns."""
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
        return OutputError(_STDOUT, "the reading program closed the pipe")
    return OutputError(_STDOUT, error.strerror or str(error))
