"""Past one machine: the same metrics, signatures and numbers over Spark DataFrames."""

from __future__ import annotations

from bleuprint.integrations.spark._scoring import score

__all__ = ["score"]
