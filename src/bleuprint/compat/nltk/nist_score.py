"""nltk.translate.nist_score: NIST, in which rare n-grams count more."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleuprint.compat.nltk._tokens import Tokens, columns_of, require_equal_lengths
from bleuprint.metrics import NIST

__all__ = ["corpus_nist", "nist_length_penalty", "sentence_nist"]

_BETA = math.log(0.5) / math.log(1.5) ** 2


def sentence_nist(references: Sequence[Tokens], hypothesis: Tokens, n: int = 5) -> float:
    """NIST of one hypothesis, weighted by its own references.

    >>> round(sentence_nist(["the cat sat on the mat".split()], "the cat sat on a mat".split()), 4)
    2.1875
    """
    return corpus_nist([references], [hypothesis], n)


def corpus_nist(list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], n: int = 5) -> float:
    """NIST of a corpus; as in NLTK, raises ZeroDivisionError if no hypothesis has n tokens.

    >>> round(corpus_nist([[["a", "b"]], [["c", "d"]]], [["a", "b"], ["c", "e"]], n=2), 4)
    1.5
    """
    message = "The number of hypotheses and their reference(s) should be the same"
    require_equal_lengths(list_of_references, hypotheses, message)
    columns = columns_of(list_of_references, hypotheses)
    if not any(len(hypothesis) >= n for hypothesis in hypotheses):
        raise ZeroDivisionError(f"no hypothesis has an n-gram of order {n}: use a smaller n")
    return NIST(max_order=n, tokenizer="none").corpus(*columns).value


def nist_length_penalty(ref_len: float, hyp_len: float) -> float:
    """1 if the hypothesis is not shorter than the reference, 1/2 if it has two thirds of the length, 0 if it is empty.

    >>> round(nist_length_penalty(3, 2), 9)
    0.5
    """
    ratio = hyp_len / ref_len
    if not 0 < ratio < 1:
        return max(min(ratio, 1.0), 0.0)
    return math.exp(_BETA * math.log(ratio) ** 2)
