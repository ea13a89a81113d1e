"""Metrics for the LM Evaluation Harness, by name; a task's score is the corpus score of all its documents.

Every metric of bleuprint is available here under its name, and `corpus` is the aggregation for all of them, so a task
needs no Python of its own:

    metric_list:
      - metric: !function bleuprint.integrations.lm_eval.bleu
        aggregation: !function bleuprint.integrations.lm_eval.corpus
        higher_is_better: true
        lowercase: true                      # options of the metric

The standard error is another metric, `bleu_stderr`, with the aggregation `corpus_stderr`. A document leaves a record of
what the score of all documents needs, which the harness aggregates at the end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from bleuprint.errors import InputError, NotTextError, OptionError, UnknownOptionError
from bleuprint.integrations._items import Record, names, record_item, score_records, stderr_of_records
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.registry import resolve

__all__ = ["corpus", "corpus_stderr", "scored_by"]

_STDERR = "_stderr"  # behind the name of a metric, under which the harness looks for its standard error


def corpus(items: Sequence[Record]) -> float:
    """The aggregation: the score of all documents as one corpus.

    >>> metric = __getattr__("bleu")
    >>> texts = {"the cat sat on the mat": "the cat sat on a mat", "a dog ran home": "a dog ran off"}
    >>> round(corpus([metric(references=[gold], predictions=[text], max_order=2) for text, gold in texts.items()]), 4)
    0.7071
    """
    return score_records(_records(items))


def corpus_stderr(items: Sequence[Record]) -> float:
    """The aggregation of `bleu_stderr`: the jackknife standard error. It follows `bleu`, which writes "N/A" there."""
    return stderr_of_records(_records(items))


def _records(items: Sequence[Record]) -> list[Record]:
    if not items:
        raise InputError("no document was scored, so there is nothing to aggregate.")
    for place, item in enumerate(items):
        if not isinstance(item, list | tuple) or len(item) != len(Record._fields):
            repair = (
                "given a list of targets, the harness only keeps whether one fits: read the references with "
                "process_results: scored_by(…)"
            )
            raise NotTextError(f"items[{place}]", "the return value of a bleuprint metric", type(item).__name__, repair)
    return [Record(*item) for item in items]


def scored_by(
    *metrics: str, references: str = "references", source: str | None = None, **options: object
) -> Callable[[Mapping[str, Any], Sequence[str]], dict[str, Record]]:
    """A function for a task's `process_results`, for what a target cannot hold: several references or a source.

    `references` and `source` are fields of the dataset, and "bleu_stderr" is BLEU for `corpus_stderr`. Given a list of
    targets, the harness itself only keeps whether any of them scored above zero.

    >>> process_results = scored_by("bleu", "ter", references="translations")
    >>> records = process_results({"translations": ["a b", "a c"]}, ["a b"])
    >>> corpus([records["ter"]])
    0.0
    """
    resolved = {metric: _resolve(metric, options) for metric in metrics}
    for name, metric in resolved.items():
        if metric.needs_sources and source is None:
            raise InputError(f"{name} compares with the sources: pass their field as source=….")

    def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Record]:
        group = _field(doc, references) if any(metric.needs_references for metric in resolved.values()) else []
        return {
            name: record_item(metric, results[0], group, _field(doc, str(source)) if metric.needs_sources else None)[1]
            for name, metric in resolved.items()
        }

    return process_results


def __getattr__(name: str) -> Any:
    if name.removesuffix(_STDERR) in names():
        return _packer(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _packer(name: str) -> Callable[..., Record]:
    """The metric in the form the harness calls for each document."""

    def metric(*, references: Sequence[str], predictions: Sequence[str], **options: object) -> Record:
        resolved = _resolve(name, options)
        if resolved.needs_sources:
            raise InputError(f"{name} compares with the sources: set process_results to scored_by({name!r}, source=…).")
        return record_item(resolved, predictions[0], references, None)[1]

    metric.__name__ = metric.__qualname__ = name
    metric.__doc__ = f"bleuprint's {name}: records one document, and the aggregation scores all of them."
    return metric


def _resolve(name: str, options: Mapping[str, object]) -> Metric[Score]:
    """The metric, from the first document on, because the harness retries if that raises a TypeError."""
    try:
        written = json.dumps(options, sort_keys=True)
    except TypeError as error:
        raise InputError(f"options of {name} must be plain values, as in a task file: {error}.") from None
    try:
        return _metric(name.removesuffix(_STDERR), written)
    except UnknownOptionError as error:  # which is a TypeError too
        raise OptionError.because(str(error).removesuffix(".")) from None


@cache
def _metric(name: str, options: str) -> Metric[Score]:
    return resolve(name, json.loads(options))


def _field(doc: Mapping[str, Any], name: str) -> Any:
    if name not in doc:
        raise InputError(f"the documents have no field {name!r}, only {', '.join(map(repr, doc))}.")
    return doc[name]
