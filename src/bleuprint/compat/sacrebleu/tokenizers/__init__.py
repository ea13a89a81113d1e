"""sacrebleu's tokenizers: objects that turn a line into its tokens, joined by spaces."""

from __future__ import annotations

from collections.abc import Callable

from bleuprint.compat.sacrebleu.tokenizers import tokenizer_base as base
from bleuprint.compat.sacrebleu.tokenizers import tokenizer_spm as spm
from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["TOKENIZERS", "BaseTokenizer"]

# By name, in sacrebleu's order; some need an extra, and say so when they are created.
TOKENIZERS: dict[str, Callable[[], BaseTokenizer]] = {
    "none": base.NoneTokenizer,
    "zh": base.TokenizerZh,
    "13a": base.Tokenizer13a,
    "intl": base.TokenizerV14International,
    "char": base.TokenizerChar,
    "ja-mecab": base.TokenizerJaMecab,
    "ko-mecab": base.TokenizerKoMecab,
    "spm": spm.TokenizerSPM,
    "flores101": spm.Flores101Tokenizer,
    "flores200": spm.Flores200Tokenizer,
    "spBLEU-1K": spm.spBLEU1KTokenizer,
}
