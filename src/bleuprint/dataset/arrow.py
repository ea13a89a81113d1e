"""Arrow tables: .parquet files, saved Hugging Face datasets, and tables in memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bleuprint.core import counts
from bleuprint.core.columns import as_arrow
from bleuprint.dataset.opening import STDIN, PathLike, name_of, translate_errors
from bleuprint.dataset.tables import Batch, Row, Table, column_fault
from bleuprint.errors import DataFileError, ExtraImport, NotTextError
from bleuprint.files import is_plain_name

if TYPE_CHECKING:
    import pyarrow

_STATE = "state.json"
_SPLITS = "dataset_dict.json"
_ROWS = 16_384  # per batch: about 4 MB of sentences
_WITH_LISTS = {"pandas", "polars", "pyarrow"}  # columns become lists by themselves, those of pandas of any values
_LARGEST_STATE = 1 << 24  # bytes; a real one has about a hundred, and fifty more for every file


class ArrowBatch(Batch):
    """A record batch. Its texts are not copied."""

    place = "row"

    def __init__(self, file: str, first_row: int, batch: pyarrow.RecordBatch) -> None:
        self._file, self._first_row, self._batch = file, first_row, batch

    def __len__(self) -> int:
        return int(self._batch.num_rows)

    def values(self, name: str) -> Iterator[tuple[int, object]]:
        return enumerate((value.as_py() for value in self._validate(name)), start=self._first_row)

    def _validate(self, name: str) -> pyarrow.Array:
        index = self._batch.schema.get_field_index(name)
        if index < 0:
            raise DataFileError(self._file, f"column name {name!r} is ambiguous; rename the column")
        values = self._batch.column(index)
        with translate_errors(self._file):
            values.validate(full=True)  # offsets and UTF-8 come from the file and may be invalid
        return values

    def column(self, name: str, *, groups: bool) -> counts.Column:
        values = self._validate(name)
        try:
            return counts.arrow_column(values, groups=groups)
        except counts.Fault as fault:
            if fault.args[0] == "arrow":
                kinds = "texts or lists of texts" if groups else "texts"
                raise DataFileError(self._file, f"column {name!r} must hold {kinds}, got {values.type}") from None
            row = self._first_row + fault.args[1]
            raise column_fault(fault, self._file, name, row, groups=groups, place=self.place) from None

    def rows(self) -> Iterator[tuple[int, Row]]:
        with translate_errors(self._file):
            self._batch.validate(full=True)
        return enumerate(self._batch.to_pylist(), start=self._first_row)


class _ArrowTable(Table):
    position = 0

    def __init__(self, path: PathLike) -> None:
        self.name = name_of(path)

    def _number(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[ArrowBatch]:
        row = 1
        while True:
            with translate_errors(self.name):
                batch = next(batches, None)
            if batch is None:
                break
            yield ArrowBatch(self.name, row, batch)
            row += batch.num_rows
        if row == 1:
            raise DataFileError(self.name, "it has no rows; there is nothing to score")


class ParquetTable(_ArrowTable):
    """A parquet file, read in batches. Only the requested columns are read."""

    def __init__(self, path: PathLike) -> None:
        super().__init__(path)
        if self.name == name_of(STDIN):
            raise DataFileError(self.name, "parquet cannot be read from a pipe; pass a file")
        arrow = load_pyarrow(f"reading {self.name}")
        # A memory map counts toward the memory of the process and is never released; plain reads do not.
        with translate_errors(self.name):
            self._file = arrow.parquet.ParquetFile(path, memory_map=False)
            self.size: int = Path(path).stat().st_size
        self._columns: list[str] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._file.schema_arrow.names)

    def select(self, names: Sequence[str]) -> None:
        self._columns = list(names)

    def batches(self) -> Iterator[Batch]:
        total = max(1, self._file.metadata.num_rows)
        done = 0
        for batch in self._number(self._file.iter_batches(_ROWS, columns=self._columns, use_threads=False)):
            done += len(batch)
            self.position = self.size * done // total
            yield batch

    def close(self) -> None:
        self._file.close()


class ArrowFolder(_ArrowTable):
    """A folder written by `datasets.Dataset.save_to_disk`: Arrow streams and a state file that lists them."""

    def __init__(self, path: PathLike) -> None:
        super().__init__(path)
        if not (Path(path) / _STATE).is_file():
            raise DataFileError(self.name, "it is a dataset with several splits; pass the folder of one split")
        self._arrow = load_pyarrow(f"reading {self.name}")
        try:
            with (Path(path) / _STATE).open("rb") as file:
                content = file.read(_LARGEST_STATE + 1)
            if len(content) > _LARGEST_STATE:
                raise ValueError(f"it has more than {_LARGEST_STATE:,} bytes")
            state = json.loads(content)
            names = [entry["filename"] for entry in state["_data_files"]]
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise DataFileError(self.name, f"its {_STATE} cannot be read ({error!r})") from None
        if state.get("_indices_data_files"):
            raise DataFileError(
                self.name, "its rows are selected by an index; call flatten_indices() and save it again"
            )
        if not names:
            raise DataFileError(self.name, "it has no rows; there is nothing to score")
        self._files = self._check_files(Path(path), names)
        self.size = sum(file.stat().st_size for file in self._files)

    def _check_files(self, folder: Path, names: list[str]) -> list[Path]:
        """The files that the state lists; it must not make us open anything outside of the folder."""
        listed: dict[str, Path] = {}
        for name in names:
            if not is_plain_name(name):
                raise DataFileError(self.name, f"its {_STATE} must list files in the folder, got {name!r:.200}")
            if name in listed:
                raise DataFileError(self.name, f"its {_STATE} lists {name!r} twice")
            with translate_errors(self.name):  # a name can be too long
                is_file = (folder / name).is_file()
            if not is_file:
                raise DataFileError(self.name, f"its {_STATE} lists {name!r}, which is not a file in the folder")
            listed[name] = folder / name
        return list(listed.values())

    @property
    def names(self) -> tuple[str, ...]:
        with translate_errors(self.name):
            return tuple(self._open(self._files[0]).schema.names)

    def batches(self) -> Iterator[Batch]:
        return self._number(self._record_batches())

    def _open(self, file: Path) -> pyarrow.RecordBatchReader:
        return self._arrow.ipc.open_stream(self._arrow.OSFile(str(file), "rb"))

    def _record_batches(self) -> Iterator[pyarrow.RecordBatch]:
        for file in self._files:
            yield from self._open(file)
            self.position += file.stat().st_size


def is_saved_dataset(path: PathLike) -> bool:
    """Whether this is a folder with a saved Hugging Face dataset."""
    try:
        return os.fspath(path) != STDIN and any((Path(path) / name).is_file() for name in (_STATE, _SPLITS))
    except (OSError, ValueError):
        return False


def load_pyarrow(purpose: str) -> ModuleType:
    with ExtraImport(purpose, ["pyarrow"], "arrow"):
        import pyarrow
        import pyarrow.ipc
        import pyarrow.parquet
    library: ModuleType = pyarrow
    return library


def columns_in_memory(table: Any) -> dict[str, list[Any]]:
    """Return the columns of a pandas, polars, pyarrow, DuckDB, or Hugging Face table by their names."""
    names = getattr(table, "column_names", None)  # in pyarrow and Hugging Face, `columns` are the values
    if isinstance(names, dict):
        raise NotTextError("table", "one table", "a dict of tables", "choose one split, such as dataset['test']")
    table = as_arrow(table)
    if hasattr(table, "__arrow_c_stream__") and counts.library_of(table) not in _WITH_LISTS:
        table = load_pyarrow("reading an Arrow stream").table(table)
    names = getattr(table, "column_names", getattr(table, "columns", None))
    if names is None or isinstance(names, str):
        kinds = "a pandas, polars, pyarrow, DuckDB, or Hugging Face table"
        raise NotTextError("table", kinds, type(table).__name__, "for other rows, use from_dicts")
    columns: dict[str, list[Any]] = {}
    for name in map(str, names):
        column = table[name]
        methods = (getattr(column, method, None) for method in ("to_pylist", "to_list", "tolist"))
        columns[name] = list(next(filter(None, methods), column.__iter__)())
    return columns
