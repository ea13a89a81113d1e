"""The steps of a score for the segments that stand in the page as text: so many steps, whatever the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleuprint.insight.worked import Work, work
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.report.replay import if_possible, metric_of, rank_systems
from bleuprint.results import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

_SYSTEMS = 3  # the best ones
_LONGEST = 2000  # letters of a text


def steps_of(result: Result, places: Sequence[int]) -> dict[str, Any]:
    """The steps by "metric system segment", as the page's script reads them."""
    stored: dict[str, Any] = {}
    for number, metric in enumerate(result.metrics):
        for system in rank_systems(result, metric)[:_SYSTEMS]:
            score, at = system.score(metric), result.systems.index(system)
            replayed = if_possible(metric_of, score)
            if replayed is None or replayed.slow:
                continue
            for place in places:
                references = result.references[place] if result.references else ()
                if max(map(len, (system.hypotheses[place], *references)), default=0) > _LONGEST:
                    continue
                steps = if_possible(_steps, result, replayed, system.hypotheses[place], place)
                if steps is not None and steps.value == score.segments[place]:
                    stored[f"{number} {at} {place}"] = _plain(steps)
    return stored


def _steps(result: Result, metric: Metric[Score], output: str, place: int) -> Work:
    source = result.sources[place] if result.sources is not None and metric.needs_sources else None
    return work(output, result.references[place] if metric.needs_references else None, metric, source=source)


def _plain(steps: Work) -> list[Any]:
    """Name, text, table and equations of every step."""
    return [
        [
            step.name,
            step.text,
            None if step.table is None else [step.table.header, *step.table.rows],
            [f"{equation}{f'   ({equation.note})' if equation.note else ''}" for equation in step.equations],
        ]
        for step in steps.steps
    ]
