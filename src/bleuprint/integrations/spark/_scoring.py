"""Scores of a whole DataFrame or of its groups: each partition is reduced to sums, which the driver adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus, warn
from bleuprint.errors import TokenizerWarning
from bleuprint.integrations.spark._columns import GROUP, Roles, corpus_of, require_spark
from bleuprint.integrations.spark._partitions import Record, collect_records
from bleuprint.integrations.spark._shipping import pack
from bleuprint.metrics.base import Metric, Score
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.runners import one_pass
from bleuprint.runners.evaluation import Metrics, resolve, versions

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame

ALL = "hypotheses"  # the name of the only system


def score(
    df: DataFrame,
    hypotheses: str = "hyp",
    references: str | Sequence[str] | None = "refs",
    sources: str | None = None,
    *,
    metrics: Metrics = "bleu",
    by: str | None = None,
) -> Result:
    """The corpus scores of a DataFrame, equal (`==`) to those of `bleuprint.evaluate` over the same rows.

    `references` is a column of texts or of arrays of texts, or several columns of texts; None if no metric compares
    with references. With `by`, each value of that column becomes a system of the result. A row without a text is an
    error that names the row.

    The tokens of pool metrics such as Self-BLEU are brought to the driver, which must be able to hold them.

    >>> rows = [("the cat sat on the mat", ["the cat sat on a mat"]), ("a dog", ["a dog", "the dog"])]
    >>> df = spark.createDataFrame(rows, "hyp string, refs array<string>")  # doctest: +SKIP
    >>> print(score(df, metrics=["bleu", "chrf", "distinct"]).pretty().partition("\\n\\n")[0])  # doctest: +SKIP
    system        bleu    chrf  distinct
    hypotheses  0.5584  0.7387    1.0000
    """
    require_spark()
    resolved = resolve(metrics)
    roles = Roles.of(df, hypotheses, references, sources, resolved)
    parcel = pack(resolved)

    def count(batches: Iterator[RecordBatch]) -> Iterator[Record]:
        opened, running, sizes = parcel.open(), dict[str, dict[str, Metric[Score]]](), Counter[str]()
        unseen: dict[str, list[str]] = {}  # what to say of texts that tokenizers cannot read
        for batch in batches:
            for system, corpus in _split(batch):
                if system not in running:
                    unseen[system] = one_pass.find_unseen(opened, [corpus])
                one_pass.update({"": _system(running, system, opened)}, {"": corpus}, threads=1)
                sizes[system] += len(corpus)
        for system, done in running.items():
            states = {label: metric.state() for label, metric in done.items()}
            yield {"system": system, "size": sizes[system], "states": states, "unseen": unseen[system]}

    records = collect_records(roles.select(df, by=by), roles, count)
    running, sizes = dict[str, dict[str, Metric[Score]]](), Counter[str]()
    if by is None:
        _system(running, ALL, resolved)  # also if there are no rows
    for record in records:
        sizes[record["system"]] += record["size"]
        for label, state in record["states"].items():
            _system(running, record["system"], resolved)[label].add_state(state)
    notes = list(dict.fromkeys(sentence for record in records for sentence in record["unseen"]))
    for sentence in notes:
        warn(TokenizerWarning(sentence))
    if len(set(sizes.values())) > 1:
        notes += [f"{name}: {sizes[name]} segments" for name in sorted(sizes)]
    systems = []
    for name in sorted(running):
        scores = tuple(MetricResult.of(label, metric.compute()) for label, metric in running[name].items())
        systems.append(SystemResult(name, (), "", scores))  # texts and segments stay on the cluster
    size = max(sizes.values(), default=0)
    return Result(tuple(systems), (), None, size=size, digests={}, versions=versions(), notes=tuple(notes))


def _system(
    running: dict[str, dict[str, Metric[Score]]], name: str, metrics: Mapping[str, Metric[Score]]
) -> dict[str, Metric[Score]]:
    """The running metrics of a system, which are new if it has none yet."""
    if name not in running:
        running[name] = {label: metric.fresh() for label, metric in metrics.items()}
    return running[name]


def _split(batch: RecordBatch) -> Iterator[tuple[str, Corpus]]:
    """The rows of a batch by system, in row order."""
    import pyarrow as pa

    if GROUP not in batch.schema.names:
        yield ALL, corpus_of(batch)
        return
    groups = batch.column(GROUP).dictionary_encode(null_encoding="encode")
    codes = np.asarray(groups.indices)
    batch = batch.take(pa.array(np.argsort(codes, kind="stable")))
    begin = 0
    for group, size in zip(groups.dictionary.to_pylist(), np.bincount(codes).tolist(), strict=True):
        yield "(null)" if group is None else group, corpus_of(batch.slice(begin, size))
        begin += size
