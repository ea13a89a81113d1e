"""Tables of a result for the terminal."""

from __future__ import annotations

from dataclasses import replace

from bleuprint.results import MetricResult, Result
from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, DisplayTable, words

# Parts of perplexity and of Fréchet distance, as a table calls them.
_NAMED_PARTS = {
    "without_unknown": "without unknown",
    "log_probability": "log10 probability",
    "tokens": "tokens",
    "unknown_words": "unknown",
    "distance": "d",
    "mean_part": "of means",
    "covariance_part": "of covariances",
}


def add_parts(table: DisplayTable, result: Result, digits: Digits) -> DisplayTable:
    """The table of scores with the parts of the score of a single metric."""
    if len(result.metrics) > 1:
        return table
    parts = [_parts(system.scores[0], digits) for system in result.systems]
    cells = (words(*(shown.get(name, "") for name in parts[0])) for shown in parts)
    rows = tuple((*row, *more) for row, more in zip(table.rows, cells, strict=True))
    precisions = [name for name in parts[0] if name.startswith("p")]
    explained = f"{precisions[0]} … {precisions[-1]}: the precision of n-grams of each order." if precisions else ""
    return replace(
        table, header=(*table.header, *parts[0]), rows=rows, notes=(*table.notes, *filter(None, [explained]))
    )


def segment_table(result: Result, digits: Digits) -> DisplayTable:
    """One row per segment, named by its id or its number: its score for every system and metric that has one."""
    several = len(result.metrics) > 1
    columns = [
        (system, score) for system in result.systems for score in system.scores if len(score.segments) == result.size
    ]
    head = [f"{system.name} {score.metric}" if several else system.name for system, score in columns]
    values = zip(*(score.segments for _, score in columns), strict=True)
    names = range(1, result.size + 1) if result.ids is None else result.ids
    shown = [digits.of(score.signature) for _, score in columns]
    rows = [
        (Cell(str(name)), *(Cell(write(value), value) for write, value in zip(shown, row, strict=True)))
        for name, row in zip(names, values, strict=True)
    ]
    return DisplayTable(("segment" if result.ids is None else "id", *head), tuple(rows))


def _parts(score: MetricResult, digits: Digits) -> dict[str, str]:
    """The parts short enough for one table cell; which ones exist depends on the metric."""
    shown, digits = dict[str, str](), digits.of(score.signature)
    precisions = score.parts.get("precisions")
    if isinstance(precisions, tuple):
        shown |= {f"p{order}": digits(value) for order, value in enumerate(precisions, start=1)}
    by_order = score.parts.get("per_order")
    if isinstance(by_order, tuple):
        shown |= {f"order {order}": digits(value) for order, value in enumerate(by_order, start=1)}
    for part, name in _NAMED_PARTS.items():
        number = score.parts.get(part)
        if isinstance(number, float | int):
            shown[name] = str(number) if isinstance(number, int) else digits(number)
    penalty = score.parts.get("brevity_penalty")
    if isinstance(penalty, float | int):
        shown["BP"] = f"{penalty:.3f}"
    hypothesis, reference = score.parts.get("hypothesis_length"), score.parts.get("reference_length")
    if isinstance(hypothesis, int) and isinstance(reference, int):
        shown["ratio"] = f"{hypothesis / reference:.3f}" if reference else "none"
    return shown
