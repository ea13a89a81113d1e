"""nltk.translate.meteor_score: METEOR, with the bundled stemmer and WordNet 3.0 unless others are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from bleuprint.compat._tokens import Stemmer
from bleuprint.core import counts
from bleuprint.core.staged_match import match_words, synonyms
from bleuprint.core.wordnet import SHIPPED, load
from bleuprint.metrics.meteor import METEOR, MeteorFormula

__all__ = [
    "align_words",
    "exact_match",
    "meteor_score",
    "single_meteor_score",
    "stem_match",
    "wordnetsyn_match",
]

Pairs = list[tuple[int, int]]  # of positions in the hypothesis and in the reference
Matches = tuple[Pairs, list[tuple[int, str]], list[tuple[int, str]]]


class Lemma(Protocol):
    def name(self) -> str: ...


class Synset(Protocol):
    def lemmas(self) -> Iterable[Lemma]: ...


class WordNet(Protocol):
    """The part of NLTK's WordNetCorpusReader that is used."""

    def synsets(self, lemma: str) -> Iterable[Synset]: ...


def exact_match(hypothesis: Iterable[str], reference: Iterable[str]) -> Matches:
    """Pairs of positions of equal words, and the words on both sides that match nothing; ignores case.

    >>> exact_match(["the", "cat", "sat"], ["The", "cat", "ran"])
    ([(1, 1), (0, 0)], [(2, 'sat')], [(2, 'ran')])
    """
    words = _Words(*_preprocess(hypothesis, reference))
    return words.match(), *words.leftovers()


def stem_match(hypothesis: Iterable[str], reference: Iterable[str], stemmer: Stemmer | None = None) -> Matches:
    """Pairs of positions of equal stems, and the stems on both sides that match nothing.

    >>> stem_match(["cats", "sat"], ["cat", "running"])
    ([(0, 0)], [(1, 'sat')], [(1, 'run')])
    """
    words = _Words(*_preprocess(hypothesis, reference))
    return words.match_stems(stemmer), *words.leftovers()


def wordnetsyn_match(hypothesis: Iterable[str], reference: Iterable[str], wordnet: WordNet | None = None) -> Matches:
    """Pairs of positions of synonyms, and the words on both sides that match nothing.

    >>> wordnetsyn_match(["kid", "sat"], ["child", "ran"])
    ([(0, 0)], [(1, 'sat')], [(1, 'ran')])
    """
    words = _Words(*_preprocess(hypothesis, reference))
    return words.match_synonyms(wordnet), *words.leftovers()


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
    words = _Words(*_preprocess(hypothesis, reference))
    return words.align(stemmer, wordnet), *words.leftovers()


class _Words:
    """The words of both sides by position, which are removed when they match: METEOR's alignment in Python, which alone
    can call a custom stemmer or WordNet and show what did not match."""

    def __init__(self, hypothesis: Iterable[str], reference: Iterable[str]) -> None:
        self.own, self.other = dict(enumerate(hypothesis)), dict(enumerate(reference))

    def leftovers(self) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
        return list(self.own.items()), list(self.other.items())

    def align(self, stemmer: Stemmer | None, wordnet: WordNet | None) -> Pairs:
        """Pairs sorted by hypothesis: equal words, then equal stems, then stems that are synonyms."""
        return sorted(self.match() + self.match_stems(stemmer) + self.match_synonyms(wordnet))

    def match_stems(self, stemmer: Stemmer | None) -> Pairs:
        """Pairs of equal stems; words that do not match are replaced by their stems."""
        stem = (lambda word: counts.stem(word.lower())) if stemmer is None else stemmer.stem
        for words in (self.own, self.other):
            words.update({place: stem(word) for place, word in words.items()})
        return self.match()

    def match_synonyms(self, wordnet: WordNet | None) -> Pairs:
        return self.match(lambda word: _synonyms(word, wordnet))

    def match(self, names: Callable[[str], Iterable[str]] = lambda word: (word,)) -> Pairs:
        return match_words(self.own, self.other, names)


def _synonyms(word: str, wordnet: WordNet | None) -> set[str]:
    """The single-word lemmas in the synsets of a word, and the word itself."""
    if wordnet is None:
        return {word, *synonyms(word.lower(), load(SHIPPED))}
    names = (lemma.name() for synset in wordnet.synsets(word) for lemma in synset.lemmas())
    return {word, *(name for name in names if "_" not in name)}


def _preprocess(
    hypothesis: Iterable[str], reference: Iterable[str], preprocess: Callable[[str], str] = str.lower
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
    own, other = _preprocess(hypothesis, reference, preprocess)
    if stemmer is None and wordnet is None:
        metric = _metric(tokenizer="none", lowercase=False, alpha=alpha, beta=beta, gamma=gamma)
        return metric.sentence(own, [other]).value
    matches = _Words(own, other).align(stemmer, wordnet)
    chunks = 1 + sum((one[0] + 1, one[1] + 1) != two for one, two in pairwise(matches))
    return float(MeteorFormula(alpha, beta, gamma)((len(matches), chunks, len(own), len(other))))
