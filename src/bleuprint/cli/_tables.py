"""Tables of a result for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bleuprint.cli._terminal import Table
from bleuprint.results import MetricResult, Result

__all__ = ["Digits", "score_table", "segment_table", "signature_lines"]


@dataclass(frozen=True, slots=True)
class Digits:
    """Format scores for display. Stored results keep their own scale."""

    percent: bool = False
    width: int | None = None

    def __call__(self, value: float) -> str:
        width = (2 if self.percent else 4) if self.width is None else self.width
        return f"{100 * value if self.percent else value:.{width}f}"


def score_table(result: Result, digits: Digits) -> Table:
    """One row per system: its scores and, with a single metric, the parts of that score."""
    parts = [_parts(system.scores[0], digits) for system in result.systems] if len(result.metrics) == 1 else []
    extra = list(parts[0]) if parts else []
    rows = []
    for index, system in enumerate(result.systems):
        part_cells = [parts[index].get(name, "") for name in extra]
        rows.append([system.name, *(digits(score.value) for score in system.scores), *part_cells])
    return Table(["system", *result.metrics, *extra], rows)


def segment_table(result: Result, digits: Digits) -> Table:
    """One row per segment, named by its id or its number: its score for every system and metric."""
    several = len(result.metrics) > 1
    columns = [(system, score) for system in result.systems for score in system.scores]
    head = [f"{system.name} {score.metric}" if several else system.name for system, score in columns]
    values = zip(*(score.segments for _, score in columns), strict=True)
    names = range(1, result.size + 1) if result.ids is None else result.ids
    rows = [[str(name), *map(digits, row)] for name, row in zip(names, values, strict=True)]
    return Table(["segment" if result.ids is None else "id", *head], rows)


def signature_lines(result: Result, *, segments: bool = False) -> Iterator[str]:
    """Yield every distinct signature."""
    scores = (score for system in result.systems for score in system.scores)
    yield from dict.fromkeys(score.segment_signature if segments else score.signature for score in scores)


def _parts(score: MetricResult, digits: Digits) -> dict[str, str]:
    """The parts short enough for one table cell; which ones exist depends on the metric."""
    shown: dict[str, str] = {}
    precisions = score.parts.get("precisions")
    if isinstance(precisions, tuple):
        shown |= {f"{order}-gram": digits(value) for order, value in enumerate(precisions, start=1)}
    penalty = score.parts.get("brevity_penalty")
    if isinstance(penalty, float | int):
        shown["BP"] = f"{penalty:.3f}"
    hypothesis, reference = score.parts.get("hypothesis_length"), score.parts.get("reference_length")
    if isinstance(hypothesis, int) and isinstance(reference, int):
        shown["ratio"] = f"{hypothesis / reference:.3f}" if reference else "none"
    return shown
