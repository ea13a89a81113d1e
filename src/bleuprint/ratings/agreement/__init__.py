"""Agreement of scores with human ratings, and of raters with each other. Everything here takes plain arrays.

Correlations and shares of pairs are in `correlations` and `pairs`, intervals and tests between metrics in `resampling`,
Krippendorff's alpha and the noise ceiling in `raters`. NaN marks a statistic that the data does not define;
`why_undefined` says why.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bleuprint.ratings.agreement.correlations import kendall, pearson, spearman
from bleuprint.ratings.agreement.raters import ALPHA_LEVELS, krippendorff_alpha, noise_ceiling
from bleuprint.ratings.agreement.resampling import UNITS, Outputs

__all__ = [
    "ALPHA_LEVELS",
    "UNITS",
    "Outputs",
    "kendall",
    "krippendorff_alpha",
    "noise_ceiling",
    "pearson",
    "spearman",
    "why_undefined",
]


def why_undefined(scores: NDArray[np.float64], ratings: NDArray[np.float64], unit: str) -> str | None:
    """Say why the correlation of scores with ratings is undefined; None if it is defined.

    >>> why_undefined(np.array([1.0, 1.0, 1.0]), np.array([1.0, 2.0, 3.0]), "outputs")
    'all of its scores are equal'
    """
    if len(ratings) < 3:
        return f"it needs at least 3 {unit}, got {len(ratings)}"
    if np.isnan(scores).any():
        return f"some {unit} have no score"
    if np.ptp(ratings) == 0:
        return "all ratings are equal"
    return "all of its scores are equal" if np.ptp(scores) == 0 else None
