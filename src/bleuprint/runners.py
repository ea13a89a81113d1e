"""Running metrics over systems."""

from __future__ import annotations

import platform
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bleuprint import __version__
from bleuprint.errors import InputError, LengthMismatchError, OptionError, SurrogateError
from bleuprint.metric import Metric
from bleuprint.metrics import REFERENCE_TABLE
from bleuprint.results import MetricResult, Result, SystemResult

__all__ = ["evaluate"]

Metrics = Iterable[str] | Mapping[str, Metric[Any]]


def evaluate(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[str | Sequence[str]],
    *,
    metrics: Metrics = ("bleu",),
    sources: Sequence[str] | None = None,
    notes: Iterable[str] = (),
    threads: int | None = None,
) -> Result:
    """Score every system under every metric.

    `references[i]` belongs to segment i: a text or several. `metrics` are names, or metrics by the
    name that they shall have in the result.

    >>> result = evaluate({"mine": ["the cat sat on the mat"]}, ["the cat sat on the mat"])
    >>> result.systems[0].score("bleu").value
    1.0
    """
    if not systems:
        raise InputError("systems must hold at least one system, got none.")
    chosen = _resolve(metrics)
    grouped = tuple((item,) if isinstance(item, str) else tuple(item) for item in references)
    for name, texts in (*systems.items(), ("sources", grouped if sources is None else sources)):
        if len(texts) != len(grouped):
            raise LengthMismatchError(name, len(texts), "references", len(grouped))
    for name in systems:
        if _has_surrogate(name):
            raise SurrogateError(f"the name of system {name!r}")
    for index, source in enumerate(sources or ()):
        if _has_surrogate(source):
            raise SurrogateError(f"sources[{index}]")
    # Once for all systems: what a metric learns from the references is the same for each.
    chosen = {label: metric.prepared(grouped, threads=threads) for label, metric in chosen.items()}
    measured = []
    for name, hypotheses in systems.items():
        scores = (_score(label, metric, hypotheses, grouped, sources, threads) for label, metric in chosen.items())
        measured.append(SystemResult(name, tuple(hypotheses), tuple(scores)))
    return Result(
        systems=tuple(measured),
        references=grouped,
        sources=None if sources is None else tuple(sources),
        versions={
            "bleuprint": __version__,
            "python": platform.python_version(),
            "unicode": unicodedata.unidata_version,
        },
        notes=tuple(notes),
    )


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def _resolve(metrics: Metrics) -> dict[str, Metric[Any]]:
    if isinstance(metrics, str):
        metrics = (metrics,)
    if isinstance(metrics, Mapping):
        return dict(metrics)
    chosen: dict[str, Metric[Any]] = {}
    for name in metrics:
        if name not in REFERENCE_TABLE:
            raise OptionError("metrics", f"among {', '.join(REFERENCE_TABLE)}", name)
        chosen[name] = REFERENCE_TABLE[name]()
    return chosen


def _score(
    label: str,
    metric: Metric[Any],
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None,
    threads: int | None,
) -> MetricResult:
    given = sources if metric.needs_sources else None
    score = metric.corpus(hypotheses, references, sources=given, threads=threads)
    return MetricResult(
        metric=label,
        higher_is_better=metric.higher_is_better,
        value=float(score.value),
        parts=score.parts,
        signature=score.signature,
        segments=tuple(metric.sentences(hypotheses, references, sources=given, threads=threads).tolist()),
        segment_signature=metric.signature_of(sentence=True, references=score.references),
    )
