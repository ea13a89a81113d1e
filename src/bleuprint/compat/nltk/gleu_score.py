"""nltk.translate.gleu_score: GLEU (Google-BLEU)."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.compat.nltk._tokens import Tokens, check_orders, columns_of, require_equal_lengths
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
    with_references = [(group, text) for group, text in zip(list_of_references, hypotheses, strict=True) if len(group)]
    if not with_references:
        return 0.0
    columns = columns_of([group for group, _ in with_references], [text for _, text in with_references])
    plan = counts.best_overlap("none", False, min_len, max_len)
    matches, larger, *_ = plan.total(*columns, None, counts.available_threads() if len(with_references) > 1 else 1)
    return matches / larger if larger else 0.0
