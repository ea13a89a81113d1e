"""Score Spark DataFrames with the same metrics, signatures and numbers as on one machine."""

from __future__ import annotations

from bleuprint.integrations.spark._rows import samples, with_scores
from bleuprint.integrations.spark._scoring import score

__all__ = ["samples", "score", "with_scores"]
