"""The tokenizer ja-mecab."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from bleuprint.core import tokenizers

__all__ = ["TokenizerJaMecab"]


class TokenizerJaMecab(BaseTokenizer):
    """Japanese words by MeCab; needs the extra `ja`."""

    def __init__(self) -> None:
        self._split = tokenizers.resolve("ja-mecab")

    def signature(self) -> str:
        import ipadic
        import MeCab

        return f"ja-mecab-{MeCab.Tagger(ipadic.MECAB_ARGS).version()}-IPA"

    def __call__(self, line: str) -> str:
        return " ".join(self._split(line))
