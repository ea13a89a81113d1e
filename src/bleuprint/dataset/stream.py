"""Read parallel files in blocks, so that files larger than memory can be scored."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Self

from bleuprint.core import counts
from bleuprint.dataset.arrow import ArrowFolder, ParquetTable, is_saved_dataset
from bleuprint.dataset.columns import (
    ColumnNames,
    Columns,
    ListColumn,
    choose_columns,
    id_fault,
    named_roles,
    unknown_column,
)
from bleuprint.dataset.logs import open_eval, open_json
from bleuprint.dataset.opening import STDIN, PathLike, check_paths, name_of
from bleuprint.dataset.tables import Batch, DelimitedTable, JsonTable, LineTable, Table
from bleuprint.errors import DataFileError, LineCountError, OptionError

_COMPRESSED = (".gz", ".zst")
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_JSON = (".jsonl", ".ndjson")
_DOCUMENTS = (".json", ".eval")
_USUAL_TEXT_COLUMNS = ("text", "content")


def _kind(path: PathLike) -> str:
    """Return the file extension that determines the format, ignoring compression; of standard input, by its start."""
    if os.fspath(path) == STDIN:
        is_json = sys.stdin is not None and getattr(sys.stdin.buffer, "peek", bytes)(2)[:2] == b'{"'
        return _JSON[0] if is_json else ""
    name = PurePath(os.fspath(path)).name.lower()
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    return PurePath(name).suffix


def is_table(path: PathLike) -> bool:
    """Whether the name of a file, the files of a folder, or the start of standard input indicate named columns."""
    by_name = _kind(path) in {*_DELIMITERS, *_JSON, *_DOCUMENTS, ".parquet"}
    return by_name or is_saved_dataset(path) or bool(_shards(path))


def has_lines(path: PathLike) -> bool:
    """Whether every text of a file is a line of it: a text file, or .jsonl."""
    return not is_table(path) or (_kind(path) in _JSON and not _shards(path))


def _shards(path: PathLike) -> list[Path]:
    """The files of a folder or of a pattern such as part-*.parquet, in order, if all of them are tables."""
    whole, files = Path(path), list[Path]()
    with suppress(OSError, ValueError):  # whoever opens the file says what is wrong with its name
        if "*" in whole.name:
            files = sorted(whole.parent.glob(whole.name))
        elif whole.is_dir():
            files = sorted(file for file in whole.iterdir() if file.name[0] not in "._")
    return files if all(file.is_file() and is_table(file) for file in files) else []


class Shards(Table):
    """Files that hold one table, read one after another."""

    def __init__(self, path: PathLike, files: Sequence[Path], errors: str) -> None:
        self.name, self._files, self._errors = name_of(path), files, errors
        self.size, self.position = sum(file.stat().st_size for file in files), 0
        self._open = open_table(files[0], errors=errors)
        self._chosen: Sequence[str] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return self._open.names

    def select(self, names: Sequence[str]) -> None:
        self._chosen = names

    def batches(self) -> Iterator[Batch]:
        names, before = self.names, 0
        for file in self._files:
            self._open.close()
            self._open = open_table(file, errors=self._errors)
            if set(names) - set(self._open.names):
                missing = ", ".join(sorted(set(names) - set(self._open.names)))
                raise DataFileError(self._open.name, f"it has no column {missing}, which {self._files[0].name} has")
            if self._chosen is not None:
                self._open.select(self._chosen)
            for batch in self._open.batches():
                self.position = before + self._open.position
                yield batch
            before += self._open.size or 0

    def close(self) -> None:
        self._open.close()


def open_table(path: PathLike, *, errors: str = "strict") -> Table:
    """Open a table file of any supported format, or a folder of such files that are one table."""
    if is_saved_dataset(path):
        return ArrowFolder(path)
    if files := _shards(path):
        return Shards(path, files, errors)
    kind = _kind(path)
    if kind in _JSON:
        return JsonTable(path, errors=errors)
    if kind in _DELIMITERS:
        return DelimitedTable(path, _DELIMITERS[kind], errors=errors)
    if kind == ".json":
        return open_json(path)
    if kind == ".eval":
        return open_eval(path)
    if kind != ".parquet":
        formats = ", ".join((*_JSON, *_DELIMITERS, *_DOCUMENTS, ".parquet"))
        raise DataFileError(name_of(path), f"unknown table format; use one of {formats}")
    if os.fspath(path).lower().endswith(_COMPRESSED):
        raise DataFileError(name_of(path), "compressed parquet files cannot be read; decompress the file first")
    return ParquetTable(path)


def _open(path: PathLike, *, errors: str) -> Table:
    return open_table(path, errors=errors) if is_table(path) else LineTable(path, errors=errors)


@dataclass(frozen=True, slots=True)
class Block:
    """Some segments of every file, and the number of bytes read for them."""

    hypotheses: Mapping[str, counts.Column]
    references: counts.Column | None
    sources: counts.Column | None
    bytes_read: int
    ids: Mapping[str, counts.Column]  # by file

    def __len__(self) -> int:
        return len(next(iter(self.hypotheses.values())))


@dataclass(frozen=True, slots=True)
class TextFile:
    """The segments of a file, and notes about it."""

    name: str
    segments: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.segments)


@dataclass(frozen=True, slots=True)
class Segments:
    """All segments of several systems, and what their files say about them."""

    systems: dict[str, list[str]]  # empty if no texts were requested
    references: list[tuple[str, ...]]  # empty if there are none
    sources: list[str] | None
    ids: list[str] | None = None  # the second row of an item is "item (2)"
    scores: dict[str, dict[str, list[float]]] = field(default_factory=dict)  # by column and system
    clusters: list[Hashable] | None = None
    notes: list[str] = field(default_factory=list)


class _Ids:
    """The ids of a table. Where nobody named their column, bad ones are left out, with a note."""

    def __init__(self, table: Table, column: str, *, required: bool) -> None:
        self._file, self.column, self._required = table.name, column, required
        self._lines: dict[str, int] = {}
        self.notes: list[str] = []

    def read(self, batch: Batch) -> counts.Column:
        names = tuple(self._name(line, value, batch.place) for line, value in batch.values(self.column))
        return counts.column(names, groups=False, tokenized=False)

    def _name(self, line: int, value: object, place: str) -> str:
        problem, name = id_fault(value), str(value)
        if problem is None:
            earlier = self._lines.setdefault(name, line)
            if earlier == line:
                return name
            problem = f"{name!r} was already used in {place} {earlier}"
        fault = DataFileError(self._file, f"{self.column!r} {problem}", line=line, place=place)
        if self._required:
            raise fault
        if not self.notes:
            self.notes.append(f"{str(fault).removesuffix('.')}, so segments are numbered")
        return ""


class _File:
    """A file that is read in step with others: hypotheses and source first, then references, then ids."""

    def __init__(self, table: Table, columns: Columns, ids: _Ids | None = None) -> None:
        self.table, self.columns, self.ids = table, columns, ids
        self.references = [ListColumn(table.name, name, columns.hypotheses) for name in columns.references]
        self.systems: Sequence[str] = ()
        self.rows = 0  # taken so far
        self._blocks = self._read()
        self._current: tuple[counts.Column, ...] = ()
        self._begin = self._end = 0

    @property
    def notes(self) -> Sequence[str]:
        lists = (note for column in self.references for note in column.notes)
        return (*self.columns.notes, *lists, *self.table.notes, *(() if self.ids is None else self.ids.notes))

    def _read(self) -> Iterator[tuple[counts.Column, ...]]:
        columns = self.columns
        singles = (*columns.hypotheses, *(() if columns.source is None else (columns.source,)))
        ids = () if self.ids is None else (self.ids.column,)
        self.table.select([*singles, *columns.references, *ids])
        for batch in self.table.batches():
            yield (
                *(batch.column(name, groups=False) for name in singles),
                *(batch.groups(column) for column in self.references),
                *(() if self.ids is None else (self.ids.read(batch),)),
            )

    def available(self) -> int:
        while self._begin == self._end:
            self._current = ()  # release the previous block before reading the next
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._current, self._begin, self._end = block, 0, len(block[0])
        return self._end - self._begin

    def take(self, rows: int) -> list[counts.Column]:
        begin, self._begin = self._begin, self._begin + rows
        self.rows += rows
        whole = rows == len(self._current[0])
        return [column if whole else counts.part_of_column(column, begin, self._begin) for column in self._current]

    def bounds(self) -> tuple[float, float]:
        """Return the least and the most rows that the file can have, reading no more than one block of the rest."""
        at_hand = self.rows + self.available()
        self._begin = self._end
        return (at_hand + 1, math.inf) if self.available() else (at_hand, at_hand)


def _in_step(files: Sequence[_File]) -> Iterator[list[list[counts.Column]]]:
    """Yield the same rows of every file; if lengths differ, raise at the end of the shortest file."""
    while rows := min((available := [file.available() for file in files]), default=0):
        yield [file.take(rows) for file in files]
    if not any(available):
        return
    # Not all rows are counted: compressed, a few kilobytes can hold a billion lines.
    first, *others = [(file.table, *file.bounds()) for file in files]
    for other in others:
        if first[1] > other[2] or other[1] > first[2]:
            unit = "lines" if first[0].unit == other[0].unit == "lines" else "rows"
            raise LineCountError(first[0].name, _count(*first[1:]), other[0].name, _count(*other[1:]), unit=unit)


def _count(least: float, most: float) -> str:
    return f"{least}" if least == most else f"more than {least - 1}"


class FileStream:
    """Systems, references, and sources from files, read in step. Use it once, in a `with` statement.

    Each hypothesis file is a text file with one segment per line, or a table (.jsonl, .csv, .tsv, .parquet, a saved
    Hugging Face dataset) with one column per system. References come from their own files, one per reference of a
    segment, or from the table with the hypotheses; with `needs_references=False` there may be none. Text, .jsonl, .csv,
    and .tsv files may be compressed. With `ids`, the ids of the segments are read too, if a table has them.
    """

    def __init__(
        self,
        hypotheses: Mapping[str, PathLike] | PathLike,
        references: Sequence[PathLike] = (),
        source: PathLike | None = None,
        *,
        columns: ColumnNames | None = None,
        ids: bool = False,
        needs_references: bool = True,
        errors: str = "strict",
    ) -> None:
        systems = hypotheses if isinstance(hypotheses, Mapping) else {name_of(hypotheses): hypotheses}
        check_paths([*systems.values(), *references, *(() if source is None else (source,))])
        self._errors, self._columns, self._wants_ids = errors, named_roles(columns), ids
        self._needs_references = needs_references
        self._notes: list[str] = []
        self._roles: set[str] = set()  # roles looked up in a table
        self._files: list[_File] = []
        self._stack = ExitStack()
        with self._stack:
            alone = len(systems) == 1 and not references
            for name, path in systems.items():
                self._add_system(name, path, references=alone, source=alone and source is None)
            for path in references:
                self._add(path, ("reference",))
            if source is not None:
                self._add(source, ("source",))
            if len(set(self.systems)) < len(self.systems):
                raise OptionError("hypotheses", "systems with different names", self.systems)
            for role in self._columns.keys() - self._roles:
                raise OptionError(
                    "columns", f"a mapping without {role!r}, which is not read from a table", self._columns[role]
                )
            self._stack = self._stack.pop_all()
        self.segments = 0  # returned so far
        self.has_sources = any(file.columns.source is not None for file in self._files)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def systems(self) -> list[str]:
        """The names of the systems."""
        return [name for file in self._files for name in file.systems]

    @property
    def notes(self) -> list[str]:
        """Notes about the files; complete after the last block has been read."""
        return list(dict.fromkeys([*(note for file in self._files for note in file.notes), *self._notes]))

    @property
    def size(self) -> int | None:
        """Total size of all files in bytes; None if unknown."""
        sizes = [file.table.size for file in self._files]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    def blocks(self) -> Iterator[Block]:
        """Yield the segments, a few megabytes at a time; if lengths differ, raise at the end of the shortest file."""
        before = 0
        for taken in _in_step(self._files):
            position = sum(file.table.position for file in self._files)
            block = self._block(taken, position - before)
            before = position
            yield block
            self.segments += len(block)
            del block  # with `taken`, so that the next block is not read beside this one
            taken.clear()

    def read(self) -> Segments:
        """Read all segments."""
        whole = Segments({name: [] for name in self.systems}, [], [] if self.has_sources else None)
        ids: dict[str, list[str]] = {file.table.name: [] for file in self._files if file.ids is not None}
        for block in self.blocks():
            for file, column in block.ids.items():
                ids[file] += counts.column_strings(column)
            for name, column in block.hypotheses.items():
                whole.systems[name] += counts.column_strings(column)
            if block.references is not None:
                whole.references.extend(tuple(map(str, texts)) for texts in block.references.unpack())
            if whole.sources is not None and block.sources is not None:
                whole.sources.extend(counts.column_strings(block.sources))
        return replace(whole, ids=self._shared_ids(ids), notes=self.notes)

    def _shared_ids(self, ids: Mapping[str, list[str]]) -> list[str] | None:
        """Return the ids, if there are any, they are good, and all files have the same."""
        if not ids or any(file.ids.notes for file in self._files if file.ids is not None):
            return None
        (first, names), *others = ids.items()
        for other, other_names in others:
            for number, (name, other_name) in enumerate(zip(names, other_names, strict=True), start=1):
                if name != other_name:
                    problem = f"segment {number} is {name!r} in {first}, but {other_name!r} in {other}"
                    if "id" in self._columns:
                        raise DataFileError(other, f"{problem}; sort the files alike")
                    self._notes.append(f"{problem}, so segments are numbered")
                    return None
        return names

    def _block(self, taken: Sequence[list[counts.Column]], bytes_read: int) -> Block:
        hypotheses: dict[str, counts.Column] = {}
        references: list[counts.Column] = []
        sources: counts.Column | None = None
        ids: dict[str, counts.Column] = {}
        for file, columns in zip(self._files, taken, strict=True):
            hypotheses |= zip(file.systems, columns, strict=False)
            rest = columns[len(file.systems) :]
            if file.columns.source is not None:
                sources, *rest = rest
            if file.ids is not None:
                *rest, ids[file.table.name] = rest
            references += rest
        grouped = counts.columns_side_by_side(references) if len(references) > 1 else next(iter(references), None)
        return Block(hypotheses, grouped, sources, bytes_read, ids)

    def _add_system(self, name: str, path: PathLike, *, references: bool, source: bool) -> None:
        if not is_table(path):
            if references and self._needs_references:
                raise DataFileError(name_of(path), "it needs references; pass reference files (-r on the command line)")
            self._add(path, ("hypothesis",)).systems = [name]
            return
        taken = set(self.systems)
        others = ("reference",) if references else ()
        needed, optional = (others, ()) if self._needs_references else ((), others)
        file = self._add(path, ("hypothesis", *needed), (*optional, *(("source",) if source else ())))
        columns = file.columns.hypotheses
        names = columns if references or len(columns) > 1 else (name,)
        file.systems = [f"{name} {system}" if system in taken else system for system in names]

    def _add(self, path: PathLike, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> _File:
        named: ColumnNames = dict.fromkeys(needed, "")  # what the column of a text file is called
        if is_table(path):
            optional = (*optional, "id") if self._wants_ids else optional
            self._roles.update((*needed, *optional))
            named = self._columns
        table = _open(path, errors=self._errors)
        self._stack.callback(table.close)
        columns = choose_columns(table.name, table.names, named, needed=needed, optional=optional)
        ids = None if columns.id is None else _Ids(table, columns.id, required="id" in self._columns)
        self._files.append(_File(table, columns, ids))
        return self._files[-1]


def read_text(path: PathLike, *, errors: str = "strict") -> TextFile:
    """Read the segments of a file, which may be compressed; `-` is standard input.

    >>> import bleuprint
    >>> sample = bleuprint.__file__.replace("__init__.py", "dataset/sample/")
    >>> len(read_text(sample + "ref-1.txt"))
    48
    """
    return read_parallel([path], errors=errors)[0]


def read_parallel(paths: Iterable[PathLike], *, errors: str = "strict") -> list[TextFile]:
    """Read parallel text files, which must have the same number of lines."""
    with ExitStack() as stack:
        tables = [stack.enter_context(closing(LineTable(path, errors=errors))) for path in check_paths(paths)]
        segments: list[list[str]] = [[] for _ in tables]
        for taken in _in_step([_File(table, Columns(hypotheses=table.names)) for table in tables]):
            for lines, (column,) in zip(segments, taken, strict=True):
                lines += counts.column_strings(column)
    files = zip(tables, segments, strict=True)
    return [TextFile(table.name, tuple(lines), tuple(table.notes)) for table, lines in files]


def text_blocks(
    path: PathLike,
    *,
    column: str | None = None,
    errors: str = "strict",
    progress: Callable[[int], object] | None = None,
) -> Iterator[counts.Column]:
    """Yield the texts of a file, a few megabytes at a time: its lines, or one column of a table.

    The column is named 'text' or 'content' unless `column` says otherwise; a table with one column needs no name.
    `progress` is called with the bytes that were read for each block, after it was used.
    """
    if column is not None and not is_table(path):
        raise OptionError("column", f"None for {path}, which has lines and no columns", column)
    with closing(_open(path, errors=errors)) as table:
        name = text_column(table) if column is None else column
        if name not in table.names:
            raise unknown_column(table.name, table.names, name)
        table.select([name])
        before = 0
        for batch in table.batches():
            yield batch.column(name, groups=False)
            if progress is not None:
                progress(table.position - before)
            before = table.position


def text_column(table: Table) -> str:
    """The column that holds the texts."""
    usual = [name for name in table.names if name.strip().lower() in _USUAL_TEXT_COLUMNS]
    if len(usual) == 1 or len(table.names) == 1:
        return usual[0] if usual else table.names[0]
    listed = ", ".join(map(repr, table.names))
    raise DataFileError(
        table.name, f"which column holds the texts? choose one of {listed}: --column NAME (column=NAME)"
    )
