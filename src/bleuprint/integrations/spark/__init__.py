"""Score Spark DataFrames, and search a corpus, with the same numbers as on one machine."""

from __future__ import annotations

from bleuprint.integrations.spark._rows import samples, with_scores
from bleuprint.integrations.spark._scoring import score
from bleuprint.integrations.spark._search import search_corpus

__all__ = ["samples", "score", "search_corpus", "with_scores"]
