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

__all__ = ["meteor_score", "single_meteor_score"]

Pairs = list[tuple[int, int]]  # of positions in the hypothesis and in the reference
Words = dict[int, str]  # by position, of those that match nothing yet
Step = Callable[[Words, Words], Pairs]  # removes the words that it matches


class Lemma(Protocol):
    def name(self) -> str: ...


class Synset(Protocol):
    def lemmas(self) -> Iterable[Lemma]: ...


class WordNet(Protocol):
    """The part of NLTK's WordNetCorpusReader that is used."""

    def synsets(self, lemma: str) -> Iterable[Synset]: ...


def _align(hypothesis: list[str], reference: list[str], *steps: Step) -> Pairs:
    """METEOR's alignment in Python, which alone can call a custom stemmer or WordNet."""
    own, other = dict(enumerate(hypothesis)), dict(enumerate(reference))
    return sorted(pair for step in steps for pair in step(own, other))


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
    own, other = _preprocess(hypothesis, reference, preprocess)
    if stemmer is None and wordnet is None:
        metric = _metric(tokenizer="none", lowercase=False, alpha=alpha, beta=beta, gamma=gamma)
        return metric.sentence(own, [other]).value
    matches = _align(own, other, _equal, _by_stem(stemmer), _by_synonym(wordnet))
    chunks = 1 + sum((one[0] + 1, one[1] + 1) != two for one, two in pairwise(matches))
    return float(MeteorFormula(alpha, beta, gamma)((len(matches), chunks, len(own), len(other))))
