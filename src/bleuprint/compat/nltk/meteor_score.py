"""nltk.translate.meteor_score: METEOR, with the bundled stemmer and WordNet 3.0 unless others are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any, Protocol

from bleuprint.compat.nltk import _alignment
from bleuprint.metrics import METEOR

__all__ = [
    "align_words",
    "exact_match",
    "meteor_score",
    "single_meteor_score",
    "stem_match",
    "wordnetsyn_match",
]

Matches = tuple[list[tuple[int, int]], list[tuple[int, str]], list[tuple[int, str]]]


class Stemmer(Protocol):
    """The common interface of NLTK's stemmers."""

    def stem(self, token: str) -> str: ...


class WordNet(Protocol):
    """The part of NLTK's WordNetCorpusReader that is used."""

    def synsets(self, lemma: str) -> Iterable[Any]: ...


def exact_match(hypothesis: Iterable[str], reference: Iterable[str]) -> Matches:
    """Pairs of positions of equal words, and the words on both sides that match nothing; ignores case.

    >>> exact_match(["the", "cat", "sat"], ["The", "cat", "ran"])
    ([(1, 1), (0, 0)], [(2, 'sat')], [(2, 'ran')])
    """
    return _match(hypothesis, reference, _alignment.matched_words)


def stem_match(hypothesis: Iterable[str], reference: Iterable[str], stemmer: Stemmer | None = None) -> Matches:
    """Pairs of positions of equal stems, and the stems on both sides that match nothing.

    >>> stem_match(["cats", "sat"], ["cat", "running"])
    ([(0, 0)], [(1, 'sat')], [(1, 'run')])
    """
    return _match(hypothesis, reference, lambda own, other: _alignment.matched_stems(own, other, stemmer))


def wordnetsyn_match(hypothesis: Iterable[str], reference: Iterable[str], wordnet: WordNet | None = None) -> Matches:
    """Pairs of positions of synonyms, and the words on both sides that match nothing.

    >>> wordnetsyn_match(["kid", "sat"], ["child", "ran"])
    ([(0, 0)], [(1, 'sat')], [(1, 'ran')])
    """
    return _match(hypothesis, reference, lambda own, other: _alignment.matched_synonyms(own, other, wordnet))


def align_words(
    hypothesis: Iterable[str],
    reference: Iterable[str],
    stemmer: Stemmer | None = None,
    wordnet: WordNet | None = None,
) -> Matches:
    """METEOR's alignment: pairs of positions, and the stems on both sides that match nothing.

    >>> align_words(["the", "kid", "runs", "away"], ["the", "child", "running"])
    ([(0, 0), (1, 1), (2, 2)], [(3, 'away')], [])
    """
    return _match(hypothesis, reference, lambda own, other: _alignment.aligned(own, other, stemmer, wordnet))


def _match(
    hypothesis: Iterable[str],
    reference: Iterable[str],
    matched: Callable[[_alignment.Words, _alignment.Words], _alignment.Pairs],
) -> Matches:
    own, other = (dict(enumerate(words)) for words in _preprocessed(hypothesis, reference, str.lower))
    pairs = matched(own, other)
    return pairs, list(own.items()), list(other.items())


def _preprocessed(
    hypothesis: Iterable[str], reference: Iterable[str], preprocess: Callable[[str], str]
) -> tuple[list[str], list[str]]:
    for name, text in (("hypothesis", hypothesis), ("reference", reference)):
        if isinstance(text, str):
            raise TypeError(f'"{name}" expects pre-tokenized {name} (Iterable[str]): {text}')
    return [preprocess(word) for word in hypothesis], [preprocess(word) for word in reference]


_metric = lru_cache(maxsize=32)(METEOR)


def meteor_score(
    references: Iterable[Iterable[str]],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Stemmer | None = None,
    wordnet: WordNet | None = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """METEOR of one hypothesis against the best of its references.

    >>> meteor_score([["this", "is", "a", "test"]], ["THIS", "Is", "a", "tEST"])
    0.9921875
    """
    return max(
        single_meteor_score(reference, hypothesis, preprocess, stemmer, wordnet, alpha, beta, gamma)
        for reference in references
    )


def single_meteor_score(
    reference: Iterable[str],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Stemmer | None = None,
    wordnet: WordNet | None = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """METEOR of one hypothesis against one reference.

    >>> round(single_meteor_score(["the", "child", "runs"], ["a", "kid", "ran"]), 4)
    0.625
    """
    own, other = _preprocessed(hypothesis, reference, preprocess)
    if stemmer is None and wordnet is None:
        metric = _metric(tokenizer="none", lowercase=False, alpha=alpha, beta=beta, gamma=gamma)
        return metric.sentence(own, [other]).value
    matches = _alignment.aligned(dict(enumerate(own)), dict(enumerate(other)), stemmer, wordnet)
    if not matches:
        return 0.0
    precision, recall = len(matches) / len(own), len(matches) / len(other)
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    breaks = sum((one[0] + 1, one[1] + 1) != two for one, two in pairwise(matches))
    return float((1 - gamma * ((breaks + 1) / len(matches)) ** beta) * mean)
