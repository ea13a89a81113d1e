"""The tokenizer 13a."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer

__all__ = ["Tokenizer13a"]


class Tokenizer13a(NativeTokenizer):
    """The rules of mteval-v13a, the default.

    >>> Tokenizer13a()("It costs $3.50.")
    'It costs $ 3.50 .'
    """

    scheme = "13a"
