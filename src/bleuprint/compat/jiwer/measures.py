"""jiwer.measures: error rates of texts."""

from __future__ import annotations

from typing import Protocol

from bleuprint.compat._tokens import warn_of_scripts
from bleuprint.compat.jiwer.process import apply_transforms, operations, operations_of_strings
from bleuprint.compat.jiwer.transformations import cer_default, wer_default
from bleuprint.compat.jiwer.transforms import Transform

__all__ = ["cer", "mer", "wer", "wil", "wip"]

Texts = str | list[str] | None


class Measure(Protocol):
    def __call__(
        self,
        reference: Texts = None,
        hypothesis: Texts = None,
        reference_transform: Transform = ...,
        hypothesis_transform: Transform = ...,
    ) -> float: ...


def _measure(name: str, title: str, *example: str, default: Transform = wer_default) -> Measure:
    rate = "wer" if name == "cer" else name

    def measure(
        reference: Texts = None,
        hypothesis: Texts = None,
        reference_transform: Transform = default,
        hypothesis_transform: Transform = default,
    ) -> float:
        transforms = reference_transform, hypothesis_transform
        found = operations_of_strings(reference, hypothesis, *transforms)
        if found is None:
            found = operations(*apply_transforms(reference, hypothesis, *transforms))
        if reference_transform is wer_default:
            warn_of_scripts(name, "whitespace", hypothesis)
        return found.rates()[rate]

    measure.__name__ = measure.__qualname__ = name
    measure.__doc__ = "\n".join([title, "", *example])
    return measure


wer = _measure("wer", "Word error rate.", ">>> wer('the cat sat', 'the cats sat')", "0.3333333333333333")
mer = _measure("mer", "Match error rate.", ">>> mer('a b c', 'a b c d')", "0.25")
wip = _measure("wip", "Word information preserved.", ">>> wip('a b c d', 'a b x d')", "0.5625")
wil = _measure("wil", "Word information lost.", ">>> wil('a b c d', 'a b x d')", "0.4375")
cer = _measure("cer", "Character error rate.", ">>> cer('color', 'colour')", "0.2", default=cer_default)
