"""Work on the partitions of a DataFrame: records for the driver, and errors for rows that cannot be scored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Flags, np
from bleuprint.core.columns import raise_fault
from bleuprint.errors import BleuprintError, InputError

if TYPE_CHECKING:
    from pyarrow import Array, RecordBatch
    from pyspark.sql import DataFrame, Row

    from bleuprint.integrations.spark._columns import Roles

Record = dict[str, Any]  # plain values, ready for JSON
BadRows = Literal["error", "skip"]


def skips(bad_rows: BadRows) -> bool:
    """Whether bad rows are left out."""
    return checks.choice("bad_rows", bad_rows, ("error", "skip")) == "skip"


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
    """Checks the rows of one partition: counts them, and skips the bad ones or remembers the first."""

    def __init__(self, *, skip: bool) -> None:
        self._skip = skip
        self.rows = self.bad = 0
        self.fault: Fault | None = None

    def good_rows(self, columns: Mapping[str, Array]) -> Flags:
        """Which rows of a batch are to be scored: after a bad row that is not skipped, none."""
        before, good = self.rows, np.ones(len(next(iter(columns.values()))), dtype=bool)
        self.rows += len(good)
        if self.fault is None:
            faults = [fault for name, array in columns.items() for fault in self._faults(array, name)]
            good[[fault.row for fault in faults]] = False
            if faults and not self._skip:
                first = min(faults, key=lambda fault: fault.row)
                self.fault = first._replace(row=before + first.row)
        if self.fault is not None:  # rows are only counted, to number the bad one
            good[:] = False
        self.bad += len(good) - int(good.sum())
        return good

    def keep_good(self, batch: RecordBatch, columns: Mapping[str, Array]) -> RecordBatch:
        """The rows of a batch that are to be scored."""
        import pyarrow as pa

        good = self.good_rows(columns)
        return batch if good.all() else batch.filter(pa.array(good))

    def _faults(self, array: Array, name: str) -> Iterator[Fault]:
        """The first fault of each bad row, or of the first one only; the core finds it, and goes on behind it."""
        import pyarrow as pa

        groups = bool(pa.types.is_list(array.type) or pa.types.is_large_list(array.type))
        begin = 0
        while begin < len(array):
            try:
                counts.arrow_column(array.slice(begin), groups=groups)
                return
            except counts.Fault as fault:
                kind, row, inner, _, got = fault.args
                yield Fault(begin + row, name, kind, inner, got, groups)
                begin += row + 1 if self._skip else len(array)


def collect_records(
    df: DataFrame, roles: Roles, count: Callable[[Iterator[RecordBatch]], Iterator[Record]], bad_rows: BadRows
) -> tuple[list[Record], int, int]:
    """What `count` yields for the good rows of each partition, and the number of rows and of bad rows.

    Raises the first error of all partitions, with the place of the row in the whole DataFrame.
    """
    skip = skips(bad_rows)

    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        watch, error = Watch(skip=skip), None
        kept = (watch.keep_good(batch, roles.of_batch(batch)) for batch in batches)
        try:
            for record in count(batch for batch in kept if batch.num_rows):
                yield _one_row(record)
        except BleuprintError as problem:
            error = str(problem)
        yield _one_row({"rows": watch.rows, "bad": watch.bad, "fault": watch.fault, "error": error})

    records = [json.loads(row["record"]) for row in _collect(df.mapInArrow(work, "record string"))]
    reports = [record for record in records if "error" in record]
    return [record for record in records if "error" not in record], *_check_reports(reports)


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


def _check_reports(reports: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """The number of rows, and of bad rows; raises the first error of all partitions, whose reports are in order."""
    for report in reports:
        if report["error"] is not None:
            raise InputError(report["error"])
    rows = 0
    for report in reports:
        if report["fault"] is not None:
            fault = Fault(*report["fault"])
            fault._replace(row=rows + fault.row).raise_error()
        rows += report["rows"]
    return rows, sum(report["bad"] for report in reports)
