"""nltk.translate.nist_score: NIST, in which rare n-grams count more."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.compat._tokens import Tokens, columns, require_equal_lengths
from bleuprint.metrics.nist import NIST

__all__ = ["corpus_nist", "sentence_nist"]


def sentence_nist(references: Sequence[Tokens], hypothesis: Tokens, n: int = 5) -> float:
    """NIST of one hypothesis, weighted by its own references.

    >>> round(sentence_nist(["the cat sat on the mat".split()], "the cat sat on a mat".split()), 4)
    2.1875
    """
    return corpus_nist([references], [hypothesis], n)


def corpus_nist(list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], n: int = 5) -> float:
    """NIST of a corpus; as in NLTK, raises ZeroDivisionError if no hypothesis has n tokens or all references are empty.

    >>> round(corpus_nist([[["a", "b"]], [["c", "d"]]], [["a", "b"], ["c", "e"]], n=2), 4)
    1.5
    """
    message = "The number of hypotheses and their reference(s) should be the same"
    require_equal_lengths(list_of_references, hypotheses, message)
    texts = columns(list_of_references, hypotheses)
    if not any(len(hypothesis) >= n for hypothesis in hypotheses):
        raise ZeroDivisionError(f"no hypothesis has an n-gram of order {n}: use a smaller n")
    if not any(len(reference) for references in list_of_references for reference in references):
        raise ZeroDivisionError("the references have no token")
    return NIST(max_order=n, tokenizer="none").corpus(*texts).value
