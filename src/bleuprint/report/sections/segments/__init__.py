"""The segment browser, and the worst segments for print and for readers without a script."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from bleuprint.report import charts
from bleuprint.report.replay import rank_systems
from bleuprint.results import Result
from bleuprint.results.digits import Digits

if TYPE_CHECKING:
    from bleuprint.report.page import Page

LINK = "Segments"
_LONGEST = 5000  # letters of a text that stands in the page beside the packed ones


class Output(NamedTuple):
    name: str
    text: str
    value: str
    bar: Markup


class SegmentView(NamedTuple):
    number: int
    id: str  # empty if segments are only numbered
    mean: str
    source: str | None
    references: tuple[str, ...]
    outputs: tuple[Output, ...]


def view(page: Page) -> list[SegmentView]:
    """The segments that score worst under the first metric, on average over the systems."""
    metric = scored_metric(page.result)
    digits = next((head.digits for head in page.metrics if head.name == metric), None)
    return [] if digits is None else worst_segments(page.result, page.segments_shown, digits)


def scored_metric(result: Result) -> str | None:
    """The first metric with a score for every segment, by which they are sorted."""
    scores = result.systems[0].scores if result.systems else ()
    return next((score.metric for score in scores if score.segments), None)


def worst_segments(result: Result, limit: int, digits: Digits) -> list[SegmentView]:
    """So many of them; none where the texts were not kept."""
    metric = scored_metric(result)
    if not result.has_texts or metric is None:
        return []
    systems = rank_systems(result, metric)
    scores = [system.score(metric) for system in systems]
    means = _means(result, metric)
    return [
        SegmentView(
            number=index + 1,
            id="" if result.ids is None else result.ids[index],
            mean=digits(means[index]),
            source=None if result.sources is None else _cut(result.sources[index]),
            references=tuple(map(_cut, result.references[index])) if result.references else (),
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
        for index in worst_places(result, limit)
    ]


def worst_places(result: Result, limit: int) -> list[int]:
    """Where those segments stand."""
    metric = scored_metric(result)
    if metric is None:
        return []
    means, higher = _means(result, metric), result.systems[0].score(metric).higher_is_better
    return sorted(range(len(means)), key=means.__getitem__, reverse=not higher)[:limit]


def _means(result: Result, metric: str) -> list[float]:
    columns = (system.score(metric).segments for system in rank_systems(result, metric))
    return [fmean(values) for values in zip(*columns, strict=True)]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text) - _LONGEST:,} more characters)"
