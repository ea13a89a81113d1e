"""The table of all measures of diversity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bleuprint.pools.diversity import Diversity, Measure
from bleuprint.results.digits import FRACTIONS


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One measure: its value and interval for each pool."""

    name: str
    direction: str
    values: tuple[tuple[str, str], ...]


def measure_rows(results: Mapping[str, Diversity]) -> tuple[MeasureRow, ...]:
    """A row per measure, with a column per pool."""
    rows = zip(*(result.measures for result in results.values()), strict=True)
    return tuple(
        MeasureRow(
            several[0].name,
            several[0].direction,
            tuple(map(_texts, several)),
        )
        for several in rows
    )


def _texts(measure: Measure) -> tuple[str, str]:
    value, low, high = (cell.text for cell in measure.cells(FRACTIONS))
    return value, f"{low} – {high}" if low else ""
