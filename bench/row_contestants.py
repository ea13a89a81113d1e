"""Contestants on a corpus whose answers are rows of scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bench.data import Corpus
from bench.harness import EXACT, Contestant, Field, largest_difference
from bench.results import Goal

Scores = Iterable[float]
Scorer = Callable[[list[str], list[str]], Scores]
Prepare = Callable[[list[str], list[str]], Callable[[], Scores]]


def entry(
    name: str,
    corpus: Corpus,
    prepare: Prepare,
    expected: Scorer | None = None,
    goal: Goal | None = None,
    *,
    tolerance: float = EXACT,
) -> Contestant[Scores]:
    """A contestant on this corpus; its answer must be what `expected` (ours) gives for the same lines."""

    def difference(mark: int, scores: Scores) -> float:
        assert expected is not None
        return largest_difference(scores, expected(*corpus.fresh(mark)))

    return Contestant(
        name,
        len(corpus),
        lambda mark: prepare(*corpus.fresh(mark)),
        None if expected is None else difference,
        tolerance,
        goal,
    )


def at_once(score: Scorer) -> Prepare:
    """A job that needs no preparation."""
    return lambda hypotheses, references: lambda: score(hypotheses, references)


def duel(ours: Scorer, name: str, theirs: Scorer | None, goal: Goal | None = None) -> Field[Scores]:
    """Us and, where it is installed, one peer, both straight from strings."""

    def contestants(corpus: Corpus) -> list[Contestant[Scores]]:
        entries = [entry("bleuprint", corpus, at_once(ours))]
        return entries if theirs is None else [*entries, entry(name, corpus, at_once(theirs), ours, goal)]

    return contestants
