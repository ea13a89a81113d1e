"""A pool of texts in depth: tables of diversity, rarefaction, comparison of pools, diverse subsets."""

from __future__ import annotations

from bleuprint.pools.comparisons import PoolComparison, PoolPair, compare_pools
from bleuprint.pools.diversity import Diversity, Measure, diversity
from bleuprint.pools.rarefaction import rarefaction
from bleuprint.pools.select_diverse import select_diverse

__all__ = [
    "Diversity",
    "Measure",
    "PoolComparison",
    "PoolPair",
    "compare_pools",
    "diversity",
    "rarefaction",
    "select_diverse",
]
