"""Tables in .jsonl, .csv, and .tsv files, read in batches; arrow.py reads parquet and Arrow, logs.py logs and .json.

A text file is a table with one column, which needs no name. A batch returns native columns, or its rows as dicts.
Errors name the line (or row) and the column.
"""

from __future__ import annotations

import importlib.util
import io
import json
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from types import ModuleType
from typing import Any

from bleuprint.core import counts
from bleuprint.dataset.columns import ListColumn, missing_cell
from bleuprint.dataset.lines import LineBlocks
from bleuprint.dataset.opening import PathLike
from bleuprint.errors import DataFileError

Row = dict[str, Any]

_BLANK_LINES = re.compile(r"^[\r\n]*\n", re.MULTILINE)


class Batch(ABC):
    """Some rows of a table."""

    place = "line"  # unit of the row numbers

    @abstractmethod
    def column(self, name: str, *, groups: bool) -> counts.Column:
        """Return a column with one text per row or, with `groups`, one or several."""

    @abstractmethod
    def rows(self) -> Iterator[tuple[int, Row]]:
        """Yield the line (or row) number and the values of each row."""

    def values(self, name: str) -> Iterator[tuple[int, object]]:
        """Yield the line (or row) number and one value of each row; None where it has none."""
        return ((line, row.get(name)) for line, row in self.rows())

    def groups(self, column: ListColumn) -> counts.Column:
        """Return a column with one or several texts per row, which may be lists written as text."""
        lists = column.parse(self.values, self.place)
        if lists is None:
            return self.column(column.name, groups=True)
        return counts.column(tuple(lists), groups=True, tokenized=False)


class Table(ABC):
    """A table in a file. It can be read once."""

    unit = "rows"
    name: str
    size: int | None  # in bytes; None if unknown, as for a pipe
    position: int  # bytes read so far
    notes: Sequence[str] = ()

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The column names; for .jsonl, those of the first line."""

    @abstractmethod
    def batches(self) -> Iterator[Batch]: ...

    def select(self, names: Sequence[str]) -> None:
        """Say which columns will be asked for; formats that can then read no others."""
        return

    def close(self) -> None:
        """Close the file, if it is open."""
        return


class LineBatch(Batch):
    """Lines of a text file: one column."""

    def __init__(self, first_line: int, block: bytes) -> None:
        self._first_line, self._block = first_line, block

    def column(self, name: str, *, groups: bool) -> counts.Column:
        return counts.line_column(self._block)

    def rows(self) -> Iterator[tuple[int, Row]]:
        texts = counts.column_strings(self.column("", groups=False))
        return enumerate(({"": text} for text in texts), start=self._first_line)

    def groups(self, column: ListColumn) -> counts.Column:
        return self.column(column.name, groups=True)  # a line is a text, whatever it looks like


class LineTable(LineBlocks, Table):
    """A text file as a table with one column."""

    unit = "lines"
    names = ("",)

    def batches(self) -> Iterator[Batch]:
        for block in self:
            yield LineBatch(self.first_line, block)


class RowBatch(Batch):
    """Rows as Python dicts."""

    def __init__(self, file: str, lines: list[int], rows: list[Row], *, place: str = "line") -> None:
        self._file, self._lines, self._rows = file, lines, rows
        self.place = place

    def column(self, name: str, *, groups: bool) -> counts.Column:
        try:
            return counts.column([row.get(name) for row in self._rows], groups=groups, tokenized=False)
        except counts.Fault as fault:
            line, row = self._lines[fault.args[1]], self._rows[fault.args[1]]
            if name not in row:
                raise DataFileError(self._file, missing_cell(row, name), line=line, place=self.place) from None
            raise column_fault(fault, self._file, name, line, groups=groups, place=self.place) from None

    def rows(self) -> Iterator[tuple[int, Row]]:
        return zip(self._lines, self._rows, strict=True)


class FieldBatch(Batch):
    """Rows of strings with a shared header."""

    def __init__(self, file: str, header: list[str], lines: list[int], rows: list[list[str]]) -> None:
        self._file, self._header, self._lines, self._rows = file, header, lines, rows

    def column(self, name: str, *, groups: bool) -> counts.Column:
        index = self._header.index(name)
        return counts.column([row[index] for row in self._rows], groups=groups, tokenized=False)

    def rows(self) -> Iterator[tuple[int, Row]]:
        for line, fields in zip(self._lines, self._rows, strict=True):
            yield line, dict(zip(self._header, fields, strict=True))


def column_fault(
    fault: counts.Fault, file: str, name: str, line: int, *, groups: bool, place: str = "line"
) -> DataFileError:
    """Return the error for a fault that the core found in a column."""
    kind, _, inner, _, got = fault.args
    cell = f"{name!r}" + (f"[{inner}]" if inner >= 0 else "")
    if kind == "surrogate":
        problem = f"{cell} holds a lone surrogate, which cannot be encoded as UTF-8"
    elif kind == "empty":
        problem = f"{cell} holds no reference; drop the row, or use an empty text"
    else:
        allowed = "a text or a list of texts" if groups and inner < 0 else "a text"
        problem = f"{cell} must be {allowed}, got {got}"
    return DataFileError(file, problem, line=line, place=place)


class _TextTable(LineBlocks, Table):
    """Base class of tables in text files."""

    def __init__(self, path: PathLike, *, errors: str = "strict") -> None:
        super().__init__(path, errors=errors)
        self._batches = self._read()
        self._first: Batch | None = None

    @abstractmethod
    def _read(self) -> Iterator[Batch]: ...

    def _peek(self) -> Batch:
        if self._first is None:
            self._first = next(self._batches, None)
        if self._first is None:
            raise DataFileError(self.name, "it has no rows; there is nothing to score")
        return self._first

    def batches(self) -> Iterator[Batch]:
        first, self._first = self._peek(), None  # do not hold it while reading the rest
        yield first
        del first
        yield from self._batches


class JsonTable(_TextTable):
    """One JSON object per line; blank lines are skipped."""

    unit = "lines"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(next(self._peek().rows())[1])

    def _read(self) -> Iterator[Batch]:
        parser = json_parser()
        for block in self:
            if block.isspace():  # a billion empty lines, one by one, would take minutes
                continue
            lines: list[int] = []
            rows: list[Row] = []
            for number, line in enumerate(block.removesuffix(b"\n").split(b"\n"), start=self.first_line):
                try:
                    row = parser.loads(line)
                except parser.JSONDecodeError as error:
                    if not line.strip():
                        continue
                    problem = f"invalid JSON: {error.msg} at character {error.pos + 1}"
                    raise DataFileError(self.name, problem, line=number) from None
                if not isinstance(row, dict):
                    kind = {list: "an array", str: "a string", type(None): "null"}.get(type(row), type(row).__name__)
                    problem = f"each line must hold one JSON object, {{…}}, got {kind}"
                    raise DataFileError(self.name, problem, line=number)
                lines.append(number)
                rows.append(row)
            if rows:
                yield RowBatch(self.name, lines, rows)


def json_parser() -> ModuleType:
    """Return orjson, or the module of the standard library, which is slower."""
    try:
        import orjson
    except ImportError:
        return json
    return orjson


class DelimitedTable(_TextTable):
    """Comma- or tab-separated values with a header. Quoted fields may contain line feeds; blank lines are skipped."""

    def __init__(self, path: PathLike, delimiter: str, *, errors: str = "strict") -> None:
        super().__init__(path, errors=errors)
        self._delimiter = delimiter
        self._header: list[str] = []
        self._blank = 0  # the first blank line since the header
        self._skipped = 0  # blank lines, which the reader never sees
        self._between_rows = True  # otherwise a line belongs to a quoted field
        self._blocks_read = 0

    @property
    def names(self) -> tuple[str, ...]:
        self._peek()
        return tuple(self._header)

    def _read(self) -> Iterator[Batch]:
        reader = _unlimited_csv().reader(self._lines(), delimiter=self._delimiter, strict=True)
        more = True
        while more:
            lines: list[int] = []
            rows: list[list[str]] = []
            more = self._fill(reader, lines, rows)
            if rows:
                yield FieldBatch(self.name, self._header, lines, rows)

    def _lines(self) -> Iterator[str]:
        """Yield the lines, without the blank ones between rows. A billion of those, one by one, would take minutes."""
        for block in self:
            self._blocks_read += 1
            text = block.decode()
            begin, line = 0, self.first_line
            has_blanks = text.startswith(("\n", "\r")) or "\n\n" in text or "\n\r" in text
            for blank in _BLANK_LINES.finditer(text) if has_blanks else ():
                yield from self._lines_of(text[begin : blank.start()])
                line += text.count("\n", begin, blank.start())
                begin = blank.start()
                if self._between_rows:
                    self._blank = self._blank or line
                    self._skipped += text.count("\n", begin, blank.end())
                    line += text.count("\n", begin, blank.end())
                    begin = blank.end()
            yield from self._lines_of(text[begin:])

    def _lines_of(self, text: str) -> Iterator[str]:
        last = text.rfind("\n", 0, -1) + 1
        yield from io.StringIO(text[:last], newline="\n")
        if text:
            self._between_rows = False  # until the reader has a row that ends with this line
            yield text[last:]

    def _fill(self, reader: Any, lines: list[int], rows: list[list[str]]) -> bool:
        """Add the rows of about one block; return whether there are more."""
        seen = max(1, self._blocks_read)
        before = reader.line_num
        try:
            for fields in reader:
                line = before + 1 + self._skipped
                if fields and len(fields) == len(self._header) and not (self._blank and len(fields) == 1):
                    lines.append(line)
                    rows.append(fields)
                else:
                    self._take_odd(fields, line)
                before, self._between_rows = reader.line_num, True
                if self._blocks_read > seen:
                    return True
        except _unlimited_csv().Error as error:
            problem = (
                f"invalid row ({error}); quote fields that contain quotes, separators, or line breaks, "
                "and double the quotes inside them"
            )
            raise DataFileError(self.name, problem, line=before + 1 + self._skipped) from None
        return False

    def _take_odd(self, fields: list[str], line: int) -> None:
        """Handle the header, a line of spaces, or a row that does not fit the header."""
        if not "".join(fields).strip() and len(fields) <= 1 != len(self._header):
            return
        if len(self._header) == 1 and self._blank:
            problem = 'the line is empty; in a table with one column, write "" for an empty text'
            raise DataFileError(self.name, problem, line=self._blank)
        if self._header:
            problem = f"it has {len(fields)} fields, but the header has {len(self._header)}"
            raise DataFileError(self.name, problem, line=line)
        for name, times in Counter(fields).items():
            if times > 1:
                raise DataFileError(self.name, f"the header contains column {name!r} twice", line=line)
        self._header, self._blank = fields, 0


@cache
def _unlimited_csv() -> ModuleType:
    """Return a second copy of the module behind `csv`, without its limit of 128 KB per field.

    The limit belongs to the module and so to every thread: lifted in the module that others use, it would be lifted for
    them too, and put back while another thread reads a long field.
    """
    spec = importlib.util.find_spec("_csv")
    if spec is None or spec.loader is None:
        raise ImportError("this Python has no _csv")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.field_size_limit(2**31 - 1)
    return module
