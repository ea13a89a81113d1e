"""nltk.translate.bleu_score: BLEU with NLTK's rules and with its own or custom smoothing functions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from bleuprint.compat.nltk._smoothing import LIGHT, Fraction, Share, SmoothingFunction
from bleuprint.compat.nltk._tokens import Tokens, columns_of, require_equal_lengths
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

_LARGEST_NATIVE = 255  # longest n-grams that the core counts; longer ones are not used in practice
_UNIFORM = (0.25, 0.25, 0.25, 0.25)

Smoothing = Callable[..., Any]


class _Sums(NamedTuple):
    matches: Sequence[int]
    totals: Sequence[int]
    hypothesis_length: int
    reference_length: int


def sentence_bleu(
    references: Sequence[Tokens],
    hypothesis: Tokens,
    weights: Any = _UNIFORM,
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
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    weights: Any = _UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """BLEU of a corpus; `list_of_references[i]` holds the references of hypothesis i.

    >>> corpus_bleu([[["a", "b", "c", "d"]], [["e", "f"]]], [["a", "b", "c", "d"], ["e", "f"]])
    0.7598356856515925
    """
    return _bleu(list_of_references, hypotheses, weights, smoothing_function, auto_reweigh)


def _bleu(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    weights: Any,
    smoothing_function: Smoothing | None,
    auto_reweigh: bool,
) -> Any:
    """Shared by both functions, so that a warning points to the caller's line."""
    message = "The number of hypotheses and their reference(s) should be the same "
    require_equal_lengths(list_of_references, hypotheses, message)
    try:
        weights[0][0]
    except (TypeError, IndexError):
        weights = [weights]
    if not hypotheses:
        raise ZeroDivisionError("Fraction(0, 0)")
    sums = _sums(list_of_references, hypotheses, max(len(weight) for weight in weights))
    if not sums.matches or sums.matches[0] == 0:
        return 0 if len(weights) == 1 else [0] * len(weights)
    smooth = smoothing_function or SmoothingFunction().method0
    ratio = Share if getattr(smooth, "__func__", None) in LIGHT else Fraction
    precisions = smooth(
        [ratio(m, t) for m, t in zip(sums.matches, sums.totals, strict=True)],
        references=list_of_references[-1],  # as in NLTK, whose loop variables still hold the last segment
        hypothesis=hypotheses[-1],
        hyp_len=sums.hypothesis_length,
    )
    scores = _scores(weights, precisions, sums, auto_reweigh)
    return scores[0] if len(weights) == 1 else scores


def _scores(weights: Any, precisions: Iterable[Any], sums: _Sums, auto_reweigh: bool) -> list[float]:
    length = sums.hypothesis_length
    penalty = brevity_penalty(sums.reference_length, length)
    values = [p.numerator / p.denominator if isinstance(p, Share) else p for p in precisions]
    scores = []
    for weight in weights:
        if auto_reweigh and length < 4 and weight == _UNIFORM:
            weight = (1 / length,) * length
        # zip stops at the shorter list, and precisions of zero are skipped.
        logs = (w * math.log(p) for w, p in zip(weight, values, strict=False) if p > 0)
        scores.append(penalty * math.exp(math.fsum(logs)))
    return scores


def _sums(groups: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], orders: int) -> _Sums:
    if 0 < orders <= _LARGEST_NATIVE:
        columns = columns_of(groups, hypotheses)
        plan = counts.clipped_counts("none", False, orders, "closest", 1)
        total = plan.total(*columns, None, counts.available_threads() if len(hypotheses) > 1 else 1)
        return _Sums(total[2 : 2 + orders], total[2 + orders :], total[0], total[1])
    matches, totals, lengths = [0] * orders, [0] * orders, [0, 0]
    for references, hypothesis in zip(groups, hypotheses, strict=True):
        for n in range(orders):
            order_counts = _clipped(references, hypothesis, n + 1)
            matches[n] += order_counts[0]
            totals[n] += order_counts[1]
        lengths[0] += len(hypothesis)
        lengths[1] += closest_ref_length(references, len(hypothesis))
    return _Sums(matches, totals, lengths[0], lengths[1])


def _clipped(references: Sequence[Tokens], hypothesis: Tokens, n: int) -> tuple[int, int]:
    """Matches and n-grams of one order that is too long for the core."""
    own = _ngrams(hypothesis, n)
    most = Counter[tuple[Any, ...]]()
    for reference in references:
        most |= _ngrams(reference, n)
    return sum((own & most).values()), max(1, sum(own.values()))


def _ngrams(text: Tokens, n: int) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(text[at : at + n]) for at in range(len(text) - n + 1))


def modified_precision(references: Sequence[Tokens], hypothesis: Tokens, n: int) -> Fraction:
    """Clipped matches over n-grams (at least one) of one order, as an unreduced fraction.

    >>> precision = modified_precision([["the", "cat"], ["a", "cat"]], ["the", "the", "cat", "a"], 1)
    >>> precision.numerator, precision.denominator, float(precision)
    (3, 4, 0.75)
    """
    if not 0 < n <= _LARGEST_NATIVE:
        return Fraction(*_clipped(references, hypothesis, n))
    columns = columns_of([references], [hypothesis])
    row = counts.clipped_counts("none", False, n, "closest", 1).total(*columns, None, 1)
    return Fraction(row[1 + n], row[1 + 2 * n])


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
