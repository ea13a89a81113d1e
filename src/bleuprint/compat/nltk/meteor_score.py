"""nltk.translate.meteor_score: METEOR, with the bundled stemmer and WordNet 3.0 unless others are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any, Protocol

from bleuprint.metrics import METEOR

__all__ = ["meteor_score", "single_meteor_score"]


class Stemmer(Protocol):
    """The common interface of NLTK's stemmers."""

    def stem(self, token: str) -> str: ...


class WordNet(Protocol):
    """The part of NLTK's WordNetCorpusReader that is used."""

    def synsets(self, lemma: str) -> Iterable[Any]: ...


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
    for name, text in (("hypothesis", hypothesis), ("reference", reference)):
        if isinstance(text, str):
            raise TypeError(f'"{name}" expects pre-tokenized {name} (Iterable[str]): {text}')
    own, other = [preprocess(word) for word in hypothesis], [preprocess(word) for word in reference]
    if stemmer is None and wordnet is None:
        metric = _metric(tokenizer="none", lowercase=False, alpha=alpha, beta=beta, gamma=gamma)
        return metric.sentence(own, [other]).value
    from bleuprint.compat.nltk._alignment import aligned

    matches = aligned(own, other, stemmer, wordnet)
    if not matches:
        return 0.0
    precision, recall = len(matches) / len(own), len(matches) / len(other)
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    breaks = sum((one[0] + 1, one[1] + 1) != two for one, two in pairwise(matches))
    return float((1 - gamma * ((breaks + 1) / len(matches)) ** beta) * mean)
