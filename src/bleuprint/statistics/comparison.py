"""Compare systems on the same segments: confidence intervals, p-values of pairs, verdicts, rank clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

from bleuprint.core.arrays import np
from bleuprint.errors import InputError, OptionError
from bleuprint.statistics.chance import Chance, draw_scores, share_reporter
from bleuprint.statistics.equivalence import Equivalence, equivalence_of
from bleuprint.statistics.intervals import Interval, interval_of, interval_of_sample, jackknife, standard_error
from bleuprint.statistics.multiple import holm, rank_clusters, rank_ranges
from bleuprint.statistics.paired import (
    MOST_EXACT,
    bootstrap_p_value,
    differing_segments,
    exact_p_value,
    randomization_p_values,
)
from bleuprint.statistics.power import detectable_difference, has_spread, segments_needed
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.settings import AUTO, BOOTSTRAP, EXACT, RANDOMIZATION, Settings
from bleuprint.statistics.small_samples import Evidence

__all__ = [
    "PairComparison",
    "SampleComparison",
    "SystemScore",
    "UncorrectedPair",
    "compare_samples",
    "judge_pairs",
    "pair_count",
    "pairs_of",
]

TestResult = tuple[float, str, int]  # the p-value, the test, and its number of trials


def _fraction(size: float) -> str:
    return f"{size:.4f}"


@dataclass(frozen=True, slots=True)
class SystemScore:
    """One system: its score with its confidence interval, and its rank.

    The ranks are the best and the worst that the significant differences allow; None if only a baseline was compared.
    """

    name: str
    score: Interval
    best_rank: int | None = None
    worst_rank: int | None = None
    wins: int | None = None  # systems that are significantly worse

    @property
    def rank(self) -> str:
        """The range of ranks as text; empty if only a baseline was compared."""
        if self.wins is None:
            return ""
        return f"{self.best_rank}" if self.best_rank == self.worst_rank else f"{self.best_rank}-{self.worst_rank}"

    @property
    def value(self) -> float:
        return self.score.value


@dataclass(frozen=True, slots=True)
class Flips:
    """The items that pass with only one of two systems, by their ids or numbers."""

    first: tuple[str, ...]
    second: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Two systems: the score of the first minus that of the second, and whether it is significant."""

    first: str
    second: str
    difference: Interval  # its α is corrected by the factor of the p-value, so that it agrees with the verdict
    p_value: float
    corrected_p_value: float  # Holm's correction over all pairs of this comparison
    test: str  # the test that was used, never "auto"
    samples: int  # number of trials of the test
    better: str | None  # None if the difference is not significant
    standard_error: float
    detectable: float  # the smallest difference detectable with this many segments and the given power
    segments_needed: int | None  # to detect `Settings.detect`; `UNREACHABLE` if no number would; None without spread
    has_percent: bool = True  # whether scores can be shown as a percentage
    effect_size: float | None = None  # the difference in standard deviations of a segment or cluster; None if 0
    equivalence: Equivalence | None = None  # with `Settings.margin`
    flips: Flips | None = None  # if items pass or fail, and are not in clusters

    @property
    def verdict(self) -> str:
        """The result as a sentence.

        >>> interval = Interval(0.013, 0.004, 0.022, 0.0131, 0.95, "bca", 1000)
        >>> pair = PairComparison("A", "B", interval, 0.002, 0.002, "exact", 4096, "A", 0.004, 0.012, None)
        >>> pair.verdict
        'A is better than B: the difference of 0.0130 is unlikely to be chance (p = 0.0020)'
        """
        return self.in_words(_fraction)

    def in_words(self, shown: Callable[[float], str]) -> str:
        """Return the verdict with differences in the format of `shown`."""
        size = shown(abs(self.difference.value))
        if self.better is None:
            return f"{self.first} and {self.second} cannot be told apart: {self._doubt(size)} ({self.p_in_words()})"
        worse = self.second if self.better == self.first else self.first
        doubt = " by this test, although its interval, which covers other segments, includes 0" * self.crosses_zero
        verdict = f"the difference of {size} is unlikely to be chance{doubt}"
        return f"{self.better} is better than {worse}: {verdict} ({self.p_in_words()})"

    @property
    def crosses_zero(self) -> bool:
        """Whether the difference is significant and its interval includes 0: the test asks about swaps alone."""
        return self.better is not None and self.difference.low <= 0 <= self.difference.high

    def _doubt(self, size: str) -> str:
        """Return why a difference of that size decides nothing; it must not contradict the interval shown beside it."""
        if self.difference.low <= 0 <= self.difference.high:
            return f"a difference of {size} may well be chance"
        alpha = 1 - self.difference.level
        if self.smallest_p_value > alpha or math.isclose(self.smallest_p_value, alpha):
            return f"a difference of {size}, but so few segments changed that no p-value can be small enough"
        return f"a difference of {size} may be chance by this test, although its interval excludes 0"

    @property
    def smallest_p_value(self) -> float:
        """The smallest p-value that the test can give: all swaps of k segments are 2 ** k, and two of them are extreme.

        >>> interval = Interval(0.5, 0.4, 0.6, 0.5, 0.95, "bca", 1000)
        >>> pair = PairComparison("A", "B", interval, 0.0625, 0.0625, "exact", 32, None, 0.1, 0.3, None)
        >>> pair.smallest_p_value
        0.0625
        >>> pair.verdict.partition(", ")[2]
        'but so few segments changed that no p-value can be small enough (p = 0.0625)'
        """
        return min(1.0, 2 / self.samples) if self.test == EXACT else 1 / (self.samples + 1)

    @property
    def equivalence_verdict(self) -> str | None:
        """What the comparison says about the margin, as a sentence; None without a margin."""
        return self.equivalence_in_words(_fraction)

    def equivalence_in_words(self, shown: Callable[[float], str]) -> str | None:
        """Return the verdict on the margin with the margin in the format of `shown`."""
        if self.equivalence is None:
            return None
        return self.equivalence.sentence(self.first, self.second, shown(self.equivalence.margin))

    def p_in_words(self) -> str:
        small = self.corrected_p_value < 0.0001
        value = "p < 0.0001" if small else f"p = {self.corrected_p_value:.4f}"
        return value if self.corrected_p_value == self.p_value else f"{value}, corrected"


@dataclass(frozen=True, slots=True, repr=False)
class SampleComparison:
    """Systems (best first), compared pairs, and clusters between which every pair differs significantly."""

    segments: int
    higher_is_better: bool
    systems: tuple[SystemScore, ...]
    pairs: tuple[PairComparison, ...]
    clusters: tuple[tuple[str, ...], ...]  # empty if only compared with a baseline
    notes: tuple[str, ...] = ()
    units: int | None = None  # clusters of segments that were resampled and swapped; None: the segments

    def system(self, name: str) -> SystemScore:
        """Return the named system."""
        return next(system for system in self.systems if system.name == name)

    def __repr__(self) -> str:
        return f"<SampleComparison of {len(self.systems)} systems, {len(self.pairs)} pairs, {self.segments:,} segments>"

    def pair(self, first: str, second: str) -> PairComparison:
        """Return the comparison of these two systems, in either order."""
        pair = self.find_pair(first, second)
        if pair is None:
            raise KeyError((first, second))
        return pair

    def find_pair(self, first: str, second: str) -> PairComparison | None:
        """Return the comparison of these two systems, in either order; None if they were not compared."""
        return next((pair for pair in self.pairs if {pair.first, pair.second} == {first, second}), None)

    def to_dict(self) -> dict[str, Any]:
        """Return numbers, strings, and lists, ready for JSON."""
        fields = asdict(self)
        for pair, plain in zip(self.pairs, fields["pairs"], strict=True):
            plain["verdict"] = pair.verdict
            if plain["equivalence"] is not None:
                plain["equivalence"]["sentence"] = pair.equivalence_verdict
        return fields


def compare_samples(
    samples: Mapping[str, Sample],
    settings: Settings | None = None,
    *,
    baseline: str | None = None,
    clusters: Sequence[Hashable] | None = None,
    ids: Sequence[str] | None = None,
    threads: int = 1,
    report: Callable[[float], None] | None = None,
) -> SampleComparison:
    """Compare all pairs of samples, or all with a baseline; `report` is called with the finished share of the work.

    Segments with the same label in `clusters` are drawn, swapped, and left out together; `ids` name segments.

    >>> from bleuprint import BLEU
    >>> texts = [f"a b {i} {i + 1}" for i in range(8)]
    >>> samples = {"good": BLEU().sample(texts, texts), "bad": BLEU().sample(["a b c d"] * 8, texts)}
    >>> result = compare_samples(samples)
    >>> result.clusters, result.pairs[0].test, result.pairs[0].p_value
    ((('good',), ('bad',)), 'exact', 0.0078125)
    """
    settings = settings or Settings()
    count = pair_count(samples, baseline)
    trials = settings.trials(count) if settings.test in {AUTO, RANDOMIZATION} else 0  # an exact test reports none
    chance = Chance(settings.seed, threads, settings.mode, share_reporter(report, settings.draws(count) + trials))
    segments = len(next(iter(samples.values())))
    if clusters is not None:
        samples = {name: sample.by_cluster(clusters) for name, sample in samples.items()}
    scores = draw_scores(list(samples.values()), settings.draws(count), chance)
    drawn = {
        name: (sample.score().item(), resampled, jackknife(sample), sample.alone())
        for (name, sample), resampled in zip(samples.items(), scores, strict=True)
    }
    example = next(iter(samples.values()))
    better_first = -1 if example.higher_is_better else 1
    names = sorted(samples, key=lambda name: better_first * drawn[name][0])
    pairs = pairs_of(names, baseline)
    swapped = {} if settings.test == BOOTSTRAP else _swap_tests(samples, pairs, settings, chance)
    for first, second in pairs if settings.test == BOOTSTRAP else ():
        value, differences = drawn[first][0] - drawn[second][0], drawn[first][1] - drawn[second][1]
        # No test of so few changes has a smaller p-value: resamples of a few segments are too much alike.
        changes = math.inf if chance.as_sacrebleu else differing_segments(samples[first], samples[second])
        p_value = max(bootstrap_p_value(value, differences, chance), min(1.0, 2.0 ** (1 - changes)))
        swapped[first, second] = p_value, BOOTSTRAP, len(differences)
    corrected = dict(zip(pairs, holm([swapped[pair][0] for pair in pairs]), strict=True))
    options: Any = {"method": settings.interval, "chance": chance}
    memory, tested = np.empty_like(scores[0]), {}
    for first, second in pairs:  # one by one: the differences of all pairs in all resamples would fill the memory
        found = swapped[first, second]
        (value, resampled, without, alone), (other, others, other_without, beside) = drawn[first], drawn[second]
        value, without = value - other, without - other_without
        error, evidence = float(standard_error(without)), None
        if alone is not None and beside is not None:
            evidence = Evidence(value, error, alone, beside, example.has_percent)
        # Corrected by the factor of its p-value, it excludes 0 where the test is significant.
        level = 1 - settings.alpha * found[0] / corrected[first, second]
        difference = np.subtract(resampled, others, out=memory)
        interval = interval_of(value, difference, without, evidence, level=level, **options)
        flips = _flips(evidence, ids, example.higher_is_better) if evidence and clusters is None else None
        kept = None if settings.margin is None else evidence  # it holds a number per segment
        tested[first, second] = UncorrectedPair(interval, error, *found, kept, flips)
    options["level"] = 1 - settings.alpha
    compared = judge_pairs(
        {name: interval_of_sample(samples[name], *drawn[name][1:3], **options) for name in names},
        tested,
        settings,
        segments=segments,
        units=len(example),
        higher_is_better=example.higher_is_better,
        has_percent=example.has_percent,
        baseline=baseline,
    )
    return compared if clusters is None else replace(compared, units=len(example))


def _flips(evidence: Evidence, ids: Sequence[str] | None, higher_is_better: bool) -> Flips | None:
    """The items that only one of the systems passes; None if items do not pass or fail."""
    if not evidence.are_shares:
        return None
    names = [str(number) for number in range(1, len(evidence.alone) + 1)] if ids is None else ids
    signs = evidence.differences.tolist()
    first, second = (
        tuple(name for name, sign in zip(names, signs, strict=True) if sign == only)
        for only in ((1, -1) if higher_is_better else (-1, 1))
    )
    return Flips(first, second)


class UncorrectedPair(NamedTuple):
    """What was found for two systems, before the p-values of all pairs are corrected."""

    difference: Interval
    standard_error: float
    p_value: float
    test: str
    trials: int
    evidence: Evidence | None = None
    flips: Flips | None = None


def judge_pairs(
    intervals: Mapping[str, Interval],
    tested: Mapping[tuple[str, str], UncorrectedPair],
    settings: Settings,
    *,
    segments: int,
    units: int,
    higher_is_better: bool,
    has_percent: bool,
    baseline: str | None,
    pooled: bool = False,
) -> SampleComparison:
    """The comparison of systems (best first) whose pairs were tested: p-values are corrected, and systems ranked.

    `units` is the number of independent segments, clusters or groups. Scores that are `pooled` are other numbers for
    a pool of another size, so neither a number of segments nor the spread of one of them is given.
    """
    power = {"alpha": settings.alpha, "power": settings.power}
    pairs = []
    corrected = holm([pair.p_value for pair in tested.values()])
    for (first, second), found, p_value in zip(tested, tested.values(), corrected, strict=True):
        value, error = found.difference.value, found.standard_error
        needed, effect_size, equivalence = None, None, None
        if has_spread(error, value) and not pooled:
            effect_size = value / (error * math.sqrt(units))
            if isinstance(settings.detect, int | float):  # `of_metric` has left one number
                needed = segments_needed(error, segments, settings.detect, **power)
        if isinstance(settings.margin, int | float):
            alpha = settings.alpha / len(tested)
            equivalence = equivalence_of(
                value,
                error,
                units,
                settings.margin,
                alpha=alpha,
                higher_is_better=higher_is_better,
                evidence=found.evidence,
            )
        ahead = first if (value > 0 if higher_is_better else value < 0) else second
        pairs.append(
            PairComparison(
                first,
                second,
                difference=found.difference,
                p_value=found.p_value,
                corrected_p_value=p_value,
                test=found.test,
                samples=found.trials,
                better=ahead if p_value < settings.alpha and value != 0 else None,
                standard_error=error,
                detectable=detectable_difference(error, **power),
                segments_needed=needed,
                has_percent=has_percent,
                effect_size=effect_size,
                equivalence=equivalence,
                flips=found.flips,
            )
        )
    names = list(intervals)
    significant = {(pair.first, pair.second) for pair in pairs if pair.better is not None}
    ranges = rank_ranges(names, significant) if baseline is None else dict.fromkeys(names, (None, None, None))
    return SampleComparison(
        segments=segments,
        higher_is_better=higher_is_better,
        systems=tuple(SystemScore(name, interval, *ranges[name]) for name, interval in intervals.items()),
        pairs=tuple(pairs),
        clusters=rank_clusters(names, significant) if baseline is None else (),
        notes=settings.doubts(len(pairs)),
    )


def pair_count(systems: Mapping[str, object], baseline: str | None) -> int:
    """Return the number of compared pairs; raise an error if there are none."""
    if len(systems) < 2:
        raise InputError(f"a comparison needs at least two systems, got {len(systems)}.")
    if baseline is not None and baseline not in systems:
        raise OptionError("baseline", f"one of {', '.join(map(repr, systems))}", baseline)
    return math.comb(len(systems), 2) if baseline is None else len(systems) - 1


def pairs_of(names: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    """Return the pairs to compare: all, or every system with the baseline."""
    if baseline is None:
        return list(combinations(names, 2))
    return [(name, baseline) for name in names if name != baseline]


def _swap_tests(
    samples: Mapping[str, Sample], pairs: Sequence[tuple[str, str]], settings: Settings, chance: Chance
) -> dict[tuple[str, str], TestResult]:
    """Return the p-value of every pair from swapped outputs, the test, and its number of trials."""
    results: dict[tuple[str, str], TestResult] = {}
    for first, second in pairs:
        few = settings.test == AUTO and differing_segments(samples[first], samples[second]) <= MOST_EXACT
        if few or settings.test == EXACT:
            p_value, swaps = exact_p_value(samples[first], samples[second])
            results[first, second] = (p_value, EXACT, swaps)
    left = [pair for pair in pairs if pair not in results]
    if left:
        places, trials = {name: place for place, name in enumerate(samples)}, settings.trials(len(pairs))
        numbers = [(places[first], places[second]) for first, second in left]
        shares = randomization_p_values(list(samples.values()), numbers, trials, chance)
        results |= {pair: (share, RANDOMIZATION, trials) for pair, share in zip(left, shares, strict=True)}
    return results
