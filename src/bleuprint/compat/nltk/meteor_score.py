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

__all__ = ["align_words", "exact_match", "meteor_score", "single_meteor_score", "stem_match", "wordnetsyn_match"]

Pairs = list[tuple[int, int]]  # of positions in the hypothesis and in the reference
Words = dict[int, str]  # by position, of those that match nothing yet
Step = Callable[[Words, Words], Pairs]  # removes the words that it matches
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
    return _align(*_preprocess(hypothesis, reference), _equal)


def stem_match(hypothesis: Iterable[str], reference: Iterable[str], stemmer: Stemmer | None = None) -> Matches:
    """Pairs of positions of equal stems, and the stems on both sides that match nothing.

    >>> stem_match(["cats", "sat"], ["cat", "running"])
    ([(0, 0)], [(1, 'sat')], [(1, 'run')])
    """
    return _align(*_preprocess(hypothesis, reference), _by_stem(stemmer))


def wordnetsyn_match(hypothesis: Iterable[str], reference: Iterable[str], wordnet: WordNet | None = None) -> Matches:
    """Pairs of positions of synonyms, and the words on both sides that match nothing.

    >>> wordnetsyn_match(["kid", "sat"], ["child", "ran"])
    ([(0, 0)], [(1, 'sat')], [(1, 'ran')])
    """
    return _align(*_preprocess(hypothesis, reference), _by_synonym(wordnet))


def align_words(
    hypothesis: Iterable[str], reference: Iterable[str], stemmer: Stemmer | None = None, wordnet: WordNet | None = None
) -> Matches:
    """METEOR's alignment: pairs of positions, and the stems on both sides that match nothing.

    >>> align_words(["the", "kid", "runs", "away"], ["the", "child", "running"])
    ([(0, 0), (1, 1), (2, 2)], [(3, 'away')], [])
    """
    sides = _preprocess(hypothesis, reference)
    pairs, own, other = _align(*sides, _equal, _by_stem(stemmer), _by_synonym(wordnet))
    return sorted(pairs), own, other


def _align(hypothesis: list[str], reference: list[str], *steps: Step) -> Matches:
    """METEOR's alignment in Python, which alone can call a custom stemmer or WordNet and show what did not match."""
    own, other = dict(enumerate(hypothesis)), dict(enumerate(reference))
    pairs = [pair for step in steps for pair in step(own, other)]
    return pairs, list(own.items()), list(other.items())


def _equal(own: Words, other: Words) -> Pairs:
    return match_words(own, other, lambda word: (word,))


def _by_stem(stemmer: Stemmer | None) -> Step:
    """Equal stems; words that do not match are replaced by their stems."""
    stem = (lambda word: counts.stem(word.lower())) if stemmer is None else stemmer.stem

    def match(own: Words, other: Words) -> Pairs:
        for words in (own, other):
            words.update({place: stem(word) for place, word in words.items()})
        return _equal(own, other)

    return match


def _by_synonym(wordnet: WordNet | None) -> Step:
    """Words that share one of the single-word lemmas in their synsets, or that are one for the other."""

    def names(word: str) -> set[str]:
        if wordnet is None:
            return {word, *synonyms(word.lower(), load(SHIPPED))}
        lemmas = (lemma.name() for synset in wordnet.synsets(word) for lemma in synset.lemmas())
        return {word, *(name for name in lemmas if "_" not in name)}

    return lambda own, other: match_words(own, other, names)


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
    matches = sorted(_align(own, other, _equal, _by_stem(stemmer), _by_synonym(wordnet))[0])
    chunks = 1 + sum((one[0] + 1, one[1] + 1) != two for one, two in pairwise(matches))
    return float(MeteorFormula(alpha, beta, gamma)((len(matches), chunks, len(own), len(other))))
