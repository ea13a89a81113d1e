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

from bleuprint import checks
from bleuprint.statistics.distributions import t_quantile, t_tail
from bleuprint.statistics.intervals import Interval
from bleuprint.statistics.small_samples import STUDENT, TESTED, Evidence


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
    difference: float,
    standard_error: float,
    units: int,
    margin: float,
    *,
    alpha: float,
    higher_is_better: bool = True,
    evidence: Evidence | None = None,
) -> Equivalence:
    """Return the result of both one-sided tests at level `alpha`; `units` is the number of independent segments.

    Where the t distribution does not hold for the `evidence`, its own intervals decide.

    >>> equivalence_of(0.001, 0.002, 100, 0.01, alpha=0.05).verdict
    'equivalent'
    >>> equivalence_of(0.02, 0.01, 100, 0.01, alpha=0.05).verdict
    'not inferior'
    """
    freedom = max(1, units - 1)
    if checks.reaches(abs(difference), margin) and checks.reaches(-abs(difference), -margin):
        difference = math.copysign(margin, difference)  # only rounding keeps the two apart
    method = "" if evidence is None else evidence.method(2 * alpha)

    def p_value_of(sign: int, limit: float) -> float:
        """The p-value of the test that the difference is above the limit, or with sign -1 that it is below."""
        if evidence is not None and method in TESTED:
            return evidence.p_value(method, sign, limit)
        return t_tail(sign * (difference - limit), standard_error, freedom)

    better = 1 if higher_is_better else -1
    above_low, below_high = p_value_of(1, -margin), p_value_of(-1, margin)
    p_value, not_inferior = max(above_low, below_high), above_low if higher_is_better else below_high
    if p_value < alpha:
        verdict = "equivalent"
    elif not_inferior < alpha:
        verdict = "not inferior"
    else:
        verdict = "inferior" if p_value_of(-better, -better * margin) < alpha else "undecided"
    if evidence is not None and method in TESTED:
        low, high = evidence.ends(method, 1 - 2 * alpha)
    else:
        half = t_quantile(1 - alpha, freedom) * standard_error
        low, high, method = difference - half, difference + half, STUDENT
    return Equivalence(
        margin, verdict, p_value, not_inferior, Interval(difference, low, high, difference, 1 - 2 * alpha, method, 0)
    )
