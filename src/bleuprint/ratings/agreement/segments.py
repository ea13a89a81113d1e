"""Agreement over segments: does a metric give better outputs a higher score?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bleuprint.errors import InputError, OptionError
from bleuprint.ratings.agreement import correlations, pairs, resampling
from bleuprint.ratings.agreement.resampling import Advance, Outputs
from bleuprint.ratings.agreement.result import LABELS, STATISTICS, Estimate, LevelAgreement
from bleuprint.ratings.agreement.study import Study, estimate_of
from bleuprint.ratings.reading import FEWEST_SEGMENTS
from bleuprint.statistics.multiple import holm

Floats = NDArray[np.float64]

_BY_ITEM = ("pearson-by-item", "spearman-by-item", "kendall-by-item", "accuracy", "cross-validated-accuracy")
_FOLDS = 5


def segment_agreement(study: Study, column: str) -> LevelAgreement:
    """Measure the agreement of all metrics with one column of ratings, over all outputs and within segments."""
    settings = study.settings
    human = study.ratings.quality(column)
    kept = _complete_outputs(study, column, human)
    outputs = study.outputs(human).part(kept)
    tested = STATISTICS[settings.statistic][1]
    by_item, thresholds, tied = _within_items(study, outputs)
    if tested in _BY_ITEM and tested not in by_item:
        raise OptionError(
            "statistic", "pearson or spearman if no segment has outputs of several systems", settings.statistic
        )
    estimates, resamples = _estimates(study, outputs, by_item, LABELS["segment"], study.advance)
    if len(study.names) == 1:
        p_values = np.ones((1, 1))
    elif tested in by_item:
        p_values = resampling.swap_items(by_item[tested], study.permutations, settings.seed, study.advance)
    else:
        p_values = resampling.swap_outputs(
            outputs, study.permutations, settings.seed, ranks=tested == "spearman", advance=study.advance
        )
    # A correlation is 0 by chance; calling all outputs equal needs no metric.
    by_chance = tied if tested == "accuracy" and tied is not None else 0.0
    chance = np.full(len(study.names), np.nan)
    for place, estimate in enumerate(estimates[tested]):
        if tested in resamples and estimate.value is not None:
            chance[place] = resampling.normal_p_value(estimate.value, by_chance, resamples[tested][:, place])
    known = ~np.isnan(chance)
    chance[known] = holm(chance[known].tolist())
    level = LevelAgreement(column, "segment", tested, len(outputs), outputs.items, outputs.systems, tied=tied)
    groups = {
        group: _by_group(study, outputs, [labels[place] for place in kept.tolist()], tested)
        for group, labels in study.ratings.groups.items()
    }
    return replace(study.rank(level, estimates, p_values, chance, thresholds), groups=groups)


def _complete_outputs(study: Study, column: str, human: Floats) -> NDArray[np.intp]:
    """Return the outputs that have a rating and a score under every metric."""
    rated = ~np.isnan(human)
    kept = np.flatnonzero(rated & study.scored_by_all)
    left_out = int(np.count_nonzero(rated)) - len(kept)
    if left_out:
        gaps = [name for name, row in zip(study.names, study.matrix, strict=True) if np.isnan(row[rated]).any()]
        many = f"{left_out:,} of {np.count_nonzero(rated):,} outputs rated in {column!r}"
        study.notes.append(f"{many} have no score under {', '.join(gaps)}, so they are left out at segment level")
    items = len(np.unique(study.ratings.segment[kept]))
    if items < FEWEST_SEGMENTS:
        raise InputError(
            f"{study.ratings.name} has {items} segments with a rating in {column!r} and a score under every "
            f"metric; agreement needs at least {FEWEST_SEGMENTS}. Leave out columns with few scores."
        )
    return kept


def _within_items(study: Study, outputs: Outputs) -> tuple[dict[str, Floats], dict[str, float], float | None]:
    """Return the statistics within each item (metrics × items), the tie thresholds, and the share of ties."""
    within = pairs.pairs_within(outputs.item, outputs.items)
    if len(within.first) == 0:
        return {}, {}, None
    folds = np.random.default_rng(study.settings.seed).permutation(np.arange(outputs.items) % _FOLDS)
    values: dict[str, list[Floats]] = {name: [] for name in _BY_ITEM}
    thresholds = {}
    human = outputs.ratings
    human_ranks = correlations.item_midranks(human, outputs.item)
    for name, scores in zip(study.names, outputs.scores, strict=True):
        ranks = correlations.item_midranks(scores, outputs.item)
        thresholds[name], _ = pairs.calibrated_threshold(scores, human, within)
        for statistic, row in {
            "pearson-by-item": correlations.item_correlations(scores, human, outputs.item, outputs.items),
            "spearman-by-item": correlations.item_correlations(ranks, human_ranks, outputs.item, outputs.items),
            "kendall-by-item": pairs.item_kendalls(scores, human, within),
            "accuracy": pairs.item_accuracies(scores, human, within, thresholds[name]),
            "cross-validated-accuracy": pairs.held_out_accuracies(scores, human, within, folds),
        }.items():
            values[statistic].append(row)
    tied = float(np.nanmean(within.means(within.differences(human) == 0)))
    return {statistic: np.array(rows) for statistic, rows in values.items()}, thresholds, tied


def _estimates(
    study: Study,
    outputs: Outputs,
    by_item: Mapping[str, Floats],
    statistics: Iterable[str],
    advance: Advance | None = None,
) -> tuple[dict[str, list[Estimate]], dict[str, Floats]]:
    """Return the estimates of every statistic by metric, and its resamples where there are some."""
    wanted = list(statistics)
    resamples = _resample(study, outputs, {name: by_item[name] for name in wanted if name in by_item}, wanted, advance)
    estimates: dict[str, list[Estimate]] = {name: [] for name in wanted}
    for place, scores in enumerate(outputs.scores):
        undefined = correlations.why_undefined(scores, outputs.ratings, "outputs")
        for name in wanted:
            column = resamples[name][:, place] if name in resamples else None
            if name in by_item:
                estimate = _item_estimate(by_item[name][place], column, study.settings.alpha)
            elif name in _BY_ITEM:
                estimate = Estimate(None, reason="no segment has outputs of several systems")
            elif undefined is not None:
                estimate = Estimate(None, reason=undefined)
            else:
                estimate = _correlation_estimate(study, outputs, name, scores, column)
            estimates[name].append(estimate)
    return estimates, resamples


def _resample(
    study: Study, outputs: Outputs, by_item: Mapping[str, Floats], wanted: Sequence[str], advance: Advance | None
) -> dict[str, Floats]:
    """Return resamples × metrics of every statistic that is resampled; Kendall's tau-b has an interval without."""
    settings = study.settings
    statistics: dict[str, Callable[[Outputs, Floats], Floats]] = {
        "pearson": resampling.resampled_pearson,
        "spearman": resampling.resampled_spearman,
    }
    statistics = {name: statistic for name, statistic in statistics.items() if name in wanted}
    blocks: dict[str, list[Floats]] = {}
    drawn = resampling.draws(outputs, settings.resample, settings.resamples, settings.seed, advance)
    for draw in drawn if statistics or by_item else ():
        weights = draw.weights(outputs)
        for name, statistic in statistics.items():
            blocks.setdefault(name, []).append(statistic(outputs, weights))
        if settings.resample == "items":
            for name, values in by_item.items():
                blocks.setdefault(name, []).append(resampling.item_means(values, draw.items))
    return {name: np.concatenate(parts) for name, parts in blocks.items()}


def _correlation_estimate(
    study: Study, outputs: Outputs, name: str, scores: Floats, resamples: Floats | None
) -> Estimate:
    settings = study.settings
    if resamples is None:
        tau, interval = resampling.kendall_interval(
            scores, outputs.ratings, outputs, settings.resample, 1 - settings.alpha
        )
        return estimate_of(tau, interval)
    statistic = {"pearson": correlations.pearson, "spearman": correlations.spearman}[name]
    interval = resampling.quantile_interval(resamples, 1 - settings.alpha)
    return estimate_of(float(statistic(scores, outputs.ratings)), interval)


def _item_estimate(values: Floats, resamples: Floats | None, alpha: float) -> Estimate:
    if np.isnan(values).all():
        return Estimate(None, reason="within every segment all scores or all ratings are equal")
    value = float(np.nanmean(values))
    if resamples is None:
        return Estimate(value, reason="means over segments are resampled over items only")
    return estimate_of(value, resampling.quantile_interval(resamples, 1 - alpha))


def _by_group(study: Study, outputs: Outputs, labels: Sequence[str], tested: str) -> dict[str, dict[str, Estimate]]:
    """Return the tested statistic within each group, by label and metric."""
    found = {}
    for label in dict.fromkeys(labels):
        part = outputs.part(np.flatnonzero(np.array([other == label for other in labels])))
        by_item = _within_items(study, part)[0] if tested in _BY_ITEM else {}
        estimates = _estimates(study, part, by_item, [tested])[0][tested]
        found[label] = dict(zip(study.names, estimates, strict=True))
    return found
