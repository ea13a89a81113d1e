"""Ways to sort segments into buckets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bleuprint.errors import LengthMismatchError
from bleuprint.insight.bucketing import ranges
from bleuprint.report.replay import if_possible, metric_of
from bleuprint.results import Result

_LENGTHS = (10, 20, 30, 40, 50, 60)


@dataclass(frozen=True, slots=True)
class Grouping:
    """Segments sorted into buckets: the name of what they are sorted by, its buckets, and the bucket of each."""

    name: str
    labels: tuple[str, ...]
    of: tuple[int, ...]


def groupings(lengths: Sequence[int], columns: Mapping[str, Sequence[object]]) -> list[Grouping]:
    """Segments by the length of their references in tokens, and by every column."""
    ways = []
    if lengths:
        edges = (0, *_LENGTHS)
        numbers = [sum(length >= edge for edge in edges) - 1 for length in lengths]
        names = [f"{low}–{high - 1}" for low, high in zip(edges, _LENGTHS, strict=False)] + [f"{_LENGTHS[-1]} and more"]
        used = sorted(set(numbers))
        ways.append(Grouping("length", tuple(names[number] for number in used), tuple(map(used.index, numbers))))
    for name, values in columns.items():
        if len(values) != len(lengths):
            raise LengthMismatchError("the segments", len(lengths), f"column {name}", len(values))
        places: dict[str, int] = {}
        of = tuple(places.setdefault(str(value), len(places)) for value in values)
        ways.append(Grouping(name, tuple(places), of))
    return ways


def by_frequency(result: Result, corpus: Sequence[str]) -> list[Grouping]:
    """Segments by how often the rarest word of their references occurs in a corpus, such as the training data."""
    if not result.has_texts or not result.metrics:
        return []

    def ways() -> list[Grouping]:
        metric = metric_of(result.systems[0].scores[0])
        names, numbers = ranges(metric, result.references, by="frequency", corpus=corpus)
        used = sorted(set(numbers))
        labels = tuple(names[number] for number in used)
        return [Grouping("rarest word's frequency", labels, tuple(map(used.index, numbers)))]

    return if_possible(ways) or []
