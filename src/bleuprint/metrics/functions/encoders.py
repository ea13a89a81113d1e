"""Metrics over an encoder without an object: one call for a text, a corpus, a row of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.columns import References, Text, Texts
from bleuprint.metrics.base.averaged import AveragedScore
from bleuprint.metrics.bertscore import BERTScore
from bleuprint.metrics.frechet import FrechetDistance, FrechetScore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def corpus_bertscore(hypotheses: Texts, references: References, encoder: Any, **options: Any) -> AveragedScore:
    """BERTScore of a corpus over an encoder; options as for `BERTScore`.

    >>> places = {"cat": (1, 0, 0), "kitten": (0.8, 0.6, 0), "ran": (0, 0, 1)}
    >>> def encode(texts):
    ...     return [(text.split(), [places[word] for word in text.split()]) for text in texts]
    >>> round(corpus_bertscore(["kitten ran", "cat"], ["cat ran", ["ran", "cat"]], encode).value, 4)
    0.95
    """
    return BERTScore(encoder, **options).corpus(hypotheses, references)


def sentence_bertscore(
    hypothesis: Text, references: Text | Sequence[Text | None], encoder: Any, **options: Any
) -> AveragedScore:
    """BERTScore of one text; options as for `BERTScore`.

    >>> places = {"cat": (1, 0, 0), "kitten": (0.8, 0.6, 0), "ran": (0, 0, 1)}
    >>> def encode(texts):
    ...     return [(text.split(), [places[word] for word in text.split()]) for text in texts]
    >>> print(sentence_bertscore("kitten", "cat ran", encode))
    bertscore = 0.5333 (f1 = 0.5333, precision = 0.8000, recall = 0.4000)
    """
    return BERTScore(encoder, **options).sentence(hypothesis, references)


def sentence_bertscores(hypotheses: Texts, references: References, encoder: Any, **options: Any) -> NDArray[np.float64]:
    """BERTScore of every text, as an array; options as for `BERTScore`.

    >>> places = {"cat": (1, 0, 0), "kitten": (0.8, 0.6, 0), "ran": (0, 0, 1)}
    >>> def encode(texts):
    ...     return [(text.split(), [places[word] for word in text.split()]) for text in texts]
    >>> sentence_bertscores(["kitten ran", "cat"], ["cat ran", "ran"], encode).round(4).tolist()
    [0.9, 0.0]
    """
    return BERTScore(encoder, **options).sentences(hypotheses, references)


def frechet_distance(texts: Texts, references: Texts, encoder: Any, **options: Any) -> FrechetScore:
    """Fréchet distance of two corpora over an encoder; options as for `FrechetDistance`.

    >>> places = {"cat": (1.0, 0.0), "dog": (0.0, 1.0)}
    >>> def encode(texts):
    ...     return [(text.split(), [places[word] for word in text.split()]) for text in texts]
    >>> frechet_distance(["cat", "dog"], ["dog", "cat"], encode).squared < 1e-12
    True
    """
    return FrechetDistance(encoder, **options).add_references(references).corpus(texts)
