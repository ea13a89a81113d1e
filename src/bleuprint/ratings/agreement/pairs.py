"""Pairs of outputs or systems: does a metric order them as people do?

- Pairwise accuracy: the share of pairs of systems that metric and people order alike.
  Kocmi et al. (2021): To Ship or Not to Ship. WMT.
- Soft pairwise accuracy: compares how sure each is of the order, as p-values. Thompson et al. (2024). WMT.
- Accuracy with tie calibration: a metric may call outputs equal if their scores differ by at most a threshold.
  Deutsch, Foster and Freitag (2023): Ties Matter. EMNLP.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bleuprint.ratings.items import Trials

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_FLIPS_AT_A_TIME = 256
_CELLS = 1 << 22  # differences held at a time


def pairs_of(count: int) -> tuple[Places, Places]:
    """Return the places of the first and the second of all pairs."""
    first, second = np.triu_indices(count, 1)
    return first.astype(np.intp), second.astype(np.intp)


def _signs(values: Floats) -> Floats:
    first, second = pairs_of(values.shape[-1])
    signs: Floats = np.sign(values[..., first] - values[..., second])
    return signs


def _pair_weights(weights: Floats | None, count: int) -> Floats:
    first, second = pairs_of(count)
    return np.ones(len(first)) if weights is None else weights[..., first] * weights[..., second]


def pairwise_accuracy(scores: Floats, ratings: Floats, weights: Floats | None = None) -> Floats:
    """Return the share of pairs that both order alike, among those that people order; NaN if they order none.

    A metric that gives both the same score is wrong. With `weights`, pairs count as often as both of their systems.

    >>> pairwise_accuracy(np.array([0.3, 0.2, 0.1]), np.array([3.0, 1.0, 2.0])).round(4).item()
    0.6667
    """
    weight = _pair_weights(weights, ratings.shape[-1])
    human = _signs(ratings)
    with np.errstate(invalid="ignore", divide="ignore"):
        right = (weight * ((_signs(scores) == human) & (human != 0))).sum(axis=-1)
        share: Floats = right / (weight * (human != 0)).sum(axis=-1)
    return share


def system_kendall(scores: Floats, ratings: Floats, weights: Floats | None = None) -> Floats:
    """Return Kendall's tau-b of a few systems along the last axis, with weights as in `pairwise_accuracy`."""
    weight = _pair_weights(weights, ratings.shape[-1])
    metric, human = _signs(scores), _signs(ratings)
    with np.errstate(invalid="ignore", divide="ignore"):
        untied = (weight * (metric != 0)).sum(axis=-1) * (weight * (human != 0)).sum(axis=-1)
        tau: Floats = (weight * metric * human).sum(axis=-1) / np.sqrt(np.where(untied > 0, untied, np.nan))
    return tau


def sign_flip_p_values(values: Floats, flips: Trials) -> Floats:
    """Return, for each pair of systems, how often chance favors the first at least as much as these values do.

    `values[i, s]` is the score of segment i of system s, or NaN. Chance swaps the scores of a segment. Equal
    differences count half, so that the p-values of a pair and of its reverse add up to 1.
    """
    first, second = pairs_of(values.shape[1])
    step = max(1, _CELLS // max(1, len(values)))
    parts = [
        _flip_signs(values[:, first[begin : begin + step]] - values[:, second[begin : begin + step]], flips)
        for begin in range(0, len(first), step)
    ]
    return np.concatenate(parts) if parts else np.zeros(0)


def _flip_signs(differences: Floats, flips: Trials) -> Floats:
    differences = np.where(np.isnan(differences), 0.0, differences)
    scale = np.abs(differences).max(axis=0, initial=0.0)
    differences /= np.where(scale > 0, scale, 1.0)
    observed = differences.sum(axis=0)
    # Sums of the same differences in another order may miss each other by a rounding.
    slack = 1e-9 * np.maximum(1.0, np.abs(differences).sum(axis=0))
    more = np.zeros(differences.shape[1])
    for generator, many in flips.blocks(_FLIPS_AT_A_TIME):
        signs = 2.0 * generator.integers(0, 2, size=(many, len(differences))) - 1.0
        sums = signs @ differences
        more += (sums > observed + slack).sum(axis=0) + 0.5 * (np.abs(sums - observed) <= slack).sum(axis=0)
    return more / flips.count


def soft_pairwise_accuracy(metric: Floats, human: Floats) -> float:
    """Return 1 minus the mean difference of p-values; `metric` and `human` are those of `sign_flip_p_values`."""
    return float(1 - np.abs(metric - human).mean()) if len(human) else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class ItemPairs:
    """All pairs of outputs of the same item."""

    first: Places
    second: Places
    item: Places
    items: int

    def differences(self, values: Floats) -> Floats:
        """Return first minus second."""
        return values[self.first] - values[self.second]

    def means(self, values: NDArray[np.bool_]) -> Floats:
        """Return the share within each item; NaN for an item without pairs."""
        sizes = np.bincount(self.item, minlength=self.items)
        with np.errstate(invalid="ignore", divide="ignore"):
            shares: Floats = np.bincount(self.item, weights=values, minlength=self.items) / sizes
        return shares


def pairs_within(items: Places, count: int) -> ItemPairs:
    """Return all pairs of outputs of the same item.

    >>> pairs = pairs_within(np.array([0, 1, 0, 0]), 2)
    >>> list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
    [(0, 2), (0, 3), (2, 3)]
    """
    order = np.argsort(items, kind="stable")
    sizes = np.bincount(items, minlength=count)
    begins = np.cumsum(sizes) - sizes
    firsts, seconds, of = [], [], []
    for size in np.unique(sizes[sizes > 1]).tolist():  # items of one size together
        chosen = np.flatnonzero(sizes == size)
        first, second = pairs_of(size)
        firsts.append((begins[chosen][:, None] + first).ravel())
        seconds.append((begins[chosen][:, None] + second).ravel())
        of.append(np.repeat(chosen, len(first)))
    none = np.zeros(0, dtype=np.intp)
    joined = [np.concatenate(parts) if parts else none for parts in (firsts, seconds, of)]
    sort = np.lexsort((joined[1], joined[0]))
    return ItemPairs(order[joined[0]][sort], order[joined[1]][sort], joined[2][sort].astype(np.intp), count)


def item_kendalls(scores: Floats, ratings: Floats, pairs: ItemPairs) -> Floats:
    """Return Kendall's tau-b within each item; NaN where it is undefined."""
    metric, human = np.sign(pairs.differences(scores)), np.sign(pairs.differences(ratings))

    def totals(values: Floats) -> Floats:
        return np.bincount(pairs.item, weights=values, minlength=pairs.items).astype(np.float64)

    with np.errstate(invalid="ignore", divide="ignore"):
        untied = totals(np.abs(metric)) * totals(np.abs(human))
        taus: Floats = totals(metric * human) / np.sqrt(np.where(untied > 0, untied, np.nan))
    return taus


def item_accuracies(scores: Floats, ratings: Floats, pairs: ItemPairs, threshold: float | Floats) -> Floats:
    """Return, for each item, the share of its pairs that are ordered or called equal as people do.

    Scores that differ by at most `threshold` are called equal; it is one number, or one for each item.
    """
    metric, human = pairs.differences(scores), pairs.differences(ratings)
    limit = threshold[pairs.item] if isinstance(threshold, np.ndarray) else threshold
    return pairs.means(np.where(np.abs(metric) <= limit, human == 0, np.sign(metric) == np.sign(human)))


def calibrated_threshold(
    scores: Floats, ratings: Floats, pairs: ItemPairs, used: NDArray[np.bool_] | None = None
) -> tuple[float, float]:
    """Return the threshold with the highest accuracy, the smallest of them, and that accuracy, a mean over items.

    With `used`, only these items count. NaN if there are no pairs.
    """
    sizes = np.bincount(pairs.item, minlength=pairs.items)
    kept = np.ones(pairs.items, dtype=bool) if used is None else used
    rows = kept[pairs.item]
    items = int(np.count_nonzero(kept & (sizes > 0)))
    if items == 0:
        return float("nan"), float("nan")
    metric, human = pairs.differences(scores)[rows], pairs.differences(ratings)[rows]
    weight = 1.0 / sizes[pairs.item[rows]] / items
    sizes_of_difference = np.abs(metric)
    order = np.argsort(sizes_of_difference, kind="stable")
    ordered_alike = weight * ((np.sign(metric) == np.sign(human)) & (metric != 0))
    tied_alike = weight * (human == 0)
    # The accuracy if the i smallest differences, and all others of the same size, are ties.
    gained = np.concatenate([[0.0], np.cumsum((tied_alike - ordered_alike)[order])])
    ends = np.flatnonzero(np.diff(sizes_of_difference[order], append=np.inf) > 0) + 1
    if sizes_of_difference[order[0]] > 0:
        ends = np.concatenate([[0], ends])
    accuracies = ordered_alike.sum() + gained[ends]
    best = int(np.flatnonzero(accuracies >= accuracies.max() - 1e-12)[0])
    threshold = 0.0 if ends[best] == 0 else float(sizes_of_difference[order[ends[best] - 1]])
    return threshold, float(accuracies[best])


def held_out_accuracies(scores: Floats, ratings: Floats, pairs: ItemPairs, folds: Places) -> Floats:
    """Return the accuracy of each item with the threshold that the other folds of items give; `folds[item]`."""
    thresholds = np.zeros(pairs.items)
    for fold in np.unique(folds).tolist():
        thresholds[folds == fold] = calibrated_threshold(scores, ratings, pairs, folds != fold)[0]
    return item_accuracies(scores, ratings, pairs, thresholds)
