"""Influence of single segments: which cost most, and which made the difference between two systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from bleuprint.core.arrays import Floats, np
from bleuprint.insight.effects import contributions_of_rows, influence, influence_of_rows
from bleuprint.report import charts
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import if_possible, metric_of, rank_systems, rows_of
from bleuprint.results import MetricResult, Result, SystemResult

LINK = "Influence"
_COSTLY = 5  # segments of a system
_DECISIVE = 3  # segments for either side of a pair
_COMPARED = 3  # systems, the best ones, every pair of them
_ROWS = 10  # of a chart
_MOST_RELEARNED = 500  # segments; removing each and learning the weights again takes quadratic time, three seconds here


class EffectList(NamedTuple):
    """Segments of one system, or for one of two: the places of the largest effects, and what each does to the score."""

    leader: SystemResult
    effects: list[tuple[int, float]]
    systems: tuple[SystemResult, ...]  # to be shown side by side
    total: float = 0.0  # of the effects of all segments


class Influence(NamedTuple):
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
    costly, decisive = tuple(_costly(page.result, head.name)), tuple(_decisive(page.result, head.name))
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


def _costly(result: Result, metric: str) -> Iterable[EffectList]:
    for system in rank_systems(result, metric):
        if effects := _worst(costs(result, system, metric), _COSTLY):
            yield EffectList(system, effects, (system,))


def _worst(lost: Sequence[float], most: int) -> list[tuple[int, float]]:
    """The segments that cost most, with what they cost."""
    order = sorted(range(len(lost)), key=lost.__getitem__, reverse=True)[:most]
    return [(place, lost[place]) for place in order if lost[place] > 0]


def _decisive(result: Result, metric: str) -> Iterable[EffectList]:
    for first, second in combinations(rank_systems(result, metric)[:_COMPARED], 2):
        parts = differences(result, first, second, metric)
        for leader, sign in ((first, 1), (second, -1)):
            if effects := _worst([sign * part for part in parts], _DECISIVE):
                yield EffectList(leader, effects, (first, second), abs(math.fsum(parts)))


def costs(result: Result, system: SystemResult, metric: str) -> list[float]:
    """How much better the score would be without each segment, as `influence` says. Empty if it cannot be told."""
    if not result.has_texts or result.size < 2 or _takes_long(result, system, metric):
        return []
    values = if_possible(_influence, result, system, metric)
    return _favorable(values, system.score(metric), -1)


def _influence(result: Result, system: SystemResult, metric: str) -> Floats:
    known = metric_of(system.score(metric))
    if not known.can_stream:  # it learns other weights without each segment
        sources = result.sources if known.needs_sources else None
        return influence(known, system.hypotheses, result.references, sources=sources)
    return influence_of_rows(known.definition, *rows_of(result, metric, [system]))


def differences(result: Result, first: SystemResult, second: SystemResult, metric: str) -> list[float]:
    """Every segment's part in the lead of the first system over the second; positive parts are in its favour."""
    if not result.has_texts:
        return []
    return _favorable(if_possible(_contributions, result, first, second, metric), first.score(metric), 1)


def _contributions(result: Result, first: SystemResult, second: SystemResult, metric: str) -> Floats:
    definition = metric_of(first.score(metric)).definition
    return contributions_of_rows(definition, *rows_of(result, metric, [first, second]))


def _favorable(values: Floats | None, score: MetricResult, sign: int) -> list[float]:
    """The values as a list, larger ones better where `sign` is 1; empty unless all are finite."""
    if values is None or not np.isfinite(values).all():
        return []
    turned: list[float] = (sign * values if score.higher_is_better else -sign * values).tolist()
    return turned


def draw(result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas) -> charts.Drawing | None:
    """How much better the score would be without each of the segments that cost most."""
    (system,) = systems
    worst = _worst(costs(result, system, metric), _ROWS)
    if not worst:
        return None
    largest, canvas = worst[0][1], canvas.of(system.score(metric).signature)
    rows = [charts.Row(result.segment_name(place), lost / largest, canvas.digits(lost, 5)) for place, lost in worst]
    label = f"what single segments take from the {metric} of {system.name}"
    axis = f"gain in {metric} of {system.name} without it"
    return charts.bars(rows, label, axis=axis, largest=largest, canvas=canvas)
