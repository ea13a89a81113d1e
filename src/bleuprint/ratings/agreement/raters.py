"""How well raters agree with each other, and what that leaves for any metric.

Krippendorff's alpha = 1 − observed disagreement / disagreement expected by chance, over all pairs of ratings of the
same unit. Disagreement is 0 or 1 (nominal), the squared difference (interval), or the squared difference of ranks,
where equal ratings share a rank (ordinal). Krippendorff (2011): Computing Krippendorff's Alpha-Reliability.

Noise ceiling: a metric that knew the true quality of every output would still correlate with the mean ratings by the
square root of their reliability only. The reliability is that of the one-way random model, with the variance between
units and the variance within them. Shrout and Fleiss (1979): Intraclass correlations. Psychological Bulletin 86.

Kappas = (agreement − agreement by chance) / (1 − agreement by chance). By chance, ratings fall into category k with the
share of each rater (Cohen 1960), with the share of all (Fleiss 1971), or they agree where raters guess (Gwet 2008:
Computing inter-rater reliability and its variance in the presence of high agreement).
"""

from __future__ import annotations

import math

from bleuprint.core.arrays import Floats, Places, np
from bleuprint.ratings.agreement.result import Estimate, RaterAgreement
from bleuprint.ratings.agreement.statistics import dense_ranks
from bleuprint.ratings.table import Ratings

ALPHA_LEVELS = ("nominal", "ordinal", "interval")


def krippendorff_alpha(values: Floats, units: Places, level: str = "interval") -> float:
    """Return Krippendorff's alpha of single ratings, where `units[i]` is what rating i is about.

    NaN if no unit has two ratings, or all ratings that can be paired are equal.

    >>> units = np.array([0, 0, 1, 1, 2, 2])
    >>> round(krippendorff_alpha(np.array([1.0, 1.0, 2.0, 3.0, 3.0, 3.0]), units), 4)
    0.8276
    """
    _, places, sizes = np.unique(units, return_inverse=True, return_counts=True)
    places = places.reshape(-1)
    paired = sizes[places] > 1
    values, places = values[paired], places[paired]
    count = len(values)
    if count == 0 or np.ptp(values) == 0:
        return math.nan
    share = 1.0 / (sizes[places] - 1)  # each unit counts as often as it has ratings
    ranks = dense_ranks(values)
    if level == "nominal":
        totals = np.bincount(ranks).astype(np.float64)
        expected = (count**2 - (totals**2).sum()) / (count - 1)
        pairs = places * (int(ranks.max()) + 1) + ranks
        _, of_cell, alike = np.unique(pairs, return_inverse=True, return_counts=True)
        observed = float((share * (sizes[places] - alike[of_cell.reshape(-1)])).sum())
        return float(1 - observed / expected)
    if level == "ordinal":
        totals = np.bincount(ranks).astype(np.float64)
        values = (np.cumsum(totals) - totals / 2)[ranks]
    # Sums of squared differences from means, which cannot cancel: Σ_pairs (a − b)² = 2 n Σ (a − mean)².
    scaled = (values - values.mean()) / np.ptp(values)
    means = np.bincount(places, weights=scaled) / np.maximum(1, np.bincount(places))
    within = (scaled - means[places]) ** 2
    observed = float((2 * sizes[places] * share * within).sum())
    expected = 2 * count * float(((scaled - scaled.mean()) ** 2).sum()) / (count - 1)
    return 1 - observed / expected


def noise_ceiling(values: Floats, units: Places) -> float:
    """Return the highest correlation with the mean ratings of units that a metric can be expected to reach.

    NaN if no unit has two ratings. 0 if units differ no more than ratings of the same unit do.

    >>> units = np.repeat(np.arange(4), 2)
    >>> round(noise_ceiling(np.array([1.0, 2.0, 4.0, 5.0, 2.0, 3.0, 7.0, 8.0]), units), 4)
    0.982
    """
    _, places, sizes = np.unique(units, return_inverse=True, return_counts=True)
    places = places.reshape(-1)
    count, groups = len(values), len(sizes)
    if count == groups or groups < 2:
        return math.nan
    spread = float(np.ptp(values))
    if spread == 0:
        return 0.0
    values = (values - values[0]) / spread  # squares of very large numbers would overflow
    means = np.bincount(places, weights=values) / sizes
    within = float(((values - means[places]) ** 2).sum()) / (count - groups)
    between = float((sizes * (means - values.mean()) ** 2).sum()) / (groups - 1)
    typical = (count - float((sizes**2).sum()) / count) / (groups - 1)
    true = max(0.0, (between - within) / typical)
    return math.sqrt(true / (true + within * float((1.0 / sizes).mean())))


def kappa_rows(categories: Places, units: Places) -> tuple[Places, Floats]:
    """The units, and the rows whose sums are the input of `kappa`; `categories[i]` is that of rating i, from 0."""
    named, place, sizes = np.unique(units, return_inverse=True, return_counts=True)
    counts = np.zeros((len(named), int(categories.max()) + 1))
    np.add.at(counts, (place.reshape(-1), categories), 1.0)
    alike = (counts * (counts - 1)).sum(axis=1) / np.maximum(1, sizes * (sizes - 1))
    shares = counts / sizes[:, None]
    return named, np.column_stack([sizes > 1, alike, np.ones(len(named)), shares, shares])


def kappa(sums: Floats, kind: str) -> Floats:
    """Return "Cohen's kappa", "Fleiss' kappa" or "Gwet's AC1"; NaN if all ratings are of one category.

    The last axis has sums over units: those with two ratings, their shares of pairs that agree, all units, and the
    share of each category among ratings by the first rater, then by the second; Fleiss and Gwet take their mean.

    >>> units, rows = kappa_rows(np.array([0, 0, 0, 1, 1, 1, 1, 1]), np.array([1, 1, 2, 2, 3, 3, 4, 4]))
    >>> kappa(rows.sum(axis=0), "Fleiss' kappa").round(4).item(), kappa(rows.sum(axis=0), "Gwet's AC1").round(4).item()
    (0.4667, 0.5294)
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = sums[..., 1] / sums[..., 0]
        first, second = np.split(sums[..., 3:] / sums[..., 2:3], 2, axis=-1)
        both = (first + second) / 2
        by_chance = {
            "Cohen's kappa": first * second,
            "Fleiss' kappa": both**2,
            "Gwet's AC1": both * (1 - both) / (both.shape[-1] - 1),
        }[kind].sum(axis=-1)
        found: Floats = np.where(by_chance < 1 - 1e-12, (observed - by_chance) / (1 - by_chance), np.nan)
    return found


def rater_agreement(ratings: Ratings, column: str) -> RaterAgreement:
    """Average repeated ratings by the same rater, then compare raters."""
    judgements = ratings.judgements[column]
    raters = int(judgements.rater.max(initial=0)) + 1
    keys = judgements.output * raters + judgements.rater
    unique, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
    values = np.bincount(place.reshape(-1), weights=judgements.value) / counts
    units = unique // raters
    _, sizes = np.unique(units, return_counts=True)
    repeated = int(np.count_nonzero(sizes > 1))
    missing = "all ratings of outputs that were rated twice are equal" if repeated else "no output was rated twice"

    def estimate(value: float) -> Estimate:
        return Estimate(None, reason=missing) if math.isnan(value) else Estimate(value)

    return RaterAgreement(
        column,
        len(judgements),
        len(sizes),
        repeated,
        {level: estimate(krippendorff_alpha(values, units, level)) for level in ALPHA_LEVELS},
        estimate(noise_ceiling(values, units)),
    )
