"""What agreement over systems and over segments have in common: the data, and how metrics are ranked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bleuprint.ratings.agreement.resampling import Advance, Outputs
from bleuprint.ratings.agreement.result import (
    Estimate,
    LevelAgreement,
    MetricAgreement,
    MetricDifference,
    Settings,
)
from bleuprint.ratings.scoring import MetricScores
from bleuprint.ratings.table import Ratings
from bleuprint.statistics.multiple import holm, rank_clusters, rank_ranges

Floats = NDArray[np.float64]


def estimate_of(value: float, interval: tuple[float, float] | None) -> Estimate:
    """A value with its interval, or the reason why one of them is missing."""
    if math.isnan(value):
        return Estimate(None, reason="it cannot be computed from numbers of this size")
    if interval is None:
        return Estimate(value, reason="it is undefined in too many resamples")
    return Estimate(value, *interval)


@dataclass(frozen=True, eq=False)
class Study:
    """Ratings, the scores of all metrics that are compared, and how they are compared."""

    ratings: Ratings
    scores: MetricScores
    settings: Settings
    permutations: int
    advance: Advance  # called with finished trials
    notes: list[str] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        return self.scores.names

    @cached_property
    def matrix(self) -> Floats:
        """The scores, a row per metric; higher is better."""
        return self.scores.matrix()

    @cached_property
    def scored_by_all(self) -> NDArray[np.bool_]:
        """Which outputs have a score under every metric."""
        return np.logical_not(np.isnan(self.matrix).any(axis=0))

    def outputs(self, human: Floats) -> Outputs:
        """All outputs with these ratings, rated or not."""
        ratings = self.ratings
        counts = len(ratings.segments), len(ratings.systems)
        return Outputs(self.matrix, human, ratings.segment, ratings.system, *counts)

    def rank(
        self,
        level: LevelAgreement,
        estimates: Mapping[str, Sequence[Estimate]],
        p_values: Floats,
        chance: Floats,
        thresholds: Mapping[str, float] | None = None,
    ) -> LevelAgreement:
        """Add the metrics to a level, best first, with their differences, ranks and clusters.

        `p_values` are those of differences between metrics. `chance` are those of no agreement at all, corrected.
        """
        names, alpha = self.names, self.settings.alpha
        place = {name: number for number, name in enumerate(names)}
        values = {name: estimates[level.statistic][place[name]].value for name in names}
        defined = {name: value for name, value in values.items() if value is not None}
        order = sorted(defined, key=lambda name: -defined[name])
        differences = []
        for first, second in combinations(order, 2):
            p_value = float(p_values[place[first], place[second]])
            difference = defined[first] - defined[second]
            differences.append(
                MetricDifference(first, second, difference, 1.0 if math.isnan(p_value) else p_value, 1, None)
            )
        corrected = holm([entry.p_value for entry in differences])
        differences = [
            replace(entry, corrected_p_value=p, better=entry.first if p < alpha and entry.difference > 0 else None)
            for entry, p in zip(differences, corrected, strict=True)
        ]
        significant = {(entry.first, entry.second) for entry in differences if entry.better is not None}

        def is_better(first: str, second: str) -> bool:
            return (first, second) in significant

        ranges = rank_ranges(order, is_better)
        agreeing = {name: p for name in order if not math.isnan(p := float(chance[place[name]]))}
        metrics = tuple(
            MetricAgreement(
                metric=name,
                statistics={statistic: row[place[name]] for statistic, row in estimates.items()},
                best_rank=ranges[name][0] if name in ranges else None,
                worst_rank=ranges[name][1] if name in ranges else None,
                p_value=agreeing.get(name),
                agrees=agreeing.get(name, 1.0) < alpha,
                threshold=(thresholds or {}).get(name),
            )
            for name in [*order, *(name for name in names if name not in defined)]
        )
        clusters = rank_clusters(order, is_better)
        return replace(level, metrics=metrics, differences=tuple(differences), clusters=clusters)
