"""Confidence intervals from bootstrap scores, and the jackknife.

Percentile: the quantiles of the scores. BCa: quantiles shifted by the bias z₀ of the scores and the acceleration a,
which the jackknife estimates from the scores with one segment left out.
Efron (1987): Better bootstrap confidence intervals. JASA 82.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from bleuprint import checks
from bleuprint.core.arrays import Floats, np
from bleuprint.statistics.chance import Chance, draw_scores
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.small_samples import Evidence

__all__ = ["METHODS", "Interval", "bootstrap_intervals", "interval_of", "interval_of_sample", "jackknife"]
__all__ += ["magnitude", "standard_error"]

METHODS = ("bca", "percentile")
_ROWS_AT_A_TIME = 1 << 16
_SOME = 1 << 12  # scores that tell roughly where the tails of many begin


@dataclass(frozen=True, slots=True)
class Interval:
    """A score or a difference of scores with its confidence interval at the given `level`."""

    value: float
    low: float
    high: float
    mean: float  # of the bootstrap scores
    level: float
    method: str  # the method used: BCa needs scores on both sides of the value; see also `small_samples`
    samples: int

    @property
    def margin(self) -> float:
        """Half the width, which sacrebleu prints after ±."""
        return 0.5 * (self.high - self.low)


def bootstrap_intervals(
    several: Sequence[Sample],
    *,
    level: float = 0.95,
    method: str = "bca",
    resamples: int = 1000,
    chance: Chance | None = None,
) -> list[Interval]:
    """Return the interval of each of several samples of the same segments, which are drawn once for all of them.

    >>> from bleuprint import BLEU
    >>> sample = BLEU(max_order=1).sample(["a b", "c d", "e f"], ["a b", "c e", "e f"])
    >>> (interval,) = bootstrap_intervals([sample], method="percentile")
    >>> interval.value, interval.low, interval.high
    (0.8333333333333334, 0.0942993240502461, 1.0)
    """
    checks.choice("method", method, METHODS)
    chance = chance or Chance()
    scores = draw_scores(several, checks.trials("resamples", resamples), chance)
    left_out = [None if chance.as_sacrebleu else jackknife(sample) for sample in several]
    options: Any = {"level": level, "method": method, "chance": chance}
    return [interval_of_sample(*entry, **options) for entry in zip(several, scores, left_out, strict=True)]


def interval_of_sample(
    sample: Sample, scores: Floats, without: Floats | None, *, level: float, method: str, chance: Chance
) -> Interval:
    """Return the interval of a sample's score, as `interval_of` does."""
    value, evidence = sample.score().item(), None
    if without is not None and (alone := sample.alone()) is not None:
        evidence = Evidence(value, float(standard_error(without)), alone, None, sample.has_percent)
    return interval_of(value, scores, without, evidence, level=level, method=method, chance=chance)


def interval_of(
    value: float,
    scores: Floats,
    without: Floats | None,
    evidence: Evidence | None = None,
    *,
    level: float,
    method: str,
    chance: Chance,
) -> Interval:
    """Return the interval for bootstrap scores; `without` are the scores with one segment left out each.

    Where the bootstrap does not hold for the `evidence`, that gives the interval.
    """
    checks.fraction("level", level)
    if chance.as_sacrebleu:
        return _of_ranks(value, scores)
    tails = (0.5 - level / 2, 0.5 + level / 2)
    other = "" if evidence is None else evidence.method(1 - level)
    if evidence is not None and other:
        return Interval(value, *evidence.ends(other, level), float(scores.mean()), level, other, len(scores))
    moved = _bca_tails(tails, value, scores, without) if method == "bca" and without is not None else None
    low, high = quantiles_of_tails(scores, moved or tails)
    return Interval(value, low, high, float(scores.mean()), level, "bca" if moved else "percentile", len(scores))


def quantiles_of_tails(scores: Floats, shares: tuple[float, float]) -> list[float]:
    """Return the same as `np.quantile`, which takes ten times as long for two far tails of many scores.

    >>> quantiles_of_tails(np.arange(100_001.0), (0.001, 0.99901))
    [100.0, 99901.0]
    """
    some, count, found = np.sort(scores[:_SOME]), len(scores), []
    first, last = (20 + int(2 * tail * _SOME) for tail in (shares[0], 1 - shares[1]))  # of all, as many are beyond them
    if count >= 2 * _SOME and first + last < _SOME:
        low, high = some[first], some[-1 - last]
        kept = np.sort(scores.compress(~((scores > low) & (scores < high))))  # in half the time of an index
        below = int(np.searchsorted(kept, low, "right"))
        for share, begin, end in ((shares[0], 0, below), (shares[1], below, len(kept))):
            place = share * (count - 1)
            rank = int(place) - (count - len(kept) if begin else 0)
            if begin <= rank < end - 1 and not np.isnan(kept[-1]):
                (less, more), above = kept[rank : rank + 2], place % 1
                found.append(float(less + (more - less) * above if above < 0.5 else more - (more - less) * (1 - above)))
    return found if len(found) == 2 else list(np.quantile(scores, shares).tolist())


def _of_ranks(value: float, scores: Floats) -> Interval:
    """Return sacrebleu's interval: a fortieth of the scores cut off at each end, without interpolation."""
    ordered = np.sort(scores)
    cut = len(ordered) // 40
    low, high = ordered[cut].item(), ordered[-cut - 1].item()
    return Interval(value, low, high, float(ordered.mean()), 0.95, "sacrebleu", len(ordered))


def _bca_tails(tails: tuple[float, float], value: float, scores: Floats, without: Floats) -> tuple[float, float] | None:
    """Return the quantiles for BCa, or None if the bias is infinite or the acceleration too strong."""
    normal = NormalDist()
    below = (np.count_nonzero(scores < value) + np.count_nonzero(scores <= value)) / (2 * len(scores))
    if not 0 < below < 1:
        return None
    bias = normal.inv_cdf(below)
    away = without.mean() - without
    away = away / magnitude(away)
    spread = float((away**2).sum()) ** 1.5
    acceleration = float((away**3).sum()) / (6 * spread) if spread else 0.0
    moved = []
    for tail in tails:
        shifted = bias + normal.inv_cdf(tail)
        if 1 - acceleration * shifted <= 0:
            return None
        moved.append(normal.cdf(bias + shifted / (1 - acceleration * shifted)))
    return moved[0], moved[1]


def jackknife(sample: Sample) -> Floats:
    """Return the scores with each segment left out in turn.

    >>> from bleuprint import BLEU
    >>> jackknife(BLEU(max_order=1).sample(["a b", "c d"], ["a b", "c e"])).tolist()
    [0.5, 1.0]
    """
    if len(sample) == 1:
        return sample.score()  # there is no score without any segment
    total = sample.rows.sum(axis=0)
    starts = range(0, len(sample), _ROWS_AT_A_TIME)
    return np.concatenate([sample.score(total - sample.rows[start : start + _ROWS_AT_A_TIME]) for start in starts])


def standard_error(without: Floats) -> Floats:
    """Return the jackknife standard error: how much a score, or each column of them, varies between such test sets."""
    count, away = len(without), without - without.mean(axis=0)
    unit = magnitude(away)
    error: Floats = unit * np.sqrt((count - 1) / count * ((away / unit) ** 2).sum(axis=0))
    return error


def magnitude(values: Floats) -> Floats:
    """The power of two at the largest size in each column: divided by it, which is exact, squares stay in range."""
    unit: Floats = np.ldexp(0.5, np.frexp(np.abs(values).max(axis=0))[1])
    return unit
