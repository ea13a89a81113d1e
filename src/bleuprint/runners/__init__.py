"""Run metrics over systems and datasets."""

from bleuprint.runners.evaluation import evaluate
from bleuprint.runners.replaying import Replay, Replayed, replay
from bleuprint.runners.runner import ItemResult, MetricRunner, RunResult

__all__ = ["ItemResult", "MetricRunner", "Replay", "Replayed", "RunResult", "evaluate", "replay"]
