"""Scorers for Inspect AI: every sample's score, their mean, and the score of all samples as one corpus.

The row of whole numbers that a sample's score was made from is kept in the score's metadata. The corpus score is the
metric's formula over the sum of these rows, which is not the mean of the samples' scores.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from bleuprint.errors import InputError, MergeError, MissingExtraError, OptionError
from bleuprint.integrations._named import NamedMetric, among, kind_of, names
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import FittedMetric, Metric
from bleuprint.metrics.base.summaries import KeptRows
from bleuprint.metrics.registry import from_signature

__all__ = ["corpus", "scorer"]

_made: dict[str, Metric[Any]] = {}  # by signature: what has a model cannot be made from its signature alone


def scorer(metric: str, *, source: str | None = None, **options: Any) -> Any:
    """A scorer of Inspect AI for any metric by name; `bleu()` is short for `scorer("bleu")`, and so on.

    The references are the sample's target, one text or several. A metric that compares with the source reads the
    sample's input, or the field of the sample's metadata that `source` names. Options are those of the metric.

    >>> from inspect_ai import Task                                                # doctest: +SKIP
    >>> task = Task(dataset, scorer=[scorer("bleu"), scorer("chrf", word_order=2)])  # doctest: +SKIP
    """
    kind_of(metric)
    return _scorer_factory(metric.replace("-", "_"))(source=source, **options)


def corpus() -> Any:
    """The metric of Inspect AI that these scorers have beside the mean; it takes every epoch as samples of its own.

    To have it for each value of a field of the samples' metadata: `grouped(corpus(), "language")`.
    """
    return _corpus_factory()()


def __getattr__(name: str) -> Any:
    if name == "scorers":  # what Inspect AI's entry point asks for
        return {known: _scorer_factory(known) for known in names() if _scores_samples(known)}
    if name in names():
        return _scorer_factory(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _scorer_factory(name: str) -> Any:
    """The function that makes scorers of this metric, under whose name Inspect AI knows them."""
    inspect = _inspect()

    @inspect.scorer(metrics=[inspect.mean(), inspect.stderr(), corpus()], name=name)  # type: ignore[untyped-decorator]
    def make(source: str | None = None, **options: Any) -> Any:
        metric = _checked(name, options)

        async def score(state: Any, target: Any) -> Any:
            answer = state.output.completion
            text = _source(state, source) if metric.needs_sources else None
            references = (list(target),) if metric.needs_references else ()
            found = metric.sentence(answer, *references, source=text)
            kept: dict[str, Any] = {"signature": metric.signature, "row": list(found.columns)}
            if _keeps_more_than_sums(metric):
                sources = None if text is None else [text]
                one = metric.fresh().update([answer], *([item] for item in references), sources=sources)
                kept = {"signature": metric.signature, "state": one.state()}
            return inspect.Score(value=float(found.value), answer=answer, explanation=str(found), metadata=kept)

        return score

    return make


@cache
def _corpus_factory() -> Any:
    inspect = _inspect()

    @inspect.metric(name="corpus", scores="unreduced")  # type: ignore[untyped-decorator]
    def make() -> Any:
        def value(scores: list[Any]) -> float:
            return _corpus_value([(score.sample_id, score.score.metadata or {}) for score in scores])

        return value

    return make


def _corpus_value(kept: list[tuple[Any, dict[str, Any]]]) -> float:
    """The corpus score of samples, from what their scores keep."""
    import numpy as np

    if not kept:
        return math.nan
    for sample, metadata in kept:
        if "signature" not in metadata or not {"row", "state"} & metadata.keys():
            raise InputError(f"the score of sample {sample!r} holds no row: it was not made by a scorer of bleuprint.")
    signatures = sorted({metadata["signature"] for _, metadata in kept})
    if len(signatures) > 1:
        raise MergeError(*signatures[:2])
    metric = _made.get(signatures[0]) or from_signature(signatures[0])
    if _keeps_more_than_sums(metric):
        together = metric.fresh()
        for _, metadata in kept:
            together.add_state(metadata["state"])
        return float(together.compute().value)
    return metric.definition.value_of(np.asarray([metadata["row"] for _, metadata in kept], dtype=np.int64))


def _keeps_more_than_sums(metric: Metric[Any]) -> bool:
    """As one does that draws among the references of all samples; of most a row is all there is to keep."""
    return issubclass(metric.definition.summary, KeptRows)


def _source(state: Any, field: str | None) -> str:
    if field is None:
        return str(state.input_text)
    if field not in state.metadata:
        raise OptionError("source", among(tuple(state.metadata), field), field)
    return str(state.metadata[field])


def _checked(name: str, options: dict[str, Any]) -> Metric[Any]:
    """The metric, if single samples have scores that add up to that of the corpus."""
    metric = NamedMetric(name, options).metric
    if not isinstance(metric, Metric) or not metric.can_stream:
        allowed = [known for known in names() if _scores_samples(known)]
        raise OptionError("metric", f"one that scores single samples: {', '.join(allowed)}", name)
    return _made.setdefault(metric.signature, metric)


def _scores_samples(name: str) -> bool:
    """Not what compares samples with each other, nor what learns from all references first."""
    kind = registry.segment_metrics().get(name.replace("_", "-"))
    return kind is not None and (not issubclass(kind, FittedMetric) or registry.model_option(kind) is not None)


def _inspect() -> Any:
    try:
        import inspect_ai.scorer
    except ImportError:
        raise MissingExtraError("a scorer of Inspect AI", ["inspect-ai"], "inspect") from None
    return inspect_ai.scorer
