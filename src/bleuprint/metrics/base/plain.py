"""Custom metrics in plain Python: numbers computed per segment, and a formula over their sums.

These two methods are all that streaming, merging, significance tests, gates and reports need. `examples/custom_metric`
is a package with such a metric.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.rows import PythonRows
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.base.summaries import RealSum


class PlainMetric(Metric[Score], ABC):
    """Base class for custom metrics in plain Python: define `name`, `names` of the columns, `row` and `formula`.

    >>> class LengthRatio(PlainMetric):
    ...     '''Words of the outputs for each word of the first references.'''
    ...
    ...     name = "length-ratio"
    ...     names = ("output_words", "reference_words")
    ...
    ...     def row(self, hypothesis, references, source):
    ...         return len(hypothesis.split()), len(references[0].split())
    ...
    ...     def formula(self, columns, *, sentence=False):
    ...         return columns[0] / (columns[1] + (columns[1] == 0))
    >>> LengthRatio().corpus(["a b", "c"], ["a b c", "d"]).value
    0.75
    >>> LengthRatio().sentences(["a b", "c"], ["a b c", "d"]).tolist()
    [0.6666666666666666, 1.0]

    Pass options that can change the score as keyword arguments to `super().__init__()`, so that the signature records
    them. `formula` gets numbers or arrays, because whole columns are scored at once.
    """

    names: ClassVar[tuple[str, ...]]

    def __init__(self, **options: Any) -> None:
        rows = PythonRows(self.name, self.names, self.row)
        super().__init__(Definition(type(self), options, rows, self.formula, summary=RealSum))

    @classmethod
    def of(cls, definition: Definition) -> Self:
        # Recreated from its options, so that attributes set by the author's __init__ exist too.
        return cls(**definition.options)

    @abstractmethod
    def row(self, hypothesis: str, references: list[str], source: str | None) -> Sequence[float]:
        """Measure one segment: as many finite numbers as there are names. Their sums are exact, floats included."""

    @abstractmethod
    def formula(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        """The score of summed rows; each column is a number or an array."""
