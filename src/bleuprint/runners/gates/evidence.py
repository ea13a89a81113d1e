"""The two results of a gate: what belongs together, and their numbers, computed again from their texts.

So no edited file opens a gate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from bleuprint import signature
from bleuprint.errors import BleuprintError, GateError
from bleuprint.metrics import from_signature
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Measured, Score
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.runners.replaying import metric_for
from bleuprint.statistics.exact_mean import ExactMean

Pairs = Sequence[tuple[SystemResult, SystemResult]]  # each new system with its predecessor

_SAME_SCORE = 1e-6  # between platforms, a score only differs in its last bits


def align_baseline(new: Result, baseline: Result) -> Result:
    """The baseline with its segments in the order of the new result; raises an error if they are not the same."""
    if new.has_texts and baseline.has_texts:
        if new.digests.get("references") != baseline.digests.get("references"):
            raise GateError("the two results have different references, so their scores cannot be compared")
        return baseline
    for score in (score for system in new.systems[:1] for score in system.scores):
        if score.metric in baseline.metrics and not (score.is_column and score.segments):
            raise GateError(f"comparing {score.metric} needs the texts, but one of the results was stored without them")
    if new.size != baseline.size:
        raise GateError(f"the new result has {new.size:,} segments, but the baseline has {baseline.size:,}")
    if new.ids is None or baseline.ids is None or new.ids == baseline.ids:
        return baseline
    places = {name: place for place, name in enumerate(baseline.ids)}
    for name in new.ids:
        if name not in places:
            raise GateError(f"segment {name} of the new result is not in the baseline, so they cannot be compared")
    order = [places[name] for name in new.ids]

    def reorder(score: MetricResult) -> MetricResult:
        return replace(score, segments=tuple(score.segments[place] for place in order) if score.segments else ())

    systems = (replace(system, scores=tuple(map(reorder, system.scores))) for system in baseline.systems)
    return replace(baseline, systems=tuple(systems), ids=new.ids)


def pair_systems(new: Result, baseline: Result) -> list[tuple[SystemResult, SystemResult]]:
    """Each new system with its predecessor: the only one, or the one of the same name."""
    if len(new.systems) == len(baseline.systems) == 1:
        return [(new.systems[0], baseline.systems[0])]
    old = {system.name: system for system in baseline.systems}
    pairs = [(system, old[system.name]) for system in new.systems if system.name in old]
    if not pairs:
        raise GateError(f"no system of the new result is in the baseline, which has {', '.join(old)}")
    return pairs


def shared_metrics(new: Result, baseline: Result, pairs: Pairs) -> list[str]:
    """The metrics of both results, which must be at least one, with the same options."""
    shared = [metric for metric in new.metrics if metric in baseline.metrics]
    if not shared:
        raise GateError(
            f"the results have no metric in common: {', '.join(baseline.metrics)} against {', '.join(new.metrics)}"
        )
    for system, before in pairs:
        for metric in shared:
            _check_definition(system.score(metric), before.score(metric))
    return shared


def _check_definition(new: MetricResult, old: MetricResult) -> None:
    mine, theirs = signature.parse(new.signature), signature.parse(old.signature)
    if mine[:3] != theirs[:3]:
        options = {**theirs.options, **mine.options}
        changed = [name for name in options if mine.options.get(name) != theirs.options.get(name)]
        raise GateError(f"{new.metric} has other options in the baseline ({', '.join(changed) or 'its version'})")


def recreate_metrics(
    result: Result, wanted: Set[str], needed: Set[str], given: Mapping[str, Metric[Score]] | None
) -> dict[str, Metric[Score]]:
    """The metrics that can score the texts of the result again; one that is needed must be among them.

    A result without texts, or a metric that its signature cannot recreate, leaves nothing to compute from.
    """
    recreated = {}
    for score in result.systems[0].scores if result.has_texts else ():
        if score.metric in wanted | needed and not score.is_column:
            try:
                recreated[score.metric] = metric_for(score, given)
            except BleuprintError:
                if score.metric in needed or score.metric in (given or {}):
                    raise
    return recreated


@dataclass(frozen=True, slots=True)
class Evidence:
    """Some systems of a result, and what was counted for them: while they were scored, or once for the gate."""

    name: str  # of the result, in messages
    result: Result
    systems: Sequence[SystemResult]
    measured: Mapping[str, Mapping[str, Measured[Score]]]  # by system and metric

    def covers(self, metric: str) -> bool:
        """Whether the scores of a metric could be computed again."""
        system = self.systems[0]
        return self._value(system, system.score(metric)) is not None

    def _value(self, system: SystemResult, score: MetricResult) -> float | None:
        if score.is_column:
            return ExactMean().add(list(score.segments)).value if score.segments else None
        measured = self.measured[system.name].get(score.metric)
        return None if measured is None else float(measured.score.value)

    def check(self, totals: Set[str], segments: Set[str]) -> None:
        """Refuse a result whose stored scores of these metrics, or of their segments, are not those of its texts."""
        for system in self.systems:
            for score in system.scores:
                computed = self._value(system, score) if score.metric in totals else None
                if computed is not None and not _is_same(score.value, computed):
                    source = "the mean of its segments is" if score.is_column else "its texts score"
                    stored = f"the {score.metric} of the {self.name} result is stored as {score.value:.4f}"
                    raise GateError(f"{stored}, but {source} {computed:.4f}")
                measured = self.measured[system.name].get(score.metric)
                if score.metric in segments and measured is not None:
                    self._check_segments(score, _segments(score, measured))

    def _check_segments(self, score: MetricResult, computed: Sequence[float]) -> None:
        for place, (stored, own) in enumerate(zip(score.segments, computed, strict=False)):
            if not _is_same(stored, own):
                segment = f"{self.result.segment_name(place)} in the {self.name} result"
                raise GateError(
                    f"the {score.metric} of {segment} is stored as {stored:.4f}, but its text scores {own:.4f}"
                )


def _segments(score: MetricResult, measured: Measured[Score]) -> list[float]:
    """The scores of the segments by the signature that the result stores for them.

    Some options of BLEU depend on the level, and the signature of the corpus score has those of the corpus; the rows
    are the same for both.
    """
    values = measured.segments
    if measured.score.segment_signature.partition("#")[0] != score.segment_signature.partition("#")[0]:
        definition = from_signature(score.segment_signature).definition
        if measured.statistics is None or definition.columns != measured.score.definition.columns:
            raise GateError(f"the segments of {score.metric} were scored by another metric, {score.segment_signature}")
        values = definition.formula(tuple(measured.statistics.rows.T), sentence=True)
    return list(map(float, values))


def _is_same(stored: float, computed: float) -> bool:
    return math.isclose(stored, computed, rel_tol=_SAME_SCORE, abs_tol=_SAME_SCORE)
