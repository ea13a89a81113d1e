"""One column of texts from a file of any format, read in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from bleuprint.core import counts
from bleuprint.dataset.columns import unknown_column
from bleuprint.dataset.lines import LineColumns
from bleuprint.dataset.opening import PathLike
from bleuprint.dataset.stream import is_table, open_table
from bleuprint.errors import DataFileError, OptionError

_USUAL = ("text", "content")


def text_blocks(path: PathLike, *, column: str | None = None, errors: str = "strict") -> Iterator[counts.Column]:
    """Yield the texts of a file, a few megabytes at a time: its lines, or one column of a table.

    The column is named 'text' or 'content' unless `column` says otherwise; a table with one column needs no name.
    """
    if not is_table(path):
        if column is not None:
            raise OptionError("column", f"None for {path}, which has lines and no columns", column)
        with closing(LineColumns(path, errors=errors)) as lines:
            for (block,) in lines.blocks():
                yield block
        return
    table = open_table(path, errors=errors)
    with closing(table):
        name = _column(table.name, table.names, column)
        table.select([name])
        for batch in table.batches():
            yield batch.column(name, groups=False)


def _column(file: str, names: tuple[str, ...], column: str | None) -> str:
    if column is not None:
        if column not in names:
            raise unknown_column(file, names, column)
        return column
    usual = [name for name in names if name.strip().lower() in _USUAL]
    if len(usual) == 1 or len(names) == 1:
        return usual[0] if usual else names[0]
    listed = ", ".join(map(repr, names))
    raise DataFileError(file, f"which column holds the texts? choose one of {listed}: --column NAME (column=NAME)")
