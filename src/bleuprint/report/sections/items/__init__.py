"""Items that are right or wrong: how many systems solve each, for metrics that give every segment 0 or 1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from bleuprint.report.figures import join_names
from bleuprint.report.page import MetricHead, Page

LINK = "Pass or fail"


def view(page: Page) -> Sequence[tuple[MetricHead, dict[str, list[int]], Callable[[int], str]]]:
    """Who passed, of which segments that is true, and how they are called, for metrics whose segments pass or fail."""
    views = []
    for head in page.metrics:
        columns = {system.name: system.score(head.name).segments for system in page.result.systems}
        values = {value for column in columns.values() for value in column}
        if len(page.result.systems) > 1 and values == {0.0, 1.0}:
            outcomes = _outcomes(columns, passing=1.0 if head.higher_is_better else 0.0)
            views.append((head, outcomes, page.result.segment_name))
    return views


def _outcomes(columns: dict[str, tuple[float, ...]], *, passing: float) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(zip(*columns.values(), strict=True)):
        passed = [name for name, value in zip(columns, row, strict=True) if value == passing]
        places[_name_outcome(passed, list(columns))].append(place)
    return dict(sorted(places.items(), key=lambda outcome: -len(outcome[1])))


def _name_outcome(passed: list[str], names: list[str]) -> str:
    if not passed:
        return "no system passes"
    if len(passed) == len(names):
        return "all systems pass"
    if len(passed) == 1:
        return f"only {passed[0]} passes"
    if len(passed) == len(names) - 1:
        return f"only {next(name for name in names if name not in passed)} fails"
    return f"{join_names(passed, len(passed))} pass"
