"""Why a score is what it is: which segments and n-grams make it, which rules move it, which settings gave it."""

from __future__ import annotations

from bleuprint.insight.bucketing import Bucket, buckets
from bleuprint.insight.claims import Match, Reconciliation, Setting, reconcile
from bleuprint.insight.effects import contributions, influence
from bleuprint.insight.ngrams import NgramChange, NgramChanges, ngram_changes
from bleuprint.insight.steps import Explanation, Step, explain

__all__ = [
    "Bucket",
    "Explanation",
    "Match",
    "NgramChange",
    "NgramChanges",
    "Reconciliation",
    "Setting",
    "Step",
    "buckets",
    "contributions",
    "explain",
    "influence",
    "ngram_changes",
    "reconcile",
]
