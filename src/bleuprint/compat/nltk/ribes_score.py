"""nltk.translate.ribes_score: RIBES, the rank correlation of the words that a hypothesis shares with its reference."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby

from bleuprint.compat._tokens import Tokens

__all__ = [
    "choose",
    "corpus_ribes",
    "find_increasing_sequences",
    "kendall_tau",
    "position_of_ngram",
    "sentence_ribes",
    "spearman_rho",
    "word_rank_alignment",
]

MAX_ALIGNMENT_LEN = 2000  # NLTK's limit, above which it raises an error


def sentence_ribes(references: Sequence[Tokens], hypothesis: Tokens, alpha: float = 0.25, beta: float = 0.10) -> float:
    """RIBES of one hypothesis against the best of its references.

    >>> reference, hypothesis = "the boy read the book".split(), "the book was read by the boy".split()
    >>> round(sentence_ribes([reference], hypothesis), 4)
    0.1839
    """
    if not references or not hypothesis:
        return 0.0
    scores = []
    for reference in references:
        ranks = word_rank_alignment(reference, hypothesis)
        brevity = min(1.0, math.exp(1.0 - len(reference) / len(hypothesis)))
        scores.append(kendall_tau(ranks) * ((len(ranks) / len(hypothesis)) ** alpha) * (brevity**beta))
    return float(max(scores))


def corpus_ribes(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    alpha: float = 0.25,
    beta: float = 0.10,
) -> float:
    """The mean RIBES of all hypotheses.

    >>> corpus_ribes([[["a", "b", "c"]], [["d", "e"]]], [["a", "b", "c"], ["e", "d"]])
    0.5
    """
    if not hypotheses:
        return 0.0
    if len(list_of_references) != len(hypotheses):
        raise ValueError("The number of reference sets must match the number of hypotheses.")
    total = 0.0  # added up as NLTK does: since Python 3.12, sum() rounds differently
    for references, hypothesis in zip(list_of_references, hypotheses, strict=True):
        total += sentence_ribes(references, hypothesis, alpha, beta)
    return total / len(hypotheses)


def position_of_ngram(ngram: tuple[object, ...], sentence: Iterable[object]) -> int | None:
    """Where an n-gram first occurs in a sentence; None if it does not.

    >>> position_of_ngram(("b", "c"), ["a", "b", "c"])
    1
    """
    words = list(sentence)
    starts = range(len(words) - len(ngram) + 1)
    return next((start for start in starts if tuple(words[start : start + len(ngram)]) == ngram), None)


def word_rank_alignment(reference: Tokens, hypothesis: Tokens, character_based: bool = False) -> list[int]:
    """The positions in the reference of the words of the hypothesis whose counterpart is certain.

    A word is certain if it, or the shortest context to its right or left that decides it, occurs once in both texts.

    >>> word_rank_alignment("the boy read the book".split(), "the book was read by the boy".split())
    [3, 4, 2, 0, 1]
    """
    if max(len(reference), len(hypothesis)) > MAX_ALIGNMENT_LEN:
        raise ValueError(
            f"word_rank_alignment: sequence length exceeds MAX_ALIGNMENT_LEN ({MAX_ALIGNMENT_LEN}); the alignment "
            "search is super-linear in sentence length (CWE-407). Raise "
            f"{__name__}.MAX_ALIGNMENT_LEN for longer sequences."
        )
    words: dict[object, int] = {}
    theirs, ours = ([words.setdefault(word, len(words)) for word in text] for text in (reference, hypothesis))

    @cache
    def spans(length: int) -> tuple[list[int], list[int], dict[int, int]]:
        """The number of the span of this length at each place of the reference and of the hypothesis, and the positions
        in the reference of those that occur once in both."""
        first, second = theirs, ours
        if length > 1:  # a span is a shorter one and the word after it
            pairs: dict[tuple[int, int], int] = {}
            first, second = (
                [pairs.setdefault(pair, len(pairs)) for pair in zip(shorter, text[length - 1 :], strict=False)]
                for shorter, text in zip(spans(length - 1)[:2], (theirs, ours), strict=True)
            )
        once, here = Counter(first), Counter(second)
        return first, second, {span: at for at, span in enumerate(first) if once[span] == here[span] == 1}

    def position(place: int, length: int) -> int | None:
        """Where the reference has the span that begins at this place of the hypothesis, if each text has it once."""
        _, numbers, positions = spans(length)
        return positions.get(numbers[place])

    def rank(place: int) -> int | None:
        found = position(place, 1)
        for window in range(1, min(max(place, len(ours) - place + 1), len(theirs))):
            if found is None and place + window < len(ours):
                found = position(place, window + 1)
            if found is None and window <= place:
                before = position(place - window, window + 1)
                found = None if before is None else before + window
            if found is not None:
                break
        return found

    shared = set(theirs)
    ranks = (rank(place) for place, word in enumerate(ours) if word in shared)
    return [found for found in ranks if found is not None]


def choose(n: int, k: int) -> int:
    """How many sets of k things n things hold."""
    return math.comb(n, k) if 0 <= k <= n else 0


def find_increasing_sequences(worder: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Runs of two or more ranks of which each is one more than the last.

    >>> list(find_increasing_sequences([7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]))
    [(7, 8, 9, 10), (0, 1, 2, 3, 4, 5)]
    """
    for _, run in groupby(enumerate(worder), lambda pair: pair[1] - pair[0]):
        ranks = tuple(rank for _, rank in run)
        if len(ranks) > 1:
            yield ranks


def kendall_tau(worder: Sequence[int], normalize: bool = True) -> float:
    """Kendall's τ of ranks, from the share of pairs in increasing order; from 0 to 1 if normalized.

    >>> kendall_tau([2, 1, 0, 3]), kendall_tau([2, 1, 0, 3], normalize=False)
    (0.5, 0.0)
    """
    tau: float = -1
    if len(worder) >= 2:
        increasing, seen = 0, list[int]()
        for rank in worder:
            increasing += bisect_left(seen, rank)
            insort(seen, rank)
        tau = 2 * increasing / math.comb(len(worder), 2) - 1
    return (tau + 1) / 2 if normalize else tau


def spearman_rho(worder: Sequence[int], normalize: bool = True) -> float:
    """Spearman's ρ of ranks; from 0 to 1 if normalized.

    >>> round(spearman_rho([7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]), 3)
    0.205
    """
    squares = sum((rank - place) ** 2 for place, rank in enumerate(worder))
    rho = 1 - squares / math.comb(len(worder) + 1, 3)
    return (rho + 1) / 2 if normalize else rho
