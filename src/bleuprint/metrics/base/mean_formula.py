"""Formulas that compute several named scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from bleuprint.metrics.base.formulas import Value


class MeanFormula(ABC):
    """Named scores of a row, or of columns of rows; the first is the metric's value."""

    @abstractmethod
    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        """The scores by name."""

    def __call__(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        return next(iter(self.scores(columns).values()))
