"""Rows that cannot be scored: found in Arrow batches, reported by the driver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, Self

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.columns import raise_fault
from bleuprint.errors import BleuprintError, InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyarrow import Array, RecordBatch

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
    """Checks the rows of one partition: counts them, and skips the bad ones or remembers the first.

    In a `with` statement, an error of bleuprint ends the block and becomes part of the report.
    """

    def __init__(self, *, skip: bool) -> None:
        self._skip = skip
        self._rows = self._bad = 0
        self._error: str | None = None
        self.fault: Fault | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        if isinstance(error, BleuprintError):
            self._error = str(error)
        return isinstance(error, BleuprintError)

    def good_rows(self, columns: Mapping[str, Array]) -> NDArray[np.bool_]:
        """Which rows of a batch are to be scored: after a bad row that is not skipped, none."""
        before, good = self._rows, np.ones(len(next(iter(columns.values()))), dtype=bool)
        self._rows += len(good)
        if self.fault is None:
            faults = [fault for name, array in columns.items() for fault in self._faults(array, name)]
            good[[fault.row for fault in faults]] = False
            if faults and not self._skip:
                first = min(faults, key=lambda fault: fault.row)
                self.fault = first._replace(row=before + first.row)
        if self.fault is not None:  # rows are only counted, to number the bad one
            good[:] = False
        self._bad += len(good) - int(good.sum())
        return good

    def keep_good(self, batch: RecordBatch, columns: Mapping[str, Array]) -> RecordBatch:
        """The rows of a batch that are to be scored."""
        import pyarrow as pa

        good = self.good_rows(columns)
        return batch if good.all() else batch.filter(pa.array(good))

    def report(self) -> dict[str, object]:
        """The report for the driver, ready for JSON."""
        return {"rows": self._rows, "bad": self._bad, "fault": self.fault, "error": self._error}

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


def check_reports(reports: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
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
