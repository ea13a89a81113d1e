"""BLEU as its formula reads: one segment's or one corpus's sums, exact fractions up to the geometric mean.

The smoothing methods follow Chen & Cherry (2014) as NLTK 3.10 and sacrebleu 2.6 compute them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Sums:
    """What was counted, and what some methods look at besides."""

    hypothesis_length: int
    reference_length: int
    matches: Sequence[int]
    totals: Sequence[int]
    fifth: tuple[int, int] = (0, 0)  # matches and total of order 5
    last_length: int = 0  # length of the hypothesis whose n-grams method6 counts


@dataclass(frozen=True)
class Rules:
    """The options of the formula."""

    method: str = "exp"
    value: float = 0.0
    weights: Sequence[float] = (0.25,) * 4
    effective: bool = False
    absent_is_zero: bool = False
    zero_when: str = "no-match"
    skip_zero: bool = False


def bleu(sums: Sums, rules: Rules) -> float:
    """BP · exp(Σ w_n · log p_n)"""
    without_match = [count == 0 for count in sums.matches]
    if rules.zero_when == "no-match" and without_match[0]:
        return 0.0
    if rules.zero_when == "any-order-without-match" and any(without_match):
        return 0.0
    if rules.method == "method6" and without_match[2]:  # NLTK raises: the method has no meaning there
        return 0.0
    weights = used_weights(sums, rules)
    entering = [
        (precision, weight)
        for precision, weight in zip(precisions(sums, rules), weights, strict=True)
        if weight > 0 and (precision > 0 or not rules.skip_zero)
    ]
    if not any(weights) or any(precision == 0 for precision, _ in entering):
        return 0.0
    logarithm = sum(weight * math.log(precision) for precision, weight in entering)
    return brevity_penalty(sums) * math.exp(logarithm)


def brevity_penalty(sums: Sums) -> float:
    """1 for a hypothesis that is long enough, exp(1 - r/c) for a shorter one, 0 for an empty one."""
    if sums.hypothesis_length == 0:
        return 0.0
    return math.exp(min(Fraction(0), 1 - Fraction(sums.reference_length, sums.hypothesis_length)))


def used_weights(sums: Sums, rules: Rules) -> Sequence[float]:
    """Effective order: orders without n-grams lose their weight to the others."""
    if not rules.effective or rules.method == "add-k":
        return rules.weights
    kept = math.fsum(weight for weight, total in zip(rules.weights, sums.totals, strict=True) if total)
    return [weight / kept if total and kept else 0.0 for weight, total in zip(rules.weights, sums.totals, strict=True)]


def precisions(sums: Sums, rules: Rules) -> list[Fraction]:
    """Smoothed precisions of the orders 1..N."""
    smoothed = smooth(sums, rules.method, Fraction(rules.value))
    if rules.absent_is_zero:
        return [p if total else Fraction(0) for p, total in zip(smoothed, sums.totals, strict=True)]
    return smoothed


def over(numerator: Fraction | int, denominator: Fraction | int) -> Fraction:
    return Fraction(numerator) / denominator if denominator else Fraction(0)


def smooth(sums: Sums, method: str, value: Fraction) -> list[Fraction]:
    pairs = list(zip(sums.matches, sums.totals, strict=True))
    plain = [over(m, t) for m, t in pairs]
    match method:
        case "none":
            return plain
        case "floor":
            return [over(m or value, t) for m, t in pairs]
        case "add-k":
            return [plain[0], *(over(m + value, t + value) for m, t in pairs[1:])]
        case "add-all":
            return [over(m + value, t + value) for m, t in pairs]
        case "method0":
            return [p or Fraction(sys.float_info.min) for p in plain]
        case "exp":
            return halved(pairs, Fraction(1), count_absent=False)
        case "method4":
            return method4(sums, pairs, value)
        case "method5":
            return averaged(plain, over(*sums.fifth))
        case "method6":
            return interpolated(sums, plain, value)
        case "method7":
            return averaged(method4(sums, pairs, value), over(*sums.fifth))
    raise ValueError(method)


def halved(pairs: list[tuple[int, int]], first: Fraction, *, count_absent: bool) -> list[Fraction]:
    """The k-th order without a match counts first/2^k; orders without n-grams count in k or do not."""
    smoothed, k = [], 0
    for m, t in pairs:
        k += m == 0 and (t > 0 or count_absent)
        smoothed.append(over(m or first / 2**k, t))
    return smoothed


def method4(sums: Sums, pairs: list[tuple[int, int]], value: Fraction) -> list[Fraction]:
    """As exp, with log(length)/K for the first; a text of one token stays as it is."""
    if sums.hypothesis_length < 2:
        return [over(m, t) for m, t in pairs]
    return halved(pairs, Fraction(math.log(sums.hypothesis_length)) / value, count_absent=True)


def averaged(plain: list[Fraction], fifth: Fraction) -> list[Fraction]:
    """Each precision with the averaged one before it and the plain one after it."""
    result = [plain[0] + 1]
    for precision, after in zip(plain, [*plain[1:], fifth], strict=True):
        result.append((result[-1] + precision + after) / 3)
    return result[1:]


def interpolated(sums: Sums, plain: list[Fraction], alpha: Fraction) -> list[Fraction]:
    """From order 3 on: matches and alpha times the trend p²/p of the two orders before; else nothing."""
    result = plain[:2]
    for order in range(3, len(plain) + 1):
        trend = over(result[-1] * result[-1], result[-2])
        grams = max(0, sums.last_length - order + 1)
        blended = over(sums.matches[order - 1] + alpha * trend, grams + alpha)
        result.append(blended if plain[2] else Fraction(0))
    return result
