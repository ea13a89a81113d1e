"""Score Spark DataFrames with the same metrics, signatures and numbers as on one machine."""

from __future__ import annotations

from bleuprint.integrations.spark._near_duplicates import near_duplicates
from bleuprint.integrations.spark._rows import samples, with_scores
from bleuprint.integrations.spark._scoring import score

__all__ = ["near_duplicates", "samples", "score", "with_scores"]
