"""Several runs on the same test set, oldest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bleuprint.errors import ResultError
from bleuprint.results import Result, SystemResult


@dataclass(frozen=True, slots=True)
class History:
    """Runs by name, the latest last. `joined` is the latest with the outputs of earlier runs as further systems."""

    runs: Mapping[str, Result]
    joined: Result
    places: Mapping[tuple[str, str], int]  # of the system of a run, among the joined systems

    @property
    def earlier(self) -> Mapping[str, Result]:
        return dict(list(self.runs.items())[:-1])

    @property
    def latest(self) -> Result:
        return list(self.runs.values())[-1]


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
            same = next((place for place, known in enumerate(systems) if _same_output(known, system)), None)
            if same is None:
                same = len(systems)
                scores = tuple(system.score(metric) for metric in latest.metrics)
                taken = {known.name for known in systems}
                systems.append(replace(system, name=_free(f"{system.name} ({run})", taken), scores=scores))
            places[run, system.name] = same
    return History(runs, replace(latest, systems=tuple(systems), comparison=None), places)


def _same_output(known: SystemResult, system: SystemResult) -> bool:
    return known.digest == system.digest and known.name.startswith(system.name)


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
        ours, theirs = (_settings(entry, metric) for entry in (latest, result))
        if ours != theirs:
            raise ResultError(run, f"its {metric} was computed with other settings than that of {name}: {theirs}")


def _settings(result: Result, metric: str) -> str:
    """The signature without the versions behind it."""
    return result.systems[0].score(metric).signature.partition("#")[0]
