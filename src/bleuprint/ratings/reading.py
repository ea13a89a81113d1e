"""Read a table of ratings: find the columns of each role, and turn rows into one value per output."""

from __future__ import annotations

import ast
import json
import math
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from bleuprint.core.arrays import np
from bleuprint.core.unicode import has_surrogate
from bleuprint.dataset.arrow import rows_in_memory
from bleuprint.dataset.columns import USUAL_NAMES, assign_columns, id_fault, unknown_column
from bleuprint.dataset.joining import numbered_rows
from bleuprint.dataset.stream import open_table
from bleuprint.dataset.tables import Row
from bleuprint.errors import DataFileError, InputError, LengthMismatchError, NotTextError, OptionError
from bleuprint.ratings.table import Judgements, Names, Ratings

if TYPE_CHECKING:
    from numpy.typing import NDArray

Value = TypeVar("Value")

FEWEST_SEGMENTS = 3  # two points always lie on a line

_USUAL = {
    "segment": ("segment", "segment_id", "seg_id", "item", "item_id", "id"),
    "system": ("system", "system_id", "model"),
    "rater": ("rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id"),
    "hypothesis": (*USUAL_NAMES["hypothesis"], "simple", "simplification", "translation"),
    "reference": USUAL_NAMES["reference"],
    "source": (*USUAL_NAMES["source"], "original"),
}
_GAPS = {"", "na", "n/a", "nan", "none", "null"}  # None is what mt-metrics-eval writes, an empty field what pandas does
_TRUTH = {"true": 1.0, "false": 0.0}


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
    rows = _Rows.of(table, errors)
    from_table = [name for name, values in given.items() if values is None]
    for column in (*human, *group, *from_table):
        if column not in rows.names:
            raise unknown_column(rows.name, rows.names, column)
    has_systems = columns["system"] is not None or any(name.strip().lower() in _USUAL["system"] for name in rows.names)
    needed = ("segment",) if has_systems else ()
    roles, notes = assign_columns(
        rows.name,
        rows.names,
        {role: _columns_of(role, name) for role, name in columns.items() if name is not None},
        needed=needed,
        optional=[role for role in _USUAL if role not in needed],
        option=lambda role: f"--{role} NAME on the command line, {role}=NAME in Python",
        usual=_USUAL,
        reserved=(*human, *from_table),
    )
    single = {role: assigned[0] for role, assigned in roles.items() if role != "reference"}
    outputs = _Outputs.of(rows, single.get("segment"), single.get("system"))
    raters, rater_of_row = outputs.raters(single.get("rater"))
    judgements = {column: outputs.judgements(column, rater_of_row) for column in human}
    ratings = Ratings(
        name=rows.name,
        segments=tuple(outputs.segments),
        systems=tuple(outputs.systems),
        segment=np.array([outputs.segments[segment] for segment, _ in outputs.keys], dtype=np.intp),
        system=np.array([outputs.systems[system] for _, system in outputs.keys], dtype=np.intp),
        human={column: _mean_ratings(judgements[column], len(outputs.keys)) for column in human},
        judgements=judgements,
        raters=raters,
        scores={name: outputs.scores(name, values) for name, values in given.items()},
        groups={column: outputs.labels(column) for column in group},
        lower_is_better=frozenset(lower),
        hypotheses=outputs.texts(single["hypothesis"]) if "hypothesis" in single else None,
        references=outputs.references(roles["reference"], notes) if "reference" in roles else None,
        sources=outputs.texts(single["source"]) if "source" in single else None,
        notes=(*notes, *rows.notes),
    )
    for column in human:
        _check_usable(ratings, column)
    return ratings


def _columns_of(role: str, name: object) -> tuple[str, ...]:
    if role != "reference" and not isinstance(name, str):
        raise OptionError(role, "the name of a column", name)
    return names_of(role, name)


def names_of(option: str, names: object) -> tuple[str, ...]:
    """Check names of columns and return them as a tuple; one name may stand alone."""
    listed = (names,) if isinstance(names, str) else names
    if not isinstance(listed, Iterable) or isinstance(listed, bytes):
        raise OptionError(option, "the name of a column, or a list of them", names)
    listed = tuple(listed)
    if not all(isinstance(name, str) for name in listed) or len(set(listed)) < len(listed):
        raise OptionError(option, "names of columns, each of them once", names)
    if any(map(has_surrogate, listed)):
        raise OptionError(option, "names of columns that can be encoded as UTF-8", names)
    return listed


def _mean_ratings(judgements: Judgements, outputs: int) -> NDArray[np.float64]:
    counts = np.bincount(judgements.output, minlength=outputs)
    sums = np.bincount(judgements.output, weights=judgements.value, minlength=outputs)
    means: NDArray[np.float64] = np.divide(sums, counts, out=np.full(outputs, np.nan), where=counts > 0)
    return means


@dataclass(frozen=True, slots=True)
class _Rows:
    """All rows of a table with their line numbers, and its columns."""

    name: str
    place: str
    names: tuple[str, ...]
    numbered: Sequence[tuple[int, Row]]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: object, errors: str) -> _Rows:
        name, place = "the table", "row"
        notes: tuple[str, ...] = ()
        if isinstance(table, str | os.PathLike):
            with closing(open_table(table, errors=errors)) as file:
                numbered, place = numbered_rows(file)
                name, notes = file.name, tuple(file.notes)
        else:
            numbered = list(enumerate(_rows_in_memory(table), start=1))
        if not numbered:
            raise InputError("the table has no rows; there are no ratings to compare with.")
        columns = tuple(dict.fromkeys(column for _, row in numbered for column in row))
        return cls(name, place, columns, numbered, notes)

    def error(self, line: int, problem: str) -> DataFileError:
        return DataFileError(self.name, problem, line=line, place=self.place)

    def labels(self, column: str, role: str) -> list[str]:
        """Return the label in each cell of a column: a short text or an integer."""
        labels = []
        for line, row in self.numbered:
            value: Any = row.get(column)
            value = value.item() if hasattr(value, "item") else value  # a number of NumPy
            fault = id_fault(value)
            if fault is not None:
                raise self.error(line, f"{column!r} {fault.replace('segment', role)}")
            labels.append(str(value))
        return labels


def _rows_in_memory(table: Any) -> list[Row]:
    if isinstance(table, Mapping):
        columns = {str(name): list(_cells(values)) for name, values in table.items()}
        for (first, values), (second, others) in pairwise(columns.items()):
            if len(values) != len(others):
                raise LengthMismatchError(first, len(values), second, len(others))
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if hasattr(table, "columns") or hasattr(table, "column_names") or hasattr(table, "__arrow_c_stream__"):
        return rows_in_memory(table)[1]
    if isinstance(table, bytes) or not isinstance(table, Iterable):
        kinds = "a path, a list of dicts, a dict of columns, or a table of pandas, polars or pyarrow"
        raise NotTextError("table", kinds, type(table).__name__, "see bleuprint.Ratings.read")
    rows = list(table)
    for index, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise NotTextError(f"table[{index}]", "a dict", type(row).__name__, "write {'segment': …, 'mqm': …}")
    return [{str(name): value for name, value in row.items()} for row in rows]


def _cells(values: object) -> Iterable[object]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise NotTextError("a column of the table", "a list of values", type(values).__name__, "pass one value per row")
    return values


def _check_usable(ratings: Ratings, column: str) -> None:
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

    rows: _Rows
    keys: Sequence[tuple[str, str]]  # segment and system of each output
    segments: Mapping[str, int]
    systems: Mapping[str, int]
    output_of_row: Sequence[int]
    first_lines: Mapping[int, int]  # of each output

    @classmethod
    def of(cls, rows: _Rows, segment: str | None, system: str | None) -> _Outputs:
        lines = [line for line, _ in rows.numbered]
        segments = [str(line) for line in lines] if segment is None else rows.labels(segment, "segment")
        systems = [""] * len(lines) if system is None else rows.labels(system, "system")
        outputs: dict[tuple[str, str], int] = {}
        output_of_row = [outputs.setdefault(key, len(outputs)) for key in zip(segments, systems, strict=True)]
        first_lines: dict[int, int] = {}
        for line, output in zip(lines, output_of_row, strict=True):
            first_lines.setdefault(output, line)
        segment_numbers, system_numbers = (
            {name: number for number, name in enumerate(dict.fromkeys(names))} for names in (segments, systems)
        )
        return cls(rows, list(outputs), segment_numbers, system_numbers, output_of_row, first_lines)

    def raters(self, column: str | None) -> tuple[tuple[str, ...], list[int]]:
        """Return the names of the raters, and the number of the rater of each row."""
        if column is not None:
            numbers: dict[str, int] = {}
            of_row = [numbers.setdefault(label, len(numbers)) for label in self.rows.labels(column, "rater")]
            return tuple(numbers), of_row
        numbers_of_output: defaultdict[int, Iterator[int]] = defaultdict(count)
        return (), [next(numbers_of_output[output]) for output in self.output_of_row]

    def judgements(self, column: str, rater_of_row: Sequence[int]) -> Judgements:
        output, rater, value = [], [], []
        for (line, row), of, by in zip(self.rows.numbered, self.output_of_row, rater_of_row, strict=True):
            number = _number(self.rows, line, column, row.get(column), "nobody rated")
            if number is not None:
                output.append(of)
                rater.append(by)
                value.append(number)
        if not value:
            raise DataFileError(self.rows.name, f"column {column!r} holds no ratings; all of its cells are empty")
        return Judgements(np.array(output, np.intp), np.array(rater, np.intp), np.array(value, np.float64))

    def scores(self, column: str, given: Sequence[float | None] | None) -> NDArray[np.float64]:
        values = [row.get(column) for _, row in self.rows.numbered] if given is None else list(_cells(given))
        if len(values) != len(self.rows.numbered):
            raise LengthMismatchError(self.rows.name, len(self.rows.numbered), f"scores[{column!r}]", len(values))
        merged: list[float | None] = [None] * len(self.first_lines)
        for (line, _), output, value in zip(self.rows.numbered, self.output_of_row, values, strict=True):
            number = _number(self.rows, line, column, value, "there is no score")
            if number is None:
                continue
            if merged[output] is not None and merged[output] != number:
                self._refuse(line, column, output)
            merged[output] = number
        return np.array([np.nan if value is None else value for value in merged], dtype=np.float64)

    def labels(self, column: str) -> tuple[str, ...]:
        return self._one_each(column, self.rows.labels(column, "group"))

    def texts(self, column: str) -> tuple[str, ...]:
        return self._one_each(column, [self._text(line, column, row.get(column)) for line, row in self.rows.numbered])

    def references(self, columns: tuple[str, ...], notes: list[str]) -> tuple[tuple[str, ...], ...]:
        cells = [self._lists(column, notes) for column in columns]
        joined = [tuple(text for cell in row for text in cell) for row in zip(*cells, strict=True)]
        for (line, _), texts in zip(self.rows.numbered, joined, strict=True):
            if not texts:
                raise self.rows.error(line, f"{columns[0]!r} holds no reference; drop the row, or use an empty text")
        return self._one_each(columns[0], joined)

    def _lists(self, column: str, notes: list[str]) -> list[list[str]]:
        """Return the texts in each cell of a column of references."""
        values: list[tuple[int, Any]] = [(line, row.get(column)) for line, row in self.rows.numbered]
        parsed = [texts for _, value in values if (texts := _parse_list(value)) is not None]
        if len(parsed) == len(values):
            notes.append(f"{self.rows.name}: every cell of {column!r} is a list, so each text in it is a reference")
            return parsed
        lists = []
        for line, value in values:
            several = value.tolist() if hasattr(value, "tolist") else value  # pandas stores lists as arrays
            listed = several if isinstance(several, list | tuple) else [several]
            lists.append([self._text(line, column, text) for text in listed])
        return lists

    def _text(self, line: int, column: str, value: object) -> str:
        if not isinstance(value, str):
            kind = "nothing" if value is None or value != value else type(value).__name__
            raise self.rows.error(line, f"{column!r} must be a text, got {kind}")
        if has_surrogate(value):
            raise self.rows.error(line, f"{column!r} holds a lone surrogate, which cannot be encoded as UTF-8")
        return value

    def _one_each(self, column: str, values: Sequence[Value]) -> tuple[Value, ...]:
        """Return the value of each output, which must be the same in all of its rows."""
        of_outputs: list[Value] = []
        for (line, _), output, value in zip(self.rows.numbered, self.output_of_row, values, strict=True):
            if output == len(of_outputs):
                of_outputs.append(value)
            elif of_outputs[output] != value:
                self._refuse(line, column, output)
        return tuple(of_outputs)

    def _refuse(self, line: int, column: str, output: int) -> NoReturn:
        earlier = f"{self.rows.place} {self.first_lines[output]}"
        problem = f"its {column!r} differs from that in {earlier}, which has the same segment and system"
        raise self.rows.error(line, f"{problem}; give different outputs different segments or systems")


def _number(rows: _Rows, line: int, column: str, value: Any, gap: str) -> float | None:
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
        raise rows.error(line, f"{column!r} must be a number, or empty where {gap}, got {value!r:.80}") from None
    if math.isinf(number):
        raise rows.error(line, f"{column!r} must be a finite number, got {number}")
    return None if math.isnan(number) else number


def _parse_list(value: object) -> list[str] | None:
    """Return the texts of a list written as JSON or as Python prints it; None for everything else.

    >>> _parse_list("['a cat', \\"the dog's\\"]"), _parse_list('["x"]'), _parse_list("[1]"), _parse_list("a")
    (['a cat', "the dog's"], ['x'], None, None)
    """
    if not isinstance(value, str) or not (value.startswith("[") and value.endswith("]")):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            texts = read(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if (
            isinstance(texts, list)
            and texts
            and all(isinstance(text, str) and not has_surrogate(text) for text in texts)
        ):
            return texts
    return None
