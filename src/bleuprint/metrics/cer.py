"""CER, the character error rate: WER with code points for words, blanks among them.

    CER = (S + D + I) / (H + S + D)

White space at the ends does not count by default, as in jiwer; `whitespace` says what becomes of the rest.
"""

from __future__ import annotations

from bleuprint.core import counts, tokenizers
from bleuprint.metrics import _options
from bleuprint.metrics._error_rate import ErrorRate, ErrorScore
from bleuprint.metrics._whole_texts import WholeTexts
from bleuprint.metrics.base.metric import Value
from bleuprint.metrics.smoothing import ratio, where

__all__ = ["CER"]


class CER(WholeTexts[ErrorScore], ErrorRate):
    """Character error rate.

    >>> print(CER().sentence("colour", "color"))
    CER = 0.2000 (5 hits, 0 substitutions, 0 deletions, 1 insertions)
    >>> CER(whitespace="remove").sentence("ice cream", "icecream").value
    0.0
    """

    name = "cer"
    nearest = "per-reference"

    def __init__(self, *, lowercase: bool = False, whitespace: str = "strip") -> None:
        self._tokenizer = tokenizers.resolve("char", _options.flag("lowercase", lowercase))
        space = _options.chosen("whitespace", whitespace, _options.WHITE_SPACE)
        self.options = {"lowercase": lowercase, "whitespace": space}
        self._count = counts.character_edits(lowercase, space, self.nearest)
        super().__init__()

    def rate(self, hits: Value, substitutions: Value, deletions: Value, insertions: Value) -> Value:
        characters = hits + substitutions + deletions
        return where(characters == 0, 1.0 * insertions, ratio(substitutions + deletions + insertions, characters))
