"""The n-grams that one system has right and the other has not."""

from __future__ import annotations

from itertools import combinations, islice
from typing import NamedTuple

from bleuprint.insight import NgramChange, NgramChanges, ngram_changes
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import if_possible, metric_of, rank_systems
from bleuprint.results import Result, SystemResult
from bleuprint.results.digits import Digits

LINK = "N-grams"
_COMPARED = 3  # systems, the best ones, every pair of them
_SEGMENTS = 20_000  # of all pairs together; counting takes about a second for so many
_TOP = 12  # n-grams of either side


class Change(NamedTuple):
    """An n-gram, how many more matches a system has, and what they are worth."""

    ngram: str
    matches: int
    worth: str


class Side(NamedTuple):
    """What one system has right and the other has not."""

    name: str
    other: str
    system: int
    beside: int
    changes: tuple[Change, ...]


class Ngrams(NamedTuple):
    head: MetricHead
    pairs: tuple[tuple[Side, Side], ...]


def view(page: Page) -> Ngrams | None:
    """Both sides of every pair of the best systems, under the metric whose n-grams the page marks."""
    result = page.result
    head = next((head for head in page.metrics if head.name == page.marking.metric), None)
    if head is None or not result.has_texts or len(result.systems) < 2:
        return None
    pairs = []
    compared = combinations(rank_systems(result, head.name)[:_COMPARED], 2)
    for first, second in islice(compared, max(1, _SEGMENTS // max(result.size, 1))):
        changes = if_possible(_changes, result, head.name, first, second)
        if changes is not None and (changes.gained or changes.lost):
            pairs.append(
                (
                    _side(result, first, second, changes.gained, head.digits),
                    _side(result, second, first, changes.lost, head.digits),
                )
            )
    return Ngrams(head, tuple(pairs)) if pairs else None


def _changes(result: Result, metric: str, first: SystemResult, second: SystemResult) -> NgramChanges:
    return ngram_changes(
        metric_of(first.score(metric)), first.hypotheses, second.hypotheses, result.references, top=_TOP
    )


def _side(
    result: Result, system: SystemResult, other: SystemResult, changes: tuple[NgramChange, ...], digits: Digits
) -> Side:
    shown = tuple(
        Change(" ".join(map(str, change.ngram)), abs(change.matches), _worth(change, digits)) for change in changes
    )
    return Side(system.name, other.name, result.systems.index(system), result.systems.index(other), shown)


def _worth(change: NgramChange, digits: Digits) -> str:
    """To one digit more than scores have: single n-grams are worth little."""
    return digits(abs(change.worth), 5)
