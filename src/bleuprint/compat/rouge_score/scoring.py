"""Scores, and their means with bootstrap confidence intervals."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import NamedTuple

from bleuprint import checks
from bleuprint.core.arrays import np

__all__ = ["AggregateScore", "BootstrapAggregator", "Score", "fmeasure"]


class Score(NamedTuple):
    """Precision, recall and F."""

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """The median of the resampled means, and the bounds of their interval."""

    low: Score
    mid: Score
    high: Score


class BootstrapAggregator:
    """Quantiles of resampled means; like rouge_score, draws from NumPy's global random generator.

    >>> np.random.seed(1)
    >>> aggregator = BootstrapAggregator()
    >>> for value in (0.2, 0.4, 0.9):
    ...     aggregator.add_scores({"rouge1": Score(value, value, value)})
    >>> round(float(aggregator.aggregate()["rouge1"].mid.fmeasure), 2)
    0.5
    """

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000) -> None:
        if not 0 <= confidence_interval <= 1:
            raise ValueError("confidence_interval must be in range [0, 1]")
        if n_samples <= 0:
            raise ValueError("n_samples must be positive")
        checks.trials("n_samples", index(n_samples))
        self._n_samples = n_samples
        self._confidence_interval = confidence_interval
        self._scores: dict[str, list[Score]] = {}

    def add_scores(self, scores: Mapping[str, Score]) -> None:
        """Add the scores of one prediction."""
        for name, score in scores.items():
            self._scores.setdefault(name, []).append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """For each name, the quantiles of the resampled means."""
        aggregates = {}
        tail = (1 - self._confidence_interval) / 2
        for name, scores in self._scores.items():
            matrix, count = np.vstack(scores), len(scores)
            draws = (np.random.choice(count, size=count) for _ in range(self._n_samples))
            means = np.array([matrix[draw].mean(axis=0) for draw in draws])
            quantiles = np.percentile(means, 100 * np.array([tail, 0.5, 1 - tail]), axis=0)
            aggregates[name] = AggregateScore(*(type(scores[0])(*row) for row in quantiles))
        return aggregates


def fmeasure(precision: float, recall: float) -> float:
    """The harmonic mean; 0 if both are 0.

    >>> fmeasure(0.5, 1.0)
    0.6666666666666666
    """
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
