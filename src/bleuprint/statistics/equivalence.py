"""Equivalence and non-inferiority: is a difference smaller than a margin that matters?

Two one-sided tests (TOST). The difference divided by its jackknife standard error is compared with Student's t
distribution, with one degree of freedom less than there are segments (or clusters). For the mean of segment scores,
this is the paired t-test. Two systems are equivalent at level α if the 1 - 2α interval lies between -margin
and +margin.
Schuirmann (1987): A comparison of the two one-sided tests procedure and the power approach.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from bleuprint import checks
from bleuprint.statistics.intervals import Interval

_BISECTIONS = 200
_MOST_FRACTIONS = 10_000


@dataclass(frozen=True, slots=True)
class Equivalence:
    """What a comparison says about a margin, for the first system relative to the second.

    - "equivalent": the systems differ by less than the margin, in either direction
    - "not inferior": the first is not worse than the second by the margin or more; it may be better
    - "inferior": the first is worse than the second by more than the margin
    - "undecided": none of these can be shown with this data
    """

    margin: float
    verdict: str
    p_value: float  # of the test for equivalence
    non_inferiority_p_value: float
    interval: Interval  # at level 1 - 2α; with several pairs, α is divided by their number

    def sentence(self, first: str, second: str, unit: str) -> str:
        """Return the verdict about the named systems; `unit` is the margin as text."""
        return {
            "equivalent": f"{first} and {second} are equivalent within {unit}",
            "not inferior": f"{first} is not worse than {second} by {unit} or more",
            "inferior": f"{first} is worse than {second} by more than {unit}",
        }.get(self.verdict, f"it is undecided whether {first} is worse than {second} by {unit} or more")


def equivalence_of(
    difference: float, standard_error: float, units: int, margin: float, *, alpha: float, higher_is_better: bool = True
) -> Equivalence:
    """Return the result of both one-sided tests at level `alpha`; `units` is the number of independent segments.

    >>> equivalence_of(0.001, 0.002, 100, 0.01, alpha=0.05).verdict
    'equivalent'
    >>> equivalence_of(0.02, 0.01, 100, 0.01, alpha=0.05).verdict
    'not inferior'
    """
    freedom = max(1, units - 1)
    if checks.reaches(abs(difference), margin) and checks.reaches(-abs(difference), -margin):
        difference = math.copysign(margin, difference)  # only rounding keeps the two apart
    above_low = _upper_tail((difference + margin), standard_error, freedom)
    below_high = _upper_tail((margin - difference), standard_error, freedom)
    not_inferior, inferior = (above_low, _upper_tail(-margin - difference, standard_error, freedom))
    if not higher_is_better:
        not_inferior, inferior = (below_high, _upper_tail(difference - margin, standard_error, freedom))
    p_value = max(above_low, below_high)
    if p_value < alpha:
        verdict = "equivalent"
    elif not_inferior < alpha:
        verdict = "not inferior"
    else:
        verdict = "inferior" if inferior < alpha else "undecided"
    half = t_quantile(1 - alpha, freedom) * standard_error
    interval = Interval(difference, difference - half, difference + half, difference, 1 - 2 * alpha, "t", 0)
    return Equivalence(margin, verdict, p_value, not_inferior, interval)


def _upper_tail(distance: float, standard_error: float, freedom: int) -> float:
    """Return the probability of a larger t value than distance / standard error."""
    if standard_error == 0:
        return 0.0 if distance > 0 else 1.0
    t = distance / standard_error
    tail = 0.5 * _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))
    return tail if t > 0 else 1 - tail


@cache
def t_quantile(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t distribution, for a probability of at least one half."""
    low, high = 0.0, 1.0
    while _upper_tail(high, 1.0, freedom) > 1 - probability:
        high *= 2
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if _upper_tail(middle, 1.0, freedom) > 1 - probability else (low, middle)
    return (low + high) / 2


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the quantile of the beta distribution."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if _incomplete_beta(a, b, middle) < probability else (low, middle)
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularized incomplete beta function, by its continued fraction (DLMF 8.17.22)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(
        a * math.log(x) + b * math.log1p(-x) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) - math.log(a)
    )
    # Lentz's method; the fraction starts with 1 / (1 + d1 / (1 + d2 / …)).
    numerator, denominator, fraction = 1.0, 0.0, 1.0
    for step in range(_MOST_FRACTIONS):
        m = step // 2
        if step == 0:
            term = 1.0
        elif step % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        denominator = 1 / (1 + term * denominator)
        numerator = 1 + term / numerator
        change = numerator * denominator
        fraction *= change
        if abs(1 - change) < 1e-15:
            break
    return front * (fraction - 1)
