"""nltk.translate.bleu_score: BLEU with NLTK's rules and with its own or custom smoothing functions."""

from __future__ import annotations

import fractions
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Self

from bleuprint import checks
from bleuprint.compat._tokens import Tokens, require_equal_lengths, total
from bleuprint.core import counts

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]

_LARGEST_ORDER = 255  # of the n-grams that the core counts
_BEYOND = 5  # the order that smoothing uses beyond the last one, whatever the last is
_UNIFORM = (0.25, 0.25, 0.25, 0.25)

Texts = Sequence[Tokens]
Values = list[Any]  # precisions: fractions, and floats where a smoothing function put them
Smoothing = Callable[..., Values]
Weights = Sequence[float] | Sequence[Sequence[float]]


def sentence_bleu(
    references: Texts,
    hypothesis: Tokens,
    weights: Weights = _UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """BLEU of one hypothesis; several sets of weights give a list of scores.

    >>> reference, hypothesis = "the cat sat on the mat".split(), "the cat sat on a mat".split()
    >>> sentence_bleu([reference], hypothesis)
    0.537284965911771
    >>> sentence_bleu([reference], hypothesis, weights=[(1.0,), (0.5, 0.5)])
    [0.8333333333333334, 0.7071067811865476]
    """
    return _bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Texts],
    hypotheses: Sequence[Tokens],
    weights: Weights = _UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """BLEU of a corpus; `list_of_references[i]` holds the references of hypothesis i.

    >>> corpus_bleu([[["a", "b", "c", "d"]], [["e", "f"]]], [["a", "b", "c", "d"], ["e", "f"]])
    0.7598356856515925
    """
    return _bleu(list_of_references, hypotheses, weights, smoothing_function, auto_reweigh)


def _bleu(
    list_of_references: Sequence[Texts],
    hypotheses: Sequence[Tokens],
    weights: Any,
    smoothing_function: Smoothing | None,
    auto_reweigh: bool,
) -> float | list[float]:
    """Shared by both functions, so that a warning points to the caller's line."""
    message = "The number of hypotheses and their reference(s) should be the same "
    require_equal_lengths(list_of_references, hypotheses, message)
    try:
        weights[0][0]
    except (TypeError, IndexError):
        weights = [weights]
    if not hypotheses:
        raise ZeroDivisionError("Fraction(0, 0)")
    orders = max(len(weight) for weight in weights)
    row = _count(list_of_references, hypotheses, orders or 1)
    length, reference_length, matches, totals = row[0], row[1], row[2 : 2 + orders], row[2 + orders :]
    if not matches or matches[0] == 0:
        return 0 if len(weights) == 1 else [0] * len(weights)
    smooth = smoothing_function or SmoothingFunction().method0
    ratio = _Share if getattr(smooth, "__func__", None) in _LIGHT else Fraction
    precisions = smooth(
        [ratio(m, t) for m, t in zip(matches, totals, strict=True)],
        references=list_of_references[-1],  # as in NLTK, whose loop variables still hold the last segment
        hypothesis=hypotheses[-1],
        hyp_len=length,
    )
    penalty = brevity_penalty(reference_length, length)
    values = [p.numerator / p.denominator if isinstance(p, _Share) else p for p in precisions]
    scores = []
    for weight in weights:
        if auto_reweigh and length < 4 and weight == _UNIFORM:
            weight = (1 / length,) * length
        # zip stops at the shorter list, and precisions of zero are skipped.
        logs = (w * math.log(p) for w, p in zip(weight, values, strict=False) if p > 0)
        scores.append(penalty * math.exp(math.fsum(logs)))
    return scores[0] if len(weights) == 1 else scores


def modified_precision(references: Texts, hypothesis: Tokens, n: int) -> Fraction:
    """Clipped matches over n-grams (at least one) of one order, as an unreduced fraction.

    >>> precision = modified_precision([["the", "cat"], ["a", "cat"]], ["the", "the", "cat", "a"], 1)
    >>> precision.numerator, precision.denominator, float(precision)
    (3, 4, 0.75)
    """
    row = _count([references], [hypothesis], n)
    return Fraction(row[1 + n], row[1 + 2 * n])


def _count(list_of_references: Sequence[Texts], hypotheses: Sequence[Tokens], orders: int) -> tuple[int, ...]:
    """The length of the hypotheses, that of the closest references, and matches and totals by order."""
    checks.order("n", orders, largest=_LARGEST_ORDER)
    return total(counts.clipped_counts("none", False, orders, "closest", 1), list_of_references, hypotheses)


def closest_ref_length(references: Iterable[Tokens], hyp_len: int) -> int:
    """The length of the reference closest in length; on ties, the shorter.

    >>> closest_ref_length([["a"] * 3, ["a"] * 5], 4)
    3
    """
    return min(map(len, references), key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """1 if the hypothesis is longer than the reference, exp(1 - r/c) otherwise, 0 if it is empty.

    >>> brevity_penalty(13, 12)
    0.9200444146293233
    """
    if hyp_len > closest_ref_len:
        return 1
    return math.exp(1 - closest_ref_len / hyp_len) if hyp_len else 0


class Fraction(fractions.Fraction):
    """A fraction that keeps its original terms: 2/4 has the numerator 2."""

    __slots__ = ("_normalize", "_original_denominator", "_original_numerator")
    _normalize: bool
    _original_denominator: Any
    _original_numerator: int

    def __new__(cls, numerator: int = 0, denominator: int | None = None, _normalize: bool = False) -> Self:
        self = super().__new__(cls, numerator, denominator)
        self._normalize = _normalize
        self._original_numerator = numerator
        self._original_denominator = denominator
        return self

    @property
    def numerator(self) -> int:
        return super().numerator if self._normalize else self._original_numerator

    @property
    def denominator(self) -> Any:
        return super().denominator if self._normalize else self._original_denominator


class _Share(NamedTuple):
    """The part of a fraction that the simple methods need; ten times faster to create."""

    numerator: int
    denominator: int


class SmoothingFunction:
    """Smoothing methods 0 to 7 (Chen and Cherry 2014); each takes the precisions p_n and returns new ones.

    >>> smooth = SmoothingFunction(epsilon=0.5)
    >>> [float(p) for p in smooth.method1([Fraction(3, 4), Fraction(0, 3)])]
    [0.75, 0.16666666666666666]
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: Values, *args: object, **kwargs: object) -> Values:
        """No smoothing: the smallest float, and a warning, if there is no match."""
        for order, p in enumerate(p_n, start=1):
            if p.numerator == 0:
                warnings.warn(
                    f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
                    "Therefore the BLEU score evaluates to 0, independently of\n"
                    "how many N-gram overlaps of lower order it contains.\n"
                    "Consider using lower n-gram order or use SmoothingFunction()",
                    stacklevel=4,
                )
        return [p if p.numerator else sys.float_info.min for p in p_n]

    def method1(self, p_n: Values, *args: object, **kwargs: object) -> Values:
        """ε matches if there are none."""
        return [p if p.numerator else self.epsilon / p.denominator for p in p_n]

    def method2(self, p_n: Values, *args: object, **kwargs: object) -> Values:
        """Add one to matches and totals from order 2 on."""
        return [p if n == 0 else type(p)(p.numerator + 1, p.denominator + 1) for n, p in enumerate(p_n)]

    def method3(self, p_n: Values, *args: object, **kwargs: object) -> Values:
        """1/2, 1/4, 1/8 … matches for successive orders without any."""
        halvings = 0
        for n, p in enumerate(p_n):
            if p.numerator == 0:
                halvings += 1
                p_n[n] = 1 / (2**halvings * p.denominator)
        return p_n

    def method4(
        self, p_n: Values, references: Texts, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Values:
        """Like method 3, but with less for short texts."""
        length, halvings = hyp_len or len(hypothesis), 0
        for n, p in enumerate(p_n):
            if p.numerator == 0 and length > 1:
                halvings += 1
                p_n[n] = 1 / (2**halvings * self.k / math.log(length)) / p.denominator
        return p_n

    def method5(
        self, p_n: Values, references: Texts, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Values:
        """Average each precision with its neighbors; the neighbor of the last is order 5 of the last segment."""
        after = [*p_n[1:], modified_precision(references, hypothesis, _BEYOND)]
        before = p_n[0] + 1
        for n, p in enumerate(p_n):
            before = p_n[n] = (before + p + after[n]) / 3
        return p_n

    def method6(
        self, p_n: Values, references: Texts, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Values:
        """From order 3 on, interpolate with the trend of the two previous orders."""
        if not p_n[2]:
            raise AssertionError("This smoothing method requires non-zero precision for bigrams.")
        for n in range(2, len(p_n)):
            trend = 0 if p_n[n - 2] == 0 else p_n[n - 1] ** 2 / p_n[n - 2]
            grams = max(0, len(hypothesis) - n)
            p_n[n] = (p_n[n].numerator + self.alpha * trend) / (grams + self.alpha)
        return p_n

    def method7(
        self, p_n: Values, references: Texts, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> Values:
        """Method 4, then method 5."""
        length = hyp_len or len(hypothesis)
        return self.method5(self.method4(p_n, references, hypothesis, length), references, hypothesis, length)


_LIGHT = {getattr(SmoothingFunction, f"method{number}") for number in range(5)}
