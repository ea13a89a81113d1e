"""Tables of several systems, joined by the ids of their rows; or by position, if none of them has ids."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar

from bleuprint.core import counts
from bleuprint.dataset.collection import Dataset
from bleuprint.dataset.columns import (
    USUAL_NAMES,
    ColumnNames,
    Columns,
    choose_columns,
    id_fault,
    missing_cell,
    named_roles,
    unpack_lists,
)
from bleuprint.dataset.logs import LogRow, harness_rows, is_harness_row
from bleuprint.dataset.opening import PathLike, check_paths
from bleuprint.dataset.stream import Segments, open_table
from bleuprint.dataset.tables import Row, Table, column_fault
from bleuprint.errors import DataFileError, LineCountError, OptionError

Value = TypeVar("Value")


_Key = tuple[Hashable, int]  # an id and how often it was seen before; without ids, the position and 0


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A row, and where it stands."""

    file: str
    place: str
    line: int
    cells: Row

    def __str__(self) -> str:
        return f"{self.file}, {self.place} {self.line}"

    def error(self, problem: str) -> DataFileError:
        return DataFileError(self.file, problem, line=self.line, place=self.place)

    def value(self, column: str) -> object:
        value: object = self.cells
        for part in (column,) if column in self.cells else column.split("."):
            if not isinstance(value, Mapping) or part not in value:
                raise self.error(missing_cell(self.cells, column))
            value = value[part]
        return value

    def text(self, column: str) -> str:
        return self._texts(column, groups=False)[0]

    def references(self, columns: Sequence[str]) -> tuple[str, ...]:
        return tuple(text for column in columns for text in self._texts(column, groups=True))

    def _texts(self, column: str, *, groups: bool) -> list[str]:
        try:
            cell = counts.column([self.value(column)], groups=groups, tokenized=False)
        except counts.Fault as fault:
            raise column_fault(fault, self.file, column, self.line, groups=groups, place=self.place) from None
        return counts.column_strings(cell.flattened())

    def score(self, column: str) -> float:
        value = self.value(column)
        if isinstance(value, str):  # .csv and .tsv have nothing else
            try:
                value = float(value)
            except ValueError:
                raise self.error(f"{column!r} must be a number, got {value!r}") from None
        if not isinstance(value, int | float):
            raise self.error(f"{column!r} must be a number, got {_kind(value)}")
        if not math.isfinite(value):
            raise self.error(f"{column!r} must be a finite number, got {value}")
        return float(value)

    def label(self, column: str) -> Hashable:
        value = self.value(column)
        if value == "" or not isinstance(value, str | int | float) or value != value:
            raise self.error(f"{column!r} must be a label for the cluster, got {_kind(value)}")
        return value


@dataclass(frozen=True, slots=True)
class _System:
    """The rows of one system by key."""

    file: str
    columns: Columns
    rows: Mapping[_Key, PlacedRow]


def join_tables(
    paths: Mapping[str, PathLike],
    *,
    columns: ColumnNames | None = None,
    texts: bool = True,
    scores: Sequence[str] = (),
    cluster: str | None = None,
    repeat_of: str | None = None,
    needs_references: bool = True,
    logged: bool = False,
    errors: str = "strict",
) -> Segments:
    """Read one table per system, or one with a column that names the system of each row, and join their rows.

    - `columns`: the columns of each role, if they have uncommon names; see `Dataset.from_dicts`. The role "system" is
      the column that names systems; with `scores`, a column of that name is recognized.
    - `texts`: whether hypotheses and references are needed, the latter only with `needs_references`
    - `scores`: columns with numbers
    - `cluster`: a column with a label per row; `a.b` is the key b of an object in column a
    - `repeat_of`: a column with the id of an item of which each system has several rows
    - `logged`: whether to read the scores that a log holds instead of its texts

    Rows with the same id belong together. Every id must appear in every file, once unless `repeat_of` is given, and
    with the same references. Without ids, rows belong together by their position.
    """
    check_paths(paths.values())
    by_system = "system" in named_roles(columns) or (len(paths) == 1 and len(scores) > 0)
    if by_system and len(paths) > 1:
        raise OptionError("columns", "a mapping without 'system' if there are several files", columns)
    roles_of_texts = ("hypothesis", "reference", "source") if texts else ()
    needed = roles_of_texts[: 2 if needs_references else 1]
    optional = (*roles_of_texts[len(needed) :], "id", *(("system",) if by_system else ()))
    files: dict[str, _System] = {}
    notes: list[str] = []
    for name, path in paths.items():
        with closing(open_table(path, errors=errors)) as table:
            rows = place_rows(table)
            if logged and not files and (scores := _logged_scores(rows)):
                texts, needed, optional = False, (), tuple(role for role in optional if role in ("id", "system"))
                notes.append(f"{table.name}: compared by the scores in the log, {', '.join(scores)}; -m reads texts")
            given = {**(columns or {}), **({} if repeat_of is None else {"id": repeat_of})}
            roles = choose_columns(table.name, tuple(rows[0].cells), given, needed=needed, optional=optional)
            cells = [row.cells for row in rows]
            notes += unpack_lists(table.name, cells, roles.references, roles.hypotheses)
            parts = {name: rows} if roles.system is None else _by_system(rows, roles.system)
            for system, own in parts.items():
                by_key = _by_key(own, roles.id, repeats=repeat_of is not None)
                place = table.name if roles.system is None else f"{table.name} for {system}"
                files[system] = _System(place, roles, by_key)
    first, *others = files.values()
    for other in others:
        _check_keys(first, other)
    keys = list(first.rows)
    notes = list(dict.fromkeys([*(note for file in files.values() for note in file.columns.notes), *notes]))
    systems: dict[str, list[str]] = {}
    references: list[tuple[str, ...]] = []
    if texts:
        for name, file in files.items():
            hypotheses = file.columns.hypotheses
            several = len(files) > 1 or file.columns.system is not None
            if several and len(hypotheses) > 1:
                raise OptionError(
                    "columns", "a mapping with one column of hypotheses if there are several systems", columns
                )
            for column in hypotheses:
                systems[name if several else column] = [file.rows[key].text(column) for key in keys]
        if any(file.columns.references for file in files.values()):
            problem = "its references differ from those"
            references = _agree(first, others, lambda row, roles: row.references(roles.references), problem)
    labels = cluster or repeat_of
    return Segments(
        systems,
        references,
        _sources(files, keys, notes) if texts else None,
        None
        if first.columns.id is None
        else [f"{identity} ({earlier + 1})" if earlier else str(identity) for identity, earlier in keys],
        {
            column: {name: [file.rows[key].score(column) for key in keys] for name, file in files.items()}
            for column in scores
        },
        None
        if labels is None
        else _agree(first, others, lambda row, _: row.label(labels), f"its {labels!r} differs from that"),
        notes,
    )


def read_apart(path: PathLike, columns: ColumnNames, system: str, *, errors: str = "strict") -> dict[str, Dataset]:
    """The items of each system that a table names; systems need not have the same."""
    with closing(open_table(path, errors=errors)) as table:
        parts = _by_system(place_rows(table), system)
    return {
        name: Dataset.from_dicts([row.cells for row in own], columns, name=table.name) for name, own in parts.items()
    }


def find_systems(path: PathLike, *, errors: str = "strict") -> tuple[str, list[str]] | None:
    """The column of a table that is called as one of systems usually is, and whom it names; None without one."""
    with closing(open_table(path, errors=errors)) as table:
        columns = [name for name in table.names if name.strip().lower() in USUAL_NAMES["system"]]
        if len(columns) != 1:
            return None
        table.select(columns)
        cells = (str(name) for batch in table.batches() for _, name in batch.values(columns[0]))
        return columns[0], list(dict.fromkeys(cells))


def place_rows(table: Table) -> list[PlacedRow]:
    """Return all rows of a table and where they stand."""
    place = "line"
    numbered: list[tuple[int, Row]] = []
    for batch in table.batches():
        place = batch.place
        numbered += batch.rows()
    if is_harness_row(numbered[0][1]):
        numbered = harness_rows(table.name, numbered)
    return [PlacedRow(table.name, place, line, cells) for line, cells in numbered]


def _logged_scores(rows: Sequence[PlacedRow]) -> list[str]:
    """The columns that are scores in every row of a log; none if a table is no log."""
    known = [row.cells.scores if isinstance(row.cells, LogRow) else () for row in rows]
    return [name for name in known[0] if all(name in names for names in known)]


def _by_system(rows: Sequence[PlacedRow], column: str) -> dict[str, list[PlacedRow]]:
    """Return the rows of each system, in the order in which the systems first appear."""
    systems: dict[str, list[PlacedRow]] = {}
    for row in rows:
        name = row.cells.get(column)
        if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
            raise row.error(f"{column!r} must be the name of a system, got {_kind(name)}")
        systems.setdefault(str(name), []).append(row)
    return systems


def _by_key(rows: Sequence[PlacedRow], column: str | None, *, repeats: bool) -> dict[_Key, PlacedRow]:
    """Return the rows by key; an id that was used before is a fault unless items repeat."""
    if column is None:
        return {(position, 0): row for position, row in enumerate(rows)}
    seen: dict[Hashable, list[PlacedRow]] = {}
    by_key = {}
    for row in rows:
        identity = row.cells.get(column)
        fault = id_fault(identity)
        if fault is not None:
            raise row.error(f"{column!r} {fault}")
        earlier = seen.setdefault(identity, [])
        if earlier and not repeats:
            raise row.error(
                f"{column} {identity!r} was already used in {row.place} {earlier[0].line}; if each system answered an "
                f"item several times, use --repeat-of {column} on the command line, repeat_of={column!r} in Python"
            )
        by_key[identity, len(earlier)] = row
        earlier.append(row)
    return by_key


def _check_keys(first: _System, other: _System) -> None:
    if (first.columns.id is None) != (other.columns.id is None):
        without, with_ids = (first, other) if first.columns.id is None else (other, first)
        problem = f"it has no ids, but {with_ids.file} has them in column {with_ids.columns.id!r}"
        raise DataFileError(without.file, f"{problem}; add them, or name the column with --id-column")
    if first.columns.id is None:
        if len(first.rows) != len(other.rows):
            raise LineCountError(first.file, len(first.rows), other.file, len(other.rows), unit="rows")
        return
    for one, two in ((first, other), (other, first)):
        for (identity, repetition), row in one.rows.items():
            if (identity, repetition) not in two.rows:
                missing = f"appears only {repetition} times" if repetition else "does not appear"
                problem = f"{one.columns.id} {identity!r} {missing} in {two.file}; every system needs the same items"
                raise row.error(problem)


def _sources(files: Mapping[str, _System], keys: Sequence[_Key], notes: list[str]) -> list[str] | None:
    found = [
        [file.rows[key].value(file.columns.source) for key in keys]
        for file in files.values()
        if file.columns.source is not None
    ]
    if not found:
        return None
    sources = [text for text in found[0] if isinstance(text, str)]
    if any(other != sources for other in found):
        notes.append("the sources are not the same texts in all files, so none were read")
        return None
    return sources


def _agree(
    first: _System, others: Sequence[_System], read: Callable[[PlacedRow, Columns], Value], problem: str
) -> list[Value]:
    """What the first file says of each row, after checking that the others say the same."""
    values = {key: read(row, first.columns) for key, row in first.rows.items()}
    for other in others:
        for key, expected in values.items():
            if read(other.rows[key], other.columns) != expected:
                raise other.rows[key].error(f"{problem} in {first.rows[key]}")
    return list(values.values())


def _kind(value: object) -> str:
    return "nothing" if value in (None, "") or value != value else type(value).__name__
