"""Tables of several systems, joined by the ids of their rows; or by position, if none of them has ids."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeVar

from bleuprint.dataset.columns import ColumnNames, Columns, choose_columns, id_fault, named_roles
from bleuprint.dataset.logs import harness_rows, is_harness_row
from bleuprint.dataset.opening import PathLike, check_paths
from bleuprint.dataset.stream import Segments, open_table
from bleuprint.dataset.tables import Row, Table
from bleuprint.errors import DataFileError, LineCountError, OptionError

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a file with their lines, by key: the id and how often it was seen before, or the position."""

    file: str
    place: str
    columns: Columns
    by_key: dict[Hashable, tuple[int, Row]]

    def add(self, numbered: Sequence[tuple[int, Row]], *, repeats: bool) -> None:
        """Add rows; an id that was used before is a fault unless items repeat."""
        column = self.columns.id
        if column is None:
            self.by_key.update(enumerate(numbered))
            return
        seen: dict[Hashable, list[int]] = {}
        for line, row in numbered:
            identity = row.get(column)
            fault = id_fault(identity)
            if fault is not None:
                raise DataFileError(self.file, f"{column!r} {fault}", line=line, place=self.place)
            earlier = seen.setdefault(identity, [])
            if earlier and not repeats:
                problem = (
                    f"{column} {identity!r} was already used in {self.place} {earlier[0]}; if each system answered an "
                    f"item several times, use --repeat-of {column} on the command line, repeat_of={column!r} in Python"
                )
                raise DataFileError(self.file, problem, line=line, place=self.place)
            self.by_key[identity, len(earlier)] = line, row
            earlier.append(line)

    def error(self, key: Hashable, problem: str) -> DataFileError:
        return DataFileError(self.file, problem, line=self.by_key[key][0], place=self.place)

    def where(self, key: Hashable) -> str:
        return f"{self.file}, {self.place} {self.by_key[key][0]}"

    def value(self, key: Hashable, column: str) -> Any:
        row = self.by_key[key][1]
        value: Any = row
        for part in (column,) if column in row else column.split("."):
            if not isinstance(value, Mapping) or part not in value:
                raise self.error(key, f"it has no {column!r}; it has {', '.join(map(repr, row)) or 'nothing'}")
            value = value[part]
        return value

    def text(self, key: Hashable, column: str) -> str:
        value = self.value(key, column)
        if not isinstance(value, str):
            raise self.error(key, f"{column!r} must be a text, got {_kind(value)}")
        return value

    def references(self, key: Hashable) -> tuple[str, ...]:
        texts: list[str] = []
        for column in self.columns.references:
            value = self.value(key, column)
            for text in value if isinstance(value, list) else [value]:
                if not isinstance(text, str):
                    raise self.error(key, f"{column!r} must be a text or a list of texts, got {_kind(text)}")
                texts.append(text)
        if not texts:
            raise self.error(key, "it holds no reference; drop the row, or use an empty text")
        return tuple(texts)

    def score(self, key: Hashable, column: str) -> float:
        value = self.value(key, column)
        if isinstance(value, str):  # .csv and .tsv have nothing else
            try:
                value = float(value)
            except ValueError:
                raise self.error(key, f"{column!r} must be a number, got {value!r}") from None
        if not isinstance(value, int | float):
            raise self.error(key, f"{column!r} must be a number, got {_kind(value)}")
        if not math.isfinite(value):
            raise self.error(key, f"{column!r} must be a finite number, got {value}")
        return float(value)

    def label(self, key: Hashable, column: str) -> Hashable:
        value = self.value(key, column)
        if value is None or value == "" or not isinstance(value, str | int | float) or value != value:
            raise self.error(key, f"{column!r} must be a label for the cluster, got {_kind(value) or 'nothing'}")
        return value


def join_tables(
    paths: Mapping[str, PathLike],
    *,
    columns: ColumnNames | None = None,
    texts: bool = True,
    scores: Sequence[str] = (),
    cluster: str | None = None,
    repeat_of: str | None = None,
    needs_references: bool = True,
    errors: str = "strict",
) -> Segments:
    """Read one table per system, or one with a column that names the system of each row, and join their rows.

    - `columns`: the columns of each role, if they have uncommon names; see `Dataset.from_dicts`. The role "system" is
      the column that names systems; with `scores`, a column of that name is recognized.
    - `texts`: whether hypotheses and references are needed, the latter only with `needs_references`
    - `scores`: columns with numbers
    - `cluster`: a column with a label per row; `a.b` is the key b of an object in column a
    - `repeat_of`: a column with the id of an item of which each system has several rows

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
    files: dict[str, _Rows] = {}
    for name, path in paths.items():
        with closing(open_table(path, errors=errors)) as table:
            numbered, place = numbered_rows(table)
            given = {**(columns or {}), **({} if repeat_of is None else {"id": repeat_of})}
            roles = choose_columns(table.name, tuple(numbered[0][1]), given, needed=needed, optional=optional)
            parts = {name: numbered} if roles.system is None else _by_system(table.name, place, roles.system, numbered)
            for system, rows in parts.items():
                files[system] = _Rows(table.name, place, roles, {})
                files[system].add(rows, repeats=repeat_of is not None)
    first, *others = files.values()
    for other in others:
        _check_keys(first, other)
    keys = list(first.by_key)
    notes = list(dict.fromkeys(note for file in files.values() for note in file.columns.notes))
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
                systems[name if several else column] = [file.text(key, column) for key in keys]
        if any(file.columns.references for file in files.values()):
            references = _agree(
                first, others, lambda file, key: file.references(key), "its references differ from those"
            )
    return Segments(
        systems,
        references,
        _sources(files, keys, notes) if texts else None,
        None if first.columns.id is None else [_name(*key) for key in keys if isinstance(key, tuple)],
        {
            column: {name: [file.score(key, column) for key in keys] for name, file in files.items()}
            for column in scores
        },
        _clusters(first, others, cluster or repeat_of),
        notes,
    )


def numbered_rows(table: Table) -> tuple[list[tuple[int, Row]], str]:
    """Return all rows with their lines, and what a line is called."""
    place = "line"
    numbered: list[tuple[int, Row]] = []
    for batch in table.batches():
        place = batch.place
        numbered += batch.rows()
    if is_harness_row(numbered[0][1]):
        numbered = list(zip(*harness_rows(table.name, numbered), strict=True))
    return numbered, place


def _by_system(
    file: str, place: str, column: str, numbered: Sequence[tuple[int, Row]]
) -> dict[str, list[tuple[int, Row]]]:
    """Return the rows of each system, in the order in which the systems first appear."""
    systems: dict[str, list[tuple[int, Row]]] = {}
    for line, row in numbered:
        name = row.get(column)
        if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
            problem = f"{column!r} must be the name of a system, got {_kind(name)}"
            raise DataFileError(file, problem, line=line, place=place)
        systems.setdefault(str(name), []).append((line, row))
    return systems


def _name(identity: Hashable, earlier: int) -> str:
    return f"{identity} ({earlier + 1})" if earlier else str(identity)


def _check_keys(first: _Rows, other: _Rows) -> None:
    if (first.columns.id is None) != (other.columns.id is None):
        without, with_ids = (first, other) if first.columns.id is None else (other, first)
        problem = f"it has no ids, but {with_ids.file} has them in column {with_ids.columns.id!r}"
        raise DataFileError(without.file, f"{problem}; add them, or name the column with --id-column")
    if first.columns.id is None:
        if len(first.by_key) != len(other.by_key):
            raise LineCountError(first.file, len(first.by_key), other.file, len(other.by_key), unit="rows")
        return
    for one, two in ((first, other), (other, first)):
        for key in one.by_key:
            if key not in two.by_key:
                identity, repetition = key if isinstance(key, tuple) else (key, 0)
                missing = f"appears only {repetition} times" if repetition else "does not appear"
                problem = f"{one.columns.id} {identity!r} {missing} in {two.file}; every system needs the same items"
                raise one.error(key, problem)


def _sources(files: Mapping[str, _Rows], keys: Sequence[Hashable], notes: list[str]) -> list[str] | None:
    found = {
        name: [file.value(key, file.columns.source) for key in keys]
        for name, file in files.items()
        if file.columns.source is not None
    }
    if not found:
        return None
    sources = next(iter(found.values()))
    if any(other != sources for other in found.values()) or not all(isinstance(text, str) for text in sources):
        notes.append("the sources are not the same texts in all files, so none were read")
        return None
    return sources


def _clusters(first: _Rows, others: Sequence[_Rows], column: str | None) -> list[Hashable] | None:
    if column is None:
        return None
    return _agree(first, others, lambda file, key: file.label(key, column), f"its {column!r} differs from that")


def _agree(
    first: _Rows, others: Sequence[_Rows], read: Callable[[_Rows, Hashable], Value], problem: str
) -> list[Value]:
    """What the first file says of each row, after checking that the others say the same."""
    values = [read(first, key) for key in first.by_key]
    for other in others:
        for key, expected in zip(first.by_key, values, strict=True):
            if read(other, key) != expected:
                raise other.error(key, f"{problem} in {first.where(key)}")
    return values


def _kind(value: object) -> str:
    return "nothing" if value in (None, "") else type(value).__name__
