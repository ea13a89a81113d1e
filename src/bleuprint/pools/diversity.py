"""Diversity of a pool of texts: all its measures in one table, with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bleuprint import checks
from bleuprint.core.arrays import np
from bleuprint.core.columns import Texts, checked_column
from bleuprint.core.threads import worker_count
from bleuprint.core.tokenizers import Tokenize
from bleuprint.errors import MissingExtraError, OptionError, PoolError
from bleuprint.metrics import cards
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.compression_ratio import CompressionRatio
from bleuprint.metrics.cross_bleu import CrossBLEU
from bleuprint.metrics.distinct import Distinct
from bleuprint.metrics.duplicates import Duplicates
from bleuprint.metrics.embedding_vendi import EmbeddingVendi
from bleuprint.metrics.entropy import Entropy
from bleuprint.metrics.expected_distinct import ExpectedDistinct
from bleuprint.metrics.homogenization import Homogenization
from bleuprint.metrics.loops import Loop, Loops
from bleuprint.metrics.mattr import MATTR
from bleuprint.metrics.ms_jaccard import MSJaccard
from bleuprint.metrics.mtld import MTLD
from bleuprint.metrics.near_duplicates import NearDuplicates
from bleuprint.metrics.ngram_diversity import NgramDiversity
from bleuprint.metrics.repetition_rate import RepetitionRate
from bleuprint.metrics.self_bleu import SelfBLEU, SelfBleuScore
from bleuprint.metrics.self_repetition import SelfRepetition
from bleuprint.metrics.vendi import Vendi, VendiScore
from bleuprint.metrics.zipf import Zipf
from bleuprint.pools.statistic import PoolStatistic
from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, Displayed, DisplayTable, words
from bleuprint.statistics.intervals import Interval
from bleuprint.statistics.pools import interval_around, jackknife_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    ScorePart = Callable[[NDArray[np.int64] | None], Any]  # scores the texts at these places, or all

_FEWEST = 30  # n-grams that several texts share: with fewer, a single copy decides their Self-BLEU
_LISTED = 10  # loops and groups that a result shows as text
_DRAWS = 10  # pools of one text per group, over which the diversity between groups is averaged


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of a pool: its value, its interval where there is one, and whether a higher value is more diverse."""

    name: str
    value: float
    low: float | None
    high: float | None
    higher_is_better: bool
    signature: str

    @property
    def metric(self) -> str:
        """The name of the metric, as in the list of cards."""
        return self.signature.partition(".")[0]

    @property
    def direction(self) -> str:
        """Which values are more diverse: "higher" or "lower"."""
        return "higher" if self.higher_is_better else "lower"

    def cells(self, digits: Digits) -> tuple[Cell, ...]:
        """The value and the ends of its interval; a metric with its own scale has no percent."""
        written = digits.of(self.signature)
        return tuple(
            Cell("", math.nan) if number is None else Cell(written(number), number)
            for number in (self.value, self.low, self.high)
        )


@dataclass(frozen=True, slots=True)
class Diversity(Displayed):
    """The measures of a pool of texts, and the repetitions behind them; `self_bleu` has a score per text."""

    texts: int
    tokens: int
    confidence: float | None
    measures: tuple[Measure, ...]
    within: tuple[Measure, ...] = ()
    between: tuple[Measure, ...] = ()
    groups: int = 0
    loops: tuple[Loop, ...] = ()
    duplicates: tuple[tuple[str, int], ...] = ()
    near_duplicates: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()
    self_bleu: SelfBleuScore | None = field(default=None, compare=False, repr=False)

    def __getitem__(self, name: str) -> Measure:
        """The measure of that name."""
        for measure in self.measures:
            if measure.name == name:
                return measure
        raise OptionError("measure", f"one of {', '.join(measure.name for measure in self.measures)}", name)

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The table of all texts, then those within and between groups if there are groups."""
        return self.tables(Digits(percent))

    def tables(self, digits: Digits) -> tuple[DisplayTable, ...]:
        """The tables of `display`, with numbers written in any way."""
        parts = {f"Diversity of {self.texts:,} texts": self.measures}
        if self.groups:
            parts[f"Within {self.groups:,} groups (the mean of the groups)"] = self.within
            parts[f"Between {self.groups:,} groups (one text of each)"] = self.between
        return tuple(
            DisplayTable(
                ("measure", "more diverse", "value", "low", "high"),
                tuple((*words(measure.name, measure.direction), *measure.cells(digits)) for measure in measures),
                caption,
                self.notes if measures is self.measures else (),
                {measure.name: measure.signature for measure in measures},
                frozenset({0, 1}),
                "diversity",
                signed=0,
            )
            for caption, measures in parts.items()
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything but `self_bleu`, ready for JSON."""
        from dataclasses import asdict

        content = asdict(replace(self, self_bleu=None))
        del content["self_bleu"]
        content["loops"] = [loop._asdict() for loop in self.loops]
        return content

    def __repr__(self) -> str:
        return f"<Diversity of {self.texts:,} texts: {len(self.measures)} measures>"


@dataclass(frozen=True, slots=True)
class _Plan:
    """A metric and the measures that are read from its score, each with a name."""

    metric: Metric[Score]
    read: dict[str, Callable[[Any], float]]
    references: Texts | None = None
    backward: bool = False  # the references are scored against the texts
    group: bool = False  # also within and between groups
    is_copying: bool = False  # a high score is bad, whatever the metric says

    @property
    def is_share(self) -> bool:
        return cards.load(self.metric.name).limits == (0.0, 1.0)

    def values(self, score: Any) -> list[float]:
        return [read(score) for read in self.read.values()]

    def measures(self, values: Sequence[float], intervals: Iterable[Interval] | None = None) -> list[Measure]:
        better = self.metric.higher_is_better and not self.is_copying
        lowest, highest = cards.load(self.metric.name).limits
        ends: list[tuple[float, float] | tuple[None, None]] = [(None, None)] * len(values)
        if intervals is not None:
            # One without any width says nothing about other pools.
            ends = [(max(e.low, lowest), min(e.high, highest)) if e.low < e.high else (None, None) for e in intervals]
        return [
            Measure(name, value, low, high, better, self.metric.signature)
            for name, value, (low, high) in zip(self.read, values, ends, strict=True)
        ]

    def scorer(self, texts: Sequence[Any], threads: int) -> ScorePart:
        """A function that scores any part of the texts, or all."""
        if not self.backward:
            return PoolStatistic(self.metric, texts, self.references, threads=threads).score

        def score(kept: NDArray[np.int64] | None) -> Any:
            part = texts if kept is None else [texts[place] for place in kept.tolist()]
            return self.metric.corpus(self.references or (), part, threads=threads)

        return score


def _value(score: Any) -> float:
    return float(score.value)


def _order(order: int) -> Callable[[Any], float]:
    return lambda score: float(score.per_order[order - 1])


def _plans(
    reading: dict[str, Any], train: Texts | None, reference: Texts | None, tagger: Tokenize | None, encoder: Any
) -> tuple[list[_Plan], list[str]]:
    """What to compute, and notes about what cannot be."""
    notes = []
    plans = [
        _Plan(SelfBLEU(max_order=5, **reading), {f"self-bleu-{n}": _order(n) for n in range(2, 6)}, group=True),
        _Plan(Distinct(max_order=5, **reading), {f"distinct-{n}": _order(n) for n in range(1, 6)}, group=True),
        _Plan(ExpectedDistinct(max_order=1, **reading), {"expected-distinct-1": _value}, group=True),
        _Plan(NgramDiversity(**reading), {"ngram-diversity": _value}, group=True),
        _Plan(Entropy(**reading), {"entropy-1": _order(1), "entropy-4": _order(4)}),
        _Plan(Zipf(**reading), {"zipf": _value}),
        _Plan(MATTR(**reading), {"mattr": _value}),
        _Plan(MTLD(**reading), {"mtld": _value}),
        _Plan(CompressionRatio(**reading), {"compression-ratio (gzip)": _value}),
    ]
    try:
        zstd = CompressionRatio(algorithm="zstd", **reading)
        zstd.corpus(["check"])
        plans.append(_Plan(zstd, {"compression-ratio (zstd)": _value}))
    except MissingExtraError as error:
        notes.append(f"without the compression ratio of zstd: {error}")
    if tagger is not None:
        tags = CompressionRatio(tokenizer=tagger)
        plans.append(_Plan(tags, {"compression-ratio (gzip, tags)": _value}))
    plans += [
        _Plan(RepetitionRate(**reading), {"repetition-rate": _value}),
        _Plan(SelfRepetition(**reading), {"self-repetition": _value}),
        _Plan(Homogenization(**reading), {"homogenization (rouge-l)": _value}, group=True),
        _Plan(Homogenization(measure="bleu", **reading), {"homogenization (bleu)": _value}, group=True),
        _Plan(Vendi(**reading), {"vendi": _value}, group=True),
    ]
    if encoder is not None:
        plans.append(_Plan(EmbeddingVendi(encoder), {"embedding-vendi": _value}))
    plans += [
        _Plan(Loops(**reading), {"loops": _value}),
        _Plan(Duplicates(**reading), {"duplicates": _value}, group=True),
        _Plan(NearDuplicates(**reading), {"near-duplicates": _value}, group=True),
    ]
    if train is not None:
        plans.append(_Plan(CrossBLEU(**reading), {"train-bleu": _value}, train, is_copying=True))
    if reference is not None:
        plans.append(_Plan(CrossBLEU(**reading), {"forward-bleu": _value}, reference))
        plans.append(_Plan(CrossBLEU(**reading), {"backward-bleu": _value}, reference, backward=True))
        plans.append(_Plan(MSJaccard(**reading), {"ms-jaccard": _value}, reference))
    return plans, notes


def diversity(
    texts: Texts,
    train: Texts | None = None,
    reference: Texts | None = None,
    *,
    by: Sequence[Hashable] | None = None,
    tagger: Tokenize | None = None,
    encoder: Any = None,
    size: int | None = None,
    tokenizer: str | Tokenize = "nltk",
    lowercase: bool = False,
    confidence: float | None = 0.95,
    seed: int = 12345,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Diversity:
    """All measures of the diversity of a pool of texts, in one table with confidence intervals.

    - `train`: the training data; `train-bleu` says how much of it the texts repeat
    - `reference`: human texts of the same kind; adds forward and backward BLEU and MS-Jaccard
    - `by`: a label per text, such as its prompt; adds the diversity within and between groups
    - `tagger`: a function that returns the part-of-speech tags of a text, for the compression ratio of tags
    - `encoder`: for the Vendi score by embeddings, as for `EmbeddingVendi`
    - `size`: measure so many texts drawn at random, to compare with a smaller pool
    - `tokenizer`, `lowercase`: as for all metrics
    - `confidence`: level of the intervals; None leaves them out, which takes a twentieth of the time
    - `seed`: random seed for groups of the intervals and for draws
    - `progress`: called with 1 after each measure

    Intervals come from leaving out each of twenty groups of texts in turn (delete-a-group jackknife). They say how much
    the value would differ for another pool of the same size from the same source. Where few texts repeat anything, they
    are those of a share of so many texts; measures that are no such share have none then, and a note says so.

    >>> texts = ["the cat sat on the mat", "the cat sat on the log", "a dog barked", "birds sing at dawn"]
    >>> result = diversity(texts)
    >>> round(result["distinct-2"].value, 4), round(result["self-bleu-2"].value, 4), result["duplicates"].value
    (0.7333, 0.4082, 0.0)
    """
    pool = [group[0] for group in checked_column(texts, "texts").unpack()]
    labels = None if by is None else list(by)
    if labels is not None and (isinstance(by, str) or len(labels) != len(pool)):
        allowed = f"a list with a label for each of the {len(pool):,} texts"
        raise OptionError("by", allowed, f"{len(labels):,} labels")
    if confidence is not None:
        checks.fraction("confidence", confidence)
    if size is not None:
        allowed = f"an integer from 2 to {len(pool):,}, the number of texts"
        checks.integer("size", size, 2, len(pool), allowed=allowed)
        kept = np.sort(np.random.default_rng(seed).choice(len(pool), size=size, replace=False)).tolist()
        pool = [pool[place] for place in kept]
        labels = None if labels is None else [labels[place] for place in kept]
    if len(pool) < 2:
        raise PoolError("diversity", 2, len(pool))
    workers = worker_count(threads)
    plans, notes = _plans({"tokenizer": tokenizer, "lowercase": lowercase}, train, reference, tagger, encoder)
    groups = [] if labels is None else _groups(labels)
    measures: list[Measure] = []
    within: list[Measure] = []
    between: list[Measure] = []
    behind: dict[str, Any] = {}
    tokens = 0
    for plan in plans:
        score_part = plan.scorer(pool, workers)
        score = score_part(None)
        measures += _measure(plan, score_part, score, len(pool), confidence, seed)
        if isinstance(score, VendiScore) and score.error:
            sample = plan.metric.options["sample"]
            notes.append(f"{plan.metric.name} is that of {sample} texts, with a standard error of {score.error:.4g}")
        if groups and plan.group:
            within += _within(plan, score_part, groups, confidence)
            between += _between(plan, score_part, groups, confidence, seed)
        if confidence is not None and len(pool) > 2 and not getattr(score, "error", 0):
            rare = {measure.name for measure in (*measures, *within) if measure.low is None}
            notes += [f"{name} has no interval: what it counts is too rare" for name in plan.read if name in rare]
        if plan.metric.name == "self-bleu":
            behind["self_bleu"] = score
        elif plan.metric.name == "duplicates":
            tokens = int(score._pool.lengths().sum())
            behind["duplicates"] = tuple(score.most_repeated(_LISTED))
        elif plan.metric.name == "near-duplicates":
            behind["near_duplicates"] = tuple(score.most_repeated(_LISTED))
        elif plan.metric.name == "loops":
            behind["loops"] = tuple(score.spans()[:_LISTED])
        if progress is not None:
            progress(1)
    return Diversity(
        len(pool),
        tokens,
        confidence,
        tuple(measures),
        tuple(within),
        tuple(between),
        len(groups),
        notes=tuple(notes),
        **behind,
    )


def _groups(labels: Iterable[Hashable]) -> list[NDArray[np.int64]]:
    """The texts of each label with two texts or more."""
    places: dict[Hashable, list[int]] = {}
    for place, label in enumerate(labels):
        places.setdefault(label, []).append(place)
    groups = [np.array(group, dtype=np.int64) for group in places.values() if len(group) > 1]
    if len(groups) < 2:
        raise OptionError("by", "labels that at least two texts share, and at least two such labels", len(groups))
    return groups


def _measure(
    plan: _Plan, score_part: ScorePart, score: Any, size: int, confidence: float | None, seed: int
) -> list[Measure]:
    """The measures of all texts."""
    observed = plan.values(score)
    # Without enough texts in a group nothing is left out; and the error of an estimate would be mistaken for a spread.
    estimated = isinstance(score, VendiScore) and score.error > 0
    if confidence is None or size < 3 or estimated:
        return plan.measures(observed)

    def values(kept: NDArray[np.int64]) -> list[float]:
        # Leaving texts out leaves the similarity of the others as it is.
        return [score.among(kept)] if getattr(score, "keeps_pairs", False) else plan.values(score_part(kept))

    options: dict[str, Any] = {"shares": plan.is_share, "confidence": confidence, "seed": seed}
    intervals = jackknife_intervals(values, size, values=observed, **options)
    if isinstance(score, SelfBleuScore):  # one more copy would move it by far more than what is left out does
        rare = [len(score.shared_ngrams(order, limit=_FEWEST)) < _FEWEST for order in range(2, 6)]
        intervals = [replace(e, low=e.high) if few else e for e, few in zip(intervals, rare, strict=True)]
    return plan.measures(observed, intervals)


def _within(
    plan: _Plan, score_part: ScorePart, groups: Sequence[NDArray[np.int64]], confidence: float | None
) -> list[Measure]:
    """The mean over groups, which are independent of each other."""
    values = np.array([plan.values(score_part(group)) for group in groups])
    means = values.mean(axis=0).tolist()
    if confidence is None:
        return plan.measures(means)
    errors = (values.std(axis=0, ddof=1) / math.sqrt(len(groups))).tolist()
    scale = confidence, len(groups), len(groups) if plan.is_share else None
    return plan.measures(means, (interval_around(m, error, *scale) for m, error in zip(means, errors, strict=True)))


def _between(
    plan: _Plan, score_part: ScorePart, groups: Sequence[NDArray[np.int64]], confidence: float | None, seed: int
) -> list[Measure]:
    """The mean over pools of one text of each group; the interval leaves out groups of the last pool."""
    generator = np.random.default_rng(seed)
    draws = [np.array([generator.choice(group) for group in groups], dtype=np.int64) for _ in range(_DRAWS)]
    means = np.mean([plan.values(score_part(np.sort(draw))) for draw in draws], axis=0).tolist()
    if confidence is None or len(groups) < 3:
        return plan.measures(means)

    def values(kept: NDArray[np.int64]) -> list[float]:
        return plan.values(score_part(np.sort(draws[-1][kept])))

    options: dict[str, Any] = {"shares": plan.is_share, "confidence": confidence, "seed": seed}
    return plan.measures(means, jackknife_intervals(values, len(groups), values=means, **options))
