"""Metrics over systems."""

from __future__ import annotations

import platform
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bleuprint import __version__
from bleuprint.core import counts
from bleuprint.core.columns import Corpus
from bleuprint.errors import InputError, NotTextError
from bleuprint.metrics import registry
from bleuprint.metrics.base.definition import checked_threads
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Measured
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.results.digests import digest_of
from bleuprint.runners import one_pass as together
from bleuprint.runners.resuming import measure_slowly

__all__ = ["Metrics", "evaluate", "measure", "resolve", "result_of", "versions"]

Metrics = str | Iterable[str | Metric[Any]] | Mapping[str, Metric[Any]]


def evaluate(
    hypotheses: Iterable[str] | Mapping[str, Iterable[str]],
    references: Iterable[str | Sequence[str]],
    *,
    metrics: Metrics = "bleu",
    models: Mapping[str, Any] | None = None,
    sources: Iterable[str] | None = None,
    notes: Iterable[str] = (),
    store: str | Path | None = None,
    threads: int | None = None,
) -> Result:
    """Score one system, or several by name, under every metric: texts are read, taken apart and counted once.

    `references[i]` belongs to segment i: a text or several. `metrics` are names or metrics, or metrics by the name that
    they shall have in the result. A metric that is named and needs a model has it from `models`, as in
    `metrics=["bleu", "perplexity"], models={"perplexity": "model.blm"}`. `store` is a folder where rows of slow metrics
    are kept while they are computed: a run that was killed goes on where it stopped.

    >>> result = evaluate(["the cat sat on the mat"], ["the cat sat on the mat"], metrics=["bleu", "chrf", "ter"])
    >>> [score.value for score in result.systems[0].scores]
    [1.0, 1.0, 0.0]
    >>> print(evaluate({"A": ["the cat sat"], "B": ["a cat"]}, ["the cat sat"], metrics="gleu").pretty())
    system    gleu
    A       1.0000
    B       0.1667
    <BLANKLINE>
    gleu.1|lowercase:no|max_order:4|min_order:1|tokenizer:13a#references:1|bleuprint:0.1.0
    """
    systems = dict(hypotheses) if isinstance(hypotheses, Mapping) else {"hypotheses": hypotheses}
    if not systems:
        raise InputError("systems must hold at least one system, got none.")
    chosen = resolve(metrics, models)
    corpora = _corpora(systems, references, sources)
    found = measure(chosen, corpora, store=None if store is None else Path(store), threads=threads)
    return result_of(chosen, corpora, found, notes)


def measure(
    chosen: Mapping[str, Metric[Any]], corpora: Mapping[str, Corpus], *, store: Path | None, threads: int | None
) -> dict[str, dict[str, Measured[Any]]]:
    """Every corpus under every metric: the quick ones in one pass, the slow ones chunk by chunk."""
    quick = {label: metric for label, metric in chosen.items() if not metric.slow}
    found = together.measure(quick, corpora, threads=threads)
    for label, metric in chosen.items():
        for system, corpus in corpora.items():
            if metric.slow:
                metric.definition.check_sources(corpus.sources if metric.needs_sources else None)
                found[system][label] = measure_slowly(metric, corpus, store=store, threads=checked_threads(threads))
    return {system: {label: scores[label] for label in chosen} for system, scores in found.items()}


def result_of(
    chosen: Mapping[str, Metric[Any]],
    corpora: Mapping[str, Corpus],
    found: Mapping[str, Mapping[str, Measured[Any]]],
    notes: Iterable[str],
) -> Result:
    """What was measured, with the texts and their digests."""
    first = next(iter(corpora.values()))
    grouped = _groups(first.references)
    read = None if first.sources is None else _texts(first.sources)
    digests = {"references": digest_of(grouped)} | ({} if read is None else {"sources": digest_of(read)})
    return Result(
        systems=tuple(
            _system(name, _texts(corpora[name].hypotheses), chosen, measured) for name, measured in found.items()
        ),
        references=grouped,
        sources=read,
        size=len(grouped),
        digests=digests,
        versions=versions(),
        notes=tuple(notes),
    )


def resolve(chosen: Metrics, models: Mapping[str, Any] | None = None) -> dict[str, Metric[Any]]:
    """Metrics by name; those given by name have their default options, and the model that stands beside their name."""
    if isinstance(chosen, str):
        chosen = (chosen,)
    if isinstance(chosen, Mapping):
        return dict(chosen)
    found: dict[str, Metric[Any]] = {}
    for item in chosen:
        metric = _named(item, models or {}) if isinstance(item, str) else item
        label = item if isinstance(item, str) else item.label
        if label in found and found[label].signature != metric.signature:
            raise InputError(f"two metrics are called {label}: give them as {{name: metric}} with names of their own.")
        found[label] = metric
    return found


def _named(name: str, models: Mapping[str, Any]) -> Metric[Any]:
    kind = registry.segment_metrics().get(name)
    option = None if kind is None else registry.model_option(kind)
    if kind is not None and option is not None and name in models:
        return registry.made(kind, {option: models[name]})
    return registry.made(registry.find(name), {})


def versions() -> dict[str, str]:
    """What can move a number besides the options."""
    return {
        "bleuprint": __version__,
        "python": platform.python_version(),
        "unicode": unicodedata.unidata_version,
    }


def _corpora(
    systems: Mapping[str, Iterable[str]], references: Iterable[str | Sequence[str]], sources: Iterable[str] | None
) -> dict[str, Corpus]:
    corpora = Corpus.of_systems(systems, references, sources)
    for name, corpus in corpora.items():
        if corpus.hypotheses.tokenized:
            raise NotTextError(name, "a list of str", "tokens", "results show texts: join the tokens, or call a metric")
    return corpora


def _texts(column: counts.Column) -> tuple[str, ...]:
    return tuple(str(group[0]) for group in column.unpack())


def _groups(column: counts.Column) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(str, group)) for group in column.unpack())


def _system(
    name: str, texts: tuple[str, ...], chosen: Mapping[str, Metric[Any]], measured: Mapping[str, Measured[Any]]
) -> SystemResult:
    scores = tuple(_score(label, metric, measured[label]) for label, metric in chosen.items())
    return SystemResult(name, texts, digest_of(texts), scores)


def _score(label: str, metric: Metric[Any], measured: Measured[Any]) -> MetricResult:
    score = measured.score
    return MetricResult(
        metric=label,
        higher_is_better=metric.higher_is_better,
        value=float(score.value),
        parts=score.parts,
        signature=score.signature,
        segments=tuple(measured.segments.tolist()),
        segment_signature=score.definition.signature_of(sentence=True, references=score.references),
    )
