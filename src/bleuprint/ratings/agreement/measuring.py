"""Measure which metric agrees with people, on your own ratings.

Agreement is measured over systems (does the metric order them as people do?) and over segments (does it give better
outputs a higher score?). Metrics are compared by permutation tests, and everything has an interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from bleuprint import checks
from bleuprint.errors import InputError, OptionError
from bleuprint.ratings.agreement.levels import Study, segment_agreement, system_agreement
from bleuprint.ratings.agreement.raters import rater_agreement
from bleuprint.ratings.agreement.result import LEVELS, Agreement, Disagreement, Settings
from bleuprint.ratings.agreement.statistics import midranks
from bleuprint.ratings.items import Trials
from bleuprint.ratings.reading import names_of
from bleuprint.ratings.scoring import allowed_metrics, score_outputs
from bleuprint.ratings.table import Names, Ratings
from bleuprint.runners.evaluation import Metrics, resolve

_SHOWN = 10  # disagreements by metric
_FEWEST_PERMUTATIONS = 1000
_MOST_PERMUTATIONS = 100_000
_BELOW_ALPHA = 5  # the smallest possible p-value must be this many times below alpha after correction


def measure_agreement(
    ratings: Ratings,
    metrics: Metrics | None,
    settings: Settings,
    *,
    human: Names | None,
    models: Mapping[str, object] | None,
    level: Names | None,
    threads: int | None,
    progress: Callable[[float], object] | None,
) -> Agreement:
    """Measure the agreement of metrics with columns of ratings at each level; see `Ratings.agreement`."""
    checks.instance("progress", progress, Callable | None, "None or a function of the finished share")
    columns = tuple(ratings.human) if human is None else names_of("human", human)
    for column in columns:
        if column not in ratings.human:
            raise OptionError("human", f"columns of these ratings ({', '.join(ratings.human)})", column)
    levels = _levels(level, ratings)
    resolved = allowed_metrics(ratings) if metrics is None else resolve(metrics, models, unit="segment")
    scores = score_outputs(ratings, resolved, ratings.scores, threads)
    empty = [name for name, entry in scores.items() if np.isnan(entry.outputs).all()]
    for name in empty:
        del scores[name]
    if not scores:
        raise InputError(
            f"{ratings.name} allows no metric: it needs a column of hypotheses and of references or sources, "
            "or columns of scores; see --scores on the command line, scores= in Python."
        )
    pairs = math.comb(len(scores), 2)
    permutations = settings.permutations or _enough_permutations(pairs, settings.alpha)
    trials = len(columns) * len(levels) * (settings.resamples + permutations)
    advance = _Progress(progress, trials)
    settings = replace(settings, permutations=permutations)
    resamples, swaps = (Trials(count, settings.seed, advance) for count in (settings.resamples, permutations))
    notes = [f"{name} has no score for any output, so it is left out" for name in empty]
    study = Study(ratings, scores, settings, resamples, swaps, notes)
    measure = {"system": system_agreement, "segment": segment_agreement}
    found = tuple(measure[name](study, column) for column in columns for name in levels)
    return Agreement(
        name=ratings.name,
        outputs=len(ratings),
        segments=len(ratings.segments),
        systems=ratings.systems if ratings.has_systems else (),
        signatures={name: entry.signature for name, entry in scores.items()},
        levels=found,
        raters=tuple(rater_agreement(ratings, column) for column in columns),
        ratings={column: _system_ratings(ratings, column) for column in columns} if ratings.has_systems else {},
        scores={name: _system_scores(study, name) for name in scores} if ratings.has_systems else {},
        lower_is_better=ratings.lower_is_better | {name for name, entry in scores.items() if entry.sign < 0},
        disagreements=tuple(entry for column in columns for entry in _disagreements(study, column)),
        settings=settings,
        notes=(*ratings.notes, *study.notes),
    )


def _levels(level: Names | None, ratings: Ratings) -> tuple[str, ...]:
    if level is None:
        asked: tuple[str, ...] = LEVELS if ratings.has_systems else ("segment",)
    else:
        asked = names_of("level", level)
    for name in asked:
        checks.choice("level", name, LEVELS)
    if "system" in asked and len(ratings.systems) < 2:
        problem = f"has one system only, {ratings.systems[0]!r}" if ratings.has_systems else "has no column of systems"
        repair = "for segments alone, use --level segment on the command line, level='segment' in Python"
        raise InputError(f"{ratings.name} {problem}, but agreement at system level needs several; {repair}.")
    return asked


def _enough_permutations(pairs: int, alpha: float) -> int:
    """Return enough permutations for a significant p-value after Holm's correction of so many pairs."""
    return max(_FEWEST_PERMUTATIONS, math.ceil(min(_MOST_PERMUTATIONS, _BELOW_ALPHA * pairs / alpha)))


class _Progress:
    """Turns finished trials into a share of all work."""

    def __init__(self, report: Callable[[float], object] | None, trials: int) -> None:
        self._report, self._trials, self._done = report, trials, 0

    def __call__(self, trials: int) -> None:
        self._done += trials
        if self._report is not None:
            self._report(min(1.0, self._done / self._trials))


def _system_ratings(ratings: Ratings, column: str) -> dict[str, float]:
    """Return the mean rating of each system."""
    by_system = {name: ratings.human[column][ratings.system == number] for number, name in enumerate(ratings.systems)}
    return {name: float(np.nanmean(values)) for name, values in by_system.items() if not np.isnan(values).all()}


def _system_scores(study: Study, metric: str) -> dict[str, float]:
    """Return the score of each system."""
    scores = study.scores[metric].systems.items()
    return {study.ratings.systems[number]: value for number, value in scores if math.isfinite(value)}


def _disagreements(study: Study, column: str) -> list[Disagreement]:
    """Return the outputs whose ranks under a metric and among the ratings differ most."""
    ratings, entries = study.ratings, []
    human = ratings.quality(column)
    for name, scores in zip(study.names, study.matrix, strict=True):
        kept = np.flatnonzero(~np.isnan(human) & ~np.isnan(scores))
        if len(kept) < 2:
            continue
        ranks = [(midranks(values[kept]) - 1) / (len(kept) - 1) for values in (scores, human)]
        order = np.argsort(-np.abs(ranks[0] - ranks[1]), kind="stable")[:_SHOWN]
        for place in order.tolist():
            output = int(kept[place])
            entries.append(
                Disagreement(
                    metric=name,
                    human=column,
                    segment=ratings.segments[ratings.segment[output]],
                    system=ratings.systems[ratings.system[output]],
                    score=float(study.scores[name].outputs[output]),
                    rating=float(ratings.human[column][output]),
                    score_rank=float(ranks[0][place]),
                    rating_rank=float(ranks[1][place]),
                    hypothesis=None if ratings.hypotheses is None else ratings.hypotheses[output],
                    references=() if ratings.references is None else ratings.references[output],
                    source=None if ratings.sources is None else ratings.sources[output],
                )
            )
    return entries
