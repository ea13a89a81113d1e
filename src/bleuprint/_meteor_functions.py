"""METEOR without an object: one call for a pair, a corpus, a row of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint._functions import _metric
from bleuprint.averaged import AveragedScore
from bleuprint.corpus import References, Text, Texts
from bleuprint.metrics import METEOR

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def corpus_meteor(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> AveragedScore:
    """METEOR of a corpus, the mean over its segments; options as for `METEOR`.

    >>> score = corpus_meteor(["the cat sat", "a dog"], ["the cat sat", "the dog"], types=("meteor1", "meteorL"))
    >>> score.value, score["meteorL"]
    (0.75, 0.75)
    """
    return _metric(METEOR, options).corpus(hypotheses, references, threads=threads)


def sentence_meteor(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> AveragedScore:
    """METEOR of one segment; options as for `METEOR`.

    >>> score = sentence_meteor("cats were running", "the cat runs", types="meteor1", stemmer=True)
    >>> round(score.value, 4)
    0.6667
    """
    return _metric(METEOR, options).sentence(hypothesis, references)


def sentence_meteors(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """The F of the first type for every segment, as an array; options as for `METEOR`.

    >>> sentence_meteors(["the cat sat", "a dog"], ["the cat sat", "the dog"], types="meteor1").tolist()
    [1.0, 0.5]
    """
    return _metric(METEOR, options).sentences(hypotheses, references, threads=threads)
