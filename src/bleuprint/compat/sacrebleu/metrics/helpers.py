"""N-grams as Counters, for code that inspects them; no score is computed from them."""

from __future__ import annotations

from collections import Counter

__all__ = ["extract_char_ngrams", "extract_word_ngrams"]


def extract_word_ngrams(tokens: list[str], n: int) -> Counter[str]:
    """N-grams of tokens, joined by spaces.

    >>> extract_word_ngrams(["a", "b", "c"], 2)
    Counter({'a b': 1, 'b c': 1})
    """
    return Counter(" ".join(tokens[at : at + n]) for at in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """N-grams of the characters of a line.

    >>> extract_char_ngrams("a ba", 2)
    Counter({'ab': 1, 'ba': 1})
    """
    kept = line if include_whitespace else "".join(line.split())
    return Counter(kept[at : at + n] for at in range(len(kept) - n + 1))
