"""What the error rates share: edit operations against the nearest reference, summed over segments."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from bleuprint.core import counts, tokenizers
from bleuprint.metrics import _options
from bleuprint.metrics.base.metric import Metric, Score, Value

__all__ = ["ErrorRate", "ErrorScore", "TokenErrorRate"]


class ErrorScore(Score):
    """An error rate with the operations it was made from."""

    __slots__ = ()

    @property
    def hits(self) -> int:
        return self.columns[0]

    @property
    def substitutions(self) -> int:
        return self.columns[1]

    @property
    def deletions(self) -> int:
        """Tokens of the reference that the hypothesis lacks."""
        return self.columns[2]

    @property
    def insertions(self) -> int:
        """Tokens of the hypothesis that the reference lacks."""
        return self.columns[3]

    def __str__(self) -> str:
        operations = ", ".join(f"{value} {name}" for name, value in self.parts.items())
        return f"{self.metric.name.upper()} = {self.value:.4f} ({operations})"


class ErrorRate(Metric[ErrorScore]):
    """Base of the error rates; `rate` is the formula."""

    score_type = ErrorScore
    higher_is_better = False
    nearest: ClassVar[str]  # how the core compares references: with the metric's own formula

    def formula(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        hits, substitutions, deletions, insertions = columns
        return self.rate(hits, substitutions, deletions, insertions)

    @abstractmethod
    def rate(self, hits: Value, substitutions: Value, deletions: Value, insertions: Value) -> Value:
        """The error rate of summed operations."""


class TokenErrorRate(ErrorRate):
    """Base of the error rates that go by tokens."""

    def __init__(self, *, tokenizer: str | tokenizers.Tokenize = "whitespace", lowercase: bool = False) -> None:
        self._tokenizer = tokenizers.resolve(tokenizer, _options.flag("lowercase", lowercase))
        self.options = {"tokenizer": self._tokenizer.name, "lowercase": lowercase}
        self._count = counts.token_edits(self._tokenizer.scheme, self._tokenizer.native_lowercase, self.nearest)
        super().__init__()
