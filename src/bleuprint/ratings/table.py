"""Outputs rated by people: which segment, which system, the texts, and one or several columns of ratings.

An output is one segment of one system. It may be rated by nobody, once, or by several raters: `Ratings.human` holds the
mean rating of each output, `Ratings.judgements` the single ratings.
"""

from __future__ import annotations

import ast
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from numbers import Real
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from bleuprint.core.arrays import np
from bleuprint.core.unicode import has_surrogate
from bleuprint.dataset.arrow import arrow_table, column_names, column_values
from bleuprint.dataset.columns import USUAL_NAMES, assign_columns, id_fault, unknown_column
from bleuprint.dataset.joining import numbered_rows
from bleuprint.dataset.opening import PathLike
from bleuprint.dataset.stream import open_table
from bleuprint.dataset.tables import Row
from bleuprint.errors import DataFileError, InputError, LengthMismatchError, NotTextError, OptionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FEWEST_SEGMENTS", "Judgements", "Names", "Ratings", "checked_names", "read_ratings"]

Names = str | Sequence[str]
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


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Judgements:
    """Single ratings: the output that was rated, who rated it, and the rating.

    Without a column of raters, the first rating of every output has rater 0, the second rater 1, and so on.
    """

    output: NDArray[np.intp]
    rater: NDArray[np.intp]
    value: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return f"<Judgements: {len(self)} ratings>"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Ratings:
    """Outputs of systems with their ratings; `segment[k]`, `system[k]` and all texts and numbers [k] are of output k.

    >>> rows = [{"id": i, "system": s, "mqm": -i} for s in "AB" for i in range(3)]
    >>> ratings = read_ratings(rows, "mqm")
    >>> ratings
    <Ratings of 6 outputs: 3 segments, 2 systems; mqm>
    >>> ratings.human["mqm"].tolist(), ratings.systems[ratings.system[-1]]
    ([0.0, -1.0, -2.0, 0.0, -1.0, -2.0], 'B')
    """

    name: str  # of the file, for messages
    segments: tuple[str, ...]
    systems: tuple[str, ...]  # one without a name if there is no column of systems
    segment: NDArray[np.intp]
    system: NDArray[np.intp]
    human: Mapping[str, NDArray[np.float64]]  # mean rating of each output; NaN where nobody rated it
    judgements: Mapping[str, Judgements]
    raters: tuple[str, ...] = ()  # empty without a column of raters
    scores: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)  # of other metrics; NaN where missing
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hypotheses: tuple[str, ...] | None = None
    references: tuple[tuple[str, ...], ...] | None = None
    sources: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.segment)

    def __repr__(self) -> str:
        systems = f", {len(self.systems)} systems" if self.has_systems else ""
        columns = ", ".join(self.human)
        return f"<Ratings of {len(self)} outputs: {len(self.segments)} segments{systems}; {columns}>"

    @property
    def has_systems(self) -> bool:
        """Whether the table names the system of each output."""
        return self.systems != ("",)


def read_ratings(
    table: Any,
    human: Names,
    *,
    segment: str | None = None,
    system: str | None = None,
    rater: str | None = None,
    group: Names = (),
    scores: Names | Mapping[str, Sequence[float | None]] = (),
    hypothesis: str | None = None,
    reference: Names | None = None,
    source: str | None = None,
    errors: str = "strict",
) -> Ratings:
    """Read ratings from a file, a list of dicts, a dict of columns, or a pandas, polars, pyarrow or Hugging Face table.

    - `table`: a .tsv, .csv, .jsonl, .json or .parquet file (text may be compressed), or rows in memory
    - `human`: the columns with ratings. A cell may be empty.
    - `segment`, `system`, `rater`, `hypothesis`, `reference`, `source`: the columns of each role, if they have uncommon
      names; without a column of systems, every row is a segment of the same one
    - `group`: columns with a label for each row, such as the document
    - `scores`: columns with scores of other metrics, or a dict of such columns with a value for each row

    Several rows of one segment and system are ratings of the same output, so their texts must be the same.

    >>> table = {"item": [1, 1, 2, 3, 4], "rater": ["a", "b", "a", "b", "b"], "fluency": [4, 5, 2, 3, None]}
    >>> ratings = read_ratings(table, "fluency")
    >>> ratings.human["fluency"].tolist(), len(ratings.judgements["fluency"])
    ([4.5, 2.0, 3.0, nan], 4)
    """
    own = dict.fromkeys(checked_names("scores", scores)) | (dict(scores) if isinstance(scores, Mapping) else {})
    wanted = checked_names("human", human)
    if not wanted:
        raise OptionError("human", "the name of at least one column with ratings", human)
    rows = _Rows.of(table, errors)
    named = {"segment": segment, "system": system, "rater": rater, "hypothesis": hypothesis, "source": source}
    roles: dict[str, tuple[str, ...]] = {role: (_name(role, name),) for role, name in named.items() if name is not None}
    if reference is not None:
        roles["reference"] = checked_names("reference", reference)
    groups = checked_names("group", group)
    from_table = [name for name, values in own.items() if values is None]
    for column in (*wanted, *groups, *from_table):
        if column not in rows.names:
            raise unknown_column(rows.name, rows.names, column)
    needs_segment = system is not None or any(name.strip().lower() in _USUAL["system"] for name in rows.names)
    needed = ("segment",) if needs_segment else ()
    assigned, notes = assign_columns(
        rows.name,
        rows.names,
        roles,
        needed=needed,
        optional=[role for role in _USUAL if role not in needed],
        option=_option,
        usual=_USUAL,
        reserved=(*wanted, *from_table),
    )
    return _built(rows, assigned, wanted, groups, own, notes)


def _option(role: str) -> str:
    flag = f"--{role}" if role in {"segment", "system", "rater"} else f"--{role}-column"
    return f"{flag} NAME on the command line, {role}=NAME in Python"


def _name(option: str, name: object) -> str:
    if not isinstance(name, str):
        raise OptionError(option, "the name of a column", name)
    return name


def checked_names(option: str, names: object) -> tuple[str, ...]:
    """Return names of columns as a tuple; one name may stand alone."""
    listed = (names,) if isinstance(names, str) else names
    if not isinstance(listed, Iterable) or isinstance(listed, bytes):
        raise OptionError(option, "the name of a column, or a list of them", names)
    listed = tuple(listed)
    if not all(isinstance(name, str) for name in listed) or len(set(listed)) < len(listed):
        raise OptionError(option, "names of columns, each of them once", names)
    if any(map(has_surrogate, listed)):
        raise OptionError(option, "names of columns that can be encoded as UTF-8", names)
    return listed


@dataclass(frozen=True, slots=True)
class _Rows:
    """All rows of a table with their line numbers, and its columns."""

    name: str
    place: str
    names: tuple[str, ...]
    numbered: Sequence[tuple[int, Row]]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: Any, errors: str) -> _Rows:
        if isinstance(table, str | os.PathLike):
            return cls._from_file(table, errors)
        rows = _rows_in_memory(table)
        if not rows:
            raise InputError("the table has no rows; there are no ratings to compare with.")
        names = tuple(dict.fromkeys(name for row in rows for name in row))
        return cls("the table", "row", names, list(enumerate(rows, start=1)))

    @classmethod
    def _from_file(cls, path: PathLike, errors: str) -> _Rows:
        with closing(open_table(path, errors=errors)) as table:
            numbered, place = numbered_rows(table)
            names = tuple(dict.fromkeys(name for _, row in numbered for name in row))
            return cls(table.name, place, names, numbered, tuple(table.notes))

    def error(self, line: int, problem: str) -> DataFileError:
        return DataFileError(self.name, problem, line=line, place=self.place)


def _rows_in_memory(table: Any) -> list[Row]:
    if isinstance(table, Mapping):
        columns = {str(name): list(_cells(values)) for name, values in table.items()}
        for (first, values), (second, others) in pairwise(columns.items()):
            if len(values) != len(others):
                raise LengthMismatchError(first, len(values), second, len(others))
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if hasattr(table, "columns") or hasattr(table, "column_names") or hasattr(table, "__arrow_c_stream__"):
        if not hasattr(table, "columns") and not hasattr(table, "column_names"):
            table = arrow_table(table)
        names = column_names(table)
        return [
            dict(zip(names, row, strict=True))
            for row in zip(*(column_values(table, name) for name in names), strict=True)
        ]
    if isinstance(table, bytes) or not isinstance(table, Iterable):
        kinds = "a path, a list of dicts, a dict of columns, or a table of pandas, polars or pyarrow"
        raise NotTextError("table", kinds, type(table).__name__, "see bleuprint.ratings.read_ratings")
    rows = list(table)
    for index, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise NotTextError(f"table[{index}]", "a dict", type(row).__name__, "write {'segment': …, 'mqm': …}")
    return [{str(name): value for name, value in row.items()} for row in rows]


def _cells(values: Any) -> Iterable[Any]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise NotTextError("a column of the table", "a list of values", type(values).__name__, "pass one value per row")
    return values


def _built(
    rows: _Rows,
    assigned: Mapping[str, tuple[str, ...]],
    human: tuple[str, ...],
    groups: tuple[str, ...],
    own: Mapping[str, Sequence[float | None] | None],
    notes: list[str],
) -> Ratings:
    single = {role: columns[0] for role, columns in assigned.items() if role != "reference"}
    by_key: dict[tuple[str, str], int] = {}
    first_lines: list[int] = []
    output_of_row: list[int] = []
    for line, row in rows.numbered:
        segment = _label(rows, line, row, single["segment"], "segment") if "segment" in single else str(line)
        system = _label(rows, line, row, single["system"], "system") if "system" in single else ""
        output = by_key.setdefault((segment, system), len(by_key))
        if output == len(first_lines):
            first_lines.append(line)
        output_of_row.append(output)
    segments = {name: index for index, name in enumerate(dict.fromkeys(segment for segment, _ in by_key))}
    systems = {name: index for index, name in enumerate(dict.fromkeys(system for _, system in by_key))}
    merged = _Merged(rows, output_of_row, first_lines)
    raters, rater_of_row = _raters(rows, single.get("rater"), output_of_row)
    judgements = {column: merged.judgements(column, rater_of_row) for column in human}
    ratings = Ratings(
        name=rows.name,
        segments=tuple(segments),
        systems=tuple(systems),
        segment=np.array([segments[segment] for segment, _ in by_key], dtype=np.intp),
        system=np.array([systems[system] for _, system in by_key], dtype=np.intp),
        human={column: _means(judgements[column], len(by_key)) for column in human},
        judgements=judgements,
        raters=raters,
        scores={name: merged.scores(name, values) for name, values in own.items()},
        groups={column: merged.labels(column) for column in groups},
        hypotheses=merged.texts(single["hypothesis"]) if "hypothesis" in single else None,
        references=merged.references(assigned["reference"], notes) if "reference" in assigned else None,
        sources=merged.texts(single["source"]) if "source" in single else None,
        notes=(*notes, *rows.notes),
    )
    for column in human:
        _check_usable(ratings, column)
    return ratings


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


def _means(judgements: Judgements, outputs: int) -> NDArray[np.float64]:
    counts = np.bincount(judgements.output, minlength=outputs)
    sums = np.bincount(judgements.output, weights=judgements.value, minlength=outputs)
    means: NDArray[np.float64] = np.divide(sums, counts, out=np.full(outputs, np.nan), where=counts > 0)
    return means


def _raters(rows: _Rows, column: str | None, output_of_row: Sequence[int]) -> tuple[tuple[str, ...], list[int]]:
    """Return the names of the raters, and the number of the rater of each row."""
    if column is not None:
        numbers: dict[str, int] = {}
        labels = [_label(rows, line, row, column, "rater") for line, row in rows.numbered]
        of_row = [numbers.setdefault(label, len(numbers)) for label in labels]
        return tuple(numbers), of_row
    seen: dict[int, int] = {}
    of_row = []
    for output in output_of_row:
        of_row.append(seen.get(output, 0))
        seen[output] = of_row[-1] + 1
    return (), of_row


@dataclass(frozen=True, slots=True)
class _Merged:
    """Columns of a table as one value per output."""

    rows: _Rows
    output_of_row: Sequence[int]
    first_lines: Sequence[int]

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
            raise LengthMismatchError(self.rows.name, len(self.rows.numbered), f"columns[{column!r}]", len(values))
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
        return self._agreed(column, [_label(self.rows, line, row, column, "group") for line, row in self.rows.numbered])

    def texts(self, column: str) -> tuple[str, ...]:
        return self._agreed(column, [self._text(line, column, row.get(column)) for line, row in self.rows.numbered])

    def references(self, columns: tuple[str, ...], notes: list[str]) -> tuple[tuple[str, ...], ...]:
        cells = [self._lists(column, notes) for column in columns]
        joined = [tuple(text for cell in row for text in cell) for row in zip(*cells, strict=True)]
        for (line, _), texts in zip(self.rows.numbered, joined, strict=True):
            if not texts:
                raise self.rows.error(line, f"{columns[0]!r} holds no reference; drop the row, or use an empty text")
        return self._agreed(columns[0], joined)

    def _lists(self, column: str, notes: list[str]) -> list[list[str]]:
        """Return the texts in each cell of a column of references."""
        values = [(line, row.get(column)) for line, row in self.rows.numbered]
        written = [_written_list(value) for _, value in values]
        if all(texts is not None for texts in written):
            notes.append(f"{self.rows.name}: every cell of {column!r} is a list, so each text in it is a reference")
            return [texts for texts in written if texts is not None]
        lists = []
        value: Any
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

    def _agreed(self, column: str, values: Sequence[Value]) -> tuple[Value, ...]:
        """Return the value of each output, which must be the same in all of its rows."""
        agreed: list[Value] = []
        for (line, _), output, value in zip(self.rows.numbered, self.output_of_row, values, strict=True):
            if output == len(agreed):
                agreed.append(value)
            elif agreed[output] != value:
                self._refuse(line, column, output)
        return tuple(agreed)

    def _refuse(self, line: int, column: str, output: int) -> NoReturn:
        earlier = f"{self.rows.place} {self.first_lines[output]}"
        problem = f"its {column!r} differs from that in {earlier}, which has the same segment and system"
        raise self.rows.error(line, f"{problem}; give different outputs different segments or systems")


def _label(rows: _Rows, line: int, row: Row, column: str, role: str) -> str:
    value: Any = row.get(column)
    value = value.item() if hasattr(value, "item") else value  # a number of NumPy
    problem = id_fault(value)
    if problem is not None:
        raise rows.error(line, f"{column!r} {problem.replace('segment', role)}")
    return str(value)


def _number(rows: _Rows, line: int, column: str, value: object, gap: str) -> float | None:
    """Return the number in a cell, None for a gap."""
    if value is None:
        return None
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _GAPS:
            return None
        if word in _TRUTH:
            return _TRUTH[word]
        try:
            value = float(word)
        except ValueError:
            raise rows.error(line, f"{column!r} must be a number, or empty where {gap}, got {value!r:.80}") from None
    if not isinstance(value, Real) and not hasattr(value, "__float__"):
        problem = f"{column!r} must be a number, or empty where {gap}, got {type(value).__name__}"
        raise rows.error(line, problem)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise rows.error(line, f"{column!r} must be a number, or empty where {gap}, got {value!r:.80}") from None
    if math.isinf(number):
        raise rows.error(line, f"{column!r} must be a finite number, got {number}")
    return None if math.isnan(number) else number


def _written_list(value: object) -> list[str] | None:
    """Return the texts of a list written as JSON or as Python prints it; None for everything else.

    >>> _written_list("['a cat', \\"the dog's\\"]"), _written_list('["x"]'), _written_list("[1]"), _written_list("a")
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
