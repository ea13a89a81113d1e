"""The tokenizer of TER."""

from __future__ import annotations

from bleuprint.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer
from bleuprint.core import tokenizers

__all__ = ["TercomTokenizer"]


class TercomTokenizer(NativeTokenizer):
    """tercom's rules; without any options it only splits at whitespace and lowercases.

    >>> TercomTokenizer(normalized=True)("Hello, world!")
    'hello , world !'
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        rules = {"-normalized": normalized, "-no-punct": no_punct, "-asian": asian_support}
        self.scheme = "tercom" + "".join(rule for rule, used in rules.items() if used)
        self._lowercase = not case_sensitive

    def signature(self) -> str:
        return "tercom"

    def __call__(self, line: str) -> str:
        return " ".join(tokenizers.tokenize(line, self.scheme, lowercase=self._lowercase))
