"""The tokenizer none."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer

__all__ = ["NoneTokenizer"]


class NoneTokenizer(NativeTokenizer):
    """Leaves the line unchanged.

    >>> NoneTokenizer()("a  b")
    'a  b'
    """

    scheme = "none"

    def __call__(self, line: str) -> str:
        return line
