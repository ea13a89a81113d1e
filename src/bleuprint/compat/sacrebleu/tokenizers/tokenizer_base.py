"""Base classes of the tokenizers."""

from __future__ import annotations

from bleuprint.core import tokenizers

__all__ = ["BaseTokenizer", "NativeTokenizer"]


class BaseTokenizer:
    """A tokenizer; `scheme` is its name in the core, or None if `__call__` has to be used."""

    scheme: str | None = None

    def signature(self) -> str:
        """The name in signatures."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """The tokens of a line, joined by spaces."""
        raise NotImplementedError


class NativeTokenizer(BaseTokenizer):
    """A tokenizer implemented in the core."""

    scheme: str

    def signature(self) -> str:
        return self.scheme

    def __call__(self, line: str) -> str:
        return " ".join(tokenizers.tokenize(line, self.scheme))
