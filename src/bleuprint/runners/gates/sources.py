"""The outputs that simulated releases are made of: those of several runs of one system, and harmed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from bleuprint.core.arrays import Flags, Floats, Places, np
from bleuprint.core.pool import PartScorer
from bleuprint.errors import GateError, OptionError
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.base.score import Measured
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.runners.comparisons import pool_of, sample_of
from bleuprint.runners.gates.evidence import Evidence, join_items, recreate_metrics, segments_of, shared_metrics
from bleuprint.runners.gates.findings import failing_items
from bleuprint.runners.replaying import measure_result
from bleuprint.statistics.rows import Sample

CUT, WORSE = "cut", "worse"  # ways to harm outputs; another is the name of a system
_ALIKE = 10  # outputs of a pool that one of them replaces


class Sources:
    """What was counted for the outputs of all runs, item by item, and for the harmed outputs, which come last."""

    def __init__(
        self,
        runs: Sequence[Result],
        system: str | None,
        harm: str | None,
        bounded: Set[str],
        given: Mapping[str, Metric[Score]] | None,
        threads: int,
        seed: int,
    ) -> None:
        chosen = [_find_system(run, system) for run in runs]
        first, self.name, self._threads = runs[0], chosen[0].name, threads
        shared = [shared_metrics(run, first, [(own, chosen[0])]) for run, own in zip(runs, chosen, strict=True)]
        places = [
            {at: at for at in range(first.size)},
            *({at: own for own, at in join_items(run, first)} for run in runs[1:]),
        ]
        common = [at for at in places[0] if all(at in found for found in places)]
        labels = [label for label in first.metrics if all(label in found for found in shared)]
        self.metrics = recreate_metrics(first, bounded, set(labels), given)
        untested = [label for label in labels if label in self.metrics and not self.metrics[label].can_resample]
        self.labels = [label for label in labels if label not in untested]
        self.notes = [f"{label} is left out, because it cannot be resampled" for label in untested]
        self.size = len(common)
        self._runs = []
        for run, own, found in zip(runs, chosen, places, strict=True):
            systems = [own, *(one for one in run.systems if one.name == harm and run is first and one is not own)]
            evidence = Evidence(
                own.name, run, systems, measure_result(run, self.metrics, systems=systems, threads=threads)
            )
            self._runs.append(evidence.part([found[at] for at in common], self.metrics, threads))
        if len(runs) == 1:
            self.notes.append(
                "with one run, harmless releases are simulated as if they changed every output; a second run of the "
                "same system shows how much its scores really vary"
            )
        self._generator = np.random.default_rng(seed)
        self._harmed = self._measure_harm(harm)

    def result(self, label: str, run: int = 0) -> MetricResult:
        """The scores of a run."""
        return self._runs[run].systems[0].score(label)

    def samples(self, label: str) -> list[Sample]:
        """The rows of all runs and of the harmed outputs."""
        if label not in self.metrics:
            higher = self.result(label).higher_is_better
            columns = [np.array(self.result(label, run).segments) for run in range(len(self._runs))]
            samples = [Sample.of_scores(scores, higher_is_better=higher) for scores in columns]
        else:
            samples = [sample_of(label, self._measurement(run, label)) for run in self._runs]
        if self._harmed is None:
            return [*samples, replace(samples[0], rows=samples[0].rows[self._worse])]
        return [*samples, sample_of(label, self._harmed[label])]

    def failing(self, label: str, threshold: float) -> Flags:
        """Which items fail, by run, and in the harmed outputs."""
        found = [failing_items(self.result(label, run), threshold) for run in range(len(self._runs))]
        if self._harmed is None:
            return np.array([*found, np.array(found[0])[self._worse]])
        harmed = replace(self.result(label), segments=tuple(segments_of(self.result(label), self._harmed[label])))
        return np.array([*found, failing_items(harmed, threshold)])

    def pool(self, label: str) -> PartScorer:
        """What scores parts of the outputs of all runs and of copies, in which one output stands for several."""
        if len(self._runs) == 1:
            raise GateError(f"auditing {label} needs two runs, because a pool that is drawn again holds copies")
        order = self._generator.permutation(self.size)
        copied = np.empty(self.size, dtype=np.intp)
        copied[order] = order[np.arange(self.size) // _ALIKE * _ALIKE]
        pools = [pool_of(label, self._measurement(run, label)) for run in self._runs]
        whole = pools[0].copy()
        for pool in (*pools[1:], pools[0].part(copied.tolist())):
            whole.merge(pool)
        return whole.part_scorer(self._threads)

    def _measurement(self, run: Evidence, label: str) -> Measured[Score]:
        return run.measured[run.systems[0].name][label]

    def _measure_harm(self, harm: str | None) -> Mapping[str, Measured[Score]] | None:
        """Count the harmed outputs; None if they are outputs of other items, at the places `_worse`."""
        run = self._runs[0]
        segments = {label: self.metrics[label] for label in self.labels if label in self.metrics}
        segments = {label: metric for label, metric in segments.items() if metric.unit == "segment"}
        columns = [label for label in self.labels if label not in self.metrics]
        for label in columns:
            if not self.result(label).is_column:
                raise GateError(f"auditing {label} needs the texts, but the result was stored without them")
        self.harm = harm or (WORSE if columns else CUT)
        if self.harm == WORSE:
            self.harm_in_words = "replaced by outputs of items with lower scores"
            self._worse = self._worse_items()
            return None
        if columns:
            raise OptionError("harm", f"'worse' for {', '.join(columns)}, whose texts are not known", harm)
        if self.harm == CUT:
            self.harm_in_words = "cut in half"
            own = run.systems[0]
            cut = replace(own, hypotheses=tuple(text[: len(text) // 2] for text in own.hypotheses))
            result = replace(run.result, counted=None)
            return measure_result(result, segments, systems=[cut], threads=self._threads)[own.name]
        if len(run.systems) == 1:
            raise OptionError("harm", f"'{CUT}', '{WORSE}' or the name of another system of the first result", harm)
        self.harm_in_words = f"replaced by those of {self.harm}"
        return run.measured[self.harm]

    def _worse_items(self) -> Places:
        """For each item, one with a lower score under the first metric of segments, or itself if there is none."""
        label = next((label for label in self.labels if self.result(label).segments), None)
        if label is None:
            raise OptionError("harm", f"'{CUT}' where there are no scores of segments", WORSE)
        score = self.result(label)
        goodness: Floats = np.array(score.segments) * (1 if score.higher_is_better else -1)
        order = np.argsort(goodness, kind="stable")
        lower = np.searchsorted(goodness[order], goodness)  # how many items have a lower score
        picked = (self._generator.random(self.size) * lower).astype(np.intp)
        places: Places = np.where(lower > 0, order[picked], np.arange(self.size))
        return places


def _find_system(run: Result, name: str | None) -> SystemResult:
    """The named system of a result, or its only one."""
    names = [system.name for system in run.systems]
    if len(names) == 1 and name in {None, *names}:
        return run.systems[0]
    if name not in names:
        raise OptionError("system", f"the name of one system: {', '.join(names)}", name)
    return run.system(name)
