"""N-grams as Counters, for code that inspects them; no score is computed from them."""

from __future__ import annotations

from collections import Counter

__all__ = ["extract_all_char_ngrams", "extract_all_word_ngrams", "extract_char_ngrams", "extract_word_ngrams"]


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[tuple[str, ...]], int]:
    """N-grams of the words of a line as tuples, and the number of words.

    >>> extract_all_word_ngrams("a b", 1, 2)
    (Counter({('a',): 1, ('b',): 1, ('a', 'b'): 1}), 2)
    """
    tokens = line.split()
    orders = range(min_order, max_order + 1)
    ngrams = (tuple(tokens[at : at + n]) for n in orders for at in range(len(tokens) - n + 1))
    return Counter(ngrams), len(tokens)


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


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> list[Counter[str]]:
    """The same for orders 1 to max_order.

    >>> extract_all_char_ngrams("aa", 2)
    [Counter({'a': 2}), Counter({'aa': 1})]
    """
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]
