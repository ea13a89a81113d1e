"""Diversity of a pool of texts: all its measures in one table, with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from bleuprint import checks
from bleuprint.core.arrays import Floats, Integers, Members, np
from bleuprint.core.columns import Texts, checked_column
from bleuprint.core.pool import PartScorer, each_part, words_of_parts
from bleuprint.core.threads import worker_count
from bleuprint.core.tokenizers import Tokenize
from bleuprint.errors import MissingExtraError, OptionError, PoolError
from bleuprint.metrics import cards
from bleuprint.metrics._ngram_pool import count_items
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.compression_ratio import CompressionRatio, CompressionScore
from bleuprint.metrics.cross_bleu import CrossBLEU
from bleuprint.metrics.distinct import Distinct
from bleuprint.metrics.duplicates import Duplicates
from bleuprint.metrics.embedding_vendi import EmbeddingVendi
from bleuprint.metrics.entropy import Entropy
from bleuprint.metrics.expected_distinct import ExpectedDistinct
from bleuprint.metrics.functions import read_pool
from bleuprint.metrics.homogenization import Homogenization
from bleuprint.metrics.loops import Loop, Loops
from bleuprint.metrics.mattr import MATTR
from bleuprint.metrics.ms_jaccard import MSJaccard
from bleuprint.metrics.mtld import MTLD
from bleuprint.metrics.near_duplicates import NearDuplicateGroups, NearDuplicates
from bleuprint.metrics.ngram_diversity import NgramDiversity
from bleuprint.metrics.repetition_rate import RepetitionRate
from bleuprint.metrics.self_bleu import SelfBLEU, SelfBleuScore
from bleuprint.metrics.self_repetition import SelfRepetition
from bleuprint.metrics.vendi import Vendi, VendiScore
from bleuprint.metrics.zipf import Zipf
from bleuprint.pools.statistic import PoolStatistic
from bleuprint.results.digits import Digits, has_percent
from bleuprint.results.display import Cell, Displayed, DisplayTable
from bleuprint.results.score_tables import number_signatures
from bleuprint.statistics.intervals import Interval
from bleuprint.statistics.pools import interval_around, jackknife_intervals
from bleuprint.statistics.small_samples import difference_ends

# What the measures ask, in the order in which they are shown.
GROUPS = {
    "repetition between texts": "Do the texts say the same as each other? Compare pools of the same size.",
    "vocabulary": "How many different words and phrases are there? Compare pools of the same size.",
    "length-robust": "The same questions, asked so that the length of texts and the size of the pool matter less.",
    "loops and copies": "How often is a phrase or a whole text repeated word for word?",
    "other texts": "How close are the texts to those they were compared with?",
}
# What a pool does that is less diverse, by the metrics to look at first; the second hardly depends on its size.
_RECOMMENDED = {"self-bleu": "repeats itself more than", "mattr": "repeats its words more than"}

_FEWEST = 30  # n-grams that several texts share: with fewer, a single copy decides their Self-BLEU
_MOST_COMPRESSED = 1 << 22  # bytes: gzip compresses them twenty times in 20 seconds
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
    group: str  # one of GROUPS
    error: float | None = None  # the standard error of an estimate from samples of the pool

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
        if not has_percent(self.signature):
            spread = None if self.low is None or self.high is None else (self.high - self.low) / 4
            written = written.within(self.error or spread)
        return tuple(
            Cell("", math.nan) if number is None else Cell(written(number), number)
            for number in (self.value, self.low, self.high)
        )

    def cell(self, digits: Digits) -> Cell:
        """The value, with its interval in brackets."""
        value, low, high = (cell.text for cell in self.cells(digits))
        if self.low is None or self.high is None:
            return Cell(value, self.value)
        return Cell(f"{value} [{low}, {high}]", self.value, (self.low, self.high))

    def minus(self, other: Measure) -> tuple[float, float] | None:
        """The ends of the interval of the difference to another pool, from the intervals of both."""
        if self.low is None or self.high is None or other.low is None or other.high is None:
            return None
        return difference_ends((self.value, self.low, self.high), (other.value, other.low, other.high))


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
    near: NearDuplicateGroups | None = field(default=None, compare=False, repr=False)  # `kept()` are without copies

    def __getitem__(self, name: str) -> Measure:
        """The measure of that name."""
        for measure in self.measures:
            if measure.name == name:
                return measure
        raise OptionError("measure", f"one of {', '.join(measure.name for measure in self.measures)}", name)

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The table of all texts, then those within and between groups if there are groups."""
        return Pools({"value": self}).display(percent=percent)

    def to_dict(self) -> dict[str, Any]:
        """Everything but `self_bleu` and `near`, ready for JSON."""
        from dataclasses import asdict

        content = asdict(replace(self, self_bleu=None, near=None))
        del content["self_bleu"], content["near"]
        content["loops"] = [loop._asdict() for loop in self.loops]
        return content

    def __repr__(self) -> str:
        return f"<Diversity of {self.texts:,} texts: {len(self.measures)} measures>"


@dataclass(frozen=True, slots=True)
class Pools(Displayed):
    """The diversity of one or more pools side by side: their measures, and which of them differ."""

    results: Mapping[str, Diversity]
    groups: ClassVar[Mapping[str, str]] = GROUPS

    def rows(self, part: str = "measures") -> list[tuple[Measure, ...]]:
        """The measures of all pools in the order of their groups, each of them with its value for every pool."""
        pools = [{measure.name: measure for measure in getattr(result, part)} for result in self.results.values()]
        rows = [tuple(pool[name] for pool in pools) for name in pools[0] if all(name in pool for pool in pools)]
        return sorted(rows, key=lambda row: list(GROUPS).index(row[0].group))

    def extremes(self, row: Sequence[Measure]) -> tuple[tuple[str, Measure], tuple[str, Measure]]:
        """The least and the most diverse pool under a measure."""
        ranked = sorted(zip(self.results, row, strict=True), key=lambda one: one[1].value)
        least, *_, most = ranked if row[0].higher_is_better else ranked[::-1]
        return least, most

    def differ(self, row: Sequence[Measure]) -> bool:
        """Whether the interval of the largest difference excludes 0."""
        if len(row) < 2:
            return False
        (_, least), (_, most) = self.extremes(row)
        ends = most.minus(least)
        return ends is not None and not ends[0] <= 0 <= ends[1]

    def headlines(self) -> list[tuple[Measure, ...]]:
        """The measures to look at first, each with the longest n-grams that have intervals."""
        rows = sorted(self.rows(), key=lambda row: all(measure.low is not None for measure in row))
        return list({row[0].metric: row for row in rows if row[0].metric in _RECOMMENDED}.values())

    def findings(self, digits: Digits) -> list[str]:
        """What the recommended measures say of the least and the most diverse pool."""
        sentences = []
        for row in self.headlines() if len(self.results) > 1 else ():
            (worse, less), (better, more) = self.extremes(row)
            numbers = f"{less.name} {less.cells(digits)[0].text} against {more.cells(digits)[0].text}"
            ends = less.minus(more)
            if ends is None:
                sentences.append(
                    f"{worse} and {better}: {numbers}; without intervals, only a test (compare) tells more."
                )
            elif not self.differ(row):
                sentences.append(f"{worse} and {better} cannot be told apart by {numbers}.")
            else:
                low, high = map(digits.of(less.signature).delta, ends)
                verb = _RECOMMENDED[less.metric]
                sentences.append(f"{worse} {verb} {better}: {numbers} (95 % of the difference: {low} … {high}).")
        return sentences

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The table of all texts, then those within and between groups."""
        return self.tables(Digits(percent))

    def tables(self, digits: Digits) -> tuple[DisplayTable, ...]:
        """The tables of `display`, with numbers written in any way."""
        parts = {"measures": "Diversity"}
        if next(iter(self.results.values())).groups:
            parts |= {"within": "Diversity within groups (their mean)", "between": "Diversity of one text per group"}
        return tuple(self._part(part, caption, digits) for part, caption in parts.items())

    def _part(self, part: str, caption: str, digits: Digits) -> DisplayTable:
        rows: list[tuple[Cell, ...]] = []
        group = ""
        for row in self.rows(part):
            name = Cell(row[0].name, mark="†" if self.differ(row) else "")
            shown, group = ("" if row[0].group == group else row[0].group), row[0].group
            values = (measure.cell(digits) for measure in row)
            rows.append((Cell(shown, group), name, Cell(row[0].direction), *values))
        sizes = ", ".join(f"{name}: {result.texts:,} texts" for name, result in self.results.items())
        return DisplayTable(
            ("group", "measure", "more diverse", *self.results),
            tuple(rows),
            f"{caption} ({sizes.removeprefix('value: ')}).",
            self._notes(part),
            number_signatures((measure.name, measure.signature) for row in self.rows(part) for measure in row),
            frozenset({0, 1, 2}),
            "diversity",
            signed=1,
        )

    def _notes(self, part: str) -> tuple[str, ...]:
        """What the groups, the brackets and the marks mean."""
        rows = self.rows(part)
        notes = [f"{name}: {GROUPS[name]}" for name in dict.fromkeys(row[0].group for row in rows)]
        levels = {result.confidence for result in self.results.values()} - {None}  # a pool on disk has none
        notes += [f"Brackets: {100 * level:g} % confidence intervals." for level in levels if level is not None]
        if any(map(self.differ, rows)):
            notes.append("†: the interval of the largest difference excludes 0.")
        return tuple(notes)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A metric and the measures that are read from its values: each with a name, and the number of its order."""

    metric: Metric[Score]
    group: str
    read: dict[str, int]  # the place of the value; -1 is the score
    references: Texts | None = None
    backward: bool = False  # the references are scored against the texts
    grouped: bool = False  # also within and between groups of texts
    is_copying: bool = False  # a high score is bad, whatever the metric says

    @property
    def is_share(self) -> bool:
        return cards.load(self.metric.name).limits == (0.0, 1.0)

    def measures(self, values: Sequence[float], intervals: Iterable[Interval] | None = None) -> list[Measure]:
        better = self.metric.higher_is_better and not self.is_copying
        lowest, highest = cards.load(self.metric.name).limits
        ends: list[tuple[float, float] | tuple[None, None]] = [(None, None)] * len(values)
        if intervals is not None:
            # One without any width says nothing about other pools.
            ends = [(max(e.low, lowest), min(e.high, highest)) if e.low < e.high else (None, None) for e in intervals]
        return [
            Measure(name, value, low, high, better, self.metric.signature, self.group)
            for name, value, (low, high) in zip(self.read, values, ends, strict=True)
        ]

    def scorer(self, statistic: PoolStatistic | None, texts: Sequence[Any], threads: int) -> PartScorer:
        """What gives the values of its measures for parts of the texts."""
        places = list(self.read.values())
        if statistic is not None:
            return lambda members: statistic.score_parts(members)[:, places]

        def score(members: Members) -> Floats:
            pools = ([texts[place] for place in part.tolist()] for part in each_part(members))
            return np.array(
                [[self.metric.corpus(self.references or (), pool, threads=threads).value] for pool in pools]
            )

        return score


def _orders(name: str, *orders: int) -> dict[str, int]:
    return {f"{name}-{order}": order - 1 for order in orders}


def _plans(
    reading: dict[str, Any], train: Texts | None, reference: Texts | None, tagger: Tokenize | None, encoder: Any
) -> tuple[list[_Plan], list[str]]:
    """What to compute, and notes about what cannot be."""
    between, vocabulary, robust, copies, others = GROUPS
    notes = []
    plans = [
        _Plan(SelfBLEU(max_order=5, **reading), between, _orders("self-bleu", 2, 3, 4, 5), grouped=True),
        _Plan(Homogenization(**reading), between, {"homogenization (rouge-l)": -1}, grouped=True),
        _Plan(Homogenization(measure="bleu", **reading), between, {"homogenization (bleu)": -1}, grouped=True),
        _Plan(SelfRepetition(**reading), between, {"self-repetition": -1}),
        _Plan(Vendi(**reading), between, {"vendi": -1}, grouped=True),
        _Plan(Distinct(max_order=5, **reading), vocabulary, _orders("distinct", 1, 2, 3, 4, 5), grouped=True),
        _Plan(NgramDiversity(**reading), vocabulary, {"ngram-diversity": -1}, grouped=True),
        _Plan(Entropy(**reading), vocabulary, _orders("entropy", 1, 4)),
        _Plan(RepetitionRate(**reading), vocabulary, {"repetition-rate": -1}),
        _Plan(Zipf(**reading), vocabulary, {"zipf": -1}),
        _Plan(ExpectedDistinct(max_order=1, **reading), robust, {"expected-distinct-1": -1}, grouped=True),
        _Plan(MATTR(**reading), robust, {"mattr": -1}),
        _Plan(MTLD(**reading), robust, {"mtld": -1}),
        _Plan(CompressionRatio(**reading), robust, {"compression-ratio (gzip)": -1}),
        _Plan(Loops(**reading), copies, {"loops": -1}),
        _Plan(Duplicates(**reading), copies, {"duplicates": -1}, grouped=True),
        _Plan(NearDuplicates(**reading), copies, {"near-duplicates": -1}, grouped=True),
    ]
    try:
        zstd = CompressionRatio(algorithm="zstd", **reading)
        zstd.corpus(["check"])
        plans.append(_Plan(zstd, robust, {"compression-ratio (zstd)": -1}))
    except MissingExtraError as error:
        notes.append(f"without the compression ratio of zstd: {error}")
    if tagger is not None:
        plans.append(_Plan(CompressionRatio(tokenizer=tagger), robust, {"compression-ratio (gzip, tags)": -1}))
    if encoder is not None:
        plans.append(_Plan(EmbeddingVendi(encoder), between, {"embedding-vendi": -1}))
    if train is not None:
        plans.append(_Plan(CrossBLEU(**reading), others, {"train-bleu": -1}, train, is_copying=True))
    if reference is not None:
        plans.append(_Plan(CrossBLEU(**reading), others, {"forward-bleu": -1}, reference))
        plans.append(_Plan(CrossBLEU(**reading), others, {"backward-bleu": -1}, reference, backward=True))
        plans.append(_Plan(MSJaccard(**reading), others, {"ms-jaccard": -1}, reference))
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
    memory: str | int | None = None,
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
    - `confidence`: level of the intervals; None leaves them out, which takes half of the time
    - `seed`: random seed for groups of the intervals and for draws
    - `memory`: a limit such as "2GB"; texts, which may come from an iterator, are counted on disk if they take more.
      Measures that need all texts in memory are then left out, intervals too, and a note names them.
    - `progress`: called with 1 after each measure

    Intervals come from leaving out each of twenty groups of texts in turn (delete-a-group jackknife). They say how much
    the value would differ for another pool of the same size from the same source. Where few texts repeat anything, they
    are those of a share of so many texts; measures that are no such share have none then, and a note says so. Neither
    have compression ratios of more than 4 MB, because each group takes a compression.

    >>> texts = ["the cat sat on the mat", "the cat sat on the log", "a dog barked", "birds sing at dawn"]
    >>> result = diversity(texts)
    >>> round(result["distinct-2"].value, 4), round(result["self-bleu-2"].value, 4), result["duplicates"].value
    (0.7333, 0.4082, 0.0)
    """
    pool = [] if memory is not None else [group[0] for group in checked_column(texts, "texts").unpack()]
    options = {"train": train, "reference": reference, "by": by, "tagger": tagger, "encoder": encoder, "size": size}
    if memory is not None and (given := [name for name, option in options.items() if option is not None]):
        raise OptionError.because(f"{given[0]} needs all texts in memory: pass either {given[0]} or memory")
    allowed = f"a list with a label for each of the {len(pool):,} texts"
    labels = None if by is None else list(checks.items("by", by, allowed))
    if labels is not None and len(labels) != len(pool):
        raise OptionError("by", allowed, f"{len(labels):,} labels")
    checks.instance("progress", progress, Callable | None, "None or a function of a number of measures")
    if confidence is not None:
        checks.fraction("confidence", confidence)
    if size is not None:
        allowed = f"an integer from 2 to {len(pool):,}, the number of texts"
        checks.integer("size", size, 2, len(pool), allowed=allowed)
        kept = np.sort(np.random.default_rng(seed).choice(len(pool), size=size, replace=False)).tolist()
        pool = [pool[place] for place in kept]
        labels = None if labels is None else [labels[place] for place in kept]
    workers = worker_count(threads)
    reading: dict[str, Any] = {"tokenizer": tokenizer, "lowercase": lowercase}
    plans, notes = _plans(reading, train, reference, tagger, encoder)
    bounded = SelfBLEU(max_order=5, memory=memory, **reading).definition
    summary = None if memory is None else read_pool(bounded, texts, workers)
    first = PoolStatistic(plans[0].metric, pool, threads=workers, summary=summary)
    if (count := len(first)) < 2:
        raise PoolError("diversity", 2, count)
    groups = [] if labels is None else _groups(labels)
    measures: list[Measure] = []
    within: list[Measure] = []
    between: list[Measure] = []
    behind: dict[str, Any] = {}
    if limited := not first.pool.has_room(4, 128 << 20):  # as measured: intervals and holders of n-grams take most
        confidence, left_out = None, [plan for plan in plans if not plan.metric.definition.formula.counts_on_disk]
        plans = [plan for plan in plans if plan not in left_out]
        names = ", ".join(name for plan in left_out for name in plan.read)
        notes = [f"the whole table would take more than memory={memory}, so there are no intervals, and no {names}"]
    for plan in plans:
        statistic = (
            None if plan.backward else PoolStatistic(plan.metric, pool, plan.references, threads=workers, like=first)
        )
        score: Any = None
        if not limited:
            score = statistic.score() if statistic else plan.metric.corpus(plan.references or (), pool, threads=workers)
        values = statistic.values() if statistic and score is None else [*score.per_order, score.value]
        score_parts = plan.scorer(statistic, pool, workers)
        observed = [values[place] for place in plan.read.values()]
        estimated = isinstance(score, VendiScore) and score.error > 0  # its error would be mistaken for a spread
        too_large = isinstance(score, CompressionScore) and score.original > _MOST_COMPRESSED
        if confidence is None or count < 3 or estimated or too_large:
            measures += [replace(one, error=score.error if estimated else None) for one in plan.measures(observed)]
        else:
            measures += plan.measures(observed, _intervals(plan, score, score_parts, count, observed, confidence, seed))
        if estimated:
            sample = plan.metric.options["sample"]
            error = f"with a standard error of {score.error:.2g}"
            notes.append(f"{plan.metric.name} is that of {sample} texts, {error}")
        if groups and plan.grouped and statistic is not None:
            within += _within(plan, statistic, groups, confidence)
            between += _between(plan, score_parts, groups, count, confidence, seed)
        if confidence is not None and too_large:
            notes.append(
                f"{next(iter(plan.read))} has no interval: compressing {score.original:,} bytes again takes long"
            )
        elif confidence is not None and count > 2 and not getattr(score, "error", 0):
            rare = {measure.name for measure in (*measures, *within) if measure.low is None}
            notes += [f"{name} has no interval: what it counts is too rare" for name in plan.read if name in rare]
        if plan.metric.name == "self-bleu":
            behind["self_bleu"] = score
        elif plan.metric.name == "duplicates":
            behind["duplicates"] = tuple(score.most_repeated(_LISTED))
        elif plan.metric.name == "near-duplicates":
            behind |= {"near_duplicates": tuple(score.most_repeated(_LISTED)), "near": score}
        elif plan.metric.name == "loops":
            behind["loops"] = tuple(score.spans(_LISTED))
        if progress is not None:
            progress(1)
    (words,) = first.pool.frequency_counts(1, workers)
    first.pool.forget()  # the scores have the pool
    return Diversity(
        count,
        count_items(words),
        confidence,
        tuple(measures),
        tuple(within),
        tuple(between),
        len(groups),
        notes=tuple(notes),
        **behind,
    )


def _groups(labels: Iterable[Hashable]) -> list[Integers]:
    """The texts of each label with two texts or more."""
    places: dict[Hashable, list[int]] = {}
    for place, label in enumerate(labels):
        places.setdefault(label, []).append(place)
    groups = [np.array(group, dtype=np.int64) for group in places.values() if len(group) > 1]
    if len(groups) < 2:
        raise OptionError("by", "labels that at least two texts share, and at least two such labels", len(groups))
    return groups


def _intervals(
    plan: _Plan, score: Any, score_parts: PartScorer, size: int, observed: Sequence[float], confidence: float, seed: int
) -> list[Interval]:
    """The intervals of all texts."""
    options: dict[str, Any] = {"shares": plan.is_share, "confidence": confidence, "seed": seed}
    intervals = jackknife_intervals(score_parts, size, values=observed, **options)
    if isinstance(score, SelfBleuScore):  # one more copy would move it by far more than what is left out does
        rare = [score.holders(order + 1).shared < _FEWEST for order in plan.read.values()]
        intervals = [replace(e, low=e.high) if few else e for e, few in zip(intervals, rare, strict=True)]
    return intervals


def _within(
    plan: _Plan, statistic: PoolStatistic, groups: Sequence[Integers], confidence: float | None
) -> list[Measure]:
    """The mean over groups, which are independent of each other."""
    scores = (statistic.score(group) for group in groups)  # one by one: most of the texts are in none of a few groups
    values = np.array([[*score.per_order, score.value] for score in scores])[:, list(plan.read.values())]
    means = values.mean(axis=0).tolist()
    if confidence is None:
        return plan.measures(means)
    errors = (values.std(axis=0, ddof=1) / math.sqrt(len(groups))).tolist()
    scale = confidence, len(groups), len(groups) if plan.is_share else None
    return plan.measures(means, (interval_around(m, error, *scale) for m, error in zip(means, errors, strict=True)))


def _between(
    plan: _Plan, score_parts: PartScorer, groups: Sequence[Integers], size: int, confidence: float | None, seed: int
) -> list[Measure]:
    """The mean over pools of one text of each group; the interval leaves out groups of the last pool."""
    generator = np.random.default_rng(seed)
    draws = [np.array([generator.choice(group) for group in groups], dtype=np.int64) for _ in range(_DRAWS)]
    members = words_of_parts(np.isin(np.arange(size), draw) for draw in draws)
    means = score_parts(members)[:_DRAWS].mean(axis=0).tolist()
    if confidence is None or len(groups) < 3:
        return plan.measures(means)

    def of_groups(kept: Members) -> Floats:
        """The values of parts of the groups, of which each has its text of the last pool."""
        parts = np.zeros((len(kept), size), dtype=np.uint64)
        parts[:, draws[-1]] = kept
        return score_parts(parts)

    options: dict[str, Any] = {"shares": plan.is_share, "confidence": confidence, "seed": seed}
    return plan.measures(means, jackknife_intervals(of_groups, len(groups), values=means, **options))
