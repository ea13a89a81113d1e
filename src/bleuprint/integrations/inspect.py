"""Scorers for Inspect AI: a score per sample, their mean, and the score of all samples as one corpus.

Each score's metadata contains the row of integers it was computed from, or its texts if rows are not enough. The corpus
score is the metric's formula over the sum of these rows, which is not the mean of the samples' scores.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bleuprint.errors import ExtraImport, InputError, OptionError, closest
from bleuprint.integrations._items import Record, names, record_item, score_records, stderr_of_records
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import FittedMetric, Metric
from bleuprint.metrics.base.score import Score

if TYPE_CHECKING:
    from inspect_ai.scorer import Metric as InspectMetric
    from inspect_ai.scorer import Scorer
    from inspect_ai.solver import TaskState

__all__ = ["corpus", "corpus_stderr", "scorer"]


def scorer(metric: str, *, source: str | None = None, **options: object) -> Scorer:
    """An Inspect AI scorer for any metric by name; `bleu()` is short for `scorer("bleu")`, and so on.

    The references are the sample's target: one text or several. A metric that compares with sources reads the sample's
    input, or the metadata field named by `source`. `options` are those of the metric.

    >>> from inspect_ai import Task                                                # doctest: +SKIP
    >>> task = Task(dataset, scorer=[scorer("bleu"), scorer("chrf", word_order=2)])  # doctest: +SKIP
    """
    registry.find(metric)
    return _scorer_factory(metric.replace("-", "_"))(source=source, **options)


def corpus() -> InspectMetric:
    """The Inspect AI metric that these scorers report besides the mean; each epoch counts as separate samples.

    For one value per value of a metadata field, use `grouped(corpus(), "language")`.
    """
    return _corpus_factory("corpus")()


def corpus_stderr(cluster: str | None = None) -> InspectMetric:
    """The jackknife standard error of `corpus`; the epochs of a sample are left out together.

    With the metadata field `cluster`, such as the document of a sample, so are all samples with the same value.
    """
    return _corpus_factory("corpus_stderr")(cluster=cluster)


def __getattr__(name: str) -> Any:
    if name == "scorers":  # for Inspect AI's entry point
        return {known: _scorer_factory(known) for known in names() if _scores_samples(known)}
    if name in names():
        return _scorer_factory(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _scorer_factory(name: str) -> Any:
    """The function that creates scorers of this metric, registered with Inspect AI under its name."""
    inspect = _inspect()

    @inspect.scorer(metrics=[inspect.mean(), inspect.stderr(), corpus(), corpus_stderr()], name=name)  # type: ignore[untyped-decorator]
    def make(source: str | None = None, **options: Any) -> Any:
        metric = _resolve(name, options)

        async def score(state: Any, target: Any) -> Any:
            if metric.needs_references and not any(target):  # Inspect's own default is one empty text
                raise InputError(f"sample {state.sample_id!r} has no target, but {name} compares with references.")
            answer = state.output.completion
            text = _source(state, source) if metric.needs_sources else None
            result, record = record_item(metric, answer, list(target), text)
            assert result is not None, "it is a metric that scores single samples"
            kept = {key: part for key, part in record._asdict().items() if part is not None}
            return inspect.Score(value=float(result.value), answer=answer, explanation=str(result), metadata=kept)

        return score

    return make


@cache
def _corpus_factory(name: str) -> Any:
    inspect = _inspect()

    @inspect.metric(name=name, scores="unreduced")  # type: ignore[untyped-decorator]
    def make(cluster: str | None = None) -> Any:
        def value(scores: list[Any]) -> float:
            records = [_record(score.sample_id, score.score.metadata or {}) for score in scores]
            if not records or name == "corpus":
                return score_records(records) if records else math.nan
            if cluster is None:
                return stderr_of_records(records, [str(score.sample_id) for score in scores])
            return stderr_of_records(
                records, [str(_field("cluster", score.sample_metadata or {}, cluster)) for score in scores]
            )

        return value

    return make


def _record(sample: object, metadata: dict[str, Any]) -> Record:
    if "signature" not in metadata or not {"row", "texts"} & metadata.keys():
        raise InputError(f"the score of sample {sample!r} has no row: it was not created by a bleuprint scorer.")
    return Record(metadata["signature"], metadata.get("row"), metadata.get("texts"))


def _source(state: TaskState, field: str | None) -> str:
    return str(state.input_text) if field is None else str(_field("source", state.metadata, field))


def _field(option: str, metadata: Mapping[str, Any], field: str) -> Any:
    if field not in metadata:
        known = tuple(metadata)
        raise OptionError(option, f"one of {', '.join(known) or 'no fields'}", field, meant=closest(field, known))
    return metadata[field]


def _resolve(name: str, options: dict[str, object]) -> Metric[Score]:
    """The metric, if it scores single samples and their rows add up to the corpus score."""
    metric = registry.resolve(name, options)
    if metric.unit != "segment" or not metric.can_stream:
        allowed = [known for known in names() if _scores_samples(known)]
        raise OptionError("metric", f"one that scores single samples: {', '.join(allowed)}", name)
    return metric


def _scores_samples(name: str) -> bool:
    """False for metrics that compare samples with each other or first learn from all references."""
    kind = registry.metrics("segment").get(name.replace("_", "-"))
    return kind is not None and (not issubclass(kind, FittedMetric) or registry.model_option(kind) is not None)


def _inspect() -> ModuleType:
    with ExtraImport("an Inspect AI scorer", ["inspect-ai"], "inspect"):
        return import_module("inspect_ai.scorer")
