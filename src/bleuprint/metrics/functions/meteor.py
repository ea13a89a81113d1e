"""METEOR without an object: one call for a pair, a corpus, a row of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.columns import References, Text, Texts
from bleuprint.metrics import METEOR
from bleuprint.metrics.base.averaged import AveragedScore
from bleuprint.metrics.functions.bleu import _metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def corpus_meteor(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> AveragedScore:
    """METEOR of a corpus, the mean over its segments; options as for `METEOR`.

    >>> score = corpus_meteor(["the kid sat", "a dog"], ["the child sat", "the cat"])
    >>> round(score.value, 4), score["recall"]
    (0.4907, 0.5)
    """
    return _metric(METEOR, options).corpus(hypotheses, references, threads=threads)


def sentence_meteor(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> AveragedScore:
    """METEOR of one segment; options as for `METEOR`.

    >>> round(sentence_meteor("the kid sat", "the child was sitting").value, 4)
    0.6553
    >>> round(sentence_meteor("the kid sat", "the child was sitting", stages="exact").value, 4)
    0.1282
    """
    return _metric(METEOR, options).sentence(hypothesis, references)


def sentence_meteors(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """METEOR of every segment, as an array; options as for `METEOR`.

    >>> sentence_meteors(["a dog", "a dog"], ["the cat", "a dog"]).tolist()
    [0.0, 0.9375]
    """
    return _metric(METEOR, options).sentences(hypotheses, references, threads=threads)
