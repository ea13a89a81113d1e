"""Find texts in the files of a corpus on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.corpora.findings import Seen
from bleuprint.corpora.search import CorpusSearch, File, Scanned
from bleuprint.dataset.opening import PathLike
from bleuprint.errors import BleuprintError, InputError
from bleuprint.integrations.spark._columns import require_spark
from bleuprint.integrations.spark._shipping import check_versions, versions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def search_corpus(
    spark: SparkSession, search: CorpusSearch, paths: Sequence[PathLike] | PathLike, **options: Any
) -> Seen:
    """The result of `search.run(paths, **options)`, with the files read by the workers.

    Every worker must be able to read the files under these paths. The driver receives what was found in each file.

    >>> import bleuprint
    >>> sample = bleuprint.__file__.replace("__init__.py", "dataset/sample/")
    >>> search = CorpusSearch(["Please do not feed the birds in the park.", "Nothing of this."], order=4)
    >>> result = search_corpus(spark, search, sample + "ref-*.txt")  # doctest: +SKIP
    >>> result.records  # doctest: +SKIP
    96
    """
    require_spark()
    expected = versions()

    def engine(scan: Callable[[File], Iterable[Scanned]], files: Sequence[File]) -> Iterator[Scanned]:
        def work(file: File) -> Iterator[Scanned | str]:
            try:
                check_versions(expected)
                yield from scan(file)
            except BleuprintError as problem:
                yield str(problem)

        context = spark.sparkContext
        slices = max(1, min(len(files), 4 * context.defaultParallelism))
        for found in context.parallelize(files, slices).flatMap(work).toLocalIterator():
            if isinstance(found, str):
                raise InputError(found)
            yield found

    return search.run(paths, engine=engine, threads=1, **options)
