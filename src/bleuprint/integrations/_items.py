"""What adapters to other programs share: metrics by name, and scores of items that come one by one.

An item leaves a record: plain values, ready for a log, from which the score of all items as one corpus is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus
from bleuprint.errors import ExtraImport, MergeError
from bleuprint.metrics import registry
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.base.summaries import KeptRows

# By signature; a metric with a model cannot be recreated from its signature alone.
_metrics: dict[str, Metric[Score]] = {}


def load_extra(module: str, purpose: str, package: str, extra: str) -> ModuleType:
    """A module of another package; raises an error with the extra to install if it is missing."""
    with ExtraImport(purpose, [package], extra):
        return import_module(module)


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
    texts: tuple[str, list[str], str | None] | None = None  # the hypothesis, its references and its source


def record_item(
    metric: Metric[Score], hypothesis: str, references: Sequence[str], source: str | None
) -> tuple[Score | None, Record]:
    """The score of an item, None if the metric does not score single items, and its record for `score_records`."""
    _metrics.setdefault(metric.signature, metric)
    group, score = list(references) if metric.needs_references else [], None
    if metric.unit == "segment" and metric.can_stream:
        score = metric.sentence(hypothesis, *([group] if metric.needs_references else []), source=source)
        # One item can choose neither the tokenizer of all, nor which of its references is drawn.
        if not metric.definition.choices and not issubclass(metric.definition.summary, KeptRows):
            return score, Record(metric.signature, list(score.columns))
    metric.definition.check_sources(None if source is None else [source])
    Corpus.of([hypothesis], [group] if metric.needs_references else [hypothesis], name="preds")
    return score, Record(metric.signature, texts=(hypothesis, group, source))


def score_records(records: Sequence[Record]) -> float:
    """The score of all items as one corpus, from their records."""
    signatures = sorted({record.signature for record in records})
    if len(signatures) > 1:
        raise MergeError(*signatures[:2])
    metric = _metrics.get(signatures[0]) or registry.from_signature(signatures[0])
    rows = [record.row for record in records if record.row is not None]
    if len(rows) == len(records):
        return metric.definition.value_of(np.asarray(rows))
    hypotheses, references, sources = zip(*(record.texts or (None, None, None) for record in records), strict=True)
    score = metric.corpus(
        list(hypotheses),
        list(references) if metric.needs_references else None,
        sources=list(sources) if metric.needs_sources else None,
    )
    return float(score.value)
