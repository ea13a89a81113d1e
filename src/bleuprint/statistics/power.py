"""Statistical power: the smallest detectable difference, and the segments needed for a given difference.

Both assume that the estimated difference is normally distributed around the true one, with the jackknife standard
error of this data, which falls with the square root of the number of segments:

    detectable = (z(1 - α/2) + z(power)) · standard error
    segments needed for δ = segments · (detectable / δ)²
"""

from __future__ import annotations

import math
from statistics import NormalDist

from bleuprint.errors import OptionError

__all__ = ["POWER", "UNREACHABLE", "detectable_difference", "has_spread", "segments_needed"]

POWER = 0.8
UNREACHABLE = 10**9  # no test set has so many segments: what needs them, no number of segments decides


def has_spread(standard_error: float, difference: float) -> bool:
    """Whether segments differ in more than rounding; where they do not, they do not show what could be detected."""
    return standard_error * 1e6 > abs(difference)


def detectable_difference(standard_error: float, *, alpha: float = 0.05, power: float = POWER) -> float:
    """Return the true difference that a test at level `alpha` detects with probability `power`.

    >>> round(detectable_difference(0.01), 4)
    0.028
    """
    normal = NormalDist()
    return (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * standard_error


def segments_needed(
    standard_error: float, segments: int, difference: float, *, alpha: float = 0.05, power: float = POWER
) -> int:
    """Return the number of segments needed to detect a true difference of this size with probability `power`.

    It is at most `UNREACHABLE`, which stands for all larger numbers.

    >>> segments_needed(0.01, 1000, 0.01)
    7849
    """
    usual = isinstance(difference, int | float) and not isinstance(difference, bool)
    if not usual or not 1e-100 <= abs(difference) <= 1e9:
        raise OptionError("detect", "a difference on the scale of the scores, of at least 1e-100", difference)
    detectable = detectable_difference(standard_error, alpha=alpha, power=power)
    if detectable >= abs(difference) * math.sqrt(UNREACHABLE / segments):
        return UNREACHABLE
    return max(1, math.ceil(segments * (detectable / difference) ** 2))
