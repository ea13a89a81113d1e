"""The tokenizer char."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer

__all__ = ["TokenizerChar"]


class TokenizerChar(NativeTokenizer):
    """Splits into single characters.

    >>> TokenizerChar()("a b")
    'a   b'
    """

    scheme = "char"

    def __call__(self, line: str) -> str:
        return " ".join(line)
