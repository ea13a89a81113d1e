"""Shared code of the error rates: edit operations against the nearest reference, summed over segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from bleuprint.core import counts, normalizers
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics.base import CoreRows, Definition, Metric, Score
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.rows import NORMALIZER_SPLITS
from bleuprint.metrics.base.score import column


class ErrorScore(Score):
    """An error rate and the operations it was computed from."""

    __slots__ = ()

    hits: int = column(0)
    substitutions: int = column(1)
    deletions: int = column(2, "Reference tokens that are missing from the hypothesis.")
    insertions: int = column(3, "Hypothesis tokens that are not in the reference.")

    def __str__(self) -> str:
        operations = ", ".join(f"{value} {name}" for name, value in self.parts.items())
        return f"{self.definition.name.upper()} = {self.value:.4f} ({operations})"


class TokenErrorRate(Metric[ErrorScore]):
    """An error rate over tokens."""

    higher_is_better = False
    formula: ClassVar[Callable[..., Value]]  # of summed hits, substitutions, deletions and insertions
    nearest: ClassVar[str]  # how the core picks the nearest reference

    def __init__(
        self, *, tokenizer: str | Tokenize = "whitespace", lowercase: bool = False, normalizer: str | None = None
    ) -> None:
        reader = normalizers.reader(tokenizer, lowercase, normalizer)
        request = counts.token_edits(*reader.reading, self.nearest)
        rows = CoreRows(request, reader, strings_only=NORMALIZER_SPLITS if normalizer else "")
        options = {"tokenizer": reader.name, "lowercase": lowercase, **normalizers.option_of(reader)}
        super().__init__(Definition(type(self), options, rows, self.formula, ErrorScore))
