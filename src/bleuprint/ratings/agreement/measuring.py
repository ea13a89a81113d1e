"""Measure which metric agrees with people, on your own ratings.

Agreement is measured over systems (does a metric order them as people do?) and over segments (are better outputs scored
higher?). A system has one rating, the mean of its outputs, and one score, the corpus score of its outputs. Metrics are
compared by permutation tests, and everything has an interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from bleuprint import checks
from bleuprint.core.arrays import Flags, Floats, Places, np
from bleuprint.errors import InputError, OptionError
from bleuprint.ratings.agreement import resampling, statistics
from bleuprint.ratings.agreement.raters import rater_agreement
from bleuprint.ratings.agreement.resampling import SYSTEM_STATISTICS, Draw, Outputs
from bleuprint.ratings.agreement.result import (
    LABELS,
    LEVELS,
    STATISTICS,
    Agreement,
    Disagreement,
    Estimate,
    LevelAgreement,
    MetricAgreement,
    MetricDifference,
    Settings,
)
from bleuprint.ratings.items import Trials
from bleuprint.ratings.reading import FEWEST_SEGMENTS, check_usable, names_of
from bleuprint.ratings.scoring import OutputScores, allowed_metrics, score_outputs
from bleuprint.ratings.table import Names, Ratings
from bleuprint.runners.evaluation import Metrics, resolve
from bleuprint.statistics.chance import share_reporter
from bleuprint.statistics.multiple import holm, rank_clusters, rank_ranges

_SHOWN = 10  # disagreements by metric
_FEWEST_PERMUTATIONS = 1000
_MOST_PERMUTATIONS = 100_000
_BELOW_ALPHA = 5  # the smallest possible p-value must be this many times below alpha after correction
_BY_ITEM = ("pearson-by-item", "spearman-by-item", "kendall-by-item", "accuracy")


@dataclass(frozen=True, eq=False)
class Study:
    """Ratings, the scores of all metrics that are compared, and how they are compared."""

    ratings: Ratings
    scores: Mapping[str, OutputScores]
    settings: Settings
    resamples: Trials
    permutations: Trials
    notes: list[str]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.scores)

    @cached_property
    def matrix(self) -> Floats:
        """The scores, a row per metric; higher is better."""
        return np.array([entry.sign * entry.outputs for entry in self.scores.values()])

    @cached_property
    def scored_by_all(self) -> Flags:
        """Which outputs have a score under every metric."""
        return np.logical_not(np.isnan(self.matrix).any(axis=0))

    def outputs(self, human: Floats) -> Outputs:
        """All outputs with these ratings, rated or not."""
        ratings = self.ratings
        counts = len(ratings.segments), len(ratings.systems)
        return Outputs(self.matrix, human, ratings.segment, ratings.system, *counts)

    def resample(
        self, outputs: Outputs, trials: Trials, measure: Callable[[Draw], Mapping[str, Floats]]
    ) -> dict[str, Floats]:
        """Return statistics of resamples (resamples × metrics); `measure` returns those of a block of them."""
        blocks: dict[str, list[Floats]] = {}
        for draw in resampling.draws(outputs, self.settings.resample, trials):
            for name, values in measure(draw).items():
                blocks.setdefault(name, []).append(values)
        return {name: np.concatenate(parts) for name, parts in blocks.items()}

    def estimate(self, value: float, resamples: Floats | None, without: str = "") -> Estimate:
        """A value with its interval from resamples, or `without` as the reason why there are none."""
        if resamples is None:
            return Estimate(value, reason=without)
        return Estimate.of(value, resampling.quantile_interval(resamples, 1 - self.settings.alpha))

    def rank(
        self,
        level: LevelAgreement,
        estimates: Mapping[str, Sequence[Estimate]],
        p_values: Floats,
        chance: Floats,
        thresholds: Mapping[str, float] | None = None,
    ) -> LevelAgreement:
        """Add the metrics to a level, best first, with their differences, ranks and clusters.

        `p_values` are those of differences between metrics. `chance` are those of no agreement at all, corrected.
        """
        names, alpha = self.names, self.settings.alpha
        place = {name: number for number, name in enumerate(names)}
        tested = dict(zip(names, estimates[level.statistic], strict=True))
        defined = {name: estimate.value for name, estimate in tested.items() if estimate.value is not None}
        order = sorted(defined, key=lambda name: -defined[name])
        compared = list(combinations(order, 2))
        found = [float(p_values[place[first], place[second]]) for first, second in compared]
        found = [1.0 if math.isnan(p_value) else p_value for p_value in found]
        differences = []
        for (first, second), p_value, corrected in zip(compared, found, holm(found), strict=True):
            difference = defined[first] - defined[second]
            better = first if corrected < alpha and difference > 0 else None
            differences.append(MetricDifference(first, second, difference, p_value, corrected, better))
        significant = {(entry.first, entry.second) for entry in differences if entry.better is not None}
        ranges = rank_ranges(order, significant)
        agreeing = {name: p for name in order if not math.isnan(p := float(chance[place[name]]))}
        metrics = tuple(
            MetricAgreement(
                metric=name,
                statistics={statistic: row[place[name]] for statistic, row in estimates.items()},
                best_rank=ranges[name][0] if name in ranges else None,
                worst_rank=ranges[name][1] if name in ranges else None,
                p_value=agreeing.get(name),
                agrees=agreeing.get(name, 1.0) < alpha,
                threshold=(thresholds or {}).get(name),
            )
            for name in [*order, *(name for name in names if name not in defined)]
        )
        clusters = rank_clusters(order, significant)
        return replace(level, metrics=metrics, differences=tuple(differences), clusters=clusters)


def system_agreement(study: Study, column: str) -> LevelAgreement:
    """Measure the agreement of all metrics with the mean ratings of systems in one column."""
    ratings, settings = study.ratings, study.settings
    human = ratings.quality(column)
    rated = _rated_systems(study, column, human)
    means = np.array([np.nanmean(human[ratings.system == number]) for number in rated])
    values = np.array([[entry.sign * entry.systems[number] for number in rated] for entry in study.scores.values()])
    estimates = _system_estimates(study, values, means, _resample_systems(study, human, rated, values))
    kept = np.flatnonzero(np.isin(ratings.system, rated) & ~np.isnan(human) & study.scored_by_all)
    outputs = study.outputs(human).part(kept)
    tested = STATISTICS[settings.statistic][0]
    p_values = np.ones((len(study.names), len(study.names)))
    if len(study.names) > 1 and len(rated) > 2 and outputs.systems == len(rated):
        p_values, compared = resampling.system_p_values(outputs, tested, study.permutations)
        # The test compares means of segments. It says nothing where these order two metrics the other way round.
        shown = np.array([math.nan if entry.value is None else entry.value for entry in estimates[tested]])
        p_values[np.subtract.outer(shown, shown) * np.subtract.outer(compared, compared) <= 0] = 1.0
    chance = resampling.shuffle_systems(values, means, tested, settings.seed)
    level = LevelAgreement(column, "system", tested, len(outputs), outputs.items, len(rated))
    return study.rank(level, estimates, p_values, chance)


def _rated_systems(study: Study, column: str, human: Floats) -> list[int]:
    """Return the systems with a rating and a score under every metric."""
    ratings = study.ratings
    rated = [
        number
        for number in range(len(ratings.systems))
        if not np.isnan(human[ratings.system == number]).all()
        and all(math.isfinite(entry.systems.get(number, math.nan)) for entry in study.scores.values())
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


def _resample_systems(study: Study, human: Floats, rated: list[int], values: Floats) -> dict[str, Floats]:
    """Return the resampled statistics of the rated systems."""
    ratings = study.ratings
    members = [np.flatnonzero((ratings.system == number) & ~np.isnan(human)) for number in rated]

    def measure(draw: Draw) -> dict[str, Floats]:
        times = draw.items[:, ratings.segment]
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.column_stack([(times[:, of] @ human[of]) / times[:, of].sum(axis=1) for of in members])
        if study.settings.resample == "systems":
            scores = np.broadcast_to(values, (len(times), *values.shape))
        else:
            scores = _resampled_scores(study, times, rated)
        drawn = scores, means[:, None, :], draw.systems[:, None, rated]
        return {name: statistic(*drawn) for name, statistic in SYSTEM_STATISTICS.items()}

    return study.resample(study.outputs(human), study.resamples, measure)


def _resampled_scores(study: Study, times: Floats, rated: list[int]) -> Floats:
    """Return the scores of systems (resamples × metrics × systems) whose outputs count so many times each."""
    scores = np.full((len(times), len(study.names), len(rated)), np.nan)
    for row, entry in enumerate(study.scores.values()):
        for column, number in enumerate(rated):
            if number not in entry.samples:
                continue
            sample, of = entry.samples[number]
            sums = times[:, of] @ sample.rows.astype(np.float64)
            if sample.rows.dtype.kind in "iu":
                sums = np.rint(sums).astype(np.int64)
            scores[:, row, column] = entry.sign * sample.score(sums)
    return scores


def _system_estimates(
    study: Study, values: Floats, means: Floats, resamples: Mapping[str, Floats]
) -> dict[str, list[Estimate]]:
    estimates: dict[str, list[Estimate]] = {name: [] for name in SYSTEM_STATISTICS}
    for place, (entry, scores) in enumerate(zip(study.scores.values(), values, strict=True)):
        can_resample = study.settings.resample == "systems" or len(entry.samples) >= len(means)
        for name, statistic in SYSTEM_STATISTICS.items():
            reason = statistics.why_undefined(scores, means, "systems")
            if name == "pairwise-accuracy":
                reason = "all ratings are equal" if np.ptp(means) == 0 else None
            if reason is not None:
                estimate = Estimate(None, reason=reason)
            else:
                drawn = resamples[name][:, place] if can_resample else None
                value = float(statistic(scores, means))
                estimate = study.estimate(value, drawn, "its corpus score cannot be resampled")
            estimates[name].append(estimate)
    return estimates


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
    estimates, resamples = _segment_estimates(study, outputs, by_item, LABELS["segment"], study.resamples)
    if len(study.names) == 1:
        p_values = np.ones((1, 1))
    elif tested in by_item:
        p_values = resampling.mean_p_values(by_item[tested], study.permutations)
    else:
        p_values = resampling.correlation_p_values(outputs, study.permutations, ranks=tested == "spearman")
    # A correlation is 0 by chance; calling all outputs equal needs no metric.
    by_chance = tied if tested == "accuracy" and tied is not None else 0.0
    chance = np.full(len(study.names), np.nan)
    for place, estimate in enumerate(estimates[tested]):
        if tested in resamples and estimate.value is not None:
            chance[place] = resampling.normal_p_value(estimate.value, by_chance, resamples[tested][:, place])
    known = ~np.isnan(chance)
    chance[known] = holm(chance[known].tolist())
    counts = len(outputs), outputs.items, outputs.systems
    groups = {
        group: _by_group(study, outputs, [labels[place] for place in kept.tolist()], tested)
        for group, labels in study.ratings.groups.items()
    }
    level = LevelAgreement(column, "segment", tested, *counts, groups=groups, tied=tied)
    return study.rank(level, estimates, p_values, chance, thresholds)


def _complete_outputs(study: Study, column: str, human: Floats) -> Places:
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
    within = statistics.pairs_within(outputs.item, outputs.items)
    if len(within.first) == 0:
        return {}, {}, None
    values: dict[str, list[Floats]] = {name: [] for name in _BY_ITEM}
    thresholds = {}
    human = outputs.ratings
    human_ranks = statistics.item_midranks(human, outputs.item)
    for name, scores in zip(study.names, outputs.scores, strict=True):
        ranks = statistics.item_midranks(scores, outputs.item)
        thresholds[name] = statistics.calibrated_threshold(scores, human, within)
        for statistic, row in {
            "pearson-by-item": statistics.item_correlations(scores, human, outputs.item, outputs.items),
            "spearman-by-item": statistics.item_correlations(ranks, human_ranks, outputs.item, outputs.items),
            "kendall-by-item": statistics.item_kendalls(scores, human, within),
            "accuracy": statistics.item_accuracies(scores, human, within, thresholds[name]),
        }.items():
            values[statistic].append(row)
    tied = float(np.nanmean(within.means(within.differences(human) == 0)))
    return {statistic: np.array(rows) for statistic, rows in values.items()}, thresholds, tied


def _segment_estimates(
    study: Study, outputs: Outputs, by_item: Mapping[str, Floats], wanted: Iterable[str], trials: Trials
) -> tuple[dict[str, list[Estimate]], dict[str, Floats]]:
    """Return the estimates of every statistic by metric, and its resamples where there are some."""
    resampled = {"pearson": resampling.resampled_pearson, "spearman": resampling.resampled_spearman}
    observed = {"pearson": statistics.pearson, "spearman": statistics.spearman}
    settings = study.settings

    def measure(draw: Draw) -> dict[str, Floats]:
        weights = draw.weights(outputs)
        over_outputs = {name: statistic(outputs, weights) for name, statistic in resampled.items() if name in wanted}
        items = by_item.items() if settings.resample == "items" else ()
        return over_outputs | {
            name: resampling.item_means(values, draw.items) for name, values in items if name in wanted
        }

    resamples = study.resample(outputs, trials, measure)
    estimates: dict[str, list[Estimate]] = {name: [] for name in wanted}
    for place, scores in enumerate(outputs.scores):
        undefined = statistics.why_undefined(scores, outputs.ratings, "outputs")
        for name in wanted:
            drawn = resamples[name][:, place] if name in resamples else None
            if name in by_item and np.isnan(by_item[name][place]).all():
                estimate = Estimate(None, reason="within every segment all scores or all ratings are equal")
            elif name in by_item:
                mean = float(np.nanmean(by_item[name][place]))
                estimate = study.estimate(mean, drawn, "means over segments are resampled over items only")
            elif name in _BY_ITEM:
                estimate = Estimate(None, reason="no segment has outputs of several systems")
            elif undefined is not None:
                estimate = Estimate(None, reason=undefined)
            elif name in observed:
                estimate = study.estimate(float(observed[name](scores, outputs.ratings)), drawn)
            else:  # Kendall's tau-b has an interval without resamples
                tau, interval = resampling.kendall_interval(scores, outputs, settings.resample, 1 - settings.alpha)
                estimate = Estimate.of(tau, interval)
            estimates[name].append(estimate)
    return estimates, resamples


def _by_group(study: Study, outputs: Outputs, labels: Sequence[str], tested: str) -> dict[str, dict[str, Estimate]]:
    """Return the tested statistic within each group, by label and metric."""
    found = {}
    for label in dict.fromkeys(labels):
        part = outputs.part(np.flatnonzero(np.array([other == label for other in labels])))
        by_item = _within_items(study, part)[0] if tested in _BY_ITEM else {}
        trials = replace(study.resamples, advance=None)
        estimates = _segment_estimates(study, part, by_item, [tested], trials)[0][tested]
        found[label] = dict(zip(study.names, estimates, strict=True))
    return found


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
        check_usable(ratings, column)
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
    advance = share_reporter(progress, trials)
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
        ranks = [(statistics.midranks(values[kept]) - 1) / (len(kept) - 1) for values in (scores, human)]
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
