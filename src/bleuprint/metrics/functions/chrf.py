"""chrF without an object: one call for a pair, a corpus, a row of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.columns import References, Texts
from bleuprint.metrics import CHRF
from bleuprint.metrics.chrf import ChrfScore
from bleuprint.metrics.functions.bleu import _metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def corpus_chrf(hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any) -> ChrfScore:
    """chrF of a corpus; options as for `CHRF`, `word_order=2` for chrF++.

    >>> corpus_chrf(["the cat sat on the mat"], [["the cat sat on the mat", "a cat sat"]]).value
    1.0
    """
    return _metric(CHRF, options).corpus(hypotheses, references, threads=threads)


def sentence_chrf(hypothesis: str, references: str | Sequence[str | None], **options: Any) -> ChrfScore:
    """chrF of one segment; options as for `CHRF`.

    >>> print(sentence_chrf("colours", ["colors", "hues"]))
    chrF2 = 0.4211 (precision = 0.3623, recall = 0.4389)
    """
    return _metric(CHRF, options).sentence(hypothesis, references)


def sentence_chrfs(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """chrF of every segment, as an array; options as for `CHRF`.

    >>> sentence_chrfs(["a cat", "dogs"], ["a cat", "hut"]).tolist()
    [1.0, 0.0]
    """
    return _metric(CHRF, options).sentences(hypotheses, references, threads=threads)
