"""Tokenizers for a RougeScorer."""

from __future__ import annotations

from abc import ABC, abstractmethod

from bleuprint.compat.rouge_score.tokenize import tokenize
from bleuprint.core import counts

__all__ = ["DefaultTokenizer", "Tokenizer"]


class Tokenizer(ABC):
    """Base class of tokenizers."""

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text."""


class DefaultTokenizer(Tokenizer):
    """Lowercased runs of ASCII letters and digits, with or without the Porter stemmer.

    >>> DefaultTokenizer(use_stemmer=True).tokenize("Running cats, 42!")
    ['run', 'cat', '42']
    """

    def __init__(self, use_stemmer: bool = False) -> None:
        self.use_stemmer = use_stemmer

    def tokenize(self, text: str) -> list[str]:
        return tokenize(text, counts if self.use_stemmer else None)
