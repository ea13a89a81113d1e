"""WIP, word information preserved: the product of the shares of hits in both texts.

    WIP = H / (H + S + D) · H / (H + S + I)

It is one minus WIL, with the same alignment. Two empty texts preserve everything.
Morris, Maier, Green (2004): From WER and RIL to MER and WIL: improved evaluation measures for connected speech
recognition. Interspeech.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.metrics._error_rate import TokenErrorRate
from bleuprint.metrics.base.formulas import Value, ratio, where


class WIP(TokenErrorRate):
    """Word information preserved.

    >>> print(WIP().sentence("a b c d", "a b x d"))
    WIP = 0.5625 (3 hits, 1 substitutions, 0 deletions, 0 insertions)
    """

    name = "wip"
    nearest = "information"
    higher_is_better = True

    @staticmethod
    def formula(columns: Sequence[Value], *, sentence: bool = False) -> Value:
        """Word information preserved of summed operations."""
        hits, substitutions, deletions, insertions = columns
        reference = hits + substitutions + deletions
        hypothesis = hits + substitutions + insertions
        return where(reference + hypothesis == 0, 1.0, ratio(hits, reference) * ratio(hits, hypothesis))
