"""Evaluate systems under one or more metrics."""

from __future__ import annotations

import platform
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bleuprint import __version__, checks
from bleuprint.core import counts
from bleuprint.core.columns import Corpus
from bleuprint.core.threads import worker_count
from bleuprint.dataset.columns import id_fault
from bleuprint.errors import InputError, LengthMismatchError, NotTextError, OptionError
from bleuprint.metrics import registry, specs
from bleuprint.metrics.base.metric import Metric, Unit
from bleuprint.metrics.base.score import Measured, Score
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.results.model import digest_of
from bleuprint.runners import one_pass
from bleuprint.runners.guards import notes_on_scores
from bleuprint.runners.resuming import check_identified, measure_slowly, store_folder

Metrics = str | Iterable[str | Metric[Score]] | Mapping[str, Metric[Score]]


def evaluate(
    hypotheses: Iterable[str] | Mapping[str, Iterable[str]],
    references: Iterable[str | Sequence[str]] | None = None,
    *,
    metrics: Metrics = "bleu",
    models: Mapping[str, Any] | None = None,
    sources: Iterable[str] | None = None,
    ids: Iterable[str | int] | None = None,
    notes: Iterable[str] = (),
    store: str | Path | None = None,
    threads: int | None = None,
) -> Result:
    """Score one or more systems under every metric; texts are read, tokenized and counted only once.

    - `hypotheses`: the outputs of one system, or a dict of outputs by system name
    - `references`: `references[i]` belongs to segment i: one text or several; not needed if no metric compares with
      any. If all metrics are those of pools, references are a corpus of any size.
    - `metrics`: names, with options as in "chrf:word_order=2", metric objects, or a dict of metrics by the name they
      should have in the result
    - `models`: models for metrics given by name, as in
      `metrics=["bleu", "perplexity"], models={"perplexity": "model.blm"}`
    - `sources`: the source texts, for metrics that use them
    - `ids`: the name of each segment, which gates, reports and tables then show instead of its number
    - `notes`: remarks to store with the result
    - `store`: folder for the rows of slow metrics, so that an interrupted run resumes where it stopped; a model built
      from functions needs a `digest`
    - `threads`: number of threads; all processors by default

    >>> result = evaluate(["the cat sat on the mat"], ["the cat sat on the mat"], metrics=["bleu", "chrf", "ter"])
    >>> [score.value for score in result.systems[0].scores]
    [1.0, 1.0, 0.0]
    >>> print(evaluate({"A": ["the cat sat"], "B": ["a cat"]}, ["the cat sat"], metrics="gleu").pretty())
    system    gleu
    A       1.0000
    B       0.1667
    <BLANKLINE>
    gleu|max_order:4|min_order:1|tokenizer:13a|references:1|bleuprint:0.1.0
    """
    systems = dict(hypotheses) if isinstance(hypotheses, Mapping) else {"hypotheses": hypotheses}
    if not systems:
        raise InputError("systems must contain at least one system, got none.")
    resolved = resolve(metrics, models)
    folder = None if store is None else store_folder(store)
    remarks = checks.items_of(notes)
    if remarks is None or not all(isinstance(remark, str) for remark in remarks):
        raise OptionError("notes", "a list of str", notes)
    for metric in resolved.values():
        metric.definition.check_references(references)
    corpora = one_pass.read_systems(resolved, systems, references, sources)
    for name, corpus in corpora.items():
        if corpus.hypotheses.tokenized:
            raise NotTextError(
                name, "a list of str", "tokens", "results contain texts, so join the tokens or call a metric directly"
            )
    names = None if ids is None else checked_ids(ids, len(next(iter(corpora.values()))))
    measured, unseen = measure(resolved, corpora, store=folder, threads=threads)
    remarks += unseen
    return result_of(resolved, corpora, measured, remarks, names, has_references=references is not None)


def measure(
    metrics: Mapping[str, Metric[Score]], corpora: Mapping[str, Corpus], *, store: Path | None, threads: int | None
) -> tuple[dict[str, dict[str, Measured[Score]]], list[str]]:
    """Score every corpus under every metric, fast or slow; with what was said of texts that tokenizers cannot read."""
    unseen = one_pass.warn_of_unseen(metrics, corpora.values())
    if store is not None:
        for metric in metrics.values():
            if metric.slow:
                check_identified(metric, store)
    quick = {label: metric for label, metric in metrics.items() if not metric.slow}
    measured = one_pass.measure(quick, corpora, threads=threads)
    for label, metric in metrics.items():
        for system, corpus in corpora.items():
            if metric.slow:
                metric.definition.check_sources(corpus.sources if metric.needs_sources else None)
                measured[system][label] = measure_slowly(metric, corpus, store=store, threads=worker_count(threads))
    return {system: {label: scores[label] for label in metrics} for system, scores in measured.items()}, unseen


def result_of(
    metrics: Mapping[str, Metric[Score]],
    corpora: Mapping[str, Corpus],
    measured: Mapping[str, Mapping[str, Measured[Score]]],
    notes: Iterable[str],
    ids: tuple[str, ...] | None,
    *,
    has_references: bool = True,
) -> Result:
    """The result of a measurement, with the texts and their digests."""
    first = next(iter(corpora.values()))
    column = first.references if has_references else None
    grouped = () if column is None else tuple(tuple(map(str, group)) for group in column.unpack())
    source_texts = None if first.sources is None else _texts(first.sources)
    digests = {} if source_texts is None else {"sources": digest_of(source_texts)}
    if has_references:
        digests = {"references": digest_of(grouped), **digests}
    systems = []
    for name, scores in measured.items():
        texts = _texts(corpora[name].hypotheses)
        own = (MetricResult.of(label, scores[label].score, tuple(scores[label].segments.tolist())) for label in metrics)
        systems.append(SystemResult(name, texts, digest_of(texts), tuple(own)))
    result = Result(
        systems=tuple(systems),
        references=grouped,
        sources=source_texts,
        size=len(first),
        digests=digests,
        versions=versions(),
        ids=ids,
        counted=measured,
    )
    return replace(result, notes=tuple(dict.fromkeys((*notes, *notes_on_scores(result)))))


def checked_ids(ids: Iterable[str | int], count: int) -> tuple[str, ...]:
    """The ids as texts; raises an error unless there is a different one for each of so many segments."""
    listed = checks.items_of(ids)
    if listed is None:
        raise InputError(f"ids must be a list with one id per segment, got {type(ids).__name__}.")
    if len(listed) != count:
        raise LengthMismatchError("hypotheses", count, "ids", len(listed))
    places: dict[str, int] = {}
    for place, identity in enumerate(listed):
        problem = id_fault(identity)
        if problem is not None:
            raise InputError(f"ids[{place}] {problem}; every segment needs one.")
        first = places.setdefault(str(identity), place)
        if first != place:
            raise InputError(f"ids[{place}] is {str(identity)!r}, which is also ids[{first}]; an id names one segment.")
    return tuple(places)


def resolve(
    metrics: Metrics, models: Mapping[str, Any] | None = None, *, unit: Unit | None = None
) -> dict[str, Metric[Score]]:
    """Metrics by name, or as they are written if several have one name; they get their models from `models`.

    With a `unit`, all of them have to be metrics of segments, or of pools.
    """
    checks.instance("models", models, Mapping | None, "a dict of models by the name of their metric")
    if isinstance(metrics, Mapping):
        for label, metric in metrics.items():
            checks.instance("metrics", label, str, "a dict of metrics by name")
            checks.instance("metrics", metric, Metric, f"a dict of metrics by name, with a metric object for {label}")
        return {label: registry.resolve(metric, unit=unit) for label, metric in metrics.items()}
    allowed = "names, metric objects, or a dict of metrics by name"
    listed = checks.items("metrics", (metrics,) if isinstance(metrics, str) else metrics, allowed)
    named: list[tuple[str, str, dict[str, Any], str | Metric[Score]]] = []  # name, text, options, and what is meant
    for item in listed:
        checks.instance("metrics", item, str | Metric, allowed)
        if isinstance(item, Metric):
            named.append((item.name, item.name, {}, item))
        else:
            found = specs.parse([item], unit=unit)
            named += [(spec.name, spec.text, specs.values_of(spec), spec.name) for spec in found]
    by_name = {registry.find_name(str(name)) or name: model for name, model in (models or {}).items()}
    resolved: dict[str, Metric[Score]] = {}
    names = [name for name, *_ in named]
    for name, text, options, meant in named:
        metric = registry.resolve(meant, options, model=by_name.get(name), unit=unit)
        label = text if names.count(name) > 1 else name
        if label in resolved and resolved[label].signature != metric.signature:
            raise InputError(f"two metrics are called {label}: pass them as {{name: metric}} with different names.")
        resolved[label] = metric
    for name in by_name:
        if name not in resolved:
            raise OptionError("models", f"a dict of models by the name of their metric ({', '.join(resolved)})", name)
    return resolved


def versions() -> dict[str, str]:
    """Versions that can change a score, besides the options."""
    return {"bleuprint": __version__, "python": platform.python_version(), "unicode": unicodedata.unidata_version}


def _texts(column: counts.Column) -> tuple[str, ...]:
    return tuple(str(group[0]) for group in column.unpack())
