"""What exact match and contains match share: both sides are cleaned alike, then compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from bleuprint.core import counts, tokenizers
from bleuprint.metrics import _options
from bleuprint.metrics._whole_texts import WholeTexts
from bleuprint.metrics.base.metric import Score, Value
from bleuprint.metrics.smoothing import ratio

__all__ = ["Equality", "EqualityScore"]


class EqualityScore(Score):
    """The share of segments that match."""

    __slots__ = ()

    @property
    def matches(self) -> int:
        return self.columns[0]

    def __str__(self) -> str:
        return f"{self.metric.name} = {self.value:.4f} ({self.columns[0]} of {self.columns[1]})"


class Equality(WholeTexts[EqualityScore]):
    """Base of the metrics that say yes or no of a segment."""

    score_type = EqualityScore
    inside: ClassVar[bool]

    def __init__(
        self,
        *,
        lowercase: bool = False,
        ignore_punctuation: bool = False,
        ignore_numbers: bool = False,
        whitespace: str = "strip",
    ) -> None:
        marks = _options.flag("ignore_punctuation", ignore_punctuation)
        numbers = _options.flag("ignore_numbers", ignore_numbers)
        space = _options.chosen("whitespace", whitespace, _options.WHITE_SPACE)
        self._tokenizer = tokenizers.resolve("whitespace", _options.flag("lowercase", lowercase))
        self.options = {
            "lowercase": lowercase,
            "ignore_punctuation": marks,
            "ignore_numbers": numbers,
            "whitespace": space,
        }
        self._count = counts.equal_texts(lowercase, marks, numbers, space, inside=self.inside)
        super().__init__()

    def formula(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        matches, segments = columns
        return ratio(matches, segments)
