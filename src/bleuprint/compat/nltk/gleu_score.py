"""nltk.translate.gleu_score: GLEU (Google-BLEU)."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.compat._tokens import Tokens, check_orders, require_equal_lengths, total
from bleuprint.core import counts

__all__ = ["corpus_gleu", "sentence_gleu"]


def sentence_gleu(references: Sequence[Tokens], hypothesis: Tokens, min_len: int = 1, max_len: int = 4) -> float:
    """GLEU of one hypothesis.

    >>> round(sentence_gleu(["the cat sat on the mat".split()], "the cat sat on a mat".split()), 4)
    0.6111
    """
    return corpus_gleu([references], [hypothesis], min_len, max_len)


def corpus_gleu(
    list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], min_len: int = 1, max_len: int = 4
) -> float:
    """GLEU of a corpus; segments without references are ignored.

    >>> corpus_gleu([[["a", "b"]], [["c"]]], [["a", "b"], ["d"]])
    0.75
    """
    message = "The number of hypotheses and their reference(s) should be the same"
    require_equal_lengths(list_of_references, hypotheses, message)
    check_orders(min_len, max_len)
    pairs = [(group, text) for group, text in zip(list_of_references, hypotheses, strict=True) if len(group)]
    if not pairs:
        return 0.0
    plan = counts.best_overlap("none", False, min_len, max_len)
    matches, larger, *_ = total(plan, [group for group, _ in pairs], [text for _, text in pairs])
    return matches / larger if larger else 0.0
