"""A pool of texts in depth: tables of diversity, rarefaction, comparison of pools, diverse subsets."""

from __future__ import annotations

from bleuprint.pools.diversity import Diversity, Measure, diversity
from bleuprint.pools.rarefaction import rarefaction
from bleuprint.pools.select_diverse import select_diverse

__all__ = ["Diversity", "Measure", "diversity", "rarefaction", "select_diverse"]
