"""Functions of the edit metrics: error rates and the Levenshtein ratio."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.columns import References, Text, Texts
from bleuprint.metrics import CER, MER, WER, WIL, LevenshteinRatio
from bleuprint.metrics._error_rate import ErrorScore
from bleuprint.metrics.base.averaged import AveragedScore
from bleuprint.metrics.functions.bleu import _metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def corpus_wer(hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any) -> ErrorScore:
    """Word error rate of a corpus; options as for `WER`.

    >>> corpus_wer(["the cat sat", "a big dog"], ["the cat sat", "a dog"]).value
    0.2
    """
    return _metric(WER, options).corpus(hypotheses, references, threads=threads)


def sentence_wer(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> ErrorScore:
    """Word error rate of one segment; options as for `WER`.

    >>> sentence_wer("the cat sat down", ["the cats sat down", "it sat"]).value
    0.25
    """
    return _metric(WER, options).sentence(hypothesis, references)


def sentence_wers(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """Word error rate of every segment, as an array; options as for `WER`.

    >>> sentence_wers(["the cat sat", "a big dog"], ["the cat sat", "a dog"]).tolist()
    [0.0, 0.5]
    """
    return _metric(WER, options).sentences(hypotheses, references, threads=threads)


def corpus_cer(hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any) -> ErrorScore:
    """Character error rate of a corpus; options as for `CER`.

    >>> corpus_cer(["colour", "grey"], ["color", "gray"]).value
    0.2222222222222222
    """
    return _metric(CER, options).corpus(hypotheses, references, threads=threads)


def sentence_cer(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> ErrorScore:
    """Character error rate of one segment; options as for `CER`.

    >>> sentence_cer("colour", ["color", "collar"]).value
    0.2
    """
    return _metric(CER, options).sentence(hypothesis, references)


def sentence_cers(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """Character error rate of every segment, as an array; options as for `CER`.

    >>> sentence_cers(["colour", "grey"], ["color", "gray"]).tolist()
    [0.2, 0.25]
    """
    return _metric(CER, options).sentences(hypotheses, references, threads=threads)


def corpus_mer(hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any) -> ErrorScore:
    """Match error rate of a corpus; options as for `MER`.

    >>> corpus_mer(["the cat sat", "a big dog"], ["the cat sat", "a dog"]).value
    0.16666666666666666
    """
    return _metric(MER, options).corpus(hypotheses, references, threads=threads)


def sentence_mer(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> ErrorScore:
    """Match error rate of one segment; options as for `MER`.

    >>> sentence_mer("the cat sat down", ["the cats sat down", "it sat"]).value
    0.25
    """
    return _metric(MER, options).sentence(hypothesis, references)


def sentence_mers(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """Match error rate of every segment, as an array; options as for `MER`.

    >>> sentence_mers(["the cat sat", "a big dog"], ["the cat sat", "a dog"]).tolist()
    [0.0, 0.3333333333333333]
    """
    return _metric(MER, options).sentences(hypotheses, references, threads=threads)


def corpus_wil(hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any) -> ErrorScore:
    """Word information lost of a corpus; options as for `WIL`.

    >>> corpus_wil(["the cat sat", "a big dog"], ["the cat sat", "a dog"]).value
    0.16666666666666663
    """
    return _metric(WIL, options).corpus(hypotheses, references, threads=threads)


def sentence_wil(hypothesis: Text, references: Text | Sequence[Text | None], **options: Any) -> ErrorScore:
    """Word information lost of one segment; options as for `WIL`.

    >>> sentence_wil("the cat sat down", ["the cats sat down", "it sat"]).value
    0.4375
    """
    return _metric(WIL, options).sentence(hypothesis, references)


def sentence_wils(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """Word information lost of every segment, as an array; options as for `WIL`.

    >>> sentence_wils(["the cat sat", "a big dog"], ["the cat sat", "a dog"]).tolist()
    [0.0, 0.33333333333333337]
    """
    return _metric(WIL, options).sentences(hypotheses, references, threads=threads)


def corpus_levenshtein_ratio(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> AveragedScore:
    """Levenshtein ratio of a corpus; options as for `LevenshteinRatio`.

    >>> corpus_levenshtein_ratio(["kitten", "grey"], ["sitting", "gray"]).value
    0.6607142857142857
    """
    return _metric(LevenshteinRatio, options).corpus(hypotheses, references, threads=threads)


def sentence_levenshtein_ratio(
    hypothesis: Text, references: Text | Sequence[Text | None], **options: Any
) -> AveragedScore:
    """Levenshtein ratio of one segment; options as for `LevenshteinRatio`.

    >>> sentence_levenshtein_ratio("kitten", ["sitting", "mitten"]).value
    0.8333333333333334
    """
    return _metric(LevenshteinRatio, options).sentence(hypothesis, references)


def sentence_levenshtein_ratios(
    hypotheses: Texts, references: References, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """Levenshtein ratio of every segment, as an array; options as for `LevenshteinRatio`.

    >>> sentence_levenshtein_ratios(["kitten", "grey"], ["sitting", "gray"]).tolist()
    [0.5714285714285714, 0.75]
    """
    return _metric(LevenshteinRatio, options).sentences(hypotheses, references, threads=threads)
