"""Read a table of ratings: find the columns of each role, and turn rows into one value per output."""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any, TypeVar

from bleuprint import checks
from bleuprint.core.arrays import Floats, np
from bleuprint.core.unicode import has_surrogate
from bleuprint.dataset.arrow import columns_in_memory
from bleuprint.dataset.columns import USUAL_NAMES, assign_columns, id_fault, unknown_column, unpack_lists
from bleuprint.dataset.joining import PlacedRow, place_rows
from bleuprint.dataset.stream import open_table
from bleuprint.dataset.tables import Row
from bleuprint.errors import DataFileError, InputError, LengthMismatchError, NotTextError, OptionError
from bleuprint.ratings.table import Judgements, Names, Ratings

Value = TypeVar("Value")

FEWEST_SEGMENTS = 3  # two points always lie on a line

_USUAL = {
    "segment": ("segment", "segment_id", "seg_id", "item", "item_id", "id"),
    "system": ("system", "system_id", "model"),
    "rater": ("rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id"),
    "hypothesis": (*USUAL_NAMES["hypothesis"], "translation"),
    "reference": USUAL_NAMES["reference"],
    "source": USUAL_NAMES["source"],
}
_GAPS = {"", "na", "n/a", "nan", "none", "null"}  # None is what mt-metrics-eval writes, an empty field what pandas does
_TRUTH = {"true": 1.0, "false": 0.0}
_LARGEST = 1e100  # in size: sums of squares stay finite


def read(
    table: object,
    human: Names,
    columns: Mapping[str, Names | None],
    scores: Names | Mapping[str, Sequence[float | None]],
    group: Names,
    lower_is_better: Names,
    errors: str,
) -> Ratings:
    """Read ratings; `columns` names the column of each role, None for one that is found by its usual name."""
    human, group = names_of("human", human), names_of("group", group)
    lower = names_of("lower_is_better", lower_is_better)
    if not human:
        raise OptionError("human", "the name of at least one column with ratings", human)
    given: dict[str, Sequence[float | None] | None] = dict.fromkeys(names_of("scores", scores))
    if isinstance(scores, Mapping):
        given |= scores
    for name in lower:
        if name not in (*human, *given):
            known = ", ".join((*human, *given))
            raise OptionError("lower_is_better", f"names of columns with ratings or scores ({known})", name)
    rows, notes_on_file = _read_rows(table, errors)
    file = rows[0].file
    names = tuple(dict.fromkeys(column for row in rows for column in row.cells))
    from_table = [name for name, values in given.items() if values is None]
    for column in (*human, *group, *from_table):
        if column not in names:
            raise unknown_column(file, names, column)
    has_systems = columns["system"] is not None or any(name.strip().lower() in _USUAL["system"] for name in names)
    needed = ("segment",) if has_systems else ()
    roles, notes = assign_columns(
        file,
        names,
        {role: _columns_of(role, name) for role, name in columns.items() if name is not None},
        needed=needed,
        optional=[role for role in _USUAL if role not in needed],
        option=lambda role: f"--{role} NAME on the command line, {role}=NAME in Python",
        usual=_USUAL,
        reserved=(*human, *from_table),
    )
    cells = [row.cells for row in rows]
    notes += unpack_lists(file, cells, roles.get("reference", ()), roles.get("hypothesis", ()))
    single = {role: assigned[0] for role, assigned in roles.items() if role != "reference"}
    outputs = _Outputs.of(rows, single.get("segment"), single.get("system"))
    segments, systems = (
        {name: number for number, name in enumerate(dict.fromkeys(labels))}
        for labels in zip(*outputs.keys, strict=True)
    )
    rater_of_row = outputs.raters(single.get("rater"))
    judgements = {column: outputs.judgements(column, rater_of_row) for column in human}
    return Ratings(
        name=file,
        segments=tuple(segments),
        systems=tuple(systems),
        segment=np.array([segments[segment] for segment, _ in outputs.keys], dtype=np.intp),
        system=np.array([systems[system] for _, system in outputs.keys], dtype=np.intp),
        human={column: _mean_ratings(judgements[column], len(outputs.keys)) for column in human},
        judgements=judgements,
        scores={name: outputs.scores(name, values) for name, values in given.items()},
        groups={column: outputs.labels(column) for column in group},
        lower_is_better=frozenset(lower),
        hypotheses=outputs.texts(single["hypothesis"]) if "hypothesis" in single else None,
        references=outputs.references(roles["reference"]) if "reference" in roles else None,
        sources=outputs.texts(single["source"]) if "source" in single else None,
        notes=(*notes, *notes_on_file),
    )


def _columns_of(role: str, name: object) -> tuple[str, ...]:
    if role != "reference" and not isinstance(name, str):
        raise OptionError(role, "the name of a column", name)
    return names_of(role, name)


def names_of(option: str, names: object) -> tuple[str, ...]:
    """Check names of columns and return them as a tuple; one name may stand alone."""
    allowed = "the name of a column, or a list of them"
    listed = checks.items(option, (names,) if isinstance(names, str) else names, allowed)
    if not all(isinstance(name, str) for name in listed) or len(set(listed)) < len(listed):
        raise OptionError(option, "names of columns, each of them once", names)
    if any(map(has_surrogate, listed)):
        raise OptionError(option, "names of columns that can be encoded as UTF-8", names)
    return tuple(listed)


def _mean_ratings(judgements: Judgements, outputs: int) -> Floats:
    counts = np.bincount(judgements.output, minlength=outputs)
    sums = np.bincount(judgements.output, weights=judgements.value, minlength=outputs)
    means: Floats = np.divide(sums, counts, out=np.full(outputs, np.nan), where=counts > 0)
    return means


def _read_rows(table: object, errors: str) -> tuple[list[PlacedRow], list[str]]:
    """Return all rows of a table, and notes on the file."""
    if isinstance(table, str | os.PathLike):
        with closing(open_table(table, errors=errors)) as file:
            rows, notes = place_rows(file), list(file.notes)
    else:
        cells = enumerate(_rows_in_memory(table), start=1)
        rows, notes = [PlacedRow("the table", "row", number, row) for number, row in cells], []
    if not rows:
        raise InputError("the table has no rows; there are no ratings to compare with.")
    return rows, notes


def _rows_in_memory(table: Any) -> list[Row]:
    if isinstance(table, Mapping):
        columns = {str(name): _cells(values) for name, values in table.items()}
        for (first, values), (second, others) in pairwise(columns.items()):
            if len(values) != len(others):
                raise LengthMismatchError(first, len(values), second, len(others))
    elif hasattr(table, "columns") or hasattr(table, "column_names") or hasattr(table, "__arrow_c_stream__"):
        columns = columns_in_memory(table)
    else:
        rows = checks.items_of(table)
        if rows is None:
            kinds = "a path, a list of dicts, a dict of columns, or a table of pandas, polars or pyarrow"
            raise NotTextError("table", kinds, type(table).__name__, "see bleuprint.Ratings.read")
        for index, row in enumerate(rows):
            if not isinstance(row, Mapping):
                raise NotTextError(f"table[{index}]", "a dict", type(row).__name__, "write {'segment': …, 'mqm': …}")
        return [{str(name): value for name, value in row.items()} for row in rows]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _cells(values: object) -> list[object]:
    cells = checks.items_of(values)
    if cells is None:
        raise NotTextError("a column of the table", "a list of values", type(values).__name__, "pass one value per row")
    return cells


def check_usable(ratings: Ratings, column: str) -> None:
    """Refuse ratings with which no metric can agree or disagree."""
    values = ratings.human[column]
    rated = ~np.isnan(values)
    segments = len(np.unique(ratings.segment[rated]))
    if segments < FEWEST_SEGMENTS:
        problem = f"{column!r} has ratings of {segments} segment{'' if segments == 1 else 's'}"
        raise DataFileError(ratings.name, f"{problem}; agreement needs at least {FEWEST_SEGMENTS}")
    if np.ptp(values[rated]) == 0:
        problem = f"all ratings in {column!r} are {values[rated][0]:g}"
        raise DataFileError(ratings.name, f"{problem}; no metric can agree or disagree with ratings that never differ")


@dataclass(frozen=True, slots=True)
class _Outputs:
    """The outputs that the rows are about, and columns of the table as one value per output."""

    rows: Sequence[PlacedRow]
    keys: Sequence[tuple[str, str]]  # segment and system of each output
    output_of_row: Sequence[int]

    @classmethod
    def of(cls, rows: Sequence[PlacedRow], segment: str | None, system: str | None) -> _Outputs:
        segments = [str(row.line) if segment is None else _label(row, segment, "segment") for row in rows]
        systems = ["" if system is None else _label(row, system, "system") for row in rows]
        outputs: dict[tuple[str, str], int] = {}
        output_of_row = [outputs.setdefault(key, len(outputs)) for key in zip(segments, systems, strict=True)]
        return cls(rows, list(outputs), output_of_row)

    def raters(self, column: str | None) -> list[int]:
        """Return the number of the rater of each row."""
        if column is not None:
            numbers: dict[str, int] = {}
            return [numbers.setdefault(_label(row, column, "rater"), len(numbers)) for row in self.rows]
        numbers_of_output: defaultdict[int, Iterator[int]] = defaultdict(count)
        return [next(numbers_of_output[output]) for output in self.output_of_row]

    def judgements(self, column: str, rater_of_row: Sequence[int]) -> Judgements:
        numbers = [_number(row, column, row.cells.get(column), "nobody rated") for row in self.rows]
        rated = [place for place, number in enumerate(numbers) if number is not None]
        if not rated:
            raise DataFileError(self.rows[0].file, f"column {column!r} holds no ratings; all of its cells are empty")
        return Judgements(
            np.array(self.output_of_row, np.intp)[rated],
            np.array(rater_of_row, np.intp)[rated],
            np.array([numbers[place] for place in rated], np.float64),
        )

    def scores(self, column: str, given: Sequence[float | None] | None) -> Floats:
        values = [row.cells.get(column) for row in self.rows] if given is None else list(_cells(given))
        if len(values) != len(self.rows):
            raise LengthMismatchError(self.rows[0].file, len(self.rows), f"scores[{column!r}]", len(values))
        cells = zip(self.rows, values, strict=True)
        numbers = [_number(row, column, value, "there is no score") for row, value in cells]
        return np.array(self._one_each(column, numbers), dtype=np.float64)  # None becomes NaN

    def labels(self, column: str) -> tuple[str, ...]:
        return self._one_each(column, [_label(row, column, "group") for row in self.rows])

    def texts(self, column: str) -> tuple[str, ...]:
        return self._one_each(column, [row.text(column) for row in self.rows])

    def references(self, columns: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        return self._one_each(columns[0], [row.references(columns) for row in self.rows])

    def _one_each(self, column: str, values: Sequence[Value]) -> tuple[Value, ...]:
        """Return the value of each output, which must be the same in all of its rows; None says nothing."""
        firsts: dict[int, PlacedRow] = {}
        of_outputs: dict[int, Value] = {}
        for row, output, value in zip(self.rows, self.output_of_row, values, strict=True):
            first = firsts.setdefault(output, row)
            if of_outputs.get(output) is None:
                of_outputs[output] = value
            elif value is not None and of_outputs[output] != value:
                raise row.error(
                    f"its {column!r} differs from that in {first.place} {first.line}, which has the same segment and "
                    "system; give different outputs different segments or systems"
                )
        return tuple(of_outputs.values())


def _label(row: PlacedRow, column: str, role: str) -> str:
    """Return the label in a cell: a short text or an integer."""
    value: Any = row.cells.get(column)
    value = value.item() if hasattr(value, "item") else value  # a number of NumPy
    fault = id_fault(value)
    if fault is not None:
        raise row.error(f"{column!r} {fault.replace('segment', role)}")
    return str(value)


def _number(row: PlacedRow, column: str, value: Any, gap: str) -> float | None:
    """Return the number in a cell, None for a gap."""
    cell = value
    if isinstance(cell, str):
        word = cell.strip().lower()
        cell = None if word in _GAPS else _TRUTH.get(word, word)
    if cell is None:
        return None
    try:
        if not isinstance(cell, str) and not hasattr(cell, "__float__"):  # float() also takes bytes
            raise TypeError
        number = float(cell)
    except (TypeError, ValueError, OverflowError):
        raise row.error(f"{column!r} must be a number, or empty where {gap}, got {value!r:.80}") from None
    if abs(number) > _LARGEST:
        raise row.error(f"{column!r} must be a number from -1e100 to 1e100, got {number}")
    return None if math.isnan(number) else number
