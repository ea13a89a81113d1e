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
    """The segments that score worst under the first metric, on average over the systems; none without their texts."""
    result, metric = page.result, scored_metric(page.result)
    if metric is None or not result.has_texts:
        return []
    digits = page.digits.of(result.systems[0].score(metric).signature)
    columns = [(system, system.score(metric).segments) for system in rank_systems(result, metric)]
    return [
        SegmentView(
            number=index + 1,
            id="" if result.ids is None else result.ids[index],
            mean=digits(fmean(segments[index] for _, segments in columns)),
            source=None if result.sources is None else _cut(result.sources[index]),
            references=tuple(map(_cut, result.segment_references[index])) if result.segment_references else (),
            outputs=tuple(
                _output(system.name, system.hypotheses[index], segments[index], digits) for system, segments in columns
            ),
        )
        for index in worst_places(result, page.segments_shown)
    ]


def _output(name: str, text: str, score: float, digits: Digits) -> Output:
    return Output(name, _cut(text), digits(score), charts.meter(score, f"score {digits(score)}"))


def scored_metric(result: Result) -> str | None:
    """The first metric with a score for every segment, by which they are sorted."""
    scores = result.systems[0].scores if result.systems else ()
    return next((score.metric for score in scores if score.segments), None)


def worst_places(result: Result, limit: int) -> list[int]:
    """Where the segments stand that score worst."""
    metric = scored_metric(result)
    if metric is None:
        return []
    columns = (system.score(metric).segments for system in rank_systems(result, metric))
    means, higher = list(map(fmean, zip(*columns, strict=True))), result.systems[0].score(metric).higher_is_better
    return sorted(range(len(means)), key=means.__getitem__, reverse=not higher)[:limit]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text) - _LONGEST:,} more characters)"
