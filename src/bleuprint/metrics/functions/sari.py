"""Functions of SARI; the sources come first, as for iBLEU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.columns import References, Text, Texts
from bleuprint.metrics import SARI
from bleuprint.metrics.base.averaged import AveragedScore
from bleuprint.metrics.functions.bleu import _metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def corpus_sari(
    sources: Texts, hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> AveragedScore:
    """SARI of a corpus of rewritten texts; options as for `SARI`.

    >>> score = corpus_sari(["he was deceased"], ["he was dead"], [["he was dead", "he had died"]])
    >>> [round(value, 4) for value in (score["add"], score["keep"], score["delete"])]
    [0.4167, 0.381, 0.65]
    """
    return _metric(SARI, options).corpus(hypotheses, references, sources=sources, threads=threads)


def sentence_sari(
    source: Text, hypothesis: Text, references: Text | Sequence[Text | None], **options: Any
) -> AveragedScore:
    """SARI of one segment; options as for `SARI`.

    >>> round(sentence_sari("he was deceased", "he was dead", "he was dead").value, 4)
    0.6667
    """
    return _metric(SARI, options).sentence(hypothesis, references, source=source)


def sentence_saris(
    sources: Texts, hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """SARI of every segment, as an array; options as for `SARI`.

    >>> sentence_saris(["he was deceased"], ["he was dead"], ["he was dead"]).round(4).tolist()
    [0.6667]
    """
    return _metric(SARI, options).sentences(hypotheses, references, sources=sources, threads=threads)
