"""History: the scores of several runs on one test set, what changed since the last one, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import nan
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.errors import ResultError
from bleuprint.report import charts
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import if_possible
from bleuprint.report.sections.scores import intervals
from bleuprint.report.sections.systems.compared import comparison_of, with_comparison
from bleuprint.results import Result, SystemResult

LINK = "History"


class History(NamedTuple):
    """Runs by name, the latest last. `merged` is the latest with the outputs of earlier runs as further systems."""

    runs: Mapping[str, Result]
    merged: Result
    places: Mapping[tuple[str, str], int]  # of the system of a run, among the merged systems

    @property
    def earlier(self) -> Mapping[str, Result]:
        return dict(list(self.runs.items())[:-1])

    @property
    def latest(self) -> Result:
        return list(self.runs.values())[-1]


class Change(NamedTuple):
    """One system since the run before: what changed, in words, and the segments that became better and worse."""

    name: str
    values: tuple[str, ...]  # in every run; empty where the system was not part of it
    difference: str
    words: str
    system: int
    before: int | None
    better: tuple[int, ...]
    worse: tuple[int, ...]


class Runs(NamedTuple):
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
        Runs(head, tuple(history.runs), _chart(history, head, page.canvas(charts.BROAD)), tuple(changes(history, head)))
        for head in page.metrics
    ]


def _scores(history: History, system: SystemResult, metric: str) -> list[float | None]:
    """The score of a system in every run; None where it was not part of one."""
    found = ({other.name: other for other in result.systems}.get(system.name) for result in history.runs.values())
    return [None if other is None else other.score(metric).value for other in found]


def _chart(history: History, head: MetricHead, canvas: charts.Canvas) -> charts.Drawing:
    known = [if_possible(intervals, result, head.name) or {} for result in history.runs.values()]
    values = {
        system.name: [nan if value is None else value for value in _scores(history, system, head.name)]
        for system in history.latest.systems
    }
    ends = {
        name: [edges.get(name, (value, value))[:2] for value, edges in zip(row, known, strict=True)]
        for name, row in values.items()
    }
    return charts.lines(
        range(1, len(history.runs) + 1),
        values,
        f"{head.name} of the systems in {len(history.runs)} runs, with intervals",
        axis="run",
        value_axis=f"{head.name} ({head.direction})",
        intervals=ends,
        canvas=canvas.of(history.latest.systems[0].score(head.name).signature),
    )


def changes(history: History, head: MetricHead) -> Iterator[Change]:
    """The systems of the latest run, each with what changed since the run before."""
    previous = list(history.earlier)[-1]
    sign = 1 if head.higher_is_better else -1
    for place, system in enumerate(history.latest.systems):
        texts = ["" if value is None else head.digits(value) for value in _scores(history, system, head.name)]
        before = history.places.get((previous, system.name))
        if before is None:
            yield Change(system.name, tuple(texts), "", f"not part of {previous}", place, None, (), ())
            continue
        old, new = history.merged.systems[before].score(head.name), system.score(head.name)
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
    new, old = (history.merged.systems[at] for at in (place, before))
    pair = [replace(system, scores=(system.score(head.name),)) for system in (new, old)]
    compared = comparison_of(with_comparison(replace(history.merged, systems=tuple(pair))), head.name)
    if compared is None:
        return "not tested"
    better = compared.pairs[0].better
    return "may be chance" if better is None else f"{'better' if better == new.name else 'worse'} beyond chance"


def history_of(latest: Result, name: str, earlier: Mapping[str, Result]) -> History:
    """The history; an error if a run is of another test set or was measured in another way."""
    runs = {**earlier, name: latest}
    if name in earlier:
        raise ResultError(name, "two runs have this name; give every run its own")
    systems = list(latest.systems)
    places = {(name, system.name): place for place, system in enumerate(systems)}
    for run, result in earlier.items():
        _check(run, result, name, latest)
        for system in result.systems:
            before = (place for place, known in enumerate(systems) if known.digest == system.digest)
            same = next((place for place in before if systems[place].name.startswith(system.name)), None)
            if same is None:
                same = len(systems)
                scores = tuple(system.score(metric) for metric in latest.metrics)
                taken = {known.name for known in systems}
                systems.append(replace(system, name=_free(f"{system.name} ({run})", taken), scores=scores))
            places[run, system.name] = same
    return History(runs, replace(latest, systems=tuple(systems), comparison=None), places)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "\N{PRIME}"
    return name


def _check(run: str, result: Result, name: str, latest: Result) -> None:
    if result.size != latest.size or result.digests.get("references") != latest.digests.get("references"):
        raise ResultError(run, f"its references are not those of {name}; only runs on one test set have a history")
    if not result.has_texts:
        raise ResultError(run, "its texts were not kept, so its segments cannot be compared")
    for metric in latest.metrics:
        if metric not in result.metrics:
            raise ResultError(run, f"it has no {metric}, which {name} has; score both with the same metrics")
        # Signatures without the versions behind them.
        ours, theirs = (entry.systems[0].score(metric).signature.partition("#")[0] for entry in (latest, result))
        if ours != theirs:
            raise ResultError(run, f"its {metric} was computed with other settings than that of {name}: {theirs}")
