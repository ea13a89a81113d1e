"""Compare systems on the same segments: confidence intervals, p-values of pairs, verdicts, rank clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

from bleuprint.errors import InputError, OptionError
from bleuprint.significance.chance import Chance, draw_scores
from bleuprint.significance.intervals import (
    Interval,
    Scores,
    interval_of,
    jackknife,
    standard_error,
)
from bleuprint.significance.multiple import holm, rank_clusters
from bleuprint.significance.paired import (
    MOST_EXACT,
    bootstrap_p_value,
    differing_segments,
    exact_p_value,
    randomization_p_values,
)
from bleuprint.significance.power import detectable_difference, segments_needed
from bleuprint.significance.settings import AUTO, BOOTSTRAP, EXACT, RANDOMIZATION, Settings
from bleuprint.statistics.rows import Sample

__all__ = ["PairComparison", "SampleComparison", "SystemScore", "compare_samples", "pair_count"]

TestResult = tuple[float, str, int]  # the p-value, the test, and its number of trials
Drawn = tuple[float, Scores, Scores]  # a score or difference: its value, in resamples, and without each segment


@dataclass(frozen=True, slots=True)
class SystemScore:
    """One system: its score with its confidence interval."""

    name: str
    score: Interval

    @property
    def value(self) -> float:
        return self.score.value


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Two systems: the score of the first minus that of the second, and whether it is significant."""

    first: str
    second: str
    difference: Interval
    p_value: float
    corrected_p_value: float  # Holm's correction over all pairs of this comparison
    test: str  # the test that was used, never "auto"
    samples: int  # number of trials of the test
    better: str | None  # None if the difference is not significant
    standard_error: float
    detectable: float  # the smallest difference detectable with this many segments and the given power
    segments_needed: int | None  # to detect the difference in `Settings.detect`
    has_percent: bool = True  # whether differences are shown in points (hundredths)

    @property
    def verdict(self) -> str:
        """The result as a sentence.

        >>> interval = Interval(0.013, 0.004, 0.022, 0.0131, 0.95, "bca", 1000)
        >>> pair = PairComparison("A", "B", interval, 0.002, 0.002, "exact", 4096, "A", 0.004, 0.012, None)
        >>> pair.verdict
        'A is better than B: the difference of 1.30 points is unlikely to be chance (p = 0.0020)'
        """
        size = abs(self.difference.value)
        points = f"{100 * size:.2f} points" if self.has_percent else f"{size:.4f}"
        if self.better is None:
            return (
                f"{self.first} and {self.second} cannot be told apart: "
                f"a difference of {points} may well be chance ({self._p()})"
            )
        worse = self.second if self.better == self.first else self.first
        return (
            f"{self.better} is better than {worse}: the difference of {points} is unlikely to be chance ({self._p()})"
        )

    def _p(self) -> str:
        small = self.corrected_p_value < 0.0001
        value = "p < 0.0001" if small else f"p = {self.corrected_p_value:.4f}"
        return value if self.corrected_p_value == self.p_value else f"{value}, corrected"


@dataclass(frozen=True, slots=True)
class SampleComparison:
    """Systems (best first), compared pairs, and clusters between which every pair differs significantly."""

    segments: int
    higher_is_better: bool
    systems: tuple[SystemScore, ...]
    pairs: tuple[PairComparison, ...]
    clusters: tuple[tuple[str, ...], ...]  # empty if only compared with a baseline
    notes: tuple[str, ...] = ()

    def system(self, name: str) -> SystemScore:
        """Return the named system."""
        return next(system for system in self.systems if system.name == name)

    def pair(self, first: str, second: str) -> PairComparison:
        """Return the comparison of these two systems, in either order."""
        return next(pair for pair in self.pairs if {pair.first, pair.second} == {first, second})

    def to_dict(self) -> dict[str, Any]:
        """Return numbers, strings, and lists, ready for JSON."""
        fields = asdict(self)
        for pair, plain in zip(self.pairs, fields["pairs"], strict=True):
            plain["verdict"] = pair.verdict
        return fields


def compare_samples(
    samples: Mapping[str, Sample],
    settings: Settings | None = None,
    *,
    baseline: str | None = None,
    threads: int = 1,
    report: Callable[[float], None] | None = None,
) -> SampleComparison:
    """Compare all pairs of samples, or all with a baseline; `report` is called with the finished share of the work.

    >>> from bleuprint import BLEU
    >>> texts = [f"a b {i} {i + 1}" for i in range(8)]
    >>> samples = {"good": BLEU().sample(texts, texts), "bad": BLEU().sample(["a b c d"] * 8, texts)}
    >>> result = compare_samples(samples)
    >>> result.clusters, result.pairs[0].test, result.pairs[0].p_value
    ((('good',), ('bad',)), 'exact', 0.0078125)
    """
    settings = settings or Settings()
    count = pair_count(samples, baseline)
    settings = settings.for_pairs(count)
    chance = Chance(settings.seed, threads, settings.mode, _progress(settings, report))
    scores = draw_scores(list(samples.values()), settings.drawn, chance)
    drawn = {
        name: (sample.score().item(), resampled, jackknife(sample))
        for (name, sample), resampled in zip(samples.items(), scores, strict=True)
    }
    better_first = -1 if next(iter(samples.values())).higher_is_better else 1
    names = sorted(samples, key=lambda name: better_first * drawn[name][0])
    pairs = _judged(_pairs(samples, drawn, _compared(names, baseline), settings, chance), settings.alpha, better_first)
    significant = {(pair.first, pair.second) for pair in pairs if pair.better is not None}
    clusters = rank_clusters(names, lambda upper, lower: (upper, lower) in significant) if baseline is None else ()
    return SampleComparison(
        segments=len(samples[names[0]]),
        higher_is_better=better_first < 0,
        systems=tuple(SystemScore(name, _interval(drawn[name], settings, chance)) for name in names),
        pairs=tuple(replace(pair, has_percent=samples[names[0]].has_percent) for pair in pairs),
        clusters=clusters,
        notes=settings.doubts(count),
    )


def pair_count(systems: Mapping[str, object], baseline: str | None) -> int:
    """Return the number of compared pairs; raise an error if there are none."""
    if len(systems) < 2:
        raise InputError(f"a comparison needs at least two systems, got {len(systems)}.")
    if baseline is not None and baseline not in systems:
        raise OptionError("baseline", f"one of {', '.join(map(repr, systems))}", baseline)
    return math.comb(len(systems), 2) if baseline is None else len(systems) - 1


def _compared(names: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    if baseline is None:
        return list(combinations(names, 2))
    return [(name, baseline) for name in names if name != baseline]


def _pairs(
    samples: Mapping[str, Sample],
    drawn: Mapping[str, Drawn],
    compared: Sequence[tuple[str, str]],
    settings: Settings,
    chance: Chance,
) -> list[PairComparison]:
    """Return the pairs with uncorrected p-values."""
    differences: list[Drawn] = []
    for first, second in compared:
        (value, scores, without), (other, other_scores, other_without) = drawn[first], drawn[second]
        differences.append((value - other, scores - other_scores, without - other_without))
    results = _p_values(samples, differences, compared, settings, chance)
    return [
        _pair(names, result, difference, settings, chance)
        for names, result, difference in zip(compared, results, differences, strict=True)
    ]


def _pair(
    names: tuple[str, str], result: TestResult, difference: Drawn, settings: Settings, chance: Chance
) -> PairComparison:
    without = difference[2]
    error = standard_error(without)
    needed = None
    if settings.detect is not None:
        needed = segments_needed(error, len(without), settings.detect, alpha=settings.alpha, power=settings.power)
    return PairComparison(
        first=names[0],
        second=names[1],
        difference=_interval(difference, settings, chance),
        p_value=result[0],
        corrected_p_value=result[0],
        test=result[1],
        samples=result[2],
        better=None,
        standard_error=error,
        detectable=detectable_difference(error, alpha=settings.alpha, power=settings.power),
        segments_needed=needed,
    )


def _progress(settings: Settings, report: Callable[[float], None] | None) -> Callable[[int], None] | None:
    if report is None:
        return None
    total = settings.drawn + (settings.trials if settings.test in {AUTO, RANDOMIZATION} else 0)
    done = 0

    def advance(trials: int) -> None:
        nonlocal done
        done += trials
        report(min(1.0, done / total))

    return advance


def _interval(drawn: Drawn, settings: Settings, chance: Chance) -> Interval:
    return interval_of(*drawn, level=1 - settings.alpha, method=settings.interval, chance=chance)


def _p_values(
    samples: Mapping[str, Sample],
    differences: Sequence[Drawn],
    pairs: Sequence[tuple[str, str]],
    settings: Settings,
    chance: Chance,
) -> list[TestResult]:
    """Return the p-value, test, and number of trials of every pair."""
    if settings.test == BOOTSTRAP:
        return [(bootstrap_p_value(*entry[:2], chance), BOOTSTRAP, settings.trials) for entry in differences]
    results: dict[tuple[str, str], TestResult] = {}
    for first, second in pairs:
        few = settings.test == AUTO and differing_segments(samples[first], samples[second]) <= MOST_EXACT
        if few or settings.test == EXACT:
            p_value, swaps = exact_p_value(samples[first], samples[second])
            results[first, second] = (p_value, EXACT, swaps)
    left = [pair for pair in pairs if pair not in results]
    if left:
        names = list(samples)
        numbers = [(names.index(first), names.index(second)) for first, second in left]
        shares = randomization_p_values(list(samples.values()), numbers, settings.trials, chance)
        results |= {pair: (share, RANDOMIZATION, settings.trials) for pair, share in zip(left, shares, strict=True)}
    return [results[pair] for pair in pairs]


def _judged(pairs: list[PairComparison], alpha: float, better_first: int) -> tuple[PairComparison, ...]:
    judged = []
    for pair, corrected in zip(pairs, holm([pair.p_value for pair in pairs]), strict=True):
        ahead = pair.first if better_first * pair.difference.value < 0 else pair.second
        is_significant = corrected < alpha and pair.difference.value != 0
        judged.append(replace(pair, corrected_p_value=corrected, better=ahead if is_significant else None))
    return tuple(judged)
