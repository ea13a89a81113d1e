"""nltk.translate.meteor_score: METEOR, with the bundled Porter stemmer and WordNet 3.0."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from bleuprint.errors import OptionError
from bleuprint.metrics.meteor import METEOR

__all__ = ["meteor_score", "single_meteor_score"]


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
    stemmer: object = None,
    wordnet: object = None,
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
    stemmer: object = None,
    wordnet: object = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """METEOR of one hypothesis against one reference.

    >>> round(single_meteor_score(["the", "child", "runs"], ["a", "kid", "ran"]), 4)
    0.625
    """
    own, other = _preprocess(hypothesis, reference, preprocess)
    for name, given in (("stemmer", stemmer), ("wordnet", wordnet)):
        if given is not None:
            raise OptionError(name, "None here, for NLTK's default; bp.METEOR takes another WordNet's folder", given)
    metric = _metric(tokenizer="none", lowercase=False, alpha=alpha, beta=beta, gamma=gamma)
    return metric.sentence(own, [other]).value
