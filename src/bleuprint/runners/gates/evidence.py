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
from bleuprint.runners.replaying import Item, measure_result, metric_for
from bleuprint.statistics.exact_mean import ExactMean

Pairs = Sequence[tuple[SystemResult, SystemResult]]  # each new system with its predecessor
Joined = Sequence[tuple[int, int]]  # the place of each item in the new result and in the baseline

_SAME_SCORE = 1e-6  # between platforms, a score only differs in its last bits


def join_items(new: Result, baseline: Result) -> Joined:
    """The places of the items that both results have, by their ids; raises an error if texts of one item differ."""
    if not new.has_texts or not baseline.has_texts:
        for score in (score for system in new.systems[:1] for score in system.scores):
            if score.metric in baseline.metrics and not (score.is_column and score.segments):
                problem = "needs the texts, but one of the results was stored without them"
                raise GateError(f"comparing {score.metric} {problem}")
    if new.ids is not None and baseline.ids is not None:
        places = {name: place for place, name in enumerate(baseline.ids)}
        joined = [(place, places[name]) for place, name in enumerate(new.ids) if name in places]
        if not joined:
            raise GateError(f"no item of the new result is in the baseline: {new.ids[0]} is not one of its ids")
    else:
        joined = [(place, place) for place in range(min(new.size, baseline.size))]
    if new.has_texts and baseline.has_texts:
        _check_texts(new, baseline, joined)
    if new.size != baseline.size and (new.ids is None or baseline.ids is None):
        reason = "only items with ids can be matched"
        raise GateError(f"the new result has {new.size:,} segments, but the baseline has {baseline.size:,}; {reason}")
    return joined


def _check_texts(new: Result, baseline: Result, joined: Joined) -> None:
    """Refuse items that have other references or sources in the baseline."""
    aligned = new.segment_references and baseline.segment_references
    if not aligned and new.digests.get("references") != baseline.digests.get("references"):
        raise GateError("the two results have different references, so their scores cannot be compared")
    texts: list[tuple[str, Sequence[object], Sequence[object]]]
    texts = [("references", new.references, baseline.references)] if aligned else []
    for role, mine, theirs in [*texts, ("sources", new.sources or (), baseline.sources or ())]:
        for place, earlier in joined if mine and theirs else ():
            if mine[place] != theirs[earlier]:
                item = new.segment_name(place)
                raise GateError(f"the two results have different {role} for {item}, so they cannot be compared")


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
        return self.value(system, system.score(metric)) is not None

    def value(self, system: SystemResult, score: MetricResult) -> float | None:
        """A score, computed again; None if nothing is left to compute it from."""
        if score.is_column:
            return ExactMean().add(list(score.segments)).value if score.segments else None
        measured = self.measured[system.name].get(score.metric)
        return None if measured is None else float(measured.score.value)

    def score(self, system: str, metric: str) -> MetricResult:
        """The score of a system, with its value computed again where that is possible."""
        owner = self.result.system(system)
        stored = owner.score(metric)
        value = self.value(owner, stored)
        return stored if value is None else replace(stored, value=value)

    def part(self, places: Sequence[int], metrics: Mapping[str, Metric[Score]], threads: int | None) -> Evidence:
        """The same for the items at these places, in this order; `score` gives their scores."""
        if list(places) == list(range(self.result.size)):
            return self

        def pick(values: tuple[Item, ...]) -> tuple[Item, ...]:
            return tuple(values[place] for place in places) if values else ()

        def pick_all(system: SystemResult) -> SystemResult:
            scores = tuple(replace(score, segments=pick(score.segments)) for score in system.scores)
            return replace(system, hypotheses=pick(system.hypotheses), scores=scores)

        whole, systems = self.result, tuple(map(pick_all, self.systems))
        references = pick(whole.references) if whole.segment_references else whole.references
        sources = None if whole.sources is None else pick(whole.sources)
        ids = None if whole.ids is None else pick(whole.ids)
        part = replace(whole, systems=systems, references=references, sources=sources, ids=ids)
        result = replace(part, size=len(places), counted=None)
        return Evidence(self.name, result, systems, measure_result(result, metrics, threads=threads))

    def check(self, totals: Set[str], segments: Set[str]) -> None:
        """Refuse a result whose stored scores of these metrics, or of their segments, are not those of its texts."""
        for system in self.systems:
            for score in system.scores:
                computed = self.value(system, score) if score.metric in totals else None
                if computed is not None and not _is_same(score.value, computed):
                    source = "the mean of its segments is" if score.is_column else "its texts score"
                    stored = f"the {score.metric} of the {self.name} result is stored as {score.value:.4f}"
                    raise GateError(f"{stored}, but {source} {computed:.4f}")
                measured = self.measured[system.name].get(score.metric)
                if score.metric in segments:
                    self._check_segments(score, segments_of(score, measured))

    def _check_segments(self, score: MetricResult, computed: Sequence[float]) -> None:
        for place, (stored, own) in enumerate(zip(score.segments, computed, strict=False)):
            if not _is_same(stored, own):
                segment = f"{self.result.segment_name(place)} in the {self.name} result"
                raise GateError(
                    f"the {score.metric} of {segment} is stored as {stored:.4f}, but its text scores {own:.4f}"
                )


def segments_of(score: MetricResult, measured: Measured[Score] | None) -> list[float]:
    """The scores of the segments by the signature that the result stores for them; none without what was counted.

    Some options of BLEU depend on the level, and the signature of the corpus score has those of the corpus; the rows
    are the same for both. Segments that another metric scored, or the same one with other options, are refused.
    """
    written, whole = signature.parse(score.segment_signature), signature.parse(score.signature)
    free = whole.options if measured is None else measured.score.definition.level_options(True)
    options = {name: whole.options[name] if name in free else value for name, value in written.options.items()}
    if written[:2] != whole[:2] or options != whole.options:
        raise GateError(f"the segments of {score.metric} were scored by another metric, {score.segment_signature}")
    if measured is None:
        return []
    values = measured.segments
    if measured.statistics is not None and any(written.options[name] != value for name, value in free.items()):
        definition = from_signature(score.segment_signature).definition
        values = definition.formula(tuple(measured.statistics.rows.T), sentence=True)
    return list(map(float, values))


def _is_same(stored: float, computed: float) -> bool:
    return math.isclose(stored, computed, rel_tol=_SAME_SCORE, abs_tol=_SAME_SCORE)
