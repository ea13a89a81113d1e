"""Rows that cannot be scored: found in Arrow batches, reported by the driver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.columns import raise_fault
from bleuprint.errors import InputError, OptionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

BadRows = Literal["error", "skip"]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a text: its row and column, and the problem."""

    row: int
    column: str
    kind: str
    inner: int
    got: str
    groups: bool


def checked_mode(bad_rows: str) -> BadRows:
    if bad_rows == "error":
        return "error"
    if bad_rows == "skip":
        return "skip"
    raise OptionError("bad_rows", "'error' or 'skip'", bad_rows)


class Watch:
    """Checks the rows of one partition: counts them and the bad ones, and remembers the first bad one."""

    def __init__(self) -> None:
        self.rows = 0
        self.bad = 0
        self.fault: Fault | None = None

    def good(self, columns: Mapping[str, Any]) -> NDArray[np.bool_] | None:
        """Which rows of a batch can be scored; None if all can."""
        masks_by_name = {name: _bad(array) for name, array in columns.items()}
        length = len(next(iter(columns.values())))
        before, self.rows = self.rows, self.rows + length
        masks = [mask for mask in masks_by_name.values() if mask is not None]
        if not masks:
            return None
        bad = np.logical_or.reduce(masks)
        self.bad += int(bad.sum())
        if self.fault is None:
            row = int(bad.argmax())
            name = next(name for name, mask in masks_by_name.items() if mask is not None and mask[row])
            self.fault = _described(columns[name], name, row, before)
        good: NDArray[np.bool_] = ~bad
        return good

    def report(self) -> dict[str, Any]:
        """The report for the driver, ready for JSON."""
        fault = self.fault
        parts = None if fault is None else [getattr(fault, name) for name in Fault.__slots__]
        return {"rows": self.rows, "bad": self.bad, "fault": parts}


def first_fault(reports: Iterable[Mapping[str, Any]]) -> Fault | None:
    """The first bad row overall, numbered across partitions; the reports must be in order."""
    before = 0
    for report in reports:
        if report["fault"] is not None:
            row, *rest = report["fault"]
            return Fault(before + row, *rest)
        before += report["rows"]
    return None


def totals(reports: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """Number of rows, and of bad rows."""
    report_list = list(reports)
    return sum(report["rows"] for report in report_list), sum(report["bad"] for report in report_list)


def raise_named(fault: Fault, *, place: str = "") -> NoReturn:
    """Raise the same error as on a single machine."""
    raised = counts.Fault(fault.kind, fault.row, fault.inner, -1, fault.got)
    raise_fault(raised, place + fault.column, groups=fault.groups, tokenized=False)


def _bad(array: Any) -> NDArray[np.bool_] | None:
    """Which rows contain no text; None if all do."""
    import pyarrow as pa

    groups = _is_list(array)
    bad = np.asarray(array.is_null()) if array.null_count and not groups else np.zeros(len(array), dtype=bool)
    if groups:
        bad |= _sizes(array) == 0
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        for row, _ in _undecodable(array):
            bad[row] = True
    return bad if bad.any() else None


def _is_list(array: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_list(array.type) or pa.types.is_large_list(array.type))


def _sizes(array: Any) -> NDArray[np.int64]:
    """Number of non-null texts in each row."""
    import pyarrow.compute as pc

    rows = np.asarray(pc.list_parent_indices(array))
    return np.bincount(rows[np.asarray(array.flatten().is_valid(), dtype=bool)], minlength=len(array))


def _undecodable(array: Any) -> Iterable[tuple[int, int]]:
    """Rows, and positions within them, with invalid UTF-8; checked one text at a time, because it is rare."""
    for row in range(len(array)):
        for inner, text in enumerate(_texts(array, row)):
            if text is not None and counts.invalid_utf8(text) >= 0:
                yield row, inner


def _texts(array: Any, row: int) -> Sequence[bytes | None]:
    cell = array[row]
    if not cell.is_valid:
        return []
    items = cell.values if _is_list(array) else [cell]
    return [item.as_buffer().to_pybytes() if item.is_valid else None for item in items]


def _described(array: Any, name: str, row: int, before: int) -> Fault:
    groups = _is_list(array)
    place = before + row
    if not groups and not array[row].is_valid:
        return Fault(place, name, "type", -1, "None", groups)
    if groups and _sizes(array)[row] == 0:
        return Fault(place, name, "empty", -1, "", groups)
    for inner, text in enumerate(_texts(array, row)):
        if text is not None and counts.invalid_utf8(text) >= 0:
            return Fault(place, name, _kind_of(text), inner if groups else -1, "str", groups)
    raise InputError(f"{name}[{place}] cannot be read.")


def _kind_of(text: bytes) -> str:
    try:
        text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return "bytes"
    return "surrogate"
