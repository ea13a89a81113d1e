"""Why a score is what it is: which segments and n-grams make it, which rules move it, which settings gave it."""

from __future__ import annotations

from bleuprint.insight.buckets import Bucket, buckets
from bleuprint.insight.explain import Explanation, Step, explain
from bleuprint.insight.influence import contributions, influence
from bleuprint.insight.ngrams import NgramChange, NgramChanges, ngram_changes
from bleuprint.insight.reconcile import Match, Reconciliation, Setting, reconcile

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
