"""Numbers that the texts of a result give: intervals, effects of segments, buckets, diversity.

Whatever cannot be worked out (a metric that cannot be replayed, texts that were not kept) is left out of the page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from bleuprint.errors import BleuprintError, LengthMismatchError, ResultError
from bleuprint.insight import buckets, contributions, influence
from bleuprint.insight.bucketing import ranges
from bleuprint.metrics import SelfBLEU, from_signature
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.self_bleu import SelfBleuScore
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.runners.comparisons import compared, confidence_interval

__all__ = [
    "Compared",
    "Diversity",
    "Grouping",
    "bucket_values",
    "by_frequency",
    "comparison_of",
    "costs",
    "differences",
    "diversity",
    "diversity_of",
    "groupings",
    "intervals",
    "ranked",
    "replayed",
    "with_comparison",
]

_LENGTHS = (10, 20, 30, 40, 50, 60)
_SHARED = 8  # n-grams
_GROUPS = 8  # of duplicates


@dataclass(frozen=True, slots=True)
class Compared:
    """The systems under one metric, as the comparison in a result has them."""

    intervals: dict[str, tuple[float, float, float]]  # low, high, level
    pairs: tuple[Mapping[str, Any], ...]
    clusters: tuple[tuple[str, ...], ...]
    signature: str


@dataclass(frozen=True, slots=True)
class Grouping:
    """Segments sorted into buckets: the name of what they are sorted by, its buckets, and the bucket of each."""

    name: str
    labels: tuple[str, ...]
    of: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Diversity:
    """How much the outputs of one system repeat each other."""

    name: str
    value: float
    per_order: tuple[float, ...]
    shared: tuple[tuple[str, int], ...]
    duplicates: tuple[tuple[int, ...], ...]
    copies: int
    signature: str


@contextmanager
def _left_out(found: list[Any]) -> Iterator[list[Any]]:
    """What fails in here stays empty: the section is not shown."""
    try:
        yield found
    except (BleuprintError, OSError):
        found.clear()


def ranked(result: Result, metric: str) -> list[SystemResult]:
    """The systems, best first."""
    higher = all(system.score(metric).higher_is_better for system in result.systems)
    return sorted(result.systems, key=lambda system: system.score(metric).value, reverse=higher)


def replayed(score: MetricResult) -> Metric[Any] | None:
    """The metric of a score, or None where the signature alone does not give it (a tokenizer of the author's)."""
    with _left_out([]) as found:
        found.append(from_signature(score.signature))
    return found[0] if found else None


def with_comparison(result: Result) -> Result:
    """The result with its systems compared, if they are not yet and can be."""
    if result.comparison is not None or len(result.systems) < 2 or not result.has_texts or result.size < 2:
        return result
    entries, signature = [], ""
    for metric in result.metrics:  # one by one: a metric that cannot be drawn from keeps no other from it
        with _left_out([]) as found:
            alone = [replace(system, scores=(system.score(metric),)) for system in result.systems]
            found.append(compared(replace(result, systems=tuple(alone))).comparison)
        for made in found:
            entries += made["metrics"]
            signature = made["signature"]
    return replace(result, comparison={"signature": signature, "metrics": entries}) if entries else result


def comparison_of(result: Result, metric: str) -> Compared | None:
    """What the comparison in the result says about a metric."""
    if result.comparison is None:
        return None
    names = {system.name for system in result.systems}
    try:
        for entry in result.comparison["metrics"]:
            if entry["metric"] == metric and names == {system["name"] for system in entry["systems"]}:
                scores = {system["name"]: system["score"] for system in entry["systems"]}
                for pair in entry["pairs"]:
                    if not isinstance(pair["verdict"], str) or not {pair["first"], pair["second"]} <= names:
                        raise TypeError
                    _ends(pair["difference"])
                return Compared(
                    intervals={name: _ends(score) for name, score in scores.items()},
                    pairs=tuple(entry["pairs"]),
                    clusters=tuple(tuple(map(str, cluster)) for cluster in entry["clusters"]),
                    signature=str(result.comparison["signature"]),
                )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ResultError("this result", f"its comparison under {metric} is not what compare writes") from None
    return None


def _ends(interval: Mapping[str, Any]) -> tuple[float, float, float]:
    float(interval["value"])
    return float(interval["low"]), float(interval["high"]), float(interval["level"])


def intervals(result: Result, metric: str) -> dict[str, tuple[float, float, float]]:
    """For every system the interval of its score: of the comparison, else by bootstrap of its segments."""
    known = comparison_of(result, metric)
    if known is not None:
        return known.intervals
    if not result.has_texts or result.size < 2:
        return {}
    found: dict[str, tuple[float, float, float]] = {}
    for system in result.systems:
        with _left_out([]) as made:
            score = system.score(metric)
            interval = confidence_interval(
                system.hypotheses, result.references, metric=_needed(score), sources=_sources(result, score)
            )
            made.append((interval.low, interval.high, interval.level))
        if made and all(map(math.isfinite, made[0])):
            found[system.name] = made[0]
    return found


def _needed(score: MetricResult) -> Metric[Any]:
    return from_signature(score.signature)


def _sources(result: Result, score: MetricResult) -> tuple[str, ...] | None:
    return result.sources if _needed(score).needs_sources else None


def costs(result: Result, system: SystemResult, metric: str) -> list[float]:
    """What every segment takes from the score: how much better it would be without it. Empty if it cannot be told."""
    score = system.score(metric)
    if not result.has_texts or result.size < 2:
        return []
    with _left_out([]) as found:
        effects = influence(_needed(score), system.hypotheses, result.references, sources=_sources(result, score))
        found += (-effects if score.higher_is_better else effects).tolist()
    return found if all(map(math.isfinite, found)) else []


def differences(result: Result, first: SystemResult, second: SystemResult, metric: str) -> list[float]:
    """Every segment's part in the lead of the first system over the second; positive parts are in its favour."""
    score = first.score(metric)
    if not result.has_texts:
        return []
    with _left_out([]) as found:
        parts = contributions(
            _needed(score),
            first.hypotheses,
            second.hypotheses,
            result.references,
            sources=_sources(result, score),
        )
        found += (parts if score.higher_is_better else -parts).tolist()
    return found if all(map(math.isfinite, found)) else []


def groupings(lengths: Sequence[int], columns: Mapping[str, Sequence[object]]) -> list[Grouping]:
    """Segments by the length of their references in tokens, and by every column."""
    found = []
    if lengths:
        edges = (0, *_LENGTHS)
        numbers = [sum(length >= edge for edge in edges) - 1 for length in lengths]
        names = [f"{low}–{high - 1}" for low, high in zip(edges, _LENGTHS, strict=False)] + [f"{_LENGTHS[-1]} and more"]
        used = sorted(set(numbers))
        found.append(Grouping("length", tuple(names[number] for number in used), tuple(map(used.index, numbers))))
    for name, values in columns.items():
        if len(values) != len(lengths):
            raise LengthMismatchError("the segments", len(lengths), f"column {name}", len(values))
        places: dict[str, int] = {}
        of = tuple(places.setdefault(str(value), len(places)) for value in values)
        found.append(Grouping(name, tuple(places), of))
    return found


def by_frequency(result: Result, corpus: Sequence[str]) -> list[Grouping]:
    """Segments by how often the rarest word of their references occurs in a corpus, such as the training data."""
    if not result.has_texts or not result.metrics:
        return []
    with _left_out([]) as found:
        metric = _needed(result.systems[0].scores[0])
        names, numbers = ranges(metric, result.references, by="frequency", corpus=corpus)
        used = sorted(set(numbers))
        labels = tuple(names[number] for number in used)
        found.append(Grouping("rarest word's frequency", labels, tuple(map(used.index, numbers))))
    return found


def bucket_values(result: Result, system: SystemResult, metric: str, grouping: Grouping) -> list[float]:
    """The score of every bucket, in order."""
    score = system.score(metric)
    with _left_out([]) as found:
        made = buckets(
            _needed(score),
            system.hypotheses,
            result.references,
            by=grouping.of,
            sources=_sources(result, score),
        )
        values = {bucket.label: bucket.value for bucket in made}
        found += [values[str(number)] for number in range(len(grouping.labels))]
    return found if all(map(math.isfinite, found)) else []


def diversity(name: str, texts: Sequence[str]) -> Diversity | None:
    """Self-BLEU of the outputs of a system, and what is behind it."""
    if len(texts) < 2:
        return None
    with _left_out([]) as found:
        found.append(diversity_of(name, SelfBLEU().corpus(texts)))
    return found[0] if found else None


def diversity_of(name: str, score: SelfBleuScore) -> Diversity:
    """The same of a score that is there."""
    groups = score.duplicates()
    shared = score.shared_ngrams(min(score.definition.formula.max_order, 4), limit=_SHARED)
    return Diversity(
        name=name,
        value=score.value,
        per_order=score.per_order,
        shared=tuple((" ".join(map(str, ngram)), texts) for ngram, texts in shared),
        duplicates=tuple(tuple(group) for group in groups[:_GROUPS]),
        copies=sum(map(len, groups)),
        signature=score.signature,
    )
