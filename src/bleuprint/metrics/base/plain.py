"""Metrics written in plain Python: a row of whole numbers for a segment, and a formula over sums of rows.

This is the way to add a metric of one's own without touching the core: streaming, merging, significance, gates and
reports follow from the two methods. `examples/custom_metric` is a package that does it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bleuprint.core import counts, tokenizers
from bleuprint.core.columns import Corpus, Text
from bleuprint.errors import NotTextError, OptionError
from bleuprint.metrics.base.metric import Measured, Metric, Score, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PlainMetric"]


class PlainMetric(Metric[Score]):
    """Base of metrics in plain Python: `name`, `names` of the columns, `row` and `formula`.

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

    Options that can move the number go into `options` before `super().__init__()`, so that they stand in the signature.
    `formula` gets numbers or arrays: whole columns are scored at once.
    """

    names: ClassVar[tuple[str, ...]]
    score_type = Score

    def __init__(self, **options: Any) -> None:
        self.options = options
        self._tokenizer = tokenizers.resolve("whitespace")
        super().__init__()

    @abstractmethod
    def row(self, hypothesis: str, references: list[str], source: str | None) -> Sequence[int]:
        """What is counted of one segment: as many whole numbers as there are names."""

    @abstractmethod
    def formula(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        """The score of summed rows; each column is a number or an array."""

    @property
    def columns(self) -> tuple[str, ...]:
        return self.names

    def check_corpus(self, corpus: Corpus, *, one: bool = False) -> None:
        if corpus.hypotheses.tokenized:
            name, allowed = ("hypothesis", "a str") if one else ("hypotheses", "a list of str")
            raise NotTextError(name, allowed, "tokens", "this metric reads whole texts")

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        """Nothing is asked of the core."""
        return []

    def measured(self, corpus: Corpus, answers: Sequence[NDArray[np.int64]]) -> Measured[Score]:
        return super().measured(corpus, answers or [self._rows(corpus, 1)])

    def absorb(self, corpus: Corpus, answers: Sequence[NDArray[np.int64]]) -> Self:
        return super().absorb(corpus, answers or [self._rows(corpus, 1)])

    def sentence(
        self, hypothesis: Text, references: Text | Sequence[Text | None], *, source: Text | None = None
    ) -> Score:
        corpus = self._read_one(hypothesis, references, source)
        return self._segment_score(self._sum(corpus, 1), corpus.references.group_size)

    def _sum(self, corpus: Corpus, threads: int) -> tuple[int, ...]:
        return tuple(self._rows(corpus, threads).sum(axis=0).tolist())

    def _rows(self, corpus: Corpus, threads: int) -> NDArray[np.int64]:
        import numpy as np

        rows = np.zeros((len(corpus), len(self.names)), dtype=np.int64)
        sources = None if corpus.sources is None else corpus.sources.unpack()
        segments = zip(corpus.hypotheses.unpack(), corpus.references.unpack(), strict=True)
        for place, (hypothesis, references) in enumerate(segments):
            source = None if sources is None else str(sources[place][0])
            rows[place] = self._checked(self.row(str(hypothesis[0]), list(map(str, references)), source))
        return rows

    def _checked(self, row: Sequence[int]) -> Sequence[int]:
        if len(row) != len(self.names) or any(int(value) != value for value in row):
            raise OptionError(f"a row of {self.name}", f"{len(self.names)} whole numbers", tuple(row))
        return row
