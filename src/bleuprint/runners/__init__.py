"""Running metrics over systems and datasets."""

from bleuprint.runners.evaluation import evaluate
from bleuprint.runners.runner import ItemResult, MetricRunner, RunResult

__all__ = ["ItemResult", "MetricRunner", "RunResult", "evaluate"]
