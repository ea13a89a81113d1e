"""History: the scores of several runs on one test set, what changed since the last one, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import nan

from markupsafe import Markup

from bleuprint.report import charts
from bleuprint.report.history import History
from bleuprint.report.look import BROAD, Look
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import if_possible
from bleuprint.report.sections.scores import intervals
from bleuprint.report.sections.systems.compared import comparison_of, with_comparison

__all__ = ["LINK", "changes", "view"]

LINK = "History"


@dataclass(frozen=True, slots=True)
class Change:
    """One system since the run before: what changed, in words, and the segments that became better and worse."""

    name: str
    values: tuple[str, ...]  # in every run; empty where the system was not part of it
    difference: str
    words: str
    system: int
    before: int | None
    better: tuple[int, ...]
    worse: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Runs:
    """The systems of the latest run under one metric, through all runs."""

    head: MetricHead
    names: tuple[str, ...]
    chart: Markup
    changes: tuple[Change, ...]


def view(page: Page) -> list[Runs]:
    """A chart and a table for every metric; nothing for a single run."""
    history = page.history
    if history is None:
        return []
    return [
        Runs(head, tuple(history.runs), _chart(history, head, page.look(BROAD)), tuple(changes(history, head)))
        for head in page.metrics
    ]


def _chart(history: History, head: MetricHead, look: Look) -> charts.Drawing:
    values: dict[str, list[float]] = {}
    ends: dict[str, list[tuple[float, float]]] = {}
    known = [if_possible(intervals, result, head.name) or {} for result in history.runs.values()]
    for system in history.latest.systems:
        values[system.name], ends[system.name] = [], []
        for result, edges in zip(history.runs.values(), known, strict=True):
            found = next((other for other in result.systems if other.name == system.name), None)
            value = nan if found is None else found.score(head.name).value
            low, high, _ = edges.get(system.name, (value, value, 0.0))
            values[system.name].append(value)
            ends[system.name].append((low, high))
    return charts.lines(
        range(1, len(history.runs) + 1),
        values,
        f"{head.name} of the systems in {len(history.runs)} runs, with intervals",
        axis="run",
        value_axis=f"{head.name} ({head.direction})",
        intervals=ends,
        digits=head.digits,
        width=look.width,
    )


def changes(history: History, head: MetricHead) -> Iterator[Change]:
    """The systems of the latest run, each with what changed since the run before."""
    previous = list(history.earlier)[-1]
    sign = 1 if head.higher_is_better else -1
    for place, system in enumerate(history.latest.systems):
        texts = []
        for result in history.runs.values():
            found = next((other for other in result.systems if other.name == system.name), None)
            texts.append("" if found is None else head.digits(found.score(head.name).value))
        before = history.places.get((previous, system.name))
        if before is None:
            yield Change(system.name, tuple(texts), "", f"not part of {previous}", place, None, (), ())
            continue
        old, new = history.joined.systems[before].score(head.name), system.score(head.name)
        moves = [sign * (after - now) for now, after in zip(old.segments, new.segments, strict=True)]
        yield Change(
            system.name,
            tuple(texts),
            head.digits.delta(new.value - old.value),
            "the same output" if before == place else _verdict(history, head, place, before),
            place,
            before,
            tuple(at for at, move in enumerate(moves) if move > 0),
            tuple(at for at, move in enumerate(moves) if move < 0),
        )


def _verdict(history: History, head: MetricHead, place: int, before: int) -> str:
    """Whether the difference between the two runs may be chance, from a paired test of these two alone."""
    new, old = (history.joined.systems[at] for at in (place, before))
    pair = [replace(system, scores=(system.score(head.name),)) for system in (new, old)]
    compared = comparison_of(with_comparison(replace(history.joined, systems=tuple(pair))), head.name)
    if compared is None:
        return "not tested"
    better = compared.pairs[0].better
    return "may be chance" if better is None else f"{'better' if better == new.name else 'worse'} beyond chance"
