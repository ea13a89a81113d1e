"""Recompute the scores of a stored result from their signatures and report any difference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bleuprint import checks
from bleuprint.errors import BareStringError, OptionError, ResultError, SignatureError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Measured, Score
from bleuprint.metrics.registry import from_signature
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.results.model import corpus_signature, digest_of
from bleuprint.runners.evaluation import measure, versions
from bleuprint.runners.one_pass import read_systems

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Replayed:
    """One score, as stored and as computed now."""

    system: str
    metric: str
    stored: float
    computed: float
    signature: str

    @property
    def same(self) -> bool:
        """Whether both are equal to the last bit."""
        return self.stored == self.computed


@dataclass(frozen=True, slots=True)
class Replay:
    """All scores of a result, recomputed, and the versions that have changed since."""

    scores: tuple[Replayed, ...]
    changed_versions: Mapping[str, tuple[str, str]]  # name: then, now

    @property
    def same(self) -> bool:
        """Whether every score is equal to the last bit."""
        return all(score.same for score in self.scores)


def replay(
    result: Result,
    *,
    hypotheses: Mapping[str, Iterable[str]] | None = None,
    references: Iterable[str | Sequence[str]] | None = None,
    sources: Iterable[str] | None = None,
    metrics: Mapping[str, Metric[Score]] | None = None,
    threads: int | None = None,
) -> Replay:
    """Recompute the scores of a result with the options in its signatures.

    Uses the texts in the result, or the ones passed here; their digests must match those of the texts that were scored.
    A signature only names a model, a SentencePiece tokenizer or a custom function, so pass metrics that use one in
    `metrics`, by their name in the result.

    >>> from bleuprint import evaluate
    >>> stored = evaluate(["the cat sat on the mat"], ["a cat sat on the mat"], metrics=["bleu", "ter"])
    >>> replay(stored).same
    True
    """
    check_result(result, metrics)
    checks.instance("hypotheses", hypotheses, Mapping | None, "a dict of outputs by system name")
    needs = bool(result.digests.get("references"))
    if not result.has_texts and (not hypotheses or (needs and references is None)):
        raise ResultError("this result", "it was stored without its texts: pass hypotheses and references")
    systems = {name: _read(name, texts) for name, texts in (hypotheses or {}).items()}
    systems = systems or {system.name: list(system.hypotheses) for system in result.systems}
    stored = list(result.references) or None
    grouped = stored if references is None else _read("references", references)
    source_texts = result.sources if sources is None else _read("sources", sources)
    resolved = metrics_of(result, metrics)
    corpora = read_systems(resolved, systems, grouped, source_texts)
    _check_digests(result, systems, grouped, source_texts)
    measured, _ = measure(resolved, corpora, store=None, threads=threads)
    scores = [
        Replayed(
            system.name, score.metric, score.value, measured[system.name][score.metric].score.value, score.signature
        )
        for system in result.systems
        for score in system.scores
        if score.metric in measured[system.name]
    ]
    now = versions()
    changed = {name: (then, now[name]) for name, then in result.versions.items() if now.get(name, then) != then}
    return Replay(tuple(scores), changed)


def metrics_of(result: Result, given: Mapping[str, Metric[Score]] | None) -> dict[str, Metric[Score]]:
    """The metrics of a result, recreated from its signatures; those in `given` must have the same signature.

    Both have been checked by `check_result`. Columns of scores from elsewhere are left out.
    """
    scores = result.systems[0].scores if result.systems else ()
    return {score.metric: metric_for(score, given) for score in scores if not score.is_column}


def measure_result(
    result: Result,
    metrics: Mapping[str, Metric[Score]],
    *,
    systems: Sequence[SystemResult] | None = None,
    threads: int | None = None,
) -> dict[str, dict[str, Measured[Score]]]:
    """What was counted for the systems of a result, by system and metric; only what it no longer holds is counted."""
    chosen = result.systems if systems is None else systems
    kept = {
        system.name: {label: result.counted_for(system.name, metric, label) for label, metric in metrics.items()}
        for system in chosen
    }
    lost = {label: metrics[label] for label in metrics if any(known[label] is None for known in kept.values())}
    counted: dict[str, dict[str, Measured[Score]]] = {}
    if lost:
        texts = {system.name: system.hypotheses for system in chosen}
        corpora = read_systems(metrics, texts, result.references or None, result.sources)
        counted, _ = measure(lost, corpora, store=None, threads=threads)
    return {
        name: {label: one for label, one in {**known, **counted.get(name, {})}.items() if one is not None}
        for name, known in kept.items()
    }


def check_result(result: Result, given: Mapping[str, Metric[Score]] | None) -> None:
    """Raise an error unless this is a result, and `given` a dict of its metrics or None."""
    checks.instance("result", result, Result, "a Result, as from evaluate or Result.read_json")
    checks.instance("metrics", given, Mapping | None, "a dict of metrics by their name in the result")
    for name, metric in (given or {}).items():
        allowed = f"a dict of metric objects by their name in the result ({', '.join(result.metrics)})"
        if name not in result.metrics or not isinstance(metric, Metric):
            raise OptionError("metrics", allowed, {name: metric})
    for system in result.systems[1:]:  # metrics are recreated from the first system
        for score, own in zip(result.systems[0].scores, system.scores, strict=True):
            if score.signature.partition("#")[0] != own.signature.partition("#")[0]:
                problem = f"{score.metric} is {score.signature} for one system, and {own.signature} for {system.name}"
                raise ResultError("this result", problem)


def metric_for(score: MetricResult, given: Mapping[str, Metric[Score]] | None) -> Metric[Score]:
    """The metric of a score, recreated from its signature; one in `given` must have the same signature."""
    metric = (given or {}).get(score.metric) or from_signature(score.signature)
    if corpus_signature(metric.definition) != score.signature.partition("#")[0]:
        raise SignatureError(f"{metric.signature} is not the {score.metric} of the result, which is {score.signature}.")
    return metric


def _read(name: str, texts: Iterable[Item]) -> list[Item]:
    if isinstance(texts, str):
        raise BareStringError(name)
    return checks.items(name, texts, "a list with one item per segment")


def _check_digests(
    result: Result,
    systems: Mapping[str, Sequence[str]],
    references: Sequence[str | Sequence[str]] | None,
    sources: object,
) -> None:
    expected = {system.name: system.digest for system in result.systems}
    if set(systems) != set(expected):
        raise ResultError(
            "this result", f"it has the systems {', '.join(expected)}, but texts were given for {', '.join(systems)}"
        )
    given = {"references": references, "sources": sources}
    texts = [
        *((name, expected[name], listed) for name, listed in systems.items()),
        *((name, result.digests.get(name, ""), listed) for name, listed in given.items()),
    ]
    for name, stored, segments in texts:
        if isinstance(segments, list | tuple) and digest_of(segments) != stored:
            raise ResultError(
                "this result", f"the texts of {name} are not the ones that were scored (their digest differs)"
            )
