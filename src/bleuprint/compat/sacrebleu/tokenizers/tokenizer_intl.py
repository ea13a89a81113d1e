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

    def __call__(self, line: str) -> str:
        if line == line.rstrip():
            return super().__call__(line)
        # The core removes whitespace at the end, as BLEU does; it matters after a number ("5. "), so a word follows it.
        return super().__call__(f"{line}x").removesuffix("x").rstrip()
