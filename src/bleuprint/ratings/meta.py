"""Meta-evaluation: which metric agrees with people, on your own ratings?

Agreement is measured over systems (does the metric order them as people do?) and over segments (does it give better
outputs a higher score?). Metrics are compared by permutation tests, and everything has an interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from bleuprint import __version__, checks, signature
from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus, checked_column
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.ratings.meta_result import (
    LABELS,
    Disagreement,
    Estimate,
    LevelAgreement,
    MetaResult,
    MetaSettings,
    MetricAgreement,
    MetricDifference,
    RaterAgreement,
)
from bleuprint.ratings.table import FEWEST_SEGMENTS, Names, Ratings, checked_names, read_ratings
from bleuprint.results.model import COLUMN
from bleuprint.runners.evaluation import Metrics, measure, resolve
from bleuprint.statistics.rows import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleuprint.ratings.agreement.resampling import Outputs

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]

__all__ = ["LEVELS", "STATISTICS", "MetricScores", "allowed_metrics", "checked_lower", "meta", "score_outputs"]

LEVELS = ("system", "segment")
# What ranks and compares the metrics at system level and at segment level.
STATISTICS = {
    "pearson": ("pearson", "pearson"),
    "spearman": ("kendall", "spearman"),
    "kendall": ("kendall", "kendall-by-item"),
    "accuracy": ("pairwise-accuracy", "accuracy"),
}
_BY_ITEM = ("pearson-by-item", "spearman-by-item", "kendall-by-item", "accuracy", "cross-validated-accuracy")
_FOLDS = 5
_FLIPS = 1000  # sign flips behind a soft pairwise accuracy
_SHOWN = 10  # disagreements by metric
_FEWEST_PERMUTATIONS = 1000
_MOST_PERMUTATIONS = 100_000
_BELOW_ALPHA = 5  # the smallest possible p-value must be this many times below alpha after correction


def meta(
    table: Any,
    human: Names,
    *,
    metrics: Metrics | None = None,
    models: Mapping[str, Any] | None = None,
    columns: Names | Mapping[str, Sequence[float | None]] = (),
    lower_is_better: Iterable[str] = (),
    segment: str | None = None,
    system: str | None = None,
    rater: str | None = None,
    group: Names = (),
    hypothesis: str | None = None,
    reference: Names | None = None,
    source: str | None = None,
    level: Names | None = None,
    statistic: str = "pearson",
    resample: str = "items",
    samples: int = 1000,
    permutations: int | None = None,
    alpha: float = 0.05,
    seed: int = 12345,
    threads: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> MetaResult:
    """Measure which metric agrees with human ratings, over systems and over segments.

    - `table`: a file or table with a row per rated output, see `bleuprint.ratings.read_ratings`
    - `human`: the columns with ratings; cells may be empty, and an output may have several rows, one for each rater
    - `metrics`, `models`: as in `evaluate`; without them, all metrics that the columns of the table allow
    - `columns`: scores of other metrics: names of columns, or a dict with a value per row by name
    - `lower_is_better`: names of ratings and columns in which lower is better
    - `segment`, `system`, `rater`, `hypothesis`, `reference`, `source`: columns, if they have uncommon names
    - `group`: columns with a label for each row, such as its document; agreement is also shown for each label
    - `level`: "system", "segment" or both; both by default if the table names systems
    - `statistic`: what ranks the metrics: "pearson", "spearman", "kendall" or "accuracy"
    - `resample`: what intervals are resampled over: "items" (segments), "systems" or "both"
    - `samples`: number of resamples for the intervals
    - `permutations`: number of permutations for the tests; more for many metrics by default
    - `alpha`: significance level; intervals have the level 1 - alpha
    - `seed`: random seed
    - `progress`: called with the finished share of the work

    >>> nouns = ["cat", "dog", "cow", "hen", "fox", "owl", "pig", "elk"]
    >>> rows = []
    >>> for number, noun in enumerate(nouns):
    ...     reference = f"the {noun} sat on the old mat"
    ...     for name, words in {"good": 7, "fair": 5, "poor": 3}.items():
    ...         output = " ".join(reference.split()[:words])
    ...         rating = words + number % 3
    ...         rows.append({"id": noun, "system": name, "output": output, "reference": reference, "quality": rating})
    >>> result = meta(rows, "quality", metrics=["bleu", "chrf"])
    >>> print(result.level("quality", "segment").metric("bleu").statistics["pearson"].text)
    0.901
    >>> print(result.level("quality", "segment").verdict)
    chrf agrees best with quality at segment level, but bleu cannot be told apart from it.
    """
    given = checked_names("human", human)
    lower_is_better = checked_names("lower_is_better", lower_is_better)
    checks.typed("progress", progress, Callable | None, "None or a function of the finished share")
    ratings = table
    if not isinstance(ratings, Ratings):
        ratings = read_ratings(
            table,
            given,
            segment=segment,
            system=system,
            rater=rater,
            group=group,
            scores=columns,
            hypothesis=hypothesis,
            reference=reference,
            source=source,
        )
    for column in given:
        if column not in ratings.human:
            raise OptionError("human", f"columns of these ratings ({', '.join(ratings.human)})", column)
    settings = _checked(MetaSettings(statistic, resample, samples, permutations, alpha, seed))
    lower = checked_lower(lower_is_better, ratings)
    levels = _levels(level, ratings)
    scored = score_outputs(ratings, metrics, models=models, lower_is_better=lower, threads=threads)
    if not scored.names:
        raise InputError(
            f"{ratings.name} allows no metric: it needs a column of hypotheses and of references or sources, "
            "or columns of scores; see --column on the command line, columns= in Python."
        )
    count = len(scored.names)
    settings = replace(settings, permutations=settings.permutations or _enough(count * (count - 1) // 2, alpha))
    work = _Work(ratings, scored, lower, settings, _Progress(progress, len(given) * len(levels), settings))
    found = [work.at_level(column, name) for column in given for name in levels]
    return MetaResult(
        name=ratings.name,
        outputs=len(ratings),
        segments=len(ratings.segments),
        systems=ratings.systems if ratings.has_systems else (),
        signatures=scored.signatures,
        levels=tuple(found),
        raters=tuple(_rater_agreement(ratings, column) for column in given),
        ratings=work.system_ratings(given),
        scores=work.system_scores(),
        lower_is_better=frozenset(lower | {name for name in scored.names if scored.sign[name] < 0}),
        disagreements=tuple(entry for column in given for entry in work.disagreements(column)),
        settings=settings,
        notes=(*ratings.notes, *scored.notes, *work.notes),
    )


def _checked(settings: MetaSettings) -> MetaSettings:
    from bleuprint.ratings.agreement import UNITS
    from bleuprint.statistics.intervals import check_samples

    checks.choice("statistic", settings.statistic, tuple(STATISTICS))
    checks.choice("resample", settings.resample, UNITS)
    check_samples(settings.samples)
    if settings.permutations is not None:
        checks.order("permutations", settings.permutations, smallest=1, largest=10**8)
    checks.fraction("alpha", settings.alpha)
    checks.order("seed", settings.seed, smallest=0, largest=2**64 - 1)
    return settings


def checked_lower(names: Iterable[str], ratings: Ratings) -> set[str]:
    """Check the names of the columns in which lower is better."""
    lower = {names} if isinstance(names, str) else set(names)
    known = (*ratings.human, *ratings.scores)
    for name in sorted(lower - set(known)):
        raise OptionError("lower_is_better", f"names of columns with ratings or scores ({', '.join(known)})", name)
    return lower


def _levels(level: Names | None, ratings: Ratings) -> tuple[str, ...]:
    if level is None:
        asked: tuple[str, ...] = LEVELS if ratings.has_systems else ("segment",)
    else:
        asked = checked_names("level", level)
    for name in asked:
        checks.choice("level", name, LEVELS)
    if "system" in asked and len(ratings.systems) < 2:
        problem = f"has one system only, {ratings.systems[0]!r}" if ratings.has_systems else "has no column of systems"
        repair = "for segments alone, use --level segment on the command line, level='segment' in Python"
        raise InputError(f"{ratings.name} {problem}, but agreement at system level needs several; {repair}.")
    return asked


def _enough(pairs: int, alpha: float) -> int:
    """Return enough permutations for a significant p-value after Holm's correction of so many pairs."""
    return max(_FEWEST_PERMUTATIONS, math.ceil(min(_MOST_PERMUTATIONS, _BELOW_ALPHA * pairs / alpha)))


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """Scores of every output under every metric, as they are; `sign` is -1 where lower is better."""

    names: tuple[str, ...]
    outputs: Mapping[str, Floats]
    sign: Mapping[str, float]
    signatures: Mapping[str, str]
    systems: Mapping[str, Mapping[int, float]]  # the score of the system's outputs as a corpus, by place
    samples: Mapping[str, Mapping[int, tuple[Sample, Places]]]  # rows to resample, and their outputs
    notes: tuple[str, ...] = ()

    def matrix(self) -> Floats:
        """Return a row per metric, in which higher is better."""
        return np.array([self.sign[name] * self.outputs[name] for name in self.names])


def allowed_metrics(ratings: Ratings) -> dict[str, Metric[Any]]:
    """Return all metrics that need no model and nothing that the table lacks."""
    if ratings.hypotheses is None:
        return {}
    return {
        name: registry.resolve(name)
        for name, kind in registry.scored_by_name("segment").items()
        if (ratings.references is not None or not kind.needs_references)
        and (ratings.sources is not None or not kind.needs_sources)
    }


def score_outputs(
    ratings: Ratings,
    metrics: Metrics | None = None,
    *,
    models: Mapping[str, Any] | None = None,
    lower_is_better: Iterable[str] = (),
    threads: int | None = None,
) -> MetricScores:
    """Score all rated outputs under the metrics, or under all that the table allows, and add its columns of scores."""
    resolved = allowed_metrics(ratings) if metrics is None else resolve(metrics, models)
    for name, metric in resolved.items():
        _check_texts(ratings, name, metric)
        if name in ratings.scores:
            raise OptionError("columns", "columns that are not named like a metric", name)
    lower, places = set(lower_is_better), [np.flatnonzero(ratings.system == s) for s in range(len(ratings.systems))]
    outputs: dict[str, Floats] = {name: np.full(len(ratings), np.nan) for name in resolved}
    systems: dict[str, dict[int, float]] = {name: {} for name in (*resolved, *ratings.scores)}
    samples: dict[str, dict[int, tuple[Sample, Places]]] = {name: {} for name in systems}
    signatures: dict[str, str] = {}
    if resolved:
        corpora = {str(number): _corpus(ratings, of.tolist()) for number, of in enumerate(places)}
        measured = measure(resolved, corpora, store=None, threads=threads)
        for number, of in enumerate(places):
            for name, entry in measured[str(number)].items():
                outputs[name][of] = np.where(np.isfinite(entry.segments), entry.segments, np.nan)
                systems[name][number] = float(entry.score.value)
                signatures[name] = entry.score.signature
                if entry.statistics is not None:
                    definition = entry.score.definition
                    samples[name][number] = definition.summary.sample(definition, entry.statistics.rows), of
    for name, values in ratings.scores.items():
        outputs[name] = values
        signatures[name] = signature.write(
            COLUMN, 1, {"higher_is_better": name not in lower, "name": name}, {"bleuprint": __version__}
        )
        for number, of in enumerate(places):
            kept = of[~np.isnan(values[of])]
            if len(kept):
                systems[name][number] = float(values[kept].mean())
                samples[name][number] = Sample.of_scores(values[kept]), kept
    sign = {name: 1.0 if metric.higher_is_better else -1.0 for name, metric in resolved.items()}
    sign |= {name: -1.0 if name in lower else 1.0 for name in ratings.scores}
    empty = [name for name, values in outputs.items() if np.isnan(values).all()]
    notes = tuple(f"{name} has no score for any output, so it is left out" for name in empty)
    names = tuple(name for name in outputs if name not in empty)
    return MetricScores(names, outputs, sign, {name: signatures[name] for name in names}, systems, samples, notes)


def _check_texts(ratings: Ratings, name: str, metric: Metric[Any]) -> None:
    needed: dict[str, object] = {"hypotheses": ratings.hypotheses}
    needed |= {"references": ratings.references} if metric.needs_references else {}
    needed |= {"sources": ratings.sources} if metric.needs_sources else {}
    for role, texts in needed.items():
        if texts is None:
            option = {"hypotheses": "hypothesis", "references": "reference", "sources": "source"}[role]
            raise InputError(
                f"{name} needs {role}, but no column of {ratings.name} is recognized as such; "
                f"name it: --{option}-column NAME on the command line, {option}=NAME in Python."
            )


def _corpus(ratings: Ratings, places: list[int]) -> Corpus:
    assert ratings.hypotheses is not None
    hypotheses = [ratings.hypotheses[place] for place in places]
    sources = None if ratings.sources is None else [ratings.sources[place] for place in places]
    if ratings.references is None:
        alone = Corpus.alone(hypotheses)
        return Corpus(
            alone.hypotheses, alone.references, None if sources is None else checked_column(sources, "sources")
        )
    return Corpus.of(hypotheses, [ratings.references[place] for place in places], sources)


class _Progress:
    """Turns finished trials into a share of all work."""

    def __init__(self, report: Callable[[float], object] | None, parts: int, settings: MetaSettings) -> None:
        self._report, self._done = report, 0
        self._total = parts * (settings.samples + (settings.permutations or 0))

    def __call__(self, trials: int) -> None:
        self._done += trials
        if self._report is not None:
            self._report(min(1.0, self._done / self._total))


class _Work:
    """Computes the agreement of all metrics with one column of ratings at one level."""

    def __init__(
        self, ratings: Ratings, scored: MetricScores, lower: set[str], settings: MetaSettings, advance: _Progress
    ) -> None:
        self._ratings, self._scored, self._lower = ratings, scored, lower
        self._settings, self._advance = settings, advance
        self._matrix = scored.matrix()
        self._scored_by_all = ~np.isnan(self._matrix).any(axis=0)
        self.notes: list[str] = []

    def at_level(self, column: str, level: str) -> LevelAgreement:
        human = (-1.0 if column in self._lower else 1.0) * self._ratings.human[column]
        return self._of_systems(column, human) if level == "system" else self._of_segments(column, human)

    def system_ratings(self, columns: Iterable[str]) -> dict[str, dict[str, float]]:
        """Return the mean rating of each system, by column."""
        return {
            column: {
                name: float(np.nanmean(values))
                for number, name in enumerate(self._ratings.systems)
                if not np.isnan(values := self._ratings.human[column][self._ratings.system == number]).all()
            }
            for column in columns
            if self._ratings.has_systems
        }

    def system_scores(self) -> dict[str, dict[str, float]]:
        """Return the score of each system, by metric."""
        if not self._ratings.has_systems:
            return {}
        return {
            name: {
                self._ratings.systems[number]: value
                for number, value in self._scored.systems[name].items()
                if math.isfinite(value)
            }
            for name in self._scored.names
        }

    def disagreements(self, column: str) -> list[Disagreement]:
        """Return the outputs whose ranks under a metric and among the ratings differ most."""
        from bleuprint.ratings.agreement.correlations import midranks

        ratings, entries = self._ratings, []
        human = (-1.0 if column in self._lower else 1.0) * ratings.human[column]
        for name, scores in zip(self._scored.names, self._matrix, strict=True):
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
                        score=float(self._scored.outputs[name][output]),
                        rating=float(ratings.human[column][output]),
                        score_rank=float(ranks[0][place]),
                        rating_rank=float(ranks[1][place]),
                        hypothesis=None if ratings.hypotheses is None else ratings.hypotheses[output],
                        references=() if ratings.references is None else ratings.references[output],
                        source=None if ratings.sources is None else ratings.sources[output],
                    )
                )
        return entries

    # Segments

    def _everything(self, human: Floats) -> Outputs:
        """Return all outputs, rated or not."""
        from bleuprint.ratings.agreement.resampling import Outputs

        ratings = self._ratings
        return Outputs(
            self._matrix, human, ratings.segment, ratings.system, len(ratings.segments), len(ratings.systems)
        )

    def _complete(self, column: str, human: Floats) -> Places:
        """Return the outputs that have a rating and a score under every metric."""
        rated = ~np.isnan(human)
        kept = np.flatnonzero(rated & self._scored_by_all)
        left_out = int(np.count_nonzero(rated)) - len(kept)
        if left_out:
            gaps = [
                name for name, row in zip(self._scored.names, self._matrix, strict=True) if np.isnan(row[rated]).any()
            ]
            many = f"{left_out:,} of {np.count_nonzero(rated):,} outputs rated in {column!r}"
            self.notes.append(f"{many} have no score under {', '.join(gaps)}, so they are left out at segment level")
        items = len(np.unique(self._ratings.segment[kept]))
        if items < FEWEST_SEGMENTS:
            raise InputError(
                f"{self._ratings.name} has {items} segments with a rating in {column!r} and a score under every "
                f"metric; agreement needs at least {FEWEST_SEGMENTS}. Leave out columns with few scores."
            )
        return kept

    def _of_segments(self, column: str, human: Floats) -> LevelAgreement:
        from bleuprint.ratings.agreement import resampling
        from bleuprint.statistics.multiple import holm

        kept = self._complete(column, human)
        outputs = self._everything(human).part(kept)
        settings = self._settings
        tested = STATISTICS[settings.statistic][1]
        by_item, thresholds, tied = self._within_items(outputs)
        if tested in _BY_ITEM and tested not in by_item:
            raise OptionError(
                "statistic", "pearson or spearman if no segment has outputs of several systems", settings.statistic
            )
        estimates, spread = self._segment_estimates(outputs, by_item, LABELS["segment"], self._advance)
        permutations = cast("int", settings.permutations)
        if len(self._scored.names) == 1:
            p_values = np.ones((1, 1))
        elif tested in by_item:
            p_values = resampling.swap_items(by_item[tested], permutations, settings.seed, self._advance)
        else:
            p_values = resampling.swap_outputs(
                outputs, permutations, settings.seed, ranks=tested == "spearman", advance=self._advance
            )
        # A correlation is 0 by chance; calling all outputs equal needs no metric.
        by_chance = cast("float", tied) if tested == "accuracy" else 0.0
        chance = np.array(
            [
                math.nan
                if tested not in spread or (value := estimates[tested][place].value) is None
                else resampling.normal_p_value(value, by_chance, spread[tested][:, place])
                for place in range(len(self._scored.names))
            ]
        )
        known = ~np.isnan(chance)
        chance[known] = holm(chance[known].tolist())
        entry = self._judged(column, "segment", tested, estimates, p_values, chance, thresholds)
        return replace(
            entry,
            tied=tied,
            outputs=len(outputs),
            segments=outputs.items,
            systems=outputs.systems,
            groups={
                group: self._by_group(outputs, [labels[place] for place in kept.tolist()], tested)
                for group, labels in self._ratings.groups.items()
            },
        )

    def _within_items(self, outputs: Outputs) -> tuple[dict[str, Floats], dict[str, float], float | None]:
        """Return the statistics within each item (metrics × items), the tie thresholds, and the share of ties."""
        from bleuprint.ratings.agreement import correlations, pairs

        within = pairs.pairs_within(outputs.item, outputs.items)
        if len(within.first) == 0:
            return {}, {}, None
        folds = np.random.default_rng(self._settings.seed).permutation(np.arange(outputs.items) % _FOLDS)
        values: dict[str, list[Floats]] = {name: [] for name in _BY_ITEM}
        thresholds = {}
        human_ranks = correlations.item_midranks(outputs.ratings, outputs.item)
        for name, scores in zip(self._scored.names, outputs.scores, strict=True):
            ranks = correlations.item_midranks(scores, outputs.item)
            threshold, _ = pairs.calibrated_threshold(scores, outputs.ratings, within)
            thresholds[name] = threshold
            for statistic, row in {
                "pearson-by-item": correlations.item_correlations(scores, outputs.ratings, outputs.item, outputs.items),
                "spearman-by-item": correlations.item_correlations(ranks, human_ranks, outputs.item, outputs.items),
                "kendall-by-item": pairs.item_kendalls(scores, outputs.ratings, within),
                "accuracy": pairs.item_accuracies(scores, outputs.ratings, within, threshold),
                "cross-validated-accuracy": pairs.cross_validated(scores, outputs.ratings, within, folds),
            }.items():
                values[statistic].append(row)
        tied = float(np.nanmean(within.means(within.differences(outputs.ratings) == 0)))
        return {statistic: np.array(rows) for statistic, rows in values.items()}, thresholds, tied

    def _segment_estimates(
        self,
        outputs: Outputs,
        by_item: Mapping[str, Floats],
        statistics: Iterable[str],
        advance: Callable[[int], object] | None,
    ) -> tuple[dict[str, list[Estimate]], dict[str, Floats]]:
        """Return the estimates of every statistic by metric, and its resamples where there are some."""
        from bleuprint.ratings import agreement
        from bleuprint.ratings.agreement import resampling

        settings, wanted = self._settings, list(statistics)
        resamples: dict[str, list[Floats]] = {}
        needs_draws = any(name in {"pearson", "spearman", *by_item} for name in wanted)
        drawn = resampling.draws(outputs, settings.resample, settings.samples, settings.seed, advance)
        for draw in drawn if needs_draws else ():
            weights = draw.weights(outputs)
            if "pearson" in wanted:
                resamples.setdefault("pearson", []).append(resampling.resampled_pearson(outputs, weights))
            if "spearman" in wanted:
                resamples.setdefault("spearman", []).append(resampling.resampled_spearman(outputs, weights))
            if settings.resample == "items":
                for name in by_item.keys() & set(wanted):
                    resamples.setdefault(name, []).append(resampling.item_means(by_item[name], draw.items))
        spread = {name: np.concatenate(blocks) for name, blocks in resamples.items()}
        estimates: dict[str, list[Estimate]] = {name: [] for name in wanted}
        for place, scores in enumerate(outputs.scores):
            reason = agreement.why_undefined(scores, outputs.ratings, "outputs")
            for name in wanted:
                if name in by_item:
                    estimates[name].append(self._item_estimate(by_item[name][place], spread.get(name), place))
                elif name in _BY_ITEM:
                    estimates[name].append(Estimate(None, reason="no segment has outputs of several systems"))
                elif reason is not None:
                    estimates[name].append(Estimate(None, reason=reason))
                elif name == "kendall":
                    tau, interval = resampling.kendall_interval(
                        scores, outputs.ratings, outputs, settings.resample, 1 - settings.alpha
                    )
                    estimates[name].append(_estimate(tau, interval))
                else:
                    value = {"pearson": agreement.pearson, "spearman": agreement.spearman}[name](
                        scores, outputs.ratings
                    )
                    interval = resampling.quantile_interval(spread[name][:, place], 1 - settings.alpha)
                    estimates[name].append(_estimate(float(value), interval))
        return estimates, spread

    def _item_estimate(self, values: Floats, spread: Floats | None, place: int) -> Estimate:
        from bleuprint.ratings.agreement import resampling

        if np.isnan(values).all():
            return Estimate(None, reason="within every segment all scores or all ratings are equal")
        value = float(np.nanmean(values))
        if spread is None:
            return Estimate(value, reason="means over segments are resampled over items only")
        return _estimate(value, resampling.quantile_interval(spread[:, place], 1 - self._settings.alpha))

    def _by_group(self, outputs: Outputs, labels: Sequence[str], tested: str) -> dict[str, dict[str, Estimate]]:
        """Return the tested statistic within each group, by label and metric."""
        found = {}
        for label in dict.fromkeys(labels):
            part = outputs.part(np.flatnonzero(np.array([other == label for other in labels])))
            by_item = self._within_items(part)[0] if tested in _BY_ITEM else {}
            estimates = self._segment_estimates(part, by_item, [tested], None)[0][tested]
            found[label] = dict(zip(self._scored.names, estimates, strict=True))
        return found

    # Systems

    def _of_systems(self, column: str, human: Floats) -> LevelAgreement:
        from bleuprint.ratings.agreement import resampling

        ratings, scored, settings = self._ratings, self._scored, self._settings
        rated = [
            number
            for number in range(len(ratings.systems))
            if not np.isnan(human[ratings.system == number]).all()
            and all(math.isfinite(scored.systems[name].get(number, math.nan)) for name in scored.names)
        ]
        left_out = [name for number, name in enumerate(ratings.systems) if number not in rated]
        if left_out:
            self.notes.append(f"{', '.join(left_out)} lack ratings in {column!r} or scores, so they are left out")
        if len(rated) < 2:
            raise InputError(
                f"{ratings.name} has {len(rated)} systems with ratings in {column!r} and scores, but agreement at "
                "system level needs several; use --level segment on the command line, level='segment' in Python."
            )
        means = np.array([np.nanmean(human[ratings.system == number]) for number in rated])
        values = np.array(
            [[scored.sign[name] * scored.systems[name][number] for number in rated] for name in scored.names]
        )
        spread = self._resampled_systems(human, rated, values)
        estimates = self._system_estimates(values, means, spread)
        kept = np.flatnonzero(np.isin(ratings.system, rated) & ~np.isnan(human) & self._scored_by_all)
        outputs = self._everything(human).part(kept)
        enough = outputs.systems == len(rated)
        estimates["soft-pairwise-accuracy"] = self._soft_accuracies(outputs, enough)
        tested = STATISTICS[settings.statistic][0]
        count = len(scored.names)
        p_values = np.ones((count, count))
        if count > 1 and enough and len(rated) > 2:
            p_values, compared = resampling.swap_outputs_of_systems(
                outputs, tested, cast("int", settings.permutations), settings.seed, self._advance
            )
            # The test compares means of segments. It says nothing where these order two metrics the other way round.
            shown = np.array([math.nan if entry.value is None else entry.value for entry in estimates[tested]])
            opposed = np.subtract.outer(shown, shown) * np.subtract.outer(compared, compared) <= 0
            p_values[opposed] = 1.0
        chance = resampling.shuffle_systems(values, means, tested, settings.seed)
        entry = self._judged(column, "system", tested, estimates, p_values, chance, {})
        return replace(entry, outputs=len(outputs), segments=outputs.items, systems=len(rated))

    def _resampled_systems(self, human: Floats, rated: list[int], values: Floats) -> dict[str, Floats]:
        """Return the resampled statistics (resamples × metrics) of the systems in `rated`."""
        from bleuprint.ratings.agreement import correlations, pairs, resampling

        ratings, settings = self._ratings, self._settings
        members = [np.flatnonzero((ratings.system == number) & ~np.isnan(human)) for number in rated]
        blocks: dict[str, list[Floats]] = {}
        drawn = resampling.draws(
            self._everything(human), settings.resample, settings.samples, settings.seed, self._advance
        )
        for draw in drawn:
            times = draw.items[:, ratings.segment]
            weights = draw.systems[:, rated]
            with np.errstate(invalid="ignore", divide="ignore"):
                means = np.column_stack([(times[:, of] @ human[of]) / times[:, of].sum(axis=1) for of in members])
            if settings.resample == "systems":
                scores = np.broadcast_to(values, (len(times), *values.shape))
            else:
                scores = self._drawn_scores(times, rated)
            ratings_of_draw, weights = means[:, None, :], weights[:, None, :]
            for name, statistic in {
                "pearson": correlations.weighted_pearson,
                "kendall": pairs.system_kendall,
                "pairwise-accuracy": pairs.pairwise_accuracy,
            }.items():
                blocks.setdefault(name, []).append(statistic(scores, ratings_of_draw, weights))
        return {name: np.concatenate(parts) for name, parts in blocks.items()}

    def _drawn_scores(self, times: Floats, rated: list[int]) -> Floats:
        """Return the scores of systems (resamples × metrics × systems) whose outputs count so many times each."""
        scores = np.full((len(times), len(self._scored.names), len(rated)), np.nan)
        for row, name in enumerate(self._scored.names):
            for column, number in enumerate(rated):
                if number not in self._scored.samples[name]:
                    continue
                sample, of = self._scored.samples[name][number]
                sums = times[:, of] @ sample.rows.astype(np.float64)
                if sample.rows.dtype.kind in "iu":
                    sums = np.rint(sums).astype(np.int64)
                scores[:, row, column] = self._scored.sign[name] * sample.score(sums)
        return scores

    def _system_estimates(
        self, values: Floats, means: Floats, spread: Mapping[str, Floats]
    ) -> dict[str, list[Estimate]]:
        from bleuprint.ratings import agreement
        from bleuprint.ratings.agreement import pairs, resampling

        statistics = {
            "pearson": agreement.pearson,
            "kendall": pairs.system_kendall,
            "pairwise-accuracy": pairs.pairwise_accuracy,
        }
        settings = self._settings
        estimates: dict[str, list[Estimate]] = {name: [] for name in statistics}
        for place, scores in enumerate(values):
            for name, statistic in statistics.items():
                reason = agreement.why_undefined(scores, means, "systems")
                if name == "pairwise-accuracy":
                    reason = "all ratings are equal" if np.ptp(means) == 0 else None
                if reason is not None:
                    estimates[name].append(Estimate(None, reason=reason))
                    continue
                value = float(statistic(scores, means))
                if settings.resample != "systems" and len(self._scored.samples[self._scored.names[place]]) < len(means):
                    estimates[name].append(Estimate(value, reason="its corpus score cannot be resampled"))
                    continue
                interval = resampling.quantile_interval(spread[name][:, place], 1 - settings.alpha)
                estimates[name].append(_estimate(value, interval))
        return estimates

    def _soft_accuracies(self, outputs: Outputs, enough: bool) -> list[Estimate]:
        from bleuprint.ratings.agreement import pairs

        if not enough:
            reason = "some systems have no output with a rating and a score under every metric"
            return [Estimate(None, reason=reason) for _ in outputs.scores]
        table = np.full((outputs.items, outputs.systems), np.nan)

        def p_values(values: Floats) -> Floats:
            table[outputs.item, outputs.system] = values
            return pairs.sign_flip_p_values(table, _FLIPS, self._settings.seed)

        human = p_values(outputs.ratings)
        return [
            Estimate(
                pairs.soft_pairwise_accuracy(p_values(scores), human), reason="soft accuracies have no interval here"
            )
            for scores in outputs.scores
        ]

    # Both levels

    def _judged(
        self,
        column: str,
        level: str,
        tested: str,
        estimates: Mapping[str, Sequence[Estimate]],
        p_values: Floats,
        chance: Floats,
        thresholds: Mapping[str, float],
    ) -> LevelAgreement:
        """Return the metrics, best first, with their differences, ranks and clusters.

        `p_values` are those of differences between metrics. `chance` are those of no agreement at all, corrected.
        """
        from bleuprint.statistics.multiple import holm, rank_clusters, rank_ranges

        names, alpha = self._scored.names, self._settings.alpha
        values = {name: estimates[tested][place].value for place, name in enumerate(names)}
        order = sorted(names, key=lambda name: -math.inf if values[name] is None else -cast("float", values[name]))
        defined = sorted((name for name in names if values[name] is not None), key=order.index)
        differences = []
        for upper, first in enumerate(defined):
            for second in defined[upper + 1 :]:
                p_value = float(p_values[names.index(first), names.index(second)])
                size = cast("float", values[first]) - cast("float", values[second])
                differences.append(
                    MetricDifference(first, second, size, 1.0 if math.isnan(p_value) else p_value, 1, None)
                )
        corrected = holm([entry.p_value for entry in differences])
        differences = [
            replace(entry, corrected_p_value=p, better=entry.first if p < alpha and entry.difference > 0 else None)
            for entry, p in zip(differences, corrected, strict=True)
        ]
        significant = {(entry.first, entry.second) for entry in differences if entry.better is not None}

        def is_better(first: str, second: str) -> bool:
            return (first, second) in significant

        ranges = rank_ranges(defined, is_better)
        agreeing = {name: p for name in defined if not math.isnan(p := float(chance[names.index(name)]))}
        metrics = tuple(
            MetricAgreement(
                metric=name,
                statistics={statistic: rows[names.index(name)] for statistic, rows in estimates.items()},
                best_rank=ranges[name][0] if name in ranges else None,
                worst_rank=ranges[name][1] if name in ranges else None,
                p_value=agreeing.get(name),
                agrees=agreeing.get(name, 1.0) < alpha,
                threshold=thresholds.get(name),
            )
            for name in [*defined, *(name for name in names if name not in defined)]
        )
        return LevelAgreement(
            column, level, tested, 0, 0, 0, metrics, tuple(differences), rank_clusters(defined, is_better)
        )


def _estimate(value: float, interval: tuple[float, float] | None) -> Estimate:
    if math.isnan(value):
        return Estimate(None, reason="it cannot be computed from numbers of this size")
    if interval is None:
        return Estimate(value, reason="it is undefined in too many resamples")
    return Estimate(value, *interval)


def _rater_agreement(ratings: Ratings, column: str) -> RaterAgreement:
    """Average repeated ratings by the same rater, then compare raters."""
    from bleuprint.ratings.agreement import ALPHA_LEVELS, krippendorff_alpha, noise_ceiling

    judgements = ratings.judgements[column]
    keys = judgements.output * (int(judgements.rater.max(initial=0)) + 1) + judgements.rater
    unique, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
    values = np.bincount(place.reshape(-1), weights=judgements.value) / counts
    units = unique // (int(judgements.rater.max(initial=0)) + 1)
    _, sizes = np.unique(units, return_counts=True)
    repeated = int(np.count_nonzero(sizes > 1))
    reason = "no output was rated twice" if repeated == 0 else None

    def estimate(value: float) -> Estimate:
        missing = reason or "all ratings of outputs that were rated twice are equal"
        return Estimate(None, reason=missing) if math.isnan(value) else Estimate(value)

    return RaterAgreement(
        column,
        len(judgements),
        len(sizes),
        repeated,
        {level: estimate(krippendorff_alpha(values, units, level)) for level in ALPHA_LEVELS},
        estimate(noise_ceiling(values, units)),
    )
