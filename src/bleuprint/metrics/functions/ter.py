"""TER without an object: one call for a pair, a corpus, a row of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.columns import References, Text, Texts
from bleuprint.metrics.functions.bleu import _metric
from bleuprint.metrics.ter import TER, TerScore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def corpus_ter(hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any) -> TerScore:
    """TER of a corpus, lower is better; options as for `TER`.

    >>> corpus_ter(["the cat sat", "a dog"], ["the cat sat", "the dog"]).value
    0.2
    """
    return _metric(TER, options).corpus(hypotheses, references, threads=threads)


def sentence_ter(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> TerScore:
    """TER of one segment, lower is better; options as for `TER`.

    >>> print(sentence_ter("here he comes again", ["he comes here again", "once more he comes"]))
    TER = 0.2500 (edits = 1, reference length = 4)
    """
    return _metric(TER, options).sentence(hypothesis, references)


def sentence_ters(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """TER of every segment, as an array; options as for `TER`.

    >>> sentence_ters(["the cat sat", "a dog"], ["the cat sat", "the dog"]).tolist()
    [0.0, 0.5]
    """
    return _metric(TER, options).sentences(hypotheses, references, threads=threads)
