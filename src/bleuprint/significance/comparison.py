"""Systems side by side on the same segments: intervals, p-values of pairs, verdicts in words, rank clusters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

from bleuprint.errors import InputError, OptionError
from bleuprint.significance.chance import Chance, draw_scores
from bleuprint.significance.intervals import (
    Interval,
    Scores,
    check_samples,
    check_share,
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
from bleuprint.significance.power import POWER, detectable_difference, segments_needed
from bleuprint.statistics import Sample

__all__ = ["TESTS", "PairComparison", "SampleComparison", "Settings", "SystemScore", "compare_samples"]

BOOTSTRAP, RANDOMIZATION, EXACT, AUTO = "paired-bootstrap", "approximate-randomization", "exact", "auto"
TESTS = (AUTO, BOOTSTRAP, RANDOMIZATION, EXACT)
RESAMPLES = 1000
_DEFAULT_SAMPLES = {BOOTSTRAP: RESAMPLES}
_RANDOM_SWAPS = 10_000

Found = tuple[float, str, int]  # a p-value, the test it comes from, and the trials of that


@dataclass(frozen=True, slots=True)
class Settings:
    """How systems are compared: all that can move a p-value or an interval, beside the segments."""

    test: str = AUTO
    samples: int | None = None  # of the test; None: 1000 resamples or 10,000 swaps
    resamples: int = RESAMPLES  # of the intervals, where the test is not the bootstrap
    alpha: float = 0.05
    interval: str = "bca"
    seed: int = 12345
    mode: str = "bleuprint"
    power: float = POWER
    detect: float | None = None

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise OptionError("test", f"among {', '.join(TESTS)}", self.test)
        if self.mode == "sacrebleu" and self.test in {AUTO, EXACT}:
            raise OptionError(
                "test", f"{BOOTSTRAP} or {RANDOMIZATION} in the mode sacrebleu, which has no other", self.test
            )
        check_samples(self.resamples)
        check_share("alpha", self.alpha)
        check_share("power", self.power)
        Chance(self.seed, 1, self.mode)
        if self.detect is not None:
            segments_needed(1.0, 1, self.detect)

    @property
    def trials(self) -> int:
        """Resamples or swaps of the test."""
        default = _DEFAULT_SAMPLES.get(self.test, _RANDOM_SWAPS)
        return default if self.samples is None else check_samples(self.samples)

    @property
    def drawn(self) -> int:
        """Resamples for the intervals."""
        return self.trials if self.test == BOOTSTRAP else self.resamples

    def __str__(self) -> str:
        fields = {key: value for key, value in asdict(self).items() if value is not None}
        return "|".join(f"{key}:{value}" for key, value in (fields | {"samples": self.trials}).items())


@dataclass(frozen=True, slots=True)
class SystemScore:
    """One system: its score with its interval."""

    name: str
    score: Interval

    @property
    def value(self) -> float:
        return self.score.value


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Two systems: the score of the first less that of the second, and what to think of it."""

    first: str
    second: str
    difference: Interval
    p_value: float
    corrected_p_value: float  # by Holm, over all pairs of this comparison
    test: str  # as made, where the choice was left open
    samples: int  # trials of that test
    better: str | None  # None where the two cannot be told apart
    standard_error: float
    detectable: float  # the difference that so many segments would show, with the power asked for
    segments_needed: int | None  # for the difference that was named

    @property
    def verdict(self) -> str:
        """The result in words.

        >>> interval = Interval(0.013, 0.004, 0.022, 0.0131, 0.95, "bca", 1000)
        >>> pair = PairComparison("A", "B", interval, 0.002, 0.002, "exact", 4096, "A", 0.004, 0.012, None)
        >>> pair.verdict
        'A is better than B: the difference of 1.30 points is unlikely to be chance (p = 0.0020)'
        """
        points = f"{100 * abs(self.difference.value):.2f} points"
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
    """Systems, best first; the pairs that were compared; and groups between which every pair can be told apart."""

    segments: int
    higher_is_better: bool
    systems: tuple[SystemScore, ...]
    pairs: tuple[PairComparison, ...]
    clusters: tuple[tuple[str, ...], ...]  # empty where only a baseline was compared with

    def system(self, name: str) -> SystemScore:
        """The system of that name."""
        return next(system for system in self.systems if system.name == name)

    def pair(self, first: str, second: str) -> PairComparison:
        """The comparison of these two, in either order."""
        return next(pair for pair in self.pairs if {pair.first, pair.second} == {first, second})

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, texts and lists, ready for JSON."""
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
    """Compare all pairs of samples, or all with a baseline; `report` is told the share of the work that is done.

    >>> from bleuprint import BLEU
    >>> texts = [f"a b {i} {i + 1}" for i in range(8)]
    >>> samples = {"good": BLEU().sample(texts, texts), "bad": BLEU().sample(["a b c d"] * 8, texts)}
    >>> result = compare_samples(samples)
    >>> result.clusters, result.pairs[0].test, result.pairs[0].p_value
    ((('good',), ('bad',)), 'exact', 0.0078125)
    """
    settings = settings or Settings()
    if len(samples) < 2:
        raise InputError(f"a comparison needs at least two systems, got {len(samples)}.")
    if baseline is not None and baseline not in samples:
        raise OptionError("baseline", f"one of {', '.join(map(repr, samples))}", baseline)
    chance = Chance(settings.seed, threads, settings.mode, _progress(settings, report))
    scores = draw_scores(list(samples.values()), settings.drawn, chance)
    resampled = dict(zip(samples, scores, strict=True))
    left_out = {name: jackknife(sample) for name, sample in samples.items()}
    values = {name: sample.score().item() for name, sample in samples.items()}
    better_first = -1 if next(iter(samples.values())).higher_is_better else 1
    names = sorted(samples, key=lambda name: better_first * values[name])
    systems = [_interval(values[name], resampled[name], left_out[name], settings, chance) for name in names]
    chosen = [(name, baseline) for name in names if name != baseline] if baseline else list(combinations(names, 2))
    differences = [
        (values[first] - values[second], resampled[first] - resampled[second], left_out[first] - left_out[second])
        for first, second in chosen
    ]
    p_values = _p_values(samples, [entry[:2] for entry in differences], chosen, settings, chance)
    pairs = [
        _pair(pair, found, _interval(*entry, settings, chance), standard_error(entry[2]), len(entry[2]), settings)
        for pair, found, entry in zip(chosen, p_values, differences, strict=True)
    ]
    judged = _judged(pairs, settings.alpha, better_first)
    told_apart = {(pair.first, pair.second) for pair in judged if pair.better is not None}
    return SampleComparison(
        segments=len(left_out[names[0]]),
        higher_is_better=better_first < 0,
        systems=tuple(SystemScore(name, system) for name, system in zip(names, systems, strict=True)),
        pairs=judged,
        clusters=() if baseline else rank_clusters(names, lambda upper, lower: (upper, lower) in told_apart),
    )


def _pair(
    pair: tuple[str, str], found: Found, difference: Interval, error: float, segments: int, settings: Settings
) -> PairComparison:
    needed = None
    if settings.detect is not None:
        needed = segments_needed(error, segments, settings.detect, alpha=settings.alpha, power=settings.power)
    return PairComparison(
        first=pair[0],
        second=pair[1],
        difference=difference,
        p_value=found[0],
        corrected_p_value=found[0],
        test=found[1],
        samples=found[2],
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

    def tell(trials: int) -> None:
        nonlocal done
        done += trials
        report(min(1.0, done / total))

    return tell


def _interval(value: float, drawn: Scores, without: Scores, settings: Settings, chance: Chance) -> Interval:
    level = 1 - settings.alpha
    return interval_of(value, drawn, without, level=level, method=settings.interval, chance=chance)


def _p_values(
    samples: Mapping[str, Sample],
    differences: Sequence[tuple[float, Scores]],
    pairs: Sequence[tuple[str, str]],
    settings: Settings,
    chance: Chance,
) -> list[Found]:
    """For every pair the p-value, the test it comes from, and its trials."""
    if settings.test == BOOTSTRAP:
        return [(bootstrap_p_value(*entry, chance), BOOTSTRAP, settings.trials) for entry in differences]
    found: dict[tuple[str, str], Found] = {}
    for first, second in pairs:
        few = settings.test == AUTO and differing_segments(samples[first], samples[second]) <= MOST_EXACT
        if few or settings.test == EXACT:
            p_value, swaps = exact_p_value(samples[first], samples[second])
            found[first, second] = (p_value, EXACT, swaps)
    left = [pair for pair in pairs if pair not in found]
    if left:
        names = list(samples)
        numbers = [(names.index(first), names.index(second)) for first, second in left]
        shares = randomization_p_values(list(samples.values()), numbers, settings.trials, chance)
        found |= {pair: (share, RANDOMIZATION, settings.trials) for pair, share in zip(left, shares, strict=True)}
    return [found[pair] for pair in pairs]


def _judged(pairs: list[PairComparison], alpha: float, better_first: int) -> tuple[PairComparison, ...]:
    judged = []
    for pair, corrected in zip(pairs, holm([pair.p_value for pair in pairs]), strict=True):
        ahead = pair.first if better_first * pair.difference.value < 0 else pair.second
        told = corrected < alpha and pair.difference.value != 0
        judged.append(replace(pair, corrected_p_value=corrected, better=ahead if told else None))
    return tuple(judged)
