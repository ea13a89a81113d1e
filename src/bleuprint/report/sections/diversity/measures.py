"""The table of all measures of diversity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bleuprint.results.digits import FRACTIONS
from bleuprint.runners.diversity import Diversity, Measure

__all__ = ["MeasureRow", "measure_rows"]


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
            "higher" if several[0].higher_is_better else "lower",
            tuple((FRACTIONS(measure.value), _interval(measure)) for measure in several),
        )
        for several in rows
    )


def _interval(measure: Measure) -> str:
    if measure.low is None or measure.high is None:
        return ""
    return f"{FRACTIONS(measure.low)} – {FRACTIONS(measure.high)}"
