"""Metrics whose corpus score is the mean of the segments' scores."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from bleuprint.core.columns import Corpus, References, Text, Texts
from bleuprint.metrics.base.metric import Metric, Part, Score, Value, checked_threads
from bleuprint.statistics.exact_mean import ExactMean
from bleuprint.statistics.rows import Sample, Statistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["AveragedMetric", "AveragedScore"]


class AveragedScore(Score):
    """A mean of segment scores, with the means of its parts."""

    __slots__ = ("_parts",)
    metric: AveragedMetric

    def __init__(
        self,
        metric: AveragedMetric,
        columns: tuple[int, ...],
        sentence: bool,
        references: int,
        parts: Mapping[str, float],
    ) -> None:
        super().__init__(metric, columns, sentence, references, next(iter(parts.values())))
        self._parts = dict(parts)

    @property
    def parts(self) -> dict[str, Part]:
        return dict(self._parts)

    def __getitem__(self, name: str) -> float:
        """A part by name, as in score["recall"]."""
        return self._parts[name]

    def __str__(self) -> str:
        parts = ", ".join(f"{name} = {value:.4f}" for name, value in self._parts.items())
        return f"{self.metric.name} = {self.value:.4f} ({parts})"


class AveragedMetric(Metric[AveragedScore]):
    """Base of metrics that average over segments; `scores` says what is averaged."""

    score_type = AveragedScore
    _means: dict[str, ExactMean]

    @property
    def additive(self) -> bool:
        return False

    @abstractmethod
    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        """The scores of a row (or of columns of rows) by name; the first is the metric's value."""

    def formula(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        return next(iter(self.scores(columns).values()))

    def values_without_each(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        import numpy as np

        if self.additive:
            return super().values_without_each(rows)
        values = self._values(rows)
        return np.asarray(ExactMean().add(values).without_each(values), dtype=np.float64)

    def _values(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        return _column(self.formula(tuple(rows.T)), len(rows))

    def sample_of(self, statistics: Statistics) -> Sample:
        import numpy as np

        if self.additive:
            return super().sample_of(statistics)
        scores = self._values(statistics.rows)
        rows = np.column_stack([scores, np.ones(len(scores))])
        return Sample(
            rows, lambda columns: columns[0] / np.maximum(columns[1], 1.0), self.higher_is_better, self.has_percent
        )

    def corpus(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> AveragedScore:
        return self._fresh().update(hypotheses, references, sources=sources, threads=threads).compute()

    def sentence(
        self, hypothesis: Text, references: Text | Sequence[Text | None], *, source: Text | None = None
    ) -> AveragedScore:
        corpus = self._read_one(hypothesis, references, source)
        return self._segment_score(self._sum(corpus, 1), corpus.references.group_size)

    def _segment_score(self, row: tuple[int, ...], references: int) -> AveragedScore:
        parts = {name: float(value) for name, value in self.scores(row).items()}
        return AveragedScore(self, row, True, references, parts)

    def update(
        self, hypotheses: Texts, references: References, *, sources: Texts | None = None, threads: int | None = None
    ) -> Self:
        """Add a batch; what is kept are sums."""
        corpus = self._read(hypotheses, references, sources)
        return self._add(self._rows(corpus, checked_threads(threads)), corpus.references.group_size)

    def absorb(self, corpus: Corpus, answers: Sequence[NDArray[np.int64]]) -> Self:
        return self._add(self._joined(answers), corpus.references.group_size)

    def _score_of(self, rows: NDArray[np.int64], size: int) -> AveragedScore:
        return self._fresh()._add(rows, size).compute()

    def _add(self, rows: NDArray[np.int64], size: int) -> Self:
        if len(rows) == 0:
            return self
        scores = self.scores(tuple(rows.T))
        self._total = tuple(map(sum, zip(self._total, rows.sum(axis=0).tolist(), strict=True)))
        self._sizes.add(size)
        for name, values in scores.items():
            self._means.setdefault(name, ExactMean()).add(_column(values, len(rows)))
        return self

    def merge(self, other: Self) -> Self:
        super().merge(other)
        for name, mean in other._means.items():
            self._means.setdefault(name, ExactMean()).merge(mean)
        return self

    def state(self) -> dict[str, Any]:
        return {**super().state(), "means": {name: list(mean.state()) for name, mean in self._means.items()}}

    def add_state(self, state: Mapping[str, Any]) -> Self:
        for name, mean in state["means"].items():
            self._means.setdefault(name, ExactMean()).merge(ExactMean.of_state(mean))
        return super().add_state(state)

    def compute(self) -> AveragedScore:
        size = self._sizes.copy().pop() if len(self._sizes) == 1 else -1
        pooled = self.scores(self._total)
        if self.additive:
            parts = {name: float(value) for name, value in pooled.items()}
        else:
            parts = {name: mean.value for name, mean in (self._means or dict.fromkeys(pooled, ExactMean())).items()}
        return AveragedScore(self, self._total, False, size, parts)

    def reset(self) -> Self:
        self._means = {}
        return super().reset()


def _column(values: Value, rows: int) -> NDArray[np.float64]:
    import numpy as np

    return np.broadcast_to(np.asarray(values, dtype=np.float64), (rows,))
