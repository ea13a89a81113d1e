"""CER, the character error rate: WER over code points instead of words, spaces included.

    CER = (S + D + I) / (H + S + D)

Leading and trailing whitespace is ignored by default, as in jiwer; see the option `whitespace`.
"""

from __future__ import annotations

from bleuprint import checks
from bleuprint.core import counts, normalizers
from bleuprint.metrics._error_rate import ErrorScore
from bleuprint.metrics.base import CoreRows, Definition, Metric
from bleuprint.metrics.base.rows import CHARACTERS_COUNT
from bleuprint.metrics.wer import WER


class CER(Metric[ErrorScore]):
    """Character error rate.

    >>> print(CER().sentence("colour", "color"))
    CER = 0.2000 (5 hits, 0 substitutions, 0 deletions, 1 insertions)
    >>> CER(whitespace="remove").sentence("ice cream", "icecream").value
    0.0
    """

    name = "cer"
    higher_is_better = False

    def __init__(self, *, lowercase: bool = False, whitespace: str = "strip", normalizer: str | None = None) -> None:
        reader = normalizers.reader("char", lowercase, normalizer)
        space = checks.choice("whitespace", whitespace, checks.WHITE_SPACE)
        rows = CoreRows(
            counts.character_edits(lowercase, space, "per-reference"), reader, strings_only=CHARACTERS_COUNT
        )
        options = {"lowercase": lowercase, "whitespace": space, **normalizers.option_of(reader)}
        super().__init__(Definition(CER, options, rows, WER.formula, ErrorScore))
