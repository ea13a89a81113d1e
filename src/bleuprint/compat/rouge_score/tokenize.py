"""The tokenizer of ROUGE as a function."""

from __future__ import annotations

import re
from typing import Protocol

from bleuprint.core import stemmers, tokenizers

__all__ = ["tokenize"]


class Stemmer(Protocol):
    """The common interface of NLTK's stemmers."""

    def stem(self, token: str, /) -> str: ...


def tokenize(text: str, stemmer: Stemmer | None) -> list[str]:
    """Lowercased runs of ASCII letters and digits; words of four letters or more are stemmed if there is a stemmer.

    >>> tokenize("Running cats, 42!", None)
    ['running', 'cats', '42']
    """
    words = tokenizers.tokenize(text, "ascii-words")
    if stemmer is None:
        return words
    stems = (stemmer.stem(word) if len(word) >= stemmers.SHORTEST else word for word in words)
    return [stem for stem in stems if re.fullmatch("[a-z0-9]+", stem)]
