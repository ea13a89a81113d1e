"""nltk.translate.chrf_score: chrF as the mean of F-scores over orders and sentences, with one reference each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bleuprint.compat._tokens import check_orders, require_equal_lengths, threads
from bleuprint.core import counts
from bleuprint.core.columns import column

__all__ = ["corpus_chrf", "sentence_chrf"]

_EPSILON = 1e-16  # in place of an undefined F-score
_SPACE = re.compile(r"[^\S\x1c-\x1f]+")  # NLTK removes Unicode's white space, to which these separators do not belong

Text = str | Sequence[str]


def sentence_chrf(
    reference: Text,
    hypothesis: Text,
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """chrF of one hypothesis; a list of words is joined with spaces.

    >>> round(sentence_chrf("the cat sat on the mat", "the cat sat on a mat"), 4)
    0.6506
    """
    return corpus_chrf([reference], [hypothesis], min_len, max_len, beta, ignore_whitespace)


def corpus_chrf(
    references: Sequence[Text],
    hypotheses: Sequence[Text],
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """chrF of a corpus, with one reference per hypothesis.

    >>> corpus_chrf(["abcdef", "ghijkl"], ["abcdef", "mnopqr"])
    0.5
    """
    require_equal_lengths(references, hypotheses, "The number of hypotheses and their references should be the same")
    check_orders(min_len, max_len)
    ours = column([_characters(text, ignore_whitespace) for text in hypotheses], "hypotheses")
    theirs = column([_characters(text, ignore_whitespace) for text in references], "references")
    plan = counts.characters(
        max_len, 0, lowercase=False, keep_space=True, recall_factor=float(beta**2), mean_of_scores=True
    )
    rows: list[list[int]] = plan.rows(ours, theirs, None, threads(hypotheses)).tolist()
    orders = range(3 * (min_len - 1), 3 * max_len, 3)
    sums = [sum(_f_score(row[at : at + 3], beta**2) for row in rows) for at in orders]
    return float(sum(sums) / (len(sums) if len(rows) else 0) / len(rows))


def _characters(text: Text, ignore_whitespace: bool) -> str:
    joined = text if isinstance(text, str) else " ".join(text)
    return _SPACE.sub("", joined) if ignore_whitespace else joined


def _f_score(columns: Sequence[int], factor: float) -> float:
    hypothesis, reference, matches = columns
    if not matches:  # this includes a side without n-grams
        return _EPSILON
    precision, recall = matches / hypothesis, matches / reference
    return (1 + factor) * (precision * recall) / (factor * precision + recall)
