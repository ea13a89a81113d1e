"""The segment browser, and the worst segments for print and for readers without a script."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.report.replay import rank_systems
from bleuprint.results import Result, SystemResult
from bleuprint.results.digits import Digits

if TYPE_CHECKING:
    from bleuprint.report.page import Page

LINK = "Segments"


class View(NamedTuple):
    """The segments that score worst, each with its mean, and the scores of all segments, best system first."""

    means: dict[int, float]
    columns: list[tuple[SystemResult, tuple[float, ...]]]
    digits: Digits


def view(page: Page) -> View:
    """The segments that score worst under the first metric, on average over the systems; none without their texts."""
    result, metric = page.result, scored_metric(page.result)
    if metric is None or not result.has_texts:
        return View({}, [], page.digits)
    columns = [(system, system.score(metric).segments) for system in rank_systems(result, metric)]
    digits = page.digits.of(columns[0][0].score(metric).signature)
    return View(worst_segments(result, page.segments_shown), columns, digits)


def scored_metric(result: Result) -> str | None:
    """The first metric with a score for every segment, by which they are sorted."""
    scores = result.systems[0].scores if result.systems else ()
    return next((score.metric for score in scores if score.segments), None)


def worst_segments(result: Result, limit: int) -> dict[int, float]:
    """Where the segments stand that score worst, with their means over the systems."""
    metric = scored_metric(result)
    if metric is None:
        return {}
    columns = (system.score(metric).segments for system in rank_systems(result, metric))
    means, higher = list(map(fmean, zip(*columns, strict=True))), result.systems[0].score(metric).higher_is_better
    order = sorted(range(len(means)), key=means.__getitem__, reverse=not higher)
    return {place: means[place] for place in order[:limit]}


def cut_text(text: str, longest: int = 5000) -> str:
    """A text as it stands in the page beside the packed ones, without the end of a very long one."""
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text) - longest:,} more characters)"
