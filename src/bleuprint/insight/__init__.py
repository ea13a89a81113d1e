"""Explain a score: which segments and n-grams it depends on, which rules change it, which settings produced it."""

from __future__ import annotations

from bleuprint.insight.bucketing import Bucket, buckets
from bleuprint.insight.claims import Match, Reconciliation, Setting, reconcile
from bleuprint.insight.effects import contributions, influence
from bleuprint.insight.ngrams import NgramChange, NgramChanges, ngram_changes
from bleuprint.insight.quadrants import Quadrants, quadrants
from bleuprint.insight.steps import Explanation, Step, explain
from bleuprint.insight.worked import Equation, MarkedText, Work, WorkStep, WorkTable, work

__all__ = ["Bucket", "Equation", "Explanation", "MarkedText", "Match", "NgramChange", "NgramChanges"]
__all__ += ["Quadrants", "Reconciliation", "Setting", "Step", "Work", "WorkStep", "WorkTable", "buckets"]
__all__ += ["contributions", "explain", "influence", "ngram_changes", "quadrants", "reconcile", "work"]
