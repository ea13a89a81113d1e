"""What adapters to other programs share: metrics by name, and scores of items that come one by one.

An item leaves a record: plain values, ready for a log, from which the score of all items as one corpus is computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus, References, Texts
from bleuprint.errors import ExtraImport, MergeError, StateError
from bleuprint.metrics import registry
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.base.summaries import KeptRows

State = Mapping[str, Any]  # plain numbers, lists and strings

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


class KeptTexts:
    """The items of a metric that needs all texts at once: it learns from all references, or its tokenizer is auto."""

    def __init__(self, metric: Metric[Score]) -> None:
        self._metric = metric
        self._columns: State = {"predictions": [], "references": [], "sources": []}  # the last two may be unused

    def update(self, predictions: Texts, references: References | None, *, sources: Texts | None = None) -> None:
        self._metric.definition.check_sources(sources)
        corpus = Corpus.of(predictions, predictions if references is None else references, sources, name="preds")
        added = {
            "predictions": [group[0] for group in corpus.hypotheses.unpack()],
            "references": [] if references is None else corpus.references.unpack(),
            "sources": [] if corpus.sources is None else [group[0] for group in corpus.sources.unpack()],
        }
        for name, texts in self._columns.items():
            texts += added[name]

    def compute(self) -> Score:
        predictions, references, sources = self._columns.values()
        return self._metric.corpus(predictions, references or None, sources=sources or None)

    def state(self) -> State:
        return {"signature": self._metric.signature, **self._columns}

    def add_state(self, state: State) -> None:
        if not isinstance(state, Mapping) or not all(isinstance(state.get(name), list) for name in self._columns):
            raise StateError(self._metric.name, f"it must be a dict with lists: {', '.join(self._columns)}")
        if state.get("signature") != self._metric.signature:
            raise MergeError(self._metric.signature, str(state.get("signature")))
        predictions, references, sources = (state[name] for name in self._columns)
        # Read like a batch, so that the texts are checked now and not when the score is computed.
        if predictions:
            self.update(predictions, references or None, sources=sources or None)


class Record(NamedTuple):
    """What is kept of an item: its row of integers, or where rows are not enough, the state of a metric with the item.

    It is no dict, because lm-eval takes a dict for several metrics.
    """

    signature: str
    row: list[int] | None = None
    state: State | None = None


def record_item(
    metric: Metric[Score], hypothesis: str, references: Sequence[str], source: str | None
) -> tuple[Score | None, Record]:
    """The score of an item, None if the metric does not score single items, and its record for `score_records`."""
    _metrics.setdefault(metric.signature, metric)
    groups = [list(references)] if metric.needs_references else None
    score = None
    if metric.unit == "segment" and metric.can_stream:
        score = metric.sentence(hypothesis, *(groups or ()), source=source)
        if not metric.definition.choices and not issubclass(metric.definition.summary, KeptRows):
            return score, Record(metric.signature, list(score.columns))
    alone = _start(metric)
    alone.update([hypothesis], groups, sources=None if source is None else [source])
    return score, Record(metric.signature, state=alone.state())


def _start(metric: Metric[Score]) -> Metric[Score] | KeptTexts:
    """The metric without data, in a form that items can be added to; one item cannot choose the tokenizer of all."""
    return metric.fresh() if metric.can_stream and not metric.definition.choices else KeptTexts(metric)


def score_records(records: Sequence[Record]) -> float:
    """The score of all items as one corpus, from their records."""
    signatures = sorted({record.signature for record in records})
    if len(signatures) > 1:
        raise MergeError(*signatures[:2])
    metric = _metrics.get(signatures[0]) or registry.from_signature(signatures[0])
    if all(record.state is None for record in records):
        return metric.definition.value_of(np.asarray([record.row for record in records]))
    together = _start(metric)
    for record in records:
        together.add_state(record.state or {})
    return float(together.compute().value)
