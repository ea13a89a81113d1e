"""The n-grams that one system has right and the other has not."""

from __future__ import annotations

from itertools import combinations, islice
from typing import NamedTuple

from bleuprint.insight import NgramChanges, ngram_changes
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import if_possible, metric_of, rank_systems
from bleuprint.results import Result, SystemResult

LINK = "N-grams"
_COMPARED = 3  # systems, the best ones, every pair of them
_SEGMENTS = 20_000  # of all pairs together; counting takes about a second for so many
_TOP = 12  # n-grams of either side


class Ngrams(NamedTuple):
    """What each of two systems has right and the other has not, for pairs of the best systems."""

    head: MetricHead
    pairs: list[tuple[SystemResult, SystemResult, NgramChanges]]


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
            pairs.append((first, second, changes))
    return Ngrams(head, pairs) if pairs else None


def _changes(result: Result, metric: str, first: SystemResult, second: SystemResult) -> NgramChanges:
    return ngram_changes(
        metric_of(first.score(metric)), first.hypotheses, second.hypotheses, result.references, top=_TOP
    )
