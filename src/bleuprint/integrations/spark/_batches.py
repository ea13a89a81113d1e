"""Arrow batches, in which Spark's workers get and return rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from bleuprint.errors import InputError

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame, Row

Work = Callable[[Iterator["RecordBatch"]], Iterator["RecordBatch"]]  # what `mapInArrow` takes


def build_batch(schema: str, *columns: Sequence[object]) -> RecordBatch:
    """A batch with the columns of a schema such as "record string, rows_0 binary"."""
    import pyarrow as pa

    kinds = {"string": pa.string(), "binary": pa.binary()}
    fields = [field.split() for field in schema.split(", ")]
    arrays = [pa.array(values, kinds[kind]) for values, (_, kind) in zip(columns, fields, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, [name for name, _ in fields])


def collect(frame: DataFrame) -> list[Row]:
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


def partition_number() -> int:
    """The number of the current task's partition."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return 0 if context is None else context.partitionId()
