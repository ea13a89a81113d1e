"""What the page tells about segments: which cost most, which made the difference, how buckets fare, what repeats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from markupsafe import Markup

from bleuprint.report import analysis, charts, pictures
from bleuprint.report.analysis import Diversity, Grouping, ranked
from bleuprint.report.pictures import digits
from bleuprint.report.view import Figure, Guide, guide_of
from bleuprint.results import Result

__all__ = ["Findings", "diversity_view", "findings_of", "segment_views"]

_COSTLY = 5  # segments of a system
_DECISIVE = 3  # segments for either side of a pair
_COMPARED = 3  # systems, the best ones, every pair of them
_SNIPPET = 160  # letters
_LONGEST = 5000  # letters of a text that stands in the page beside the packed ones


@dataclass(frozen=True, slots=True)
class Effect:
    """One segment and what it does to a score."""

    number: int
    effect: str
    bar: Markup
    texts: tuple[tuple[str, str], ...]  # whose, and what


@dataclass(frozen=True, slots=True)
class EffectList:
    """Segments of one system, or for one of two; `first` and `second` are the systems to be shown side by side."""

    heading: str
    effects: tuple[Effect, ...]
    first: int
    second: int | None


@dataclass(frozen=True, slots=True)
class Buckets:
    name: str
    metric: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class DiversityFigure:
    system: int
    found: Diversity
    value: str
    chart: Markup


@dataclass(frozen=True, slots=True)
class DiversityView:
    guide: Guide | None
    figures: tuple[DiversityFigure, ...]
    signatures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    metric: str
    costly: tuple[EffectList, ...]
    decisive: tuple[EffectList, ...]
    buckets: tuple[Buckets, ...]
    fluency: tuple[Figure, ...]
    fluency_metrics: tuple[str, str] | None
    diversity: DiversityView | None


@dataclass(frozen=True, slots=True)
class Output:
    name: str
    text: str
    value: str
    bar: Markup


@dataclass(frozen=True, slots=True)
class SegmentView:
    number: int
    mean: str
    source: str | None
    references: tuple[str, ...]
    outputs: tuple[Output, ...]


def findings_of(result: Result, groupings: Sequence[Grouping]) -> Findings:
    """All that is told of segments, under the first metric."""
    metric = result.metrics[0] if result.metrics else ""
    found = pictures.fluent_metrics(result)
    return Findings(
        metric=metric,
        costly=tuple(_costly(result, metric)) if metric else (),
        decisive=tuple(_decisive(result, metric)) if metric else (),
        buckets=tuple(_buckets(result, groupings)),
        fluency=tuple(_fluency(result, found[1])) if found else (),
        fluency_metrics=found,
        diversity=_diversity(result),
    )


def _costly(result: Result, metric: str) -> Iterable[EffectList]:
    for system in ranked(result, metric):
        costs = analysis.costs(result, system, metric)
        order = sorted(range(len(costs)), key=costs.__getitem__, reverse=True)
        worst = [place for place in order[:_COSTLY] if costs[place] > 0]
        if worst:
            full = costs[worst[0]]
            number = result.systems.index(system)
            effects = tuple(
                _effect(place, costs[place], full, {system.name: system.hypotheses[place]}) for place in worst
            )
            yield EffectList(system.name, effects, number, None)


def _decisive(result: Result, metric: str) -> Iterable[EffectList]:
    for first, second in combinations(ranked(result, metric)[:_COMPARED], 2):
        parts = analysis.differences(result, first, second, metric)
        order = sorted(range(len(parts)), key=parts.__getitem__)
        numbers = result.systems.index(first), result.systems.index(second)
        for leader, other, sign, chosen in (
            (first, second, 1, order[::-1][:_DECISIVE]),
            (second, first, -1, order[:_DECISIVE]),
        ):
            places = [place for place in chosen if sign * parts[place] > 0]
            full = max(abs(part) for part in parts) if places else 1.0
            effects = tuple(
                _effect(
                    place,
                    sign * parts[place],
                    full,
                    {first.name: first.hypotheses[place], second.name: second.hypotheses[place]},
                )
                for place in places
            )
            if effects:
                yield EffectList(f"For {leader.name}, against {other.name}", effects, *numbers)


def _effect(place: int, value: float, full: float, texts: Mapping[str, str]) -> Effect:
    shown = tuple((name, _snippet(text)) for name, text in texts.items())
    return Effect(place + 1, f"{value:.5f}", charts.meter(value / full, f"{value:.5f}"), shown)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text) - _LONGEST:,} more characters)"


def _snippet(text: str) -> str:
    return text if len(text) <= _SNIPPET else text[: _SNIPPET - 1] + "…"


def _buckets(result: Result, groupings: Sequence[Grouping]) -> Iterable[Buckets]:
    for number, grouping in enumerate(groupings):
        for metric in result.metrics[:1]:
            figures = []
            for system in ranked(result, metric):
                chart = pictures.by_group(result, metric, system, grouping, number=number)
                if chart is not None:
                    figures.append(Figure(system.name, "", chart))
            if figures:
                yield Buckets(grouping.name, metric, tuple(figures))


def _fluency(result: Result, metric: str) -> Iterable[Figure]:
    for system in ranked(result, metric):
        chart = pictures.fluency(result, metric, system, brush=result.has_texts)
        if chart is not None:
            yield Figure(system.name, "", chart)


def _diversity(result: Result) -> DiversityView | None:
    order = ranked(result, result.metrics[0]) if result.metrics else result.systems
    made = [analysis.diversity(system.name, system.hypotheses) for system in order]
    numbers = {system.name: number for number, system in enumerate(result.systems)}
    return diversity_view([found for found in made if found is not None], numbers)


def diversity_view(made: Sequence[Diversity], numbers: Mapping[str, int]) -> DiversityView | None:
    """The section on diversity, of Self-BLEU scores."""
    if not made:
        return None
    figures = (
        DiversityFigure(numbers[found.name], found, f"{found.value:.4f}", pictures.diversity_chart(found))
        for found in made
    )
    return DiversityView(guide_of("self-bleu"), tuple(figures), tuple(dict.fromkeys(each.signature for each in made)))


def segment_views(result: Result, limit: int) -> list[SegmentView]:
    """The segments that score worst under the first metric, on average over the systems."""
    if not result.metrics or not result.has_texts:
        return []
    systems = ranked(result, result.metrics[0])
    scores = [system.score(result.metrics[0]) for system in systems]
    means = [fmean(values) for values in zip(*(score.segments for score in scores), strict=True)]
    worst = sorted(range(len(means)), key=means.__getitem__, reverse=not scores[0].higher_is_better)
    return [
        SegmentView(
            number=index + 1,
            mean=digits(means[index]),
            source=None if result.sources is None else _cut(result.sources[index]),
            references=tuple(map(_cut, result.references[index])),
            outputs=tuple(
                Output(
                    system.name,
                    _cut(system.hypotheses[index]),
                    digits(score.segments[index]),
                    charts.meter(score.segments[index], f"score {digits(score.segments[index])}"),
                )
                for system, score in zip(systems, scores, strict=True)
            ),
        )
        for index in worst[:limit]
    ]
