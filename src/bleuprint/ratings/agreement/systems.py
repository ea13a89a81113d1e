"""Agreement over systems: does a metric order systems as people do?

A system has one rating, the mean of its outputs, and one score, the corpus score of its outputs.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from bleuprint.errors import InputError
from bleuprint.ratings.agreement import correlations, pairs, resampling
from bleuprint.ratings.agreement.resampling import SYSTEM_STATISTICS, Outputs
from bleuprint.ratings.agreement.result import STATISTICS, Estimate, LevelAgreement
from bleuprint.ratings.agreement.study import Study, estimate_of

Floats = NDArray[np.float64]

_FLIPS = 1000  # sign flips behind a soft pairwise accuracy


def system_agreement(study: Study, column: str) -> LevelAgreement:
    """Measure the agreement of all metrics with the mean ratings of systems in one column."""
    ratings, scores, settings = study.ratings, study.scores, study.settings
    human = ratings.quality(column)
    rated = _rated_systems(study, column, human)
    means = np.array([np.nanmean(human[ratings.system == number]) for number in rated])
    values = np.array([[scores.sign[name] * scores.systems[name][number] for number in rated] for name in study.names])
    estimates = _estimates(study, values, means, _resample(study, human, rated, values))
    kept = np.flatnonzero(np.isin(ratings.system, rated) & ~np.isnan(human) & study.scored_by_all)
    outputs = study.outputs(human).part(kept)
    has_all = outputs.systems == len(rated)
    estimates["soft-pairwise-accuracy"] = _soft_accuracies(outputs, has_all, settings.seed)
    tested = STATISTICS[settings.statistic][0]
    p_values = np.ones((len(study.names), len(study.names)))
    if len(study.names) > 1 and has_all and len(rated) > 2:
        p_values, compared = resampling.swap_outputs_of_systems(
            outputs, tested, study.permutations, settings.seed, study.advance
        )
        # The test compares means of segments. It says nothing where these order two metrics the other way round.
        shown = np.array([math.nan if entry.value is None else entry.value for entry in estimates[tested]])
        p_values[np.subtract.outer(shown, shown) * np.subtract.outer(compared, compared) <= 0] = 1.0
    chance = resampling.shuffle_systems(values, means, tested, settings.seed)
    level = LevelAgreement(column, "system", tested, len(outputs), outputs.items, len(rated))
    return study.rank(level, estimates, p_values, chance)


def _rated_systems(study: Study, column: str, human: Floats) -> list[int]:
    """Return the systems with a rating and a score under every metric."""
    ratings, scores = study.ratings, study.scores
    rated = [
        number
        for number in range(len(ratings.systems))
        if not np.isnan(human[ratings.system == number]).all()
        and all(math.isfinite(scores.systems[name].get(number, math.nan)) for name in study.names)
    ]
    left_out = [name for number, name in enumerate(ratings.systems) if number not in rated]
    if left_out:
        study.notes.append(f"{', '.join(left_out)} lack ratings in {column!r} or scores, so they are left out")
    if len(rated) < 2:
        raise InputError(
            f"{ratings.name} has {len(rated)} systems with ratings in {column!r} and scores, but agreement at "
            "system level needs several; use --level segment on the command line, level='segment' in Python."
        )
    return rated


def _resample(study: Study, human: Floats, rated: list[int], values: Floats) -> dict[str, Floats]:
    """Return the resampled statistics (resamples × metrics) of the rated systems."""
    ratings, settings = study.ratings, study.settings
    members = [np.flatnonzero((ratings.system == number) & ~np.isnan(human)) for number in rated]
    blocks: dict[str, list[Floats]] = {}
    everything = study.outputs(human)
    for draw in resampling.draws(everything, settings.resample, settings.resamples, settings.seed, study.advance):
        times = draw.items[:, ratings.segment]
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.column_stack([(times[:, of] @ human[of]) / times[:, of].sum(axis=1) for of in members])
        if settings.resample == "systems":
            scores = np.broadcast_to(values, (len(times), *values.shape))
        else:
            scores = _resampled_scores(study, times, rated)
        weights = draw.systems[:, None, rated]
        for name, statistic in {
            "pearson": correlations.weighted_pearson,
            "kendall": pairs.system_kendall,
            "pairwise-accuracy": pairs.pairwise_accuracy,
        }.items():
            blocks.setdefault(name, []).append(statistic(scores, means[:, None, :], weights))
    return {name: np.concatenate(parts) for name, parts in blocks.items()}


def _resampled_scores(study: Study, times: Floats, rated: list[int]) -> Floats:
    """Return the scores of systems (resamples × metrics × systems) whose outputs count so many times each."""
    scores = np.full((len(times), len(study.names), len(rated)), np.nan)
    for row, name in enumerate(study.names):
        for column, number in enumerate(rated):
            if number not in study.scores.samples[name]:
                continue
            sample, of = study.scores.samples[name][number]
            sums = times[:, of] @ sample.rows.astype(np.float64)
            if sample.rows.dtype.kind in "iu":
                sums = np.rint(sums).astype(np.int64)
            scores[:, row, column] = study.scores.sign[name] * sample.score(sums)
    return scores


def _estimates(study: Study, values: Floats, means: Floats, resamples: dict[str, Floats]) -> dict[str, list[Estimate]]:
    settings = study.settings
    estimates: dict[str, list[Estimate]] = {name: [] for name in SYSTEM_STATISTICS}
    for place, (metric, scores) in enumerate(zip(study.names, values, strict=True)):
        can_resample = settings.resample == "systems" or len(study.scores.samples[metric]) >= len(means)
        for name, statistic in SYSTEM_STATISTICS.items():
            reason = correlations.why_undefined(scores, means, "systems")
            if name == "pairwise-accuracy":
                reason = "all ratings are equal" if np.ptp(means) == 0 else None
            if reason is not None:
                estimate = Estimate(None, reason=reason)
            elif not can_resample:
                estimate = Estimate(float(statistic(scores, means)), reason="its corpus score cannot be resampled")
            else:
                interval = resampling.quantile_interval(resamples[name][:, place], 1 - settings.alpha)
                estimate = estimate_of(float(statistic(scores, means)), interval)
            estimates[name].append(estimate)
    return estimates


def _soft_accuracies(outputs: Outputs, has_all: bool, seed: int) -> list[Estimate]:
    if not has_all:
        reason = "some systems have no output with a rating and a score under every metric"
        return [Estimate(None, reason=reason) for _ in outputs.scores]
    table = np.full((outputs.items, outputs.systems), np.nan)

    def p_values(values: Floats) -> Floats:
        table[outputs.item, outputs.system] = values
        return pairs.sign_flip_p_values(table, _FLIPS, seed)

    human = p_values(outputs.ratings)
    return [
        Estimate(pairs.soft_pairwise_accuracy(p_values(scores), human), reason="soft accuracies have no interval here")
        for scores in outputs.scores
    ]
