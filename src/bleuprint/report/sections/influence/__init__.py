"""Influence of single segments: which cost most, and which made the difference between two systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from bleuprint.insight import contributions, influence
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import if_possible, metric_of, ranked, sources_for
from bleuprint.results import Result, SystemResult
from bleuprint.results.digits import Digits

__all__ = ["LINK", "costs", "differences", "view"]

LINK = "Influence"
_COSTLY = 5  # segments of a system
_DECISIVE = 3  # segments for either side of a pair
_COMPARED = 3  # systems, the best ones, every pair of them
_SNIPPET = 100  # letters
_MOST_RELEARNED = 500  # segments; removing each and learning the weights again takes quadratic time, three seconds here


@dataclass(frozen=True, slots=True)
class Effect:
    """One segment and what it does to a score."""

    place: int
    name: str
    before: str  # the sentence up to the number
    effect: str
    after: str
    texts: tuple[tuple[str, str], ...]  # whose, and what


@dataclass(frozen=True, slots=True)
class EffectList:
    """Segments of one system, or for one of two; `first` and `second` are the systems to be shown side by side."""

    heading: str
    effects: tuple[Effect, ...]
    first: int
    second: int | None


@dataclass(frozen=True, slots=True)
class Influence:
    """The effects under the first metric."""

    head: MetricHead
    costly: tuple[EffectList, ...]
    decisive: tuple[EffectList, ...]
    note: str  # why there is no list of costly segments, if there is a reason


def view(page: Page) -> Influence | None:
    """The segments with the largest effects, if any have one."""
    head = next((head for head in page.metrics if page.unit(head) == "segment"), None)
    if head is None:
        return None
    costly, decisive = tuple(_costly(page.result, head)), tuple(_decisive(page.result, head))
    note = ""
    if page.result.has_texts and page.result.systems and _takes_long(page.result, page.result.systems[0], head.name):
        note = (
            f"{head.name} learns weights from the references, and would have to learn them again without each of the "
            f"{page.result.size:,} segments. bleuprint.insight.influence computes what each of them costs."
        )
    return Influence(head, costly, decisive, note) if costly or decisive or note else None


def _takes_long(result: Result, system: SystemResult, metric: str) -> bool:
    """Whether removing each segment would take the report too long."""
    known = if_possible(metric_of, system.score(metric))
    return known is not None and not known.can_stream and (known.slow or result.size > _MOST_RELEARNED)


def _costly(result: Result, head: MetricHead) -> Iterable[EffectList]:
    metric = head.name
    for system in ranked(result, metric):
        lost = costs(result, system, metric)
        order = sorted(range(len(lost)), key=lost.__getitem__, reverse=True)
        worst = [place for place in order[:_COSTLY] if lost[place] > 0]
        if worst:
            value, sign = system.score(metric).value, 1 if head.higher_is_better else -1
            number = result.systems.index(system)
            effects = tuple(
                _effect(
                    result,
                    place,
                    lost[place],
                    (f"without it, {metric} would be {head.digits(value + sign * lost[place])}, better by", ""),
                    {system.name: system.hypotheses[place]},
                    head.digits,
                )
                for place in worst
            )
            yield EffectList(system.name, effects, number, None)


def _decisive(result: Result, head: MetricHead) -> Iterable[EffectList]:
    metric = head.name
    for first, second in combinations(ranked(result, metric)[:_COMPARED], 2):
        parts = differences(result, first, second, metric)
        order = sorted(range(len(parts)), key=parts.__getitem__)
        numbers = result.systems.index(first), result.systems.index(second)
        for leader, other, sign, chosen in (
            (first, second, 1, order[::-1][:_DECISIVE]),
            (second, first, -1, order[:_DECISIVE]),
        ):
            places = [place for place in chosen if sign * parts[place] > 0]
            lead = head.digits(abs(math.fsum(parts)))
            effects = tuple(
                _effect(
                    result,
                    place,
                    sign * parts[place],
                    (f"speaks for {leader.name} with", f"; all segments together make {lead}"),
                    {first.name: first.hypotheses[place], second.name: second.hypotheses[place]},
                    head.digits,
                )
                for place in places
            )
            if effects:
                yield EffectList(f"For {leader.name}, against {other.name}", effects, *numbers)


def _effect(
    result: Result, place: int, value: float, around: tuple[str, str], texts: Mapping[str, str], digits: Digits
) -> Effect:
    shown = tuple((name, _snippet(text)) for name, text in texts.items())
    name = result.segment_name(place) if result.ids else f"Segment {place + 1}"
    return Effect(place, name, around[0], digits(value, 5), around[1], shown)


def _snippet(text: str) -> str:
    return text if len(text) <= _SNIPPET else text[: _SNIPPET - 1] + "…"


def costs(result: Result, system: SystemResult, metric: str) -> list[float]:
    """How much better the score would be without each segment, as `influence` says. Empty if it cannot be told."""
    if not result.has_texts or result.size < 2 or _takes_long(result, system, metric):
        return []
    score = system.score(metric)

    def effects() -> list[float]:
        sources = sources_for(result, score)
        values = influence(metric_of(score), system.hypotheses, result.references, sources=sources)
        listed: list[float] = (-values if score.higher_is_better else values).tolist()
        return listed

    return _finite(if_possible(effects) or [])


def differences(result: Result, first: SystemResult, second: SystemResult, metric: str) -> list[float]:
    """Every segment's part in the lead of the first system over the second; positive parts are in its favour."""
    if not result.has_texts:
        return []
    score = first.score(metric)

    def parts() -> list[float]:
        sources, texts = sources_for(result, score), (first.hypotheses, second.hypotheses)
        values = contributions(metric_of(score), *texts, result.references, sources=sources)
        listed: list[float] = (values if score.higher_is_better else -values).tolist()
        return listed

    return _finite(if_possible(parts) or [])


def _finite(values: list[float]) -> list[float]:
    return values if all(map(math.isfinite, values)) else []
