"""The building blocks of metrics; these are what most metrics need."""

from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import MeanFormula
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.rows import CoreRows
from bleuprint.metrics.base.score import MeanScore, Part, Score
from bleuprint.metrics.base.summaries import ExactMeans

__all__ = ["CoreRows", "Definition", "ExactMeans", "MeanFormula", "MeanScore", "Metric", "Part", "Score"]
