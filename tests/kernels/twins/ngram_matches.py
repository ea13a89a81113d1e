"""What a stream of texts holds of the n-grams of others, by going through all of both."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

Text = Sequence[str]
Ngram = tuple[str, ...]
Place = tuple[int, int, int]  # file, text, word

SHOWN_WORDS = 12
MOST_PLACES = 3


class Match(NamedTuple):
    records: int
    places: list[Place]
    before: str
    after: str


def ngrams(text: Text, order: int, *, whole: bool) -> list[Ngram]:
    """The n-grams of a text in order; with `whole`, a shorter text is one n-gram."""
    n = min(order, len(text)) if whole and text else order
    return [tuple(text[begin : begin + n]) for begin in range(len(text) - n + 1)]


def find(sought: Sequence[Text], files: Sequence[Sequence[Text]], order: int, *, whole: bool) -> dict[Ngram, Match]:
    """Every n-gram that was found: in how many texts, its first place in the first of them, and the words around it."""
    firsts: dict[Ngram, int] = {}
    at = 0
    for text in sought:
        for begin, ngram in enumerate(ngrams(text, order, whole=whole)):
            firsts.setdefault(ngram, at + begin)
        at += len(text)
    found: dict[Ngram, Match] = {}
    for file, texts in enumerate(files):
        for number, text in enumerate(texts):
            places = {
                ngram: [begin for begin in range(len(text)) if tuple(text[begin : begin + len(ngram)]) == ngram]
                for ngram in firsts
            }
            hits = {begin: ngram for ngram, begins in places.items() if len(ngram) == order for begin in begins}
            goes_on = {
                two
                for one, two in pairwise(sorted(hits))
                if one + 1 == two and firsts[hits[one]] + 1 == firsts[hits[two]]
            }
            for ngram, begins in places.items():
                if not begins:
                    continue
                begin, is_full = begins[0], len(ngram) == order
                end = begin + len(ngram)
                before = "" if is_full and begin in goes_on else " ".join(text[max(0, begin - SHOWN_WORDS) : begin])
                after = "" if is_full and begin + 1 in goes_on else " ".join(text[end : end + SHOWN_WORDS])
                one = found.setdefault(ngram, Match(0, [], before, after))
                more = [(file, number, begin)] if len(one.places) < MOST_PLACES else []
                found[ngram] = one._replace(records=one.records + 1, places=one.places + more)
    return found


def row(text: Text, found: dict[Ngram, Match], order: int, *, whole: bool) -> list[int]:
    """Tokens, n-grams, those that were found, and the tokens inside of these."""
    listed = ngrams(text, order, whole=whole)
    seen = [begin for begin, ngram in enumerate(listed) if ngram in found]
    inside = {place for begin in seen for place in range(begin, begin + len(listed[begin]))}
    return [len(text), len(listed), len(seen), len(inside)]


def longest_runs(text: Text, found: dict[Ngram, Match], order: int, *, whole: bool) -> list[tuple[int, int, Place]]:
    """Begin, tokens and place of the longest runs of n-grams with consecutive kept places, the longest first."""
    places = {
        (begin, place): len(ngram)
        for begin, ngram in enumerate(ngrams(text, order, whole=whole))
        if ngram in found
        for place in found[ngram].places
    }
    runs = []
    for (begin, (file, number, word)), length in places.items():
        if (begin - 1, (file, number, word - 1)) in places:
            continue
        more = 0
        while (begin + more + 1, (file, number, word + more + 1)) in places:
            more += 1
        runs.append((begin, more + length, (file, number, word)))
    return sorted(runs, key=lambda run: (-run[1], run[2], run[0]))
