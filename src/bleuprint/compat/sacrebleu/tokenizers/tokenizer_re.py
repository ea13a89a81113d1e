"""The rules that the tokenizers 13a and zh end with."""

from __future__ import annotations

import re

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["TokenizerRegexp"]

# mteval-v13a's rules for Western languages, in its order.
_RULES = (
    (re.compile(r"[!-&(-+/:-@\[-`{-~]"), r" \g<0> "),  # ASCII marks other than ' , - and .
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])-"), r"\1 - "),
)


class TokenizerRegexp(BaseTokenizer):
    """Separates ASCII punctuation, but neither periods and commas inside numbers nor hyphens inside words.

    >>> TokenizerRegexp()("It's $3.50, or so-called 3-4.")
    "It's $ 3.50 , or so-called 3 - 4."
    """

    def signature(self) -> str:
        return "re"

    def __call__(self, line: str) -> str:
        for pattern, replacement in _RULES:
            line = pattern.sub(replacement, line)
        return " ".join(line.split())
