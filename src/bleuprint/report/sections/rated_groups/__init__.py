"""Agreement within each group of outputs, such as their document."""

from __future__ import annotations

from dataclasses import dataclass

from bleuprint.ratings.agreement.result import LABELS, Agreement

__all__ = ["LINK", "view"]

LINK = "Groups"


@dataclass(frozen=True, slots=True)
class Groups:
    """A table: a row per label, a column per metric, each cell with its interval and why it is empty."""

    title: str
    column: str
    metrics: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]


def view(result: Agreement) -> list[Groups]:
    """One table per column of ratings and column of labels."""
    tables = []
    for entry in result.levels:
        names = tuple(metric.metric for metric in entry.metrics)
        for column, labels in entry.groups.items():
            rows = tuple(
                (
                    label,
                    tuple(
                        (estimates[name].text, estimates[name].interval, estimates[name].reason or "") for name in names
                    ),
                )
                for label, estimates in labels.items()
            )
            statistic = LABELS[entry.level][entry.statistic]
            tables.append(Groups(f"{statistic} with {entry.human} by {column}", column, names, rows))
    return tables
