"""Student's t and the beta distribution: tails and quantiles."""

from __future__ import annotations

import math
from functools import cache

_BISECTIONS = 200
_MOST_FRACTIONS = 10_000


def t_tail(distance: float, standard_error: float, freedom: int) -> float:
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
    while t_tail(high, 1.0, freedom) > 1 - probability:
        high *= 2
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if t_tail(middle, 1.0, freedom) > 1 - probability else (low, middle)
    return (low + high) / 2


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the quantile of the beta distribution."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _incomplete_beta(a, b, middle) < probability else (low, middle)
    return middle


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
