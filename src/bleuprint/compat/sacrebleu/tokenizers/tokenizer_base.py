"""What tokenizers have in common."""

from __future__ import annotations

from bleuprint.core import tokenizers

__all__ = ["BaseTokenizer", "NativeTokenizer"]


class BaseTokenizer:
    """A tokenizer; `scheme` names what the core does itself, and is None where `__call__` has to be asked."""

    scheme: str | None = None

    def signature(self) -> str:
        """The name that stands in signatures."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """The tokens of a line, joined by blanks."""
        raise NotImplementedError


class NativeTokenizer(BaseTokenizer):
    """A tokenizer of the core."""

    scheme: str

    def signature(self) -> str:
        return self.scheme

    def __call__(self, line: str) -> str:
        return " ".join(tokenizers.tokenize(line, self.scheme))
