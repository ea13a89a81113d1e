"""Modified Kneser-Ney as a plain computation over dictionaries, with the rules of lmplz; slow and readable.

Chen and Goodman (1998), equations 22 to 26; Heafield et al. (2013) and lmplz's source for what those leave open.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Ngram = tuple[str, ...]
BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"


class NoDiscountsError(Exception):
    """Some count from 1 to 3 never occurs, or a discount is out of range."""


@dataclass
class Twin:
    """Probabilities and back-off weights (not logarithms) of all n-grams that were kept."""

    order: int
    probability: dict[Ngram, float] = field(default_factory=dict)
    backoff: dict[Ngram, float] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)

    def next_word(self, word: str, context: Sequence[str]) -> tuple[float, int]:
        """p(word | context), and the length of the n-gram that it comes from."""
        word = word if (word,) in self.probability else UNKNOWN
        known = tuple(each if (each,) in self.probability else UNKNOWN for each in context)
        known = known[max(0, len(known) - self.order + 1) :]
        weight = 1.0
        while (*known, word) not in self.probability:
            weight *= self.backoff.get(known, 1.0)
            known = known[1:]
        return weight * self.probability[*known, word], len(known) + 1

    def score(self, words: Sequence[str]) -> list[tuple[float, int]]:
        """log10 probability and length of n-gram for each word and the end."""
        found = []
        for position, word in enumerate([*words, END]):
            probability, length = self.next_word(word, [BEGIN, *words[:position]])
            found.append((math.log10(probability), length))
        return found


def train(
    sentences: Sequence[Sequence[str]],
    order: int,
    prune: Sequence[int],
    fallback: tuple[float, float, float] | None = None,
) -> Twin:
    occurrences = [Counter(ngrams(sentences, n)) for n in range(1, order + 1)]
    del occurrences[0][(BEGIN,)]
    twin = Twin(order, words={word for (word,) in occurrences[0]} | {UNKNOWN})
    lower: dict[Ngram, float] = dict.fromkeys([()], 1 / len(twin.words))
    for n in range(1, order + 1):
        counts = adjusted(occurrences, n)
        kept = {ngram for ngram in counts if n == 1 or occurrences[n - 1][ngram] > prune[n - 1]}
        lower = estimate(twin, counts, kept, discounts(counts, fallback), lower)
        twin.probability |= lower
    twin.probability[(BEGIN,)] = 1.0
    return twin


def ngrams(sentences: Sequence[Sequence[str]], n: int) -> Iterator[Ngram]:
    for sentence in sentences:
        words = (BEGIN, *sentence, END)
        yield from (words[i : i + n] for i in range(len(words) - n + 1))


def adjusted(occurrences: list[Counter[Ngram]], n: int) -> Counter[Ngram]:
    """Occurrences in the highest order and for what begins with <s>; different words before it for all else."""
    if n == len(occurrences):
        return occurrences[n - 1]
    before = Counter(longer[1:] for longer in occurrences[n])
    return Counter({g: occurrences[n - 1][g] if g[0] == BEGIN else before[g] for g in occurrences[n - 1]})


def discounts(counts: Counter[Ngram], fallback: tuple[float, float, float] | None) -> list[float]:
    having = Counter(counts.values())
    try:
        share = having[1] / (having[1] + 2 * having[2])
        found = [0.0, *(c - (c + 1) * share * having[c + 1] / having[c] for c in (1, 2, 3))]
        if all(0 <= found[c] <= c for c in (1, 2, 3)):
            return found
    except ZeroDivisionError:
        pass
    if fallback is None:
        raise NoDiscountsError
    return [0.0, *fallback]


def estimate(
    twin: Twin, counts: Counter[Ngram], kept: set[Ngram], discount: list[float], lower: dict[Ngram, float]
) -> dict[Ngram, float]:
    continuations: dict[Ngram, list[Ngram]] = defaultdict(list)
    for ngram in counts:
        continuations[ngram[:-1]].append(ngram)
    probabilities = {}
    for context, longer in continuations.items():
        total = sum(counts[ngram] for ngram in longer)
        given = {ngram: discount[min(counts[ngram], 3)] if ngram in kept else counts[ngram] for ngram in longer}
        weight = sum(given.values()) / total
        if context:
            twin.backoff[context] = weight
        for ngram in longer:
            if ngram in kept:
                probabilities[ngram] = (counts[ngram] - given[ngram]) / total + weight * lower[ngram[1:]]
        if not context:
            probabilities[(UNKNOWN,)] = weight * lower[()]
    return probabilities
