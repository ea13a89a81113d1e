"""Work on the partitions of a DataFrame: records for the driver, and errors for rows that cannot be scored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from bleuprint.core import counts
from bleuprint.core.columns import raise_fault
from bleuprint.errors import BleuprintError, InputError

if TYPE_CHECKING:
    from pyarrow import Array, RecordBatch
    from pyspark.sql import DataFrame, Row

    from bleuprint.integrations.spark._columns import Roles

Record = dict[str, Any]  # plain values, ready for JSON


class Fault(NamedTuple):
    """What is wrong with a text: its row and column, and the problem."""

    row: int
    column: str
    kind: str
    inner: int
    got: str
    groups: bool

    def raise_error(self, *, place: str = "") -> NoReturn:
        """Raise the same error as on a single machine."""
        raised = counts.Fault(self.kind, self.row, self.inner, -1, self.got)
        raise_fault(raised, place + self.column, groups=self.groups, tokenized=False)


class Watch:
    """Checks the rows of one partition: counts them, and remembers the first bad one."""

    def __init__(self) -> None:
        self.rows = 0
        self.fault: Fault | None = None

    def is_good(self, columns: Mapping[str, Array]) -> bool:
        """Whether a batch is to be scored: after a bad row none is, and rows are only counted, to number it."""
        if self.fault is None:
            faults = filter(None, (_find_fault(array, name) for name, array in columns.items()))
            first = min(faults, key=lambda fault: fault.row, default=None)
            self.fault = None if first is None else first._replace(row=self.rows + first.row)
        self.rows += len(next(iter(columns.values())))
        return self.fault is None


def _find_fault(array: Array, name: str) -> Fault | None:
    """The first text of a column that the core refuses."""
    import pyarrow as pa

    groups = bool(pa.types.is_list(array.type) or pa.types.is_large_list(array.type))
    try:
        counts.arrow_column(array, groups=groups)
    except counts.Fault as fault:
        kind, row, inner, _, got = fault.args
        return Fault(row, name, kind, inner, got, groups)
    return None


def collect_records(
    df: DataFrame, roles: Roles, count: Callable[[Iterator[RecordBatch]], Iterator[Record]]
) -> list[Record]:
    """What `count` yields for the rows of each partition.

    Raises the first error of all partitions, with the place of the row in the whole DataFrame.
    """

    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        watch, error = Watch(), None
        try:
            for record in count(batch for batch in batches if watch.is_good(roles.of_batch(batch)) and batch.num_rows):
                yield _one_row(record)
        except BleuprintError as problem:
            error = str(problem)
        yield _one_row({"rows": watch.rows, "fault": watch.fault, "error": error})

    records = [json.loads(row["record"]) for row in _collect(df.mapInArrow(work, "record string"))]
    _check_reports([record for record in records if "error" in record])
    return [record for record in records if "error" not in record]


def _one_row(record: Record) -> RecordBatch:
    import pyarrow as pa

    return pa.RecordBatch.from_pydict({"record": [json.dumps(record)]})


def _collect(frame: DataFrame) -> list[Row]:
    """The rows of a small DataFrame; explains the error if bleuprint is not installed on the workers."""
    from pyspark.errors import PythonException

    try:
        return frame.collect()
    except PythonException as error:
        if "No module named 'bleuprint'" in str(error):
            raise InputError(
                "bleuprint is not installed in the Python of Spark's workers: install it there, or set the environment "
                "variable PYSPARK_PYTHON to an interpreter that has it before the session starts."
            ) from None
        raise


def _check_reports(reports: Sequence[Mapping[str, Any]]) -> None:
    """Raise the first error of all partitions, whose reports are in order."""
    for report in reports:
        if report["error"] is not None:
            raise InputError(report["error"])
    rows = 0
    for report in reports:
        if report["fault"] is not None:
            fault = Fault(*report["fault"])
            fault._replace(row=rows + fault.row).raise_error()
        rows += report["rows"]
