"""Two-sided p-values for the difference of two systems on the same segments.

Paired bootstrap: how often is the difference in a resample further from the observed difference than that is from 0?
Efron, Tibshirani (1993), 16.4; for translations Koehn (2004): Statistical significance tests for MT evaluation.
Approximate randomization: if both systems were equal, how often would randomly swapped outputs give a difference at
least as large? Riezler, Maxwell (2005): On some pitfalls in automatic evaluation. The exact test
tries all swaps instead of a random sample.
McNemar's test is about items that pass or fail: are changes in both directions equally likely?
McNemar (1947): Note on the sampling error of the difference between correlated proportions. Psychometrika 12.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from bleuprint.core.arrays import Flags, Floats, NDArray, Numbers, Places, np
from bleuprint.core.counts import judge_swaps
from bleuprint.errors import InputError
from bleuprint.statistics.chance import Chance, stack_samples
from bleuprint.statistics.rows import Sample

MOST_EXACT = 20  # segments: half a million swaps
_TABLE = 12  # segments whose swaps are computed at once
_ROUNDING = 1e-12  # of the scores, by which equal differences may differ, as float sums depend on the order
_NEAR = 1e-9  # of the scores: differences that are no further from the observed one are computed to be compared
_FARTHEST = 5  # standard deviations of swapped sums: slopes are bounded so far from the mean
_MOST_UNKNOWN = 1 << 13  # trials of pairs that are computed at once, few enough to stay in cache

Pair = tuple[int, int]


def bootstrap_p_value(observed: float, differences: Floats, chance: Chance) -> float:
    """Return the p-value of the observed difference, given the differences in resamples."""
    if chance.as_sacrebleu:
        sizes = np.abs(differences)
        return _share(int(np.count_nonzero(sizes - sizes.mean() > abs(observed))), len(differences))
    return _share(
        int(np.count_nonzero(_is_as_large(differences - observed, observed, abs(observed)))), len(differences)
    )


def randomization_p_values(
    samples: Sequence[Sample], pairs: Sequence[Pair], trials: int, chance: Chance
) -> list[float]:
    """Return the p-values of pairs of samples, using the same swaps for all.

    >>> from bleuprint import BLEU
    >>> texts = [f"a b {i} {i + 1}" for i in range(8)]
    >>> good, bad = (BLEU(max_order=1).sample(outputs, texts) for outputs in (texts, ["a c"] * 8))
    >>> 0.005 < randomization_p_values([good, bad], [(0, 1)], 10_000, Chance())[0] < 0.011
    True
    """
    rows, columns = stack_samples(samples)
    of_pairs = np.array(columns, dtype=np.uint32)[np.array(pairs)]  # the places of their columns, in the sums
    totals = np.array([sample.rows.sum(axis=0) for sample in samples])[np.array(pairs)]
    scores = np.array([sample.score().item() for sample in samples])[np.array(pairs)]
    observed, counts = scores[:, 0] - scores[:, 1], np.zeros(len(pairs), dtype=np.int64)
    is_far = _is_farther if chance.as_sacrebleu else _is_as_large
    sizes = np.abs(scores).max(axis=1)
    near = _NEAR * sizes
    limits = np.abs(observed)[:, np.newaxis] + np.stack([-near, near], axis=1)
    judge = _judge_by_slopes(samples, np.array(pairs), of_pairs, totals, limits)
    for block in chance.coins(rows, trials):
        if judge is None:
            heads = block.T.copy()  # contiguous: formulas compute column by column
            for index, (first, second) in enumerate(pairs):
                moved = (heads[columns[first]] - heads[columns[second]]).T
                own, other = totals[index]
                swapped = samples[first].score(other + moved) - samples[second].score(own - moved)
                counts[index] += np.count_nonzero(is_far(swapped, observed[index], sizes[index]))
            continue
        sums = block.T.astype(np.float64, order="C")
        unknown = judge(sums, counts)
        for begin in range(0, len(unknown), _MOST_UNKNOWN):
            numbers, trial = np.divmod(unknown[begin : begin + _MOST_UNKNOWN], len(block))
            own, other = sums.take(of_pairs.transpose(1, 2, 0)[..., numbers] * len(block) + trial)
            left, right = totals.transpose(1, 2, 0)[..., numbers]
            moved = own - other
            swapped = samples[0].score((right + moved).T) - samples[0].score((left - moved).T)
            counts += np.bincount(numbers[is_far(swapped, observed[numbers], sizes[numbers])], minlength=len(pairs))
    return [_share(count, trials) for count in counts.tolist()]


def _judge_by_slopes(
    samples: Sequence[Sample], pairs: Places, columns: NDArray[np.uint32], totals: Numbers, limits: Floats
) -> Callable[[Floats, Places], Places] | None:
    """Return what counts from the sums of heads, per pair, the trials whose swapped scores differ as much as observed.

    They surely differ by less than the first limit of a pair, surely by more than the second and are counted, or it is
    unknown: such trials are returned, as pair · trials + trial.
    Swapped sums of two systems are as far above their mean as below it. So their scores differ by twice that distance
    times slopes that are found around the mean (mean value theorem). Only where bounds of these slopes leave it open,
    scores have to be computed. None if the formula knows no such bounds.
    """
    formula = samples[0].formula
    find_slopes = getattr(formula, "slopes", None)
    if find_slopes is None or any(sample.formula != formula for sample in samples):
        return None
    first, second = totals.transpose(1, 2, 0).astype(np.float64)
    squares = [np.square(samples[a].rows - samples[b].rows, dtype=np.float64).sum(axis=0) for a, b in pairs]
    width, middle = _FARTHEST * np.sqrt(squares).T / 2, (first + second) / 2
    with np.errstate(all="ignore"):  # slopes may be unbounded
        found = find_slopes(middle - width, middle + width)
        if found is None:
            return None
        bounds = np.stack([(first - second) / 2, width, found[0] + found[1], found[1] - found[0]]).T.copy()
    return lambda sums, counts: np.frombuffer(judge_swaps(sums, columns, bounds, limits, counts), dtype=np.int64)


def differing_segments(first: Sample, second: Sample) -> int:
    """Return the number of segments with different rows; swapping any other changes nothing."""
    return int((first.rows != second.rows).any(axis=1).sum())


def exact_p_value(first: Sample, second: Sample) -> tuple[float, int]:
    """Return the p-value over all swaps of the differing segments, and the number of swaps.

    >>> from bleuprint import BLEU
    >>> texts = [f"a b {i} {i + 1}" for i in range(8)]
    >>> good, bad = (BLEU(max_order=1).sample(outputs, texts) for outputs in (texts, ["a c"] * 8))
    >>> exact_p_value(good, bad)
    (0.0078125, 256)
    """
    changes = (first.rows - second.rows)[(first.rows != second.rows).any(axis=1)]
    if len(changes) > MOST_EXACT:
        raise InputError(
            f"the exact test allows at most {MOST_EXACT} segments (or clusters) in which two systems differ, "
            f"got {len(changes)}; use test 'approximate-randomization' or 'auto'."
        )
    if len(changes) == 0:
        return 1.0, 1
    scores = first.score().item(), second.score().item()
    # Swapping all other segments instead gives a difference of the same size, so one segment never needs swapping.
    low, high = changes[1:][:_TABLE], changes[1:][_TABLE:]
    table, bases = _all_sums(low), _all_sums(high)
    totals = first.rows.sum(axis=0), second.rows.sum(axis=0)
    count, size, observed = 0, max(map(abs, scores)), scores[0] - scores[1]
    for base in bases:
        swapped = first.score(totals[0] - table - base) - second.score(totals[1] + table + base)
        count += int(np.count_nonzero(_is_as_large(swapped, observed, size)))
    return count / (len(table) * len(bases)), 2 ** len(changes)


def _all_sums(rows: Numbers) -> Numbers:
    """Return the sum of every subset of the rows."""
    sums: Numbers = rows[:0].sum(axis=0, keepdims=True)
    for row in rows:
        sums = np.concatenate([sums, sums + row])
    return sums


def _is_as_large(differences: Floats, observed: Floats | float, size: Floats | float) -> Flags:
    return np.abs(differences) >= np.abs(observed) - _ROUNDING * size


def _is_farther(differences: Floats, observed: Floats | float, size: Floats | float) -> Flags:
    return np.abs(differences) > np.abs(observed)


def _share(count: int, trials: int) -> float:
    """Return (count + 1) / (trials + 1): the observation itself is one possible outcome, so p is never 0."""
    return (count + 1) / (trials + 1)


def mcnemar_p_value(worse: int, better: int) -> float:
    """The two-sided p-value of McNemar's exact test: both directions are equally likely.

    >>> mcnemar_p_value(8, 1)
    0.0390625
    """
    changed = worse + better
    tail = sum(math.comb(changed, count) for count in range(min(worse, better) + 1))
    return min(1.0, float(2 * tail / 2**changed))
