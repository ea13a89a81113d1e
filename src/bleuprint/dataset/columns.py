"""Assign table columns to roles: named by the user, or recognized by common names and reported."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import DataFileError, OptionError

ColumnNames = Mapping[str, str | Sequence[str]]

# Common column names by role. All of them can also be used as keys of a `columns` mapping.
USUAL_NAMES = {
    "hypothesis": (
        *("hypothesis", "hypotheses", "hyp", "prediction", "predictions", "actual_output", "output", "candidate"),
        *("response", "completion"),  # ragas, OpenAI evals
        *("simple", "simplification"),  # with the sources as "original"
    ),
    "reference": ("reference", "references", "ref", "target", "targets", "expected_output", "ideal", "expected"),
    "source": ("source", "sources", "src", "query", "input", "user_input", "original"),
    "id": ("id",),
    "system": ("system",),
}
_ROLES = {name: role for role, names in USUAL_NAMES.items() for name in names}
_ONE_COLUMN = {"source", "id", "system"}


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns assigned to each role, and notes on how they were found."""

    hypotheses: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    source: str | None = None
    id: str | None = None
    system: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """All assigned columns."""
        return (*self.hypotheses, *self.references, *(name for name in (self.source, self.id) if name is not None))


def choose_columns(
    file: str,
    names: Sequence[str],
    given: ColumnNames | None = None,
    *,
    needed: Collection[str] = ("hypothesis", "reference"),
    optional: Collection[str] = ("source", "id"),
) -> Columns:
    """Return the columns for each role; `given` maps roles to column names.

    >>> choose_columns("data.csv", ["id", "prediction", "target"]).references
    ('target',)
    """
    assigned, notes = assign_columns(
        file,
        names,
        named_roles(given),
        needed=needed,
        optional=optional,
        option=lambda role: f"--{role}-column NAME on the command line, columns={{{role!r}: NAME}} in Python",
    )
    single = {role: assigned[role][0] for role in _ONE_COLUMN & assigned.keys()}
    return Columns(assigned.get("hypothesis", ()), assigned.get("reference", ()), **single, notes=tuple(notes))


def assign_columns(
    file: str,
    names: Sequence[str],
    named: Mapping[str, tuple[str, ...]],
    *,
    needed: Collection[str],
    optional: Collection[str],
    option: Callable[[str], str],
    usual: Mapping[str, Collection[str]] = USUAL_NAMES,
    reserved: Collection[str] = (),
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return the columns by role, those in `named` or else those with a usual name, and notes on how they were found.

    `option` says how the column of a role is named, for the error about a role without one. Columns in `reserved` have
    no role unless they are named.
    """
    assigned: dict[str, tuple[str, ...]] = {}
    guessed, notes = [], []
    taken = {*reserved, *(name for columns in named.values() for name in columns)}
    for role in (*needed, *optional):
        if role in named:
            for column in named[role]:
                if column not in names:
                    raise unknown_column(file, names, column)
            assigned[role] = named[role]
            continue
        candidates = [name for name in names if name.strip().lower() in usual[role] and name not in taken]
        if len(candidates) == 1:
            assigned[role] = (candidates[0],)
            guessed.append(f"{_plural(role)} from column {candidates[0]!r}")
        elif role in needed:
            problem = f"no column is recognized as {_plural(role)}; choose from {_enumerate(names)}: {option(role)}"
            if candidates:
                several = _enumerate(candidates, "or")
                problem = f"the {_plural(role)} could be in column {several}; choose one: {option(role)}"
            raise DataFileError(file, problem)
        elif candidates:
            notes.append(f"{file}: {_plural(role)} could be in {_enumerate(candidates, 'or')}, so none were read")
    if guessed:
        notes.insert(0, f"{file}: {', '.join(guessed)}")
    return assigned, notes


def named_roles(given: ColumnNames | None) -> dict[str, tuple[str, ...]]:
    """Return the columns named by the user, by role.

    >>> named_roles({"actual_output": "mt", "reference": ["ref-a", "ref-b"]})
    {'hypothesis': ('mt',), 'reference': ('ref-a', 'ref-b')}
    """
    named: dict[str, tuple[str, ...]] = {}
    for key, value in (given or {}).items():
        if key not in _ROLES:
            raise OptionError("columns", f"a mapping with keys among {', '.join(USUAL_NAMES)}", key)
        role, columns = _ROLES[key], (value,) if isinstance(value, str) else tuple(value)
        if role in named or not columns or len(set(columns)) < len(columns):
            raise OptionError("columns", f"a mapping that names each column of {_plural(role)} once", given)
        if role in _ONE_COLUMN and len(columns) > 1:
            raise OptionError("columns", f"a mapping with one column of {_plural(role)}", value)
        named[role] = columns
    return named


def id_fault(value: object) -> str | None:
    """Say why a value cannot be the id of a segment; None if it can.

    >>> id_fault("q-7"), id_fault(1.5)
    (None, 'must be a text or an integer that names the segment, got float')
    """
    if isinstance(value, str | Integral) and not isinstance(value, bool) and value != "":
        return "holds a lone surrogate" if isinstance(value, str) and has_surrogate(value) else None
    kind = "nothing" if value is None or isinstance(value, str) else type(value).__name__
    return f"must be a text or an integer that names the segment, got {kind}"


def unknown_column(file: str, names: Sequence[str], column: str) -> DataFileError:
    """Return the error about a column that a table does not have."""
    return DataFileError(file, f"it has no column {column!r}; its columns are {_enumerate(names)}")


def missing_cell(row: Mapping[str, object], column: str, subject: str = "it") -> str:
    """Say that a row lacks a column, and what it has."""
    return f"{subject} has no {column!r}; it has {', '.join(map(repr, row)) or 'nothing'}"


def _plural(role: str) -> str:
    return "hypotheses" if role == "hypothesis" else f"{role}s"


def _enumerate(names: Sequence[str], last: str = "and") -> str:
    shown = [repr(name) for name in names[:30]] + (["…"] if len(names) > 30 else [])
    return f" {last} ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else "".join(shown) or "none"


class ListColumn:
    """A column in which every cell may be a list of texts written as text, as tables without lists hold them.

    The first cells read decide whether they are; later ones must not differ. Where the columns `beside` it, those of
    hypotheses, hold lists too, lists are what is scored, and they stay texts.
    """

    def __init__(self, file: str, name: str, beside: Sequence[str] = ()) -> None:
        self.file, self.name, self._beside = file, name, beside
        self._has_lists: bool | None = None  # unknown before the first cells
        self.notes: list[str] = []

    def parse(self, cells: Callable[[str], Iterable[tuple[int, object]]], place: str) -> list[list[str]] | None:
        """Return the texts in each cell, None if cells are no lists; `cells` returns lines and values of a column."""
        if self._has_lists is None:
            self._has_lists = _holds_lists(cells(self.name))
            other = next((name for name in self._beside if self._has_lists and _holds_lists(cells(name))), None)
            if other is not None:
                self._has_lists = False
                self.notes.append(f"{self.file}: {self.name!r} and {other!r} hold lists, which are scored as texts")
            elif self._has_lists:
                note = f"{self.file}: every cell of {self.name!r} is a list, so each text in it is a reference"
                self.notes.append(note)
        if not self._has_lists:
            return None
        lists = []
        for line, cell in cells(self.name):
            texts = parse_list(cell)
            if texts is None:
                problem = f"{self.name!r} is no list, but all cells before are lists; write it as one, ['…']"
                raise DataFileError(self.file, problem, line=line, place=place)
            lists.append(texts)
        return lists


def _holds_lists(cells: Iterable[tuple[int, object]]) -> bool:
    return all(parse_list(cell) is not None for _, cell in cells)


def parse_list(cell: object) -> list[str] | None:
    """Return the texts of a list written as JSON or as Python prints it; None for everything else.

    >>> parse_list("['a cat', \\"the dog's\\"]"), parse_list('["x"]'), parse_list("[1]"), parse_list("a")
    (['a cat', "the dog's"], ['x'], None, None)
    """
    if not isinstance(cell, str) or not (cell.startswith("[") and cell.endswith("]")):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            texts = read(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if (
            isinstance(texts, list)
            and texts
            and all(isinstance(text, str) and not has_surrogate(text) for text in texts)
        ):
            return texts
    return None


def unpack_columns(
    file: str, columns: dict[str, list[Any]], names: Sequence[str], beside: Sequence[str] = ()
) -> list[str]:
    """Put lists in the place of cells that are lists written as text; return notes on them."""
    readers = [ListColumn(file, name, beside) for name in names if columns[name]]
    for reader in readers:
        columns[reader.name] = reader.parse(lambda name: enumerate(columns[name]), "row") or columns[reader.name]
    return [note for reader in readers for note in reader.notes]


def unpack_lists(
    file: str, rows: Sequence[dict[str, Any]], names: Sequence[str], beside: Sequence[str] = ()
) -> list[str]:
    """The same for rows."""
    columns = {name: [row.get(name) for row in rows] for name in (*names, *beside)}
    notes = unpack_columns(file, columns, names, beside)
    for name in names:
        for row, cell in zip(rows, columns[name], strict=True):
            if name in row:
                row[name] = cell
    return notes
