"""MER, the match error rate: the share of an alignment that is not a hit.

    MER = (S + D + I) / (H + S + D + I)

Unlike WER it never exceeds 1. Shortest alignments can differ in their hits; this counts the one jiwer picks.
Morris, Maier, Green (2004): From WER and RIL to MER and WIL: improved evaluation measures for connected speech
recognition. Interspeech.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.metrics._error_rate import TokenErrorRate
from bleuprint.metrics.base.formulas import Value, ratio


class MER(TokenErrorRate):
    """Match error rate.

    >>> print(MER().sentence("a b c x y", "a b c"))
    MER = 0.4000 (3 hits, 0 substitutions, 0 deletions, 2 insertions)
    """

    name = "mer"
    nearest = "per-alignment"

    @staticmethod
    def formula(columns: Sequence[Value], *, sentence: bool = False) -> Value:
        """Match error rate of summed operations."""
        hits, substitutions, deletions, insertions = columns
        errors = substitutions + deletions + insertions
        return ratio(errors, hits + errors)
