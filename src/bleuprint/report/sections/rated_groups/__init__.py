"""Agreement within each group of outputs, such as their document."""

from __future__ import annotations

from bleuprint.ratings.agreement.result import LABELS, Agreement, LevelAgreement

LINK = "Groups"


def view(result: Agreement) -> list[tuple[str, str, LevelAgreement]]:
    """The title of a table for every column of ratings and column of labels, with that column and its level."""
    return [
        (f"{LABELS[entry.level][entry.statistic]} with {entry.human} by {column}", column, entry)
        for entry in result.levels
        for column in entry.groups
    ]
