"""What adapters to other programs share: metrics by name, and scores of items that come one by one.

An item leaves a record: plain values, ready for a log, from which the score of all items as one corpus is computed.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus
from bleuprint.errors import MergeError
from bleuprint.metrics import registry
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.base.summaries import KeptRows
from bleuprint.statistics.intervals import jackknife, standard_error
from bleuprint.statistics.rows import Sample

# By signature; a metric with a model cannot be recreated from its signature alone.
_metrics: dict[str, Metric[Score]] = {}


def names() -> tuple[str, ...]:
    """Names of this package's metrics, spelled with underscores.

    >>> [name for name in names() if name.startswith("s")]
    ['sari', 'self_bleu', 'self_repetition', 'squad_f1']
    """
    return tuple(name.replace("-", "_") for name in registry.names())


class Record(NamedTuple):
    """What is kept of an item: its row of integers, or where rows are not enough, its texts.

    It is no dict, because lm-eval takes a dict for several metrics.
    """

    signature: str
    row: list[int] | None = None
    texts: tuple[str, Any, str | None] | None = None  # the hypothesis, its references and its source


def record_item(
    metric: Metric[Score], hypothesis: str, references: Any, source: str | None
) -> tuple[Score | None, Record]:
    """The score of an item, None if the metric does not score single items, and its record for `score_records`."""
    _metrics.setdefault(metric.signature, metric)
    needed, score = [references] if metric.needs_references else [], None
    if metric.unit == "segment" and metric.can_stream:
        score = metric.sentence(hypothesis, *needed, source=source)
        # One item can choose neither the tokenizer of all, nor which of its references is drawn.
        if not metric.definition.choices and not issubclass(metric.definition.summary, KeptRows):
            return score, Record(metric.signature, list(score.columns))
    metric.definition.check_sources(None if source is None else [source])
    Corpus.of([hypothesis], needed or [hypothesis], name="preds")
    return score, Record(metric.signature, texts=(hypothesis, references if needed else [], source))


def score_records(records: Sequence[Record]) -> float:
    """The score of all items as one corpus, from their records."""
    metric, rows, texts = _gather(records)
    return float(metric.corpus(**texts).value) if rows is None else metric.definition.value_of(rows)


def stderr_of_records(records: Sequence[Record], clusters: Sequence[Hashable] | None = None) -> float:
    """The jackknife standard error of that score, which leaves out one item at a time, or one cluster.

    NaN if there is only one, and for metrics that draw from several references.
    """
    metric, rows, texts = _gather(records)
    if len(records if clusters is None else set(clusters)) < 2 or issubclass(metric.definition.summary, KeptRows):
        return math.nan
    rows = metric.statistics(**texts).rows if rows is None else rows
    sample: Sample = metric.definition.row_summary.sample(metric.definition, rows)
    return float(standard_error(jackknife(sample if clusters is None else sample.by_cluster(clusters))))


def _gather(records: Sequence[Record]) -> tuple[Metric[Score], Any, dict[str, Any]]:
    """The metric of the records, and their rows, or the texts of all if one has no row."""
    signatures = sorted({record.signature for record in records})
    if len(signatures) > 1:
        raise MergeError(*signatures[:2])
    metric = _metrics.get(signatures[0]) or registry.from_signature(signatures[0])
    rows = [record.row for record in records if record.row is not None]
    if len(rows) == len(records):
        return metric, np.asarray(rows), {}
    columns = map(list, zip(*(record.texts or (None, None, None) for record in records), strict=True))
    roles = {"hypotheses": True, "references": metric.needs_references, "sources": metric.needs_sources}
    return metric, None, {role: texts for (role, needed), texts in zip(roles.items(), columns, strict=True) if needed}
