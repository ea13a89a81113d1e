"""Datasets: ordered items, from lists, dicts, tables, or files."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import repeat
from typing import Self, overload

from bleuprint import checks
from bleuprint.core.columns import check_lengths
from bleuprint.dataset.arrow import columns_in_memory
from bleuprint.dataset.columns import (
    ColumnNames,
    Columns,
    choose_columns,
    missing_cell,
    named_roles,
    unpack_columns,
    unpack_lists,
)
from bleuprint.dataset.items import DatasetItem
from bleuprint.dataset.opening import PathLike, name_of
from bleuprint.dataset.stream import open_table, read_parallel
from bleuprint.errors import BareStringError, DataFileError, InputError, LengthMismatchError, NotTextError, OptionError


@contextmanager
def _pause_collector() -> Iterator[None]:
    """Let the garbage collector wait: it would look at all items time and again, and none of them is garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Dataset(Sequence[DatasetItem]):
    """A named sequence of items. Slices are datasets too.

    >>> dataset = Dataset.from_lists(["a cat", "a dog"], ["the cat", ["a dog", "the dog"]], name="pets")
    >>> len(dataset), dataset[1].references
    (2, ('a dog', 'the dog'))
    >>> dataset[:1]
    <Dataset 'pets' of 1 item>
    """

    __slots__ = ("_items", "name", "notes")

    def __init__(self, items: Iterable[DatasetItem], *, name: str | None = None, notes: Iterable[str] = ()) -> None:
        listed = checks.items_of(items)
        if listed is None:
            raise NotTextError("items", "a list of DatasetItem", type(items).__name__, "see Dataset.from_lists")
        self._items: tuple[DatasetItem, ...] = tuple(listed)
        for index, item in enumerate(self._items):
            if not isinstance(item, DatasetItem):
                raise NotTextError(
                    f"items[{index}]", "a DatasetItem", type(item).__name__, "see Dataset.from_lists and from_dicts"
                )
        self.name = name
        self.notes = tuple(notes)

    @classmethod
    def from_lists(
        cls,
        hypotheses: Iterable[str],
        references: Iterable[str | Sequence[str]],
        sources: Iterable[str] | None = None,
        ids: Iterable[str | int] | None = None,
        *,
        name: str | None = None,
    ) -> Self:
        """Build a dataset from parallel lists; `references[i]` is a text or a list of texts."""
        given = {"hypotheses": hypotheses, "references": references, "sources": sources, "ids": ids}
        lists = {key: _to_list(values, key) for key, values in given.items() if values is not None}
        count = len(lists["hypotheses"])
        check_lengths("hypotheses", lists["hypotheses"], lists["references"], tokenized=False)
        for key, values in lists.items():
            if len(values) != count:
                raise LengthMismatchError("hypotheses", count, key, len(values))
        empty: list[object] = [None] * count
        rows = zip(*(lists.get(key, empty) for key in given), strict=True)
        return cls((_item(f"item [{index}]", *row) for index, row in enumerate(rows)), name=name)

    @classmethod
    def from_dicts(
        cls, rows: Iterable[Mapping[str, object]], columns: ColumnNames | None = None, *, name: str | None = None
    ) -> Self:
        """Build a dataset from dicts; `columns` assigns keys to roles: {"hypothesis": "mt", "reference": ["a", "b"]}.

        Without `columns`, common names are recognized and reported in `notes`. Other values become metadata.

        >>> Dataset.from_dicts([{"prediction": "a cat", "target": "the cat", "lang": "en"}])[0].metadata["lang"]
        'en'
        """
        listed: list[dict[str, object]] = []
        for index, row in enumerate(_to_list(rows, "rows")):
            if not isinstance(row, Mapping):
                raise NotTextError(f"rows[{index}]", "a dict", type(row).__name__, "write {'hypothesis': …}")
            listed.append(dict(row))
        if not listed:
            return cls((), name=name)
        roles = _roles(name or "the rows", [str(key) for key in listed[0]], columns)
        notes = unpack_lists(name or "the rows", listed, roles.references, roles.hypotheses)
        items = (_row_item(row, roles, f"rows[{index}]") for index, row in enumerate(listed))
        return cls(items, name=name, notes=(*roles.notes, *notes))

    @classmethod
    @_pause_collector()
    def from_table(cls, table: object, columns: ColumnNames | None = None, *, name: str | None = None) -> Self:
        """Build a dataset from a pandas, polars, pyarrow, DuckDB, or Hugging Face table; they are not imported."""
        values = columns_in_memory(table)
        roles = _roles(name or "the table", list(values), columns)
        notes = unpack_columns(name or "the table", values, roles.references, roles.hypotheses)
        expected = values[roles.references[0]]
        if len(roles.references) > 1:
            expected = list(map(_join_references, *(values[column] for column in roles.references)))
        absent = [None] * len(expected)
        others = {column: values[column] for column in values if column not in roles.all}
        metadata = map(dict, map(zip, repeat(others), zip(*others.values(), strict=True)))
        rows = zip(
            values[roles.hypotheses[0]],
            expected,
            *(absent if column is None else values[column] for column in (roles.source, roles.id)),
            metadata if others else absent,
            strict=True,
        )
        items: list[DatasetItem] = []
        try:
            for actual, texts, source, identity, more in rows:
                items.append(DatasetItem(actual, texts, source=source, id=identity, metadata=more))
        except InputError as error:
            raise InputError(f"rows[{len(items)}]: {error}") from None
        return cls(items, name=name, notes=(*roles.notes, *notes))

    @classmethod
    def from_files(
        cls,
        hypotheses: PathLike,
        references: PathLike | Sequence[PathLike],
        source: PathLike | None = None,
        *,
        name: str | None = None,
        errors: str = "strict",
    ) -> Self:
        """Build a dataset from parallel text files with one segment per line."""
        paths = [references] if isinstance(references, str | os.PathLike) else list(references)
        files = read_parallel([hypotheses, *paths, *(() if source is None else (source,))], errors=errors)
        outputs, *columns = (file.segments for file in files[: 1 + len(paths)])
        expected = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
        sources = None if source is None else files[-1].segments
        dataset = cls.from_lists(outputs, expected, sources, range(1, len(outputs) + 1), name=name or files[0].name)
        dataset.notes = tuple(dict.fromkeys(note for file in files for note in file.notes))
        return dataset

    @classmethod
    def from_file(
        cls, path: PathLike, columns: ColumnNames | None = None, *, name: str | None = None, errors: str = "strict"
    ) -> Self:
        """Build a dataset from a .jsonl, .csv, .tsv (also .gz, .zst), or .parquet file, or a saved Hugging Face one."""
        with closing(open_table(path, errors=errors)) as table:
            roles = _roles(table.name, table.names, columns)
            rows = [(batch.place, line, row) for batch in table.batches() for line, row in batch.rows()]
            notes = unpack_lists(table.name, [row for _, _, row in rows], roles.references, roles.hypotheses)
            items = []
            for place, line, row in rows:
                try:
                    items.append(_row_item(row, roles, "the row"))
                except InputError as error:
                    problem = str(error).removesuffix(".")
                    raise DataFileError(table.name, problem, line=line, place=place) from None
            return cls(items, name=name or name_of(path), notes=(*roles.notes, *notes, *table.notes))

    @property
    def hypotheses(self) -> list[str]:
        """The actual outputs."""
        return [item.actual_output for item in self._items]

    @property
    def references(self) -> list[tuple[str, ...]]:
        """The expected outputs of each item."""
        return [item.references for item in self._items]

    @property
    def sources(self) -> list[str] | None:
        """The inputs, or None unless every item has one."""
        sources = [item.source for item in self._items if item.source is not None]
        return sources if sources and len(sources) == len(self._items) else None

    @property
    def ids(self) -> list[str | int] | None:
        """The ids, or None unless every item has one."""
        ids = [item.id for item in self._items if item.id is not None]
        return ids if ids and len(ids) == len(self._items) else None

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[DatasetItem]:
        return iter(self._items)

    @overload
    def __getitem__(self, index: int) -> DatasetItem: ...
    @overload
    def __getitem__(self, index: slice) -> Dataset: ...
    def __getitem__(self, index: int | slice) -> DatasetItem | Dataset:
        if isinstance(index, slice):
            return Dataset(self._items[index], name=self.name, notes=self.notes)
        return self._items[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dataset) and self._items == other._items and self.name == other.name

    def __hash__(self) -> int:
        return hash((self.name, self._items))

    def __repr__(self) -> str:
        name = "" if self.name is None else f" {self.name!r}"
        return f"<Dataset{name} of {len(self)} item{'' if len(self) == 1 else 's'}>"


def _roles(file: str, names: Sequence[str], columns: ColumnNames | None) -> Columns:
    if "system" in named_roles(columns):
        raise OptionError("columns", "a mapping without 'system', because a dataset holds the outputs of one", columns)
    return choose_columns(file, names, columns)


def _to_list(values: object, name: str) -> list[object]:
    if isinstance(values, str | bytes):
        raise BareStringError(name)
    listed = None if isinstance(values, Mapping | set | frozenset) else checks.items_of(values)
    if listed is None:
        raise NotTextError(name, "a list", type(values).__name__, "pass a list, as items need an order")
    return listed


def _item(
    place: str, actual: object, expected: object, source: object, identity: object, metadata: object = None
) -> DatasetItem:
    try:
        return DatasetItem(actual, expected, source=source, id=identity, metadata=metadata)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _join_references(*references: object) -> list[object]:
    """The references in several columns, each of which holds a text or a list of texts."""
    return [text for item in references for text in (item if isinstance(item, list | tuple) else [item])]


def _row_item(row: Mapping[str, object], columns: Columns, place: str) -> DatasetItem:
    for column in columns.all:
        if column not in row:
            raise InputError(f"{missing_cell(row, column, place)}.")
    expected, *others = (row[column] for column in columns.references)
    if others:
        expected = _join_references(expected, *others)
    source, identity = (None if column is None else row[column] for column in (columns.source, columns.id))
    used = columns.all
    metadata = {str(key): value for key, value in row.items() if key not in used}
    return _item(place, row[columns.hypotheses[0]], expected, source, identity, metadata)
