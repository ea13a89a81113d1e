"""What a running pool metric holds."""

from __future__ import annotations

from typing import Any

from bleuprint.metrics.base.metric import Metric


def texts_in(metric: Metric[Any]) -> int:
    summary: Any = metric.summary
    return len(summary.texts)


def references_in(metric: Metric[Any]) -> int:
    summary: Any = metric.summary
    return len(summary.reference_texts)
