"""WIL, word information lost: one minus the product of the shares of hits in both texts.

    WIL = 1 − H / (H + S + D) · H / (H + S + I)

Shortest alignments can differ in their hits; this counts the one jiwer picks. Two empty texts lose nothing.
Morris, Maier, Green (2004): From WER and RIL to MER and WIL: improved evaluation measures for connected speech
recognition. Interspeech.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.metrics._error_rate import TokenErrorRate
from bleuprint.metrics.base.formulas import Value, named
from bleuprint.metrics.wip import WIP


class WIL(TokenErrorRate):
    """Word information lost.

    >>> print(WIL().sentence("a b c d", "a b x d"))
    WIL = 0.4375 (3 hits, 1 substitutions, 0 deletions, 0 insertions)
    """

    name = "wil"
    nearest = "information"

    @staticmethod
    def formula(columns: Sequence[Value], *, sentence: bool = False) -> Value:
        """Word information lost of summed operations."""
        return 1 - named("WIP", WIP.formula(columns))
