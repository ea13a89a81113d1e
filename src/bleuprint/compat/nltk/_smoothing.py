"""NLTK's smoothing functions (Chen and Cherry 2014), which user code may call or replace."""

from __future__ import annotations

import fractions
import math
import sys
import warnings
from typing import Any, NamedTuple, Self

__all__ = ["LIGHT", "Fraction", "Share", "SmoothingFunction"]

_BEYOND = 5  # the order used beyond the last one, whatever the last is


class Fraction(fractions.Fraction):
    """A fraction that keeps its original terms: 2/4 has the numerator 2."""

    __slots__ = ("_normalize", "_original_denominator", "_original_numerator")
    _normalize: bool
    _original_denominator: Any
    _original_numerator: Any

    def __new__(cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False) -> Self:
        self = super().__new__(cls, numerator, denominator)
        self._normalize = _normalize
        self._original_numerator = numerator
        self._original_denominator = denominator
        return self

    @property
    def numerator(self) -> Any:
        return super().numerator if self._normalize else self._original_numerator

    @property
    def denominator(self) -> Any:
        return super().denominator if self._normalize else self._original_denominator


class Share(NamedTuple):
    """The part of a fraction that the simple methods need; ten times faster to create."""

    numerator: int
    denominator: int


class SmoothingFunction:
    """Smoothing methods 0 to 7; each takes the precisions p_n and returns new ones.

    >>> smooth = SmoothingFunction(epsilon=0.5)
    >>> [float(p) for p in smooth.method1([Fraction(3, 4), Fraction(0, 3)])]
    [0.75, 0.16666666666666666]
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: Any, *args: Any, **kwargs: Any) -> list[Any]:
        """No smoothing: the smallest float, and a warning, if there is no match."""
        smoothed = []
        for order, p in enumerate(p_n, start=1):
            if p.numerator == 0:
                warnings.warn(
                    f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
                    "Therefore the BLEU score evaluates to 0, independently of\n"
                    "how many N-gram overlaps of lower order it contains.\n"
                    "Consider using lower n-gram order or use SmoothingFunction()",
                    stacklevel=4,
                )
            smoothed.append(p if p.numerator else sys.float_info.min)
        return smoothed

    def method1(self, p_n: Any, *args: Any, **kwargs: Any) -> list[Any]:
        """ε matches if there are none."""
        return [p if p.numerator else self.epsilon / p.denominator for p in p_n]

    def method2(self, p_n: Any, *args: Any, **kwargs: Any) -> list[Any]:
        """Add one to matches and totals from order 2 on."""
        return [p if n == 0 else type(p)(p.numerator + 1, p.denominator + 1) for n, p in enumerate(p_n)]

    def method3(self, p_n: Any, *args: Any, **kwargs: Any) -> Any:
        """1/2, 1/4, 1/8 … matches for successive orders without any."""
        halvings = 0
        for n, p in enumerate(p_n):
            if p.numerator == 0:
                halvings += 1
                p_n[n] = 1 / (2**halvings * p.denominator)
        return p_n

    def method4(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        """Like method 3, but with less for short texts."""
        length, halvings = hyp_len or len(hypothesis), 0
        for n, p in enumerate(p_n):
            if p.numerator == 0 and length > 1:
                halvings += 1
                p_n[n] = 1 / (2**halvings * self.k / math.log(length)) / p.denominator
        return p_n

    def method5(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        """Average each precision with its neighbors; the neighbor of the last is order 5 of the last segment."""
        from bleuprint.compat.nltk.bleu_score import modified_precision

        after = [*p_n[1:], modified_precision(references, hypothesis, _BEYOND)]
        before = p_n[0] + 1
        for n, p in enumerate(p_n):
            before = p_n[n] = (before + p + after[n]) / 3
        return p_n

    def method6(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        """From order 3 on, interpolate with the trend of the two previous orders."""
        if not p_n[2]:
            raise AssertionError("This smoothing method requires non-zero precision for bigrams.")
        for n in range(2, len(p_n)):
            trend = 0 if p_n[n - 2] == 0 else p_n[n - 1] ** 2 / p_n[n - 2]
            grams = max(0, len(hypothesis) - n)
            p_n[n] = (p_n[n].numerator + self.alpha * trend) / (grams + self.alpha)
        return p_n

    def method7(
        self, p_n: Any, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        """Method 4, then method 5."""
        length = hyp_len or len(hypothesis)
        return self.method5(self.method4(p_n, references, hypothesis, length), references, hypothesis, length)


LIGHT = {
    SmoothingFunction.method0,
    SmoothingFunction.method1,
    SmoothingFunction.method2,
    SmoothingFunction.method3,
    SmoothingFunction.method4,
}
