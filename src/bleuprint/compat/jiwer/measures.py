"""jiwer.measures: error rates of texts."""

from __future__ import annotations

from bleuprint.compat.jiwer._counting import Operations, operations, operations_of_strings
from bleuprint.compat.jiwer.process import apply_transforms
from bleuprint.compat.jiwer.transformations import cer_default, wer_default
from bleuprint.compat.jiwer.transforms import Transform

__all__ = ["cer", "mer", "wer", "wil", "wip"]

Texts = str | list[str] | None


def wer(
    reference: Texts = None,
    hypothesis: Texts = None,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word error rate.

    >>> wer("the cat sat", "the cats sat")
    0.3333333333333333
    """
    return _operations(reference, hypothesis, reference_transform, hypothesis_transform).wer


def mer(
    reference: Texts = None,
    hypothesis: Texts = None,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Match error rate.

    >>> mer("a b c", "a b c d")
    0.25
    """
    return _operations(reference, hypothesis, reference_transform, hypothesis_transform).mer


def wip(
    reference: Texts = None,
    hypothesis: Texts = None,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word information preserved.

    >>> wip("a b c d", "a b x d")
    0.5625
    """
    return _operations(reference, hypothesis, reference_transform, hypothesis_transform).wip


def wil(
    reference: Texts = None,
    hypothesis: Texts = None,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word information lost.

    >>> wil("a b c d", "a b x d")
    0.4375
    """
    return _operations(reference, hypothesis, reference_transform, hypothesis_transform).wil


def cer(
    reference: Texts = None,
    hypothesis: Texts = None,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> float:
    """Character error rate.

    >>> cer("color", "colour")
    0.2
    """
    return _operations(reference, hypothesis, reference_transform, hypothesis_transform).wer


def _operations(reference: Texts, hypothesis: Texts, *transforms: Transform) -> Operations:
    found = operations_of_strings(reference, hypothesis, *transforms)
    return operations(*apply_transforms(reference, hypothesis, *transforms)) if found is None else found
