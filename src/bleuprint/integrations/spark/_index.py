"""Index files on Spark: every task indexes one file, and the driver merges."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bleuprint.core import tokenizers
from bleuprint.corpora.building import MEMORY, merge_indexes
from bleuprint.corpora.building import build_index as build_locally
from bleuprint.dataset.opening import STDIN, PathLike, name_of
from bleuprint.errors import BleuprintError, InputError, OptionError
from bleuprint.files import check_targets
from bleuprint.integrations.spark._batches import Work, build_batch
from bleuprint.integrations.spark._columns import require_spark
from bleuprint.integrations.spark.session import one_line
from bleuprint.models.ngram_index import NgramIndex, check_order

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import SparkSession

_REPORT = "number long, problem string"


def build_index(
    spark: SparkSession,
    paths: Sequence[PathLike],
    output: str | os.PathLike[str],
    *,
    folder: str | os.PathLike[str] | None = None,
    max_order: int = 13,
    tokenizer: str = "13a",
    lowercase: bool = False,
    column: str | None = None,
    errors: str = "strict",
    memory: int = MEMORY,
    overwrite: bool = False,
) -> NgramIndex:
    """Index files on the workers and merge the parts: byte by byte the file that `corpora.build_index` writes.

    All machines must see the files and `folder`, where the parts are written until they are merged; it is
    OUTPUT.parts unless given. `memory` is that of each task. The other options are those of `corpora.build_index`.

    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())  # doctest: +SKIP
    >>> _ = (folder / "a.txt").write_text("the cat sat")  # doctest: +SKIP
    >>> _ = (folder / "b.txt").write_text("a cat sat")  # doctest: +SKIP
    >>> index = build_index(spark, [folder / "a.txt", folder / "b.txt"], folder / "corpus.bpi")  # doctest: +SKIP
    >>> index.texts, index.count("cat sat")  # doctest: +SKIP
    (2, 2)
    """
    require_spark()
    if isinstance(paths, str | os.PathLike) or not paths or any(os.fspath(path) == STDIN for path in paths):
        raise OptionError("paths", "a list of files that all machines see", paths)
    if not isinstance(tokenizer, str):
        raise OptionError("tokenizer", "the name of a tokenizer on Spark", tokenizer)
    tokenizers.resolve(tokenizer, lowercase)
    check_targets([output], overwrite=overwrite)
    parts = Path(f"{os.fspath(output)}.parts" if folder is None else folder).absolute()
    build = partial(
        build_locally,
        max_order=check_order(max_order),
        tokenizer=tokenizer,
        lowercase=lowercase,
        column=column,
        errors=errors,
        memory=memory,
        threads=1,
        overwrite=True,
        restart=True,
    )
    parts.mkdir(exist_ok=True)
    listed = [(number, os.fspath(path)) for number, path in enumerate(paths)]
    frame = spark.createDataFrame(listed, "number long, path string").repartitionByRange(len(listed), "number")
    with one_line("Spark could not finish"):
        reports = frame.mapInArrow(_build_parts(str(parts), build), _REPORT).collect()
    problems = sorted((row.number, row.problem) for row in reports if row.problem)
    if problems:
        raise InputError(f"{name_of(paths[problems[0][0]])} cannot be indexed on a worker: {problems[0][1]}")
    names = [parts / _name(number) for number, _ in listed]
    missing = [str(name) for name in names if not name.exists()]
    if missing:
        raise InputError(f"the driver does not see {missing[0]}; pass a folder that all machines share.")
    index = merge_indexes(names, output, overwrite=overwrite)
    shutil.rmtree(parts)
    return index


def _name(number: int) -> str:
    return f"{number:06d}.bpi"


def _build_parts(folder: str, build: Callable[[str, Path], object]) -> Work:
    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        for batch in batches:
            numbers, paths = batch.column(0).to_pylist(), batch.column(1).to_pylist()
            problems = []
            for number, path in zip(numbers, paths, strict=True):
                try:
                    build(path, Path(folder) / _name(number))
                    problems.append("")
                except BleuprintError as error:
                    problems.append(str(error))
            yield build_batch(_REPORT, numbers, problems)

    return work
