"""NIST and CIDEr without an object. Weights are those of the references given; `fit` takes them from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.columns import References, Text, Texts
from bleuprint.metrics.base.averaged import AveragedScore
from bleuprint.metrics.cider import CIDEr
from bleuprint.metrics.functions.bleu import _metric
from bleuprint.metrics.nist import NIST, NistScore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def corpus_nist(hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any) -> NistScore:
    """NIST of a corpus, 0 and up; options as for `NIST`.

    >>> round(corpus_nist(["the cat sat", "a dog"], ["the cat sat", "the dog"], max_order=2).value, 4)
    1.9909
    """
    return _metric(NIST, options).corpus(hypotheses, references, threads=threads)


def sentence_nist(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> NistScore:
    """NIST of one segment, weighed by its own references; options as for `NIST`.

    >>> print(sentence_nist("the cat sat on the mat", ["the cat is on the mat"], max_order=2))
    NIST = 2.2208 (1.8208 / 0.4000, BP = 1.0000)
    """
    return _metric(NIST, options).sentence(hypothesis, references)


def sentence_nists(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """NIST of every segment, weighed by the references of all of them; options as for `NIST`.

    >>> sentence_nists(["the cat sat", "a dog"], ["the cat sat", "the dog"], max_order=2).round(4).tolist()
    [2.4886, 1.161]
    """
    return _metric(NIST, options).sentences(hypotheses, references, threads=threads)


def corpus_cider(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> AveragedScore:
    """CIDEr-D of a corpus of at least two segments, 0 to 10; options as for `CIDEr`.

    >>> corpus_cider(["a cat on a mat", "two dogs run fast"], ["a cat on a mat", "two dogs run fast"]).value
    10.0
    """
    return _metric(CIDEr, options).corpus(hypotheses, references, threads=threads)


def sentence_ciders(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """CIDEr-D of every segment, weighed by the references of all of them; options as for `CIDEr`.

    >>> sentence_ciders(["a cat on a mat", "a dog"], ["a cat on a mat", "two dogs run fast"]).tolist()
    [10.0, 0.0]
    """
    return _metric(CIDEr, options).sentences(hypotheses, references, threads=threads)
