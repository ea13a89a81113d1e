"""Summaries: what is kept of the counted rows, how it merges, and how it becomes a score.

A summary is a small monoid: it starts empty, rows are added, summaries merge, and it converts to plain JSON and back.
Streams, shards, Spark, training loops and resumed runs only use summaries and know no metric. Summaries also decide
whether a corpus score is the formula of the sums or a mean over segments, and what can be resampled.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core.arrays import np
from bleuprint.core.columns import Corpus
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.score import Score
from bleuprint.statistics.exact_mean import ExactMean
from bleuprint.statistics.rows import Sample, Statistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleuprint.metrics.base.definition import Definition

__all__ = ["ExactMeans", "KeptRows", "Sum", "SumAndLast", "Summary"]


class Summary(ABC):
    """What is kept of the segments added so far."""

    additive = True  # whether the corpus score is the formula of the summed rows

    def __init__(self, definition: Definition[Any]) -> None:
        self.definition = definition
        self.sizes: set[int] = set()  # references per segment of each batch; -1 if it varies within a batch

    @property
    def references(self) -> int | None:
        """References per segment; None if it varies."""
        size = next(iter(self.sizes)) if len(self.sizes) == 1 else -1
        return size if size >= 0 else None

    def add_corpus(self, corpus: Corpus, threads: int) -> None:
        """Add a prepared corpus."""
        self.add(self.definition.rows.counted(corpus, threads), corpus)

    @abstractmethod
    def add(self, rows: NDArray[np.int64], corpus: Corpus | None) -> None:
        """Add rows; the corpus they were counted from tells the number of references."""

    @abstractmethod
    def score(self) -> Score:
        """The score of all segments added."""

    def merge(self, other: Any) -> None:
        """Add another summary of the same kind; its segments count as the later ones."""
        self.sizes |= other.sizes

    def state(self) -> dict[str, Any]:
        """Plain numbers and lists, ready for JSON."""
        return {"sizes": sorted(self.sizes)}

    def add_state(self, state: Mapping[str, Any]) -> None:
        """Add the result of `state`, possibly from another process."""
        self.sizes |= set(state["sizes"])

    @classmethod
    def sentence(cls, definition: Definition[Any], corpus: Corpus) -> Score:
        """The score of one segment."""
        score: Score = definition.segment_score(definition.rows.total(corpus, 1), corpus.references.group_size)
        return score

    @classmethod
    def segments(cls, definition: Definition[Any], rows: NDArray[np.int64], corpus: Corpus) -> NDArray[np.float64]:
        """The score of each segment."""
        return _column(definition.formula(tuple(rows.T), sentence=True), len(rows))

    @classmethod
    def statistics(
        cls, definition: Definition[Any], rows: NDArray[np.int64], corpus: Corpus, *, required: bool = False
    ) -> Statistics | None:
        """The rows if they add up; otherwise None, or an error if they are required."""
        return Statistics(definition.signature, definition.columns, rows)

    @classmethod
    @abstractmethod
    def sample(cls, definition: Definition[Any], rows: NDArray[np.int64]) -> Sample:
        """The segments in the form that resampling and permutation tests use."""

    @classmethod
    @abstractmethod
    def without_each(cls, definition: Definition[Any], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """For each segment, the corpus score of all others."""


class Sum(Summary):
    """Column sums: the corpus score is the formula of the sums."""

    def __init__(self, definition: Definition[Any]) -> None:
        super().__init__(definition)
        self.total = (0,) * len(definition.columns)

    def add_corpus(self, corpus: Corpus, threads: int) -> None:
        # Count first, so that an interrupt cannot leave half an update.
        self._take(self.definition.rows.total(corpus, threads), corpus)

    def add(self, rows: NDArray[np.int64], corpus: Corpus | None) -> None:
        self._take(rows.sum(axis=0).tolist(), corpus)

    def _take(self, total: Sequence[int], corpus: Corpus | None) -> None:
        self.total = tuple(map(sum, zip(self.total, total, strict=True)))
        self.sizes.add(-1 if corpus is None else corpus.references.group_size)

    def score(self) -> Score:
        score: Score = self.definition.score_type(self.definition, self.total, False, self.references)
        return score

    def merge(self, other: Sum) -> None:
        super().merge(other)
        self.total = tuple(map(sum, zip(self.total, other.total, strict=True)))

    def state(self) -> dict[str, Any]:
        return {"total": list(self.total), **super().state()}

    def add_state(self, state: Mapping[str, Any]) -> None:
        super().add_state(state)
        self.total = tuple(map(sum, zip(self.total, state["total"], strict=True)))

    @classmethod
    def sample(cls, definition: Definition[Any], rows: NDArray[np.int64]) -> Sample:
        return Sample(rows, definition.formula, definition.kind.higher_is_better, definition.kind.has_percent)

    @classmethod
    def without_each(cls, definition: Definition[Any], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        rest = rows.sum(axis=0) - rows
        return _column(definition.formula(tuple(np.ascontiguousarray(column) for column in rest.T)), len(rows)).copy()


class SumAndLast(Sum):
    """Column sums followed by the row of the last segment, for formulas that also look at it."""

    def __init__(self, definition: Definition[Any]) -> None:
        super().__init__(definition)
        self.last: tuple[int, ...] = ()

    def add_corpus(self, corpus: Corpus, threads: int) -> None:
        self.add(self.definition.rows.counted(corpus, threads), corpus)

    def add(self, rows: NDArray[np.int64], corpus: Corpus | None) -> None:
        super().add(rows, corpus)
        if len(rows):
            self.last = tuple(rows[-1].tolist())

    def score(self) -> Score:
        score: Score = self.definition.score_type(self.definition, self.total + self.last, False, self.references)
        return score

    def merge(self, other: Sum) -> None:
        super().merge(other)
        if isinstance(other, SumAndLast):
            self.last = other.last or self.last

    def state(self) -> dict[str, Any]:
        return {**super().state(), "last_row": list(self.last)}

    def add_state(self, state: Mapping[str, Any]) -> None:
        super().add_state(state)
        self.last = tuple(state["last_row"]) or self.last

    @classmethod
    def sample(cls, definition: Definition[Any], rows: NDArray[np.int64]) -> Sample:
        raise OptionError("context", "'corpus' for resampling", "last-segment")

    @classmethod
    def without_each(cls, definition: Definition[Any], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        raise OptionError("context", "'corpus' to leave segments out", "last-segment")


class ExactMeans(Sum):
    """Column sums and the exact means of segment scores; the corpus score is the mean."""

    additive = False

    def __init__(self, definition: Definition[Any]) -> None:
        super().__init__(definition)
        self.means: dict[str, ExactMean] = {}

    def add_corpus(self, corpus: Corpus, threads: int) -> None:
        self.add(self.definition.rows.counted(corpus, threads), corpus)

    def add(self, rows: NDArray[np.int64], corpus: Corpus | None) -> None:
        scores = self.definition.formula.scores(tuple(rows.T)) if len(rows) else {}
        super().add(rows, corpus)
        for name, values in scores.items():
            self._mean(name).add(_column(values, len(rows)))

    def _mean(self, name: str) -> ExactMean:
        return self.means.setdefault(name, ExactMean())

    def score(self) -> Score:
        names = self.definition.formula.scores(self.total)
        parts = {name: self.means.get(name, ExactMean()).value for name in names}
        score: Score = self.definition.score_type(self.definition, self.total, False, self.references, parts)
        return score

    def merge(self, other: Sum) -> None:
        super().merge(other)
        if isinstance(other, ExactMeans):
            for name, mean in other.means.items():
                self._mean(name).merge(mean)

    def state(self) -> dict[str, Any]:
        return {**super().state(), "means": {name: list(mean.state()) for name, mean in self.means.items()}}

    def add_state(self, state: Mapping[str, Any]) -> None:
        super().add_state(state)
        for name, mean in state["means"].items():
            self._mean(name).merge(ExactMean.of_state(mean))

    @classmethod
    def _values(cls, definition: Definition[Any], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        return _column(definition.formula(tuple(rows.T)), len(rows))

    @classmethod
    def sample(cls, definition: Definition[Any], rows: NDArray[np.int64]) -> Sample:
        scores = cls._values(definition, rows)
        kind = definition.kind
        return Sample.of_scores(scores, higher_is_better=kind.higher_is_better, has_percent=kind.has_percent)

    @classmethod
    def without_each(cls, definition: Definition[Any], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        values = cls._values(definition, rows)
        return np.asarray(ExactMean().add(values).without_each(values), dtype=np.float64)


class KeptRows(Summary):
    """All rows, one per reference of each segment, for formulas that draw references at the end."""

    def __init__(self, definition: Definition[Any]) -> None:
        super().__init__(definition)
        self.rows: NDArray[np.int64] = np.zeros((0, len(definition.columns)), dtype=np.int64)
        self.counts: NDArray[np.intp] = np.zeros(0, dtype=np.intp)  # number of references of each segment

    def add(self, rows: NDArray[np.int64], corpus: Corpus | None) -> None:
        counts = np.ones(len(rows), dtype=np.intp) if corpus is None else _reference_counts(corpus)
        self._append(rows, counts)

    def _append(self, rows: NDArray[np.int64], counts: NDArray[np.intp]) -> None:
        self.rows, self.counts = np.concatenate([self.rows, rows]), np.concatenate([self.counts, counts])

    @property
    def references(self) -> int | None:
        return int(self.counts[0]) if len(self.counts) and (self.counts == self.counts[0]).all() else None

    @property
    def total(self) -> tuple[int, ...]:
        return tuple(self.rows.sum(axis=0).tolist())

    def score(self) -> Score:
        value = self.definition.formula.drawn(self.rows, self.counts)
        score: Score = self.definition.score_type(self.definition, self.total, False, self.references, value)
        return score

    def merge(self, other: KeptRows) -> None:
        self._append(other.rows, other.counts)

    def state(self) -> dict[str, Any]:
        return {"rows": self.rows.tolist(), "references": self.counts.tolist()}

    def add_state(self, state: Mapping[str, Any]) -> None:
        rows = np.asarray(state["rows"], dtype=np.int64).reshape(len(state["rows"]), len(self.definition.columns))
        self._append(rows, np.asarray(state["references"], dtype=np.intp))

    @classmethod
    def sentence(cls, definition: Definition[Any], corpus: Corpus) -> Score:
        summary = cls(definition)
        summary.add_corpus(corpus, 1)
        value = float(cls.segments(definition, summary.rows, corpus)[0])
        score: Score = definition.score_type(definition, summary.total, True, summary.references, value)
        return score

    @classmethod
    def segments(cls, definition: Definition[Any], rows: NDArray[np.int64], corpus: Corpus) -> NDArray[np.float64]:
        scores, counts = super().segments(definition, rows, corpus), _reference_counts(corpus)
        return np.add.reduceat(scores, (counts.cumsum() - counts).astype(np.intp)) / counts

    @classmethod
    def statistics(
        cls, definition: Definition[Any], rows: NDArray[np.int64], corpus: Corpus, *, required: bool = False
    ) -> Statistics | None:
        if corpus.references.group_size == 1 or len(corpus) == 0:
            return super().statistics(definition, rows, corpus)
        if required:
            raise InputError(
                f"{definition.name} only has rows with one reference per segment: pick one from each list."
            )
        return None

    @classmethod
    def sample(cls, definition: Definition[Any], rows: NDArray[np.int64]) -> Sample:
        return Sum.sample(definition, rows)

    @classmethod
    def without_each(cls, definition: Definition[Any], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        return Sum.without_each(definition, rows)


def _reference_counts(corpus: Corpus) -> NDArray[np.intp]:
    return np.asarray(corpus.references.sizes(), dtype=np.intp)


def _column(values: Value, rows: int) -> NDArray[np.float64]:
    return np.broadcast_to(np.asarray(values, dtype=np.float64), (rows,))
