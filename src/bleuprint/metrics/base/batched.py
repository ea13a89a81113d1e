"""Metrics whose rows a model computes in Python, for many segments at once and slowly."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from bleuprint.core import counts, tokenizers
from bleuprint.core.columns import Corpus
from bleuprint.errors import NotTextError
from bleuprint.metrics.base.definition import AnyScore, Measured
from bleuprint.metrics.base.metric import Metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BatchedMetric"]

_BLOCK = 256  # segments whose vectors are in memory at a time


class BatchedMetric(Metric[AnyScore]):
    """Base of metrics with `batch_rows`: whole numbers for some segments, which runners keep on disk as they come."""

    slow = True
    _names: tuple[str, ...]
    _tokenizer = tokenizers.resolve("none")  # texts go to the model as they are

    @abstractmethod
    def batch_rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.int64]:
        """A row for each segment."""

    @property
    def columns(self) -> tuple[str, ...]:
        return self._names

    def check_corpus(self, corpus: Corpus, *, one: bool = False) -> None:
        if corpus.hypotheses.tokenized:
            name, allowed = ("hypothesis", "a str") if one else ("hypotheses", "a list of str")
            raise NotTextError(name, allowed, "tokens", "the model splits texts itself, so give whole ones")

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        """Nothing is asked of the core."""
        return []

    def measured(self, corpus: Corpus, answers: Sequence[NDArray[np.int64]]) -> Measured[AnyScore]:
        return super().measured(corpus, answers or [self._rows(corpus, 1)])

    def absorb(self, corpus: Corpus, answers: Sequence[NDArray[np.int64]]) -> Self:
        return super().absorb(corpus, answers or [self._rows(corpus, 1)])

    def _sum(self, corpus: Corpus, threads: int) -> tuple[int, ...]:
        return tuple(self._rows(corpus, threads).sum(axis=0).tolist())

    def _rows(self, corpus: Corpus, threads: int) -> NDArray[np.int64]:
        import numpy as np

        hypotheses = [str(group[0]) for group in corpus.hypotheses.unpack()]
        references = [[str(text) for text in group] for group in corpus.references.unpack()]
        rows = np.zeros((len(hypotheses), len(self._names)), dtype=np.int64)
        for begin in range(0, len(hypotheses), _BLOCK):
            part = slice(begin, begin + _BLOCK)
            rows[part] = self.batch_rows(hypotheses[part], references[part])
        return rows
