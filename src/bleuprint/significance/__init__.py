"""Significance: confidence intervals, paired tests, multiple systems, and statistical power.

Depends only on rows and the score of a sum of rows (`statistics.Sample`), so it works for every metric that has them.
"""

from __future__ import annotations

from bleuprint.significance.chance import Chance
from bleuprint.significance.comparison import (
    PairComparison,
    SampleComparison,
    SystemScore,
    compare_samples,
    pair_count,
)
from bleuprint.significance.equivalence import Equivalence
from bleuprint.significance.intervals import METHODS, Interval, bootstrap_interval
from bleuprint.significance.multiple import holm, rank_clusters, rank_ranges
from bleuprint.significance.power import detectable_difference, segments_needed
from bleuprint.significance.settings import TESTS, Settings

__all__ = [
    "METHODS",
    "TESTS",
    "Chance",
    "Equivalence",
    "Interval",
    "PairComparison",
    "SampleComparison",
    "Settings",
    "SystemScore",
    "bootstrap_interval",
    "compare_samples",
    "detectable_difference",
    "holm",
    "pair_count",
    "rank_clusters",
    "rank_ranges",
    "segments_needed",
]
