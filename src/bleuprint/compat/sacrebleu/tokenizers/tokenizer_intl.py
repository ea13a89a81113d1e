"""The tokenizer intl."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer

__all__ = ["TokenizerV14International"]


class TokenizerV14International(NativeTokenizer):
    """The international rules of mteval-v14.

    >>> TokenizerV14International()("3€, „so“")
    '3 € , „ so “'
    """

    scheme = "intl"
