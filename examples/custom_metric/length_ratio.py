"""The length of the outputs relative to their references: 1 is the right length, lower is too short."""

from collections.abc import Sequence
from typing import Any

from bleuprint.metrics import PlainMetric


class LengthRatio(PlainMetric):
    """Words of the outputs over words of the references nearest in length; no ratio exceeds `cap`."""

    name = "length-ratio"
    names = ("output_words", "reference_words")

    def __init__(self, cap: float = 1.0) -> None:
        self.cap = cap
        super().__init__(cap=cap)

    def row(self, hypothesis: str, references: list[str], source: str | None) -> tuple[int, int]:
        words = len(hypothesis.split())
        nearest = min((len(reference.split()) for reference in references), key=lambda length: abs(length - words))
        return words, nearest

    def formula(self, columns: Sequence[Any], *, sentence: bool = False) -> Any:
        words, expected = columns
        ratio = words / (expected + (expected == 0))
        return ratio * (ratio <= self.cap) + self.cap * (ratio > self.cap)
