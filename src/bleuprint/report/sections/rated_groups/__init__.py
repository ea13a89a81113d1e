"""Agreement within each group of outputs, such as their document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bleuprint.ratings.agreement.result import LABELS, Agreement, Estimate

LINK = "Groups"


class Groups(NamedTuple):
    """A table: a row per label, a column per metric."""

    title: str
    column: str
    metrics: tuple[str, ...]
    labels: Mapping[str, Mapping[str, Estimate]]


def view(result: Agreement) -> list[Groups]:
    """One table per column of ratings and column of labels."""
    return [
        Groups(
            f"{LABELS[entry.level][entry.statistic]} with {entry.human} by {column}",
            column,
            tuple(metric.metric for metric in entry.metrics),
            labels,
        )
        for entry in result.levels
        for column, labels in entry.groups.items()
    ]
