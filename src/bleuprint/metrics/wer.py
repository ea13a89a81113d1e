"""WER, the word error rate: edits per reference word.

    WER = (S + D + I) / (H + S + D)

with the substitutions S, deletions D and insertions I of a shortest edit path from reference to hypothesis, and the
hits H, the words both share. It has no upper bound, because insertions do not make the reference longer. If all
references are empty it is the number of insertions, as in jiwer.
With several references, the one with the lowest rate counts (on ties, the first). A corpus score divides sums by sums.
Levenshtein (1966): Binary codes capable of correcting deletions, insertions, and reversals. Soviet Physics Doklady 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bleuprint import checks
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._alternatives import AlternativeRows
from bleuprint.metrics._error_rate import TokenErrorRate
from bleuprint.metrics.base.formulas import Value, ratio, where
from bleuprint.metrics.base.metric import Metric


class WER(TokenErrorRate):
    """Word error rate.

    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens; splits on whitespace by default
    - `alternatives`: references may hold groups of alternatives, such as `{i am|i'm} here` or `{uh|} yes`; a group has
      spaces around it. Of all combinations the one with the lowest rate counts.

    >>> print(WER().sentence("the cat sat on mat", "the cat sat on the mat"))
    WER = 0.1667 (5 hits, 0 substitutions, 1 deletions, 0 insertions)
    >>> WER(alternatives=True).sentence("i'm here", "{i am|i'm} {uh|} here").value
    0.0
    """

    name = "wer"
    nearest = "per-reference"

    @staticmethod
    def formula(columns: Sequence[Value], *, sentence: bool = False) -> Value:
        """Word error rate of summed operations."""
        hits, substitutions, deletions, insertions = columns
        words = hits + substitutions + deletions
        return where(words == 0, 1.0 * insertions, ratio(substitutions + deletions + insertions, words))

    def __init__(
        self,
        *,
        tokenizer: str | Tokenize = "whitespace",
        lowercase: bool = False,
        normalizer: str | None = None,
        alternatives: bool = False,
    ) -> None:
        super().__init__(tokenizer=tokenizer, lowercase=lowercase, normalizer=normalizer)
        if checks.flag("alternatives", alternatives):
            options, rows = {**self.options, "alternatives": True}, AlternativeRows(self.tokenizer, self.nearest)
            Metric.__init__(self, replace(self.definition, options=options, rows=rows))
