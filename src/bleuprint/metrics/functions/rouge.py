"""ROUGE without an object: one call for a pair, a corpus, a row of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.columns import References, Text, Texts
from bleuprint.metrics import Rouge
from bleuprint.metrics.base.averaged import AveragedScore
from bleuprint.metrics.functions.bleu import _metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def corpus_rouge(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> AveragedScore:
    """ROUGE of a corpus, the mean over its segments; options as for `Rouge`.

    >>> score = corpus_rouge(["the cat sat", "a dog"], ["the cat sat", "the dog"], types=("rouge1", "rougeL"))
    >>> score.value, score["rougeL"]
    (0.75, 0.75)
    """
    return _metric(Rouge, options).corpus(hypotheses, references, threads=threads)


def sentence_rouge(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> AveragedScore:
    """ROUGE of one segment; options as for `Rouge`.

    >>> score = sentence_rouge("cats were running", "the cat runs", types="rouge1", stemmer=True)
    >>> round(score.value, 4)
    0.6667
    """
    return _metric(Rouge, options).sentence(hypothesis, references)


def sentence_rouges(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """The F of the first type for every segment, as an array; options as for `Rouge`.

    >>> sentence_rouges(["the cat sat", "a dog"], ["the cat sat", "the dog"], types="rouge1").tolist()
    [1.0, 0.5]
    """
    return _metric(Rouge, options).sentences(hypotheses, references, threads=threads)
