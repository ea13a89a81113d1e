"""WER, the word error rate: edits per word of the reference.

    WER = (S + D + I) / (H + S + D)

for the substitutions S, deletions D and insertions I of a shortest way from the reference to the hypothesis, and the
words H that both share. It has no upper limit: insertions count, but the reference grows no longer by them. Where all
references are empty it is the number of insertions, as in jiwer.
Of several references the one with the lowest rate counts, the first of equals; a corpus score divides sums by sums.
Levenshtein (1966): Binary codes capable of correcting deletions, insertions, and reversals. Soviet Physics Doklady 10.
"""

from __future__ import annotations

from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._error_rate import ErrorScore, token_errors
from bleuprint.metrics.base.formulas import Value, ratio, where
from bleuprint.metrics.base.metric import Metric

__all__ = ["WER"]


def rate(hits: Value, substitutions: Value, deletions: Value, insertions: Value) -> Value:
    """The rate of summed operations."""
    words = hits + substitutions + deletions
    return where(words == 0, 1.0 * insertions, ratio(substitutions + deletions + insertions, words))


class WER(Metric[ErrorScore]):
    """Word error rate; words are what white space parts unless a tokenizer says otherwise.

    >>> print(WER().sentence("the cat sat on mat", "the cat sat on the mat"))
    WER = 0.1667 (5 hits, 0 substitutions, 1 deletions, 0 insertions)
    """

    name = "wer"
    higher_is_better = False

    def __init__(self, *, tokenizer: str | Tokenize = "whitespace", lowercase: bool = False) -> None:
        super().__init__(token_errors(WER, rate, "per-reference", tokenizer, lowercase))
