"""Questions to an n-gram index, answered by reading the whole corpus."""

from __future__ import annotations

from collections.abc import Sequence

Text = Sequence[str]


def places(corpus: Sequence[Text], ngram: Text) -> list[tuple[int, int]]:
    """The text and the token of every occurrence."""
    n = len(ngram)
    return [
        (number, begin)
        for number, text in enumerate(corpus)
        for begin in range(len(text) - n + 1)
        if list(text[begin : begin + n]) == list(ngram)
    ]


def seen_length(corpus: Sequence[Text], text: Text, begin: int) -> int:
    """How many tokens from there on stand in the corpus."""
    length = 0
    while begin + length < len(text) and places(corpus, text[begin : begin + length + 1]):
        length += 1
    return length


def spans(corpus: Sequence[Text], text: Text, minimum: int) -> list[tuple[int, int]]:
    """Begin and length of the longest runs, none inside another."""
    lengths = [seen_length(corpus, text, begin) for begin in range(len(text))]
    return [
        (begin, length)
        for begin, length in enumerate(lengths)
        if length >= minimum and not any(b + lengths[b] >= begin + length for b in range(begin))
    ]


def first_runs(corpus: Sequence[str], text: str) -> list[tuple[int, int, int]]:
    """For texts whose words are letters: begin and length of the longest runs, none inside another, and the first place
    of each in all texts joined by line feeds."""
    joined, found, reached = "\n".join(corpus), [], 0
    for begin in range(len(text)):
        end = max(begin, reached)
        while end < len(text) and text[begin : end + 1] in joined:
            end += 1
        if end > max(begin, reached):
            found.append((begin, end - begin, joined.index(text[begin:end])))
            reached = end
    return found


def row(corpus: Sequence[Text], text: Text, orders: Sequence[int], *, whole: bool) -> list[int]:
    """Tokens; per order the n-grams, those that are seen, and the tokens inside of them."""
    numbers = [len(text)]
    for order in orders:
        n = min(order, len(text)) if whole and text else order
        begins = range(len(text) - n + 1)
        seen = [begin for begin in begins if places(corpus, text[begin : begin + n])]
        inside = {place for begin in seen for place in range(begin, begin + n)}
        numbers += [len(begins), len(seen), len(inside)]
    return numbers
