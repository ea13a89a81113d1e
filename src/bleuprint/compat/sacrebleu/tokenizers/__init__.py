"""sacrebleu's tokenizers: objects that turn a line into its tokens, joined by spaces."""

from __future__ import annotations

from importlib import import_module

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["TOKENIZERS", "BaseTokenizer", "tokenizer_class"]

# Name to module and class, which are imported on first use.
TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}


def tokenizer_class(name: str) -> type[BaseTokenizer]:
    """The class of a tokenizer; raises KeyError for unknown names.

    >>> tokenizer_class("13a")()("Hello, world!")
    'Hello , world !'
    """
    module, _, kind = TOKENIZERS[name].rpartition(".")
    tokenizer: type[BaseTokenizer] = getattr(import_module(f"{__name__}.{module}"), kind)
    return tokenizer
