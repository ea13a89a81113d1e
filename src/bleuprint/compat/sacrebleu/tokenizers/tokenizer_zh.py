"""The tokenizer zh."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer

__all__ = ["TokenizerZh"]


class TokenizerZh(NativeTokenizer):
    """Splits Chinese characters one by one, and everything else like 13a.

    >>> TokenizerZh()("你好 world!")
    '你 好 world !'
    """

    scheme = "zh"
