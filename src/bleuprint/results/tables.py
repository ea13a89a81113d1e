"""Columns of a result: of its systems and of its segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleuprint import checks
from bleuprint.errors import OutputError
from bleuprint.results.display import separated_values

if TYPE_CHECKING:
    from bleuprint.results.model import Level, Result

Columns = dict[str, list[Any]]


def system_columns(result: Result, **options: Any) -> Columns:
    """One row per system: its name, its score for every metric, as `display` shows it, and the signatures."""
    columns: Columns = result.display(**options)[0].columns()
    for place, metric in enumerate(result.metrics):
        columns[f"{metric} signature"] = [system.scores[place].signature for system in result.systems]
    return columns


def segment_columns(result: Result) -> Columns:
    """One row per segment and system; segments are numbered from 1, and have their id if there are ids."""
    # Before anything of that size is made: a result can claim any size.
    for place, metric in enumerate(result.metrics):
        if any(len(system.scores[place].segments) != result.size for system in result.systems):
            raise OutputError("the table of segments", f"the result has no segment scores for {metric}")
    if not result.metrics and not result.has_texts:
        raise OutputError("the table of segments", "the result has neither texts nor scores")
    numbers = list(range(1, result.size + 1))
    columns: Columns = {
        "segment": numbers * len(result.systems),
        **({} if result.ids is None else {"id": list(result.ids) * len(result.systems)}),
        "system": [system.name for system in result.systems for _ in numbers],
    }
    if result.has_texts:
        if result.sources is not None:
            columns["source"] = list(result.sources) * len(result.systems)
        columns["hypothesis"] = [text for system in result.systems for text in system.hypotheses]
        columns["references"] = [list(texts) for texts in result.references] * len(result.systems)
    for place, metric in enumerate(result.metrics):
        columns[metric] = [value for system in result.systems for value in system.scores[place].segments]
    return columns


def level_columns(result: Result, level: Level, **options: Any) -> Columns:
    """The columns of the segments, or of the systems with the options of `display`."""
    checks.choice("level", level, ("segments", "systems"))
    return segment_columns(result) if level == "segments" else system_columns(result, **options)


def level_file(columns: Columns) -> str:
    """Columns as comma-separated values, with one column per reference."""
    references = columns.pop("references", None)
    if references is not None:
        for number in range(max(map(len, references), default=0)):
            columns[f"reference {number + 1}"] = [texts[number] if number < len(texts) else "" for texts in references]
    return separated_values(columns)
