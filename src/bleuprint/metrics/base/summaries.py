"""Summaries: what is kept of the counted rows, how it merges, and how it becomes a score.

A summary is a small monoid: it starts empty, rows are added, summaries merge, and it converts to plain JSON and back.
Streams, shards, Spark, training loops and resumed runs only use summaries and know no metric. Summaries also decide
whether a corpus score is the formula of the sums or a mean over segments, and what can be resampled.

Several threads may use one summary. Every change counts into a new summary first, in parallel, and then merges it under
`changing`, which all summaries of the process share: a merge takes microseconds, and with one lock two summaries can be
merged into each other without a deadlock.
"""

from __future__ import annotations

import os
from _thread import RLock  # without the rest of threading, which BLEU alone does without
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from operator import add
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bleuprint.core.arrays import Floats, Integers, Places, np
from bleuprint.core.columns import Corpus
from bleuprint.errors import InputError, NoSegmentsError, OptionError, StateError
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.score import Measured, Score
from bleuprint.statistics.exact_mean import ExactMean, exact_sums, ratio_of, round_sum, scaled_ratio, sums_without_each
from bleuprint.statistics.rows import Sample, Statistics

if TYPE_CHECKING:
    from bleuprint.metrics.base.definition import Definition

# Reentrant, so that a signal handler may save a metric at any time.
changing = RLock()
if hasattr(os, "register_at_fork"):
    # A fork waits for the change under way: the child gets whole summaries and a free lock.
    os.register_at_fork(before=changing.acquire, after_in_parent=changing.release, after_in_child=changing.release)

_LARGEST = 2**63  # columns are int64
_SUM_LIMIT = 1 << (1074 + 2 * 63)  # numbers below 2**63, of less than 2**63 segments
_MEAN_LIMIT = 1 << (1074 + 1024)  # sums of means count units of 2**-1074; no double reaches 2**1024


class Summary(ABC):
    """What is kept of the texts added so far."""

    additive: ClassVar[bool] = False  # whether the corpus score is the formula of the summed rows
    can_resample: ClassVar[bool] = True  # whether the score of a part of the texts can be computed from what is kept

    def __init__(self, definition: Definition) -> None:
        self.definition = definition

    @classmethod
    @abstractmethod
    def of(cls, definition: Definition, rows: Integers, corpus: Corpus, threads: int = 1) -> Self:
        """A summary of a prepared corpus, for which the core has counted these rows."""

    @classmethod
    def of_corpus(cls, definition: Definition, corpus: Corpus, threads: int) -> Self:
        """A summary of a prepared corpus."""
        return cls.of(definition, definition.rows.count(corpus, threads), corpus, threads)

    @classmethod
    @abstractmethod
    def measure(cls, definition: Definition, rows: Integers, corpus: Corpus, threads: int) -> Measured[Score]:
        """The score of a prepared corpus, that of each segment, and what was counted."""

    @classmethod
    @abstractmethod
    def segments(cls, definition: Definition, rows: Integers, corpus: Corpus) -> Floats:
        """The score of each segment."""

    @abstractmethod
    def score(self, threads: int = 1) -> Score:
        """The score of everything added; nothing has no score, not even a good error rate of 0."""

    @abstractmethod
    def score_beside(self, corpus: Corpus, threads: int) -> Score:
        """The score of another corpus alone."""

    @abstractmethod
    def merge(self, other: Self) -> None:
        """Add another summary of the same kind; its segments count as the later ones."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""

    @abstractmethod
    def _restore(self, state: Mapping[str, Any]) -> None:
        """Take a state into a new summary."""

    @classmethod
    def corpus_score(cls, definition: Definition, corpus: Corpus, threads: int) -> Score:
        """The score of a prepared corpus."""
        return cls.of_corpus(definition, corpus, threads).score(threads)

    def add(self, rows: Integers, corpus: Corpus) -> None:
        """Add a prepared corpus, for which the core has counted these rows."""
        self.merge(self.of(self.definition, rows, corpus))

    def add_corpus(self, corpus: Corpus, threads: int) -> None:
        """Add a prepared corpus."""
        self.merge(self.of_corpus(self.definition, corpus, threads))

    def add_state(self, state: Mapping[str, Any]) -> None:
        """Add the result of `state`, possibly from another process: all of it, or nothing if a part is invalid."""
        restored = type(self)(self.definition)
        restored._restore(state)
        self.merge(restored)

    def copy(self) -> Self:
        """A summary of the same segments, which later changes do not reach."""
        copy = object.__new__(type(self))
        with changing:
            vars(copy).update(vars(self))  # a change replaces attributes and never what they hold
        return copy

    def _invalid(self, problem: str) -> StateError:
        return StateError(self.definition.name, problem)

    def _item(self, state: Mapping[str, Any], name: str, kind: type[list[Any] | dict[str, Any] | str]) -> Any:
        if name not in state:
            raise self._invalid(f"{name!r} is missing; it has {', '.join(map(repr, state))}")
        if not isinstance(state[name], kind):
            raise self._invalid(f"{name} must be a {kind.__name__}, got a {type(state[name]).__name__}")
        return state[name]


class RowSummary(Summary):
    """What is kept of rows, one or more of which belong to each segment."""

    additive = True

    def __init__(self, definition: Definition) -> None:
        super().__init__(definition)
        self.sizes: set[int] = set()  # references per segment of each batch; -1 if it varies within a batch

    @classmethod
    def of(cls, definition: Definition, rows: Integers, corpus: Corpus | None, threads: int = 1) -> Self:
        """A summary of these rows; the corpus they were counted from tells the number of references."""
        summary = cls(definition)
        summary._fill(rows, corpus)
        return summary

    @property
    def references(self) -> int | None:
        """References per segment; None if it varies."""
        size = next(iter(self.sizes)) if len(self.sizes) == 1 else -1
        return size if size >= 0 else None

    def merge(self, other: Self) -> None:
        with changing:
            # One call replaces everything, so that no interrupt and no signal handler finds half a change.
            vars(self).update(self._combine(other))

    @property
    def has_segments(self) -> bool:
        """Whether any segment was added."""
        return bool(self.sizes)

    def score(self, threads: int = 1) -> Score:
        if not self.has_segments:
            raise NoSegmentsError(self.definition.name)
        return self._score()

    @abstractmethod
    def _score(self) -> Score:
        """The score of at least one segment."""

    @abstractmethod
    def _fill(self, rows: Integers, corpus: Corpus | None) -> None:
        """Take rows into a new summary."""

    def _combine(self, other: Self) -> dict[str, Any]:
        """The attributes of both summaries together."""
        return {"sizes": self.sizes | other.sizes}

    def state(self) -> dict[str, Any]:
        return {"sizes": sorted(self.sizes)}

    def _restore(self, state: Mapping[str, Any]) -> None:
        sizes = self._integers(state, "sizes")
        if min(sizes, default=0) < -1:
            raise self._invalid(f"sizes must be at least 0, or -1 if they vary, got {min(sizes)}")
        self.sizes = set(sizes)

    def _integers(self, state: Mapping[str, Any], name: str) -> list[int]:
        """A list of integers in a state."""
        numbers = self._item(state, name, list)
        for number in numbers:
            self._check_integer(number, name)
        return list(numbers)

    def _row(self, numbers: list[int], name: str) -> tuple[int, ...]:
        """A sum of rows, if some texts could have given it."""
        names = self.definition.columns
        if len(numbers) != len(names):
            raise self._invalid(f"{name} must hold {len(names)} numbers, got {len(numbers)}")
        fault = self.definition.rows.fault(numbers)
        if fault is not None:
            raise self._invalid(f"in {name}, {fault}")
        return tuple(numbers)

    def _check_integer(self, number: object, name: str) -> None:
        if not isinstance(number, int) or isinstance(number, bool) or not -_LARGEST <= number < _LARGEST:
            raise self._invalid(f"{name} must hold integers of at most 64 bits, got {number!r:.60}")

    @classmethod
    def measure(cls, definition: Definition, rows: Integers, corpus: Corpus, threads: int) -> Measured[Score]:
        return Measured(
            cls.of(definition, rows, corpus).score(),
            cls.segments(definition, rows, corpus),
            cls.statistics(definition, rows, corpus),
        )

    def score_beside(self, corpus: Corpus, threads: int) -> Score:
        ready = self.definition.ready_for(corpus, threads)
        return type(self).corpus_score(ready, corpus, threads)

    @classmethod
    def sentence(cls, definition: Definition, corpus: Corpus) -> Score:
        """The score of one segment."""
        return definition.segment_score(definition.rows.total(corpus, 1), corpus.references.group_size)

    @classmethod
    def segments(cls, definition: Definition, rows: Integers, corpus: Corpus) -> Floats:
        return _column(definition.formula(tuple(rows.T), sentence=True), len(rows))

    @classmethod
    def statistics(
        cls, definition: Definition, rows: Integers, corpus: Corpus, *, required: bool = False
    ) -> Statistics | None:
        """The rows if they add up; otherwise None, or an error if they are required."""
        return Statistics(definition.signature, definition.columns, rows)

    @classmethod
    def sample(cls, definition: Definition, rows: Integers) -> Sample:
        """The segments in the form that resampling and permutation tests use."""
        kind = definition.kind
        return Sample(rows, definition.formula, kind.higher_is_better, kind.has_percent, of_segments=True)

    @classmethod
    def without_each(cls, definition: Definition, rows: Integers) -> Floats:
        """For each segment, the corpus score of all others."""
        rest = rows.sum(axis=0) - rows
        return _column(definition.formula(tuple(np.ascontiguousarray(column) for column in rest.T)), len(rows)).copy()


class Sum(RowSummary):
    """Column sums: the corpus score is the formula of the sums."""

    needs_only_totals: ClassVar[bool] = True  # so the core may add the rows up itself

    def __init__(self, definition: Definition) -> None:
        super().__init__(definition)
        self.total: tuple[int | float, ...] = (0,) * len(definition.columns)

    @classmethod
    def of_corpus(cls, definition: Definition, corpus: Corpus, threads: int) -> Self:
        if not cls.needs_only_totals:
            return super().of_corpus(definition, corpus, threads)
        summary = cls(definition)
        summary.total = definition.rows.total(corpus, threads)
        summary.sizes = {corpus.references.group_size} if len(corpus) else set()
        return summary

    @classmethod
    def corpus_score(cls, definition: Definition, corpus: Corpus, threads: int) -> Score:
        if not cls.needs_only_totals or not len(corpus):
            return super().corpus_score(definition, corpus, threads)
        # Trainers score corpora of one segment, for which a summary would be a tenth of the time.
        size = corpus.references.group_size
        total = definition.rows.total(corpus, threads)
        return definition.score_type(definition, total, False, size if size >= 0 else None)

    def _fill(self, rows: Integers, corpus: Corpus | None) -> None:
        self.total = tuple(rows.sum(axis=0).tolist())
        if len(rows):
            self.sizes = {-1 if corpus is None else corpus.references.group_size}

    def _score(self) -> Score:
        return self.definition.score_type(self.definition, self.total, False, self.references)

    def _combine(self, other: Self) -> dict[str, Any]:
        return {"total": tuple(map(add, self.total, other.total)), "sizes": self.sizes | other.sizes}

    def state(self) -> dict[str, Any]:
        return {"total": list(self.total), **super().state()}

    def _restore(self, state: Mapping[str, Any]) -> None:
        super()._restore(state)
        self.total = self._row(self._integers(state, "total"), "total")
        self._check_sizes()

    def _check_sizes(self) -> None:
        if any(self.total) and not self.sizes:
            raise self._invalid("sizes must hold the number of references per segment, got none")


class RealSum(Sum):
    """Column sums of integers and floats, kept exactly, so that they do not depend on the order of the segments.

    The formula gets a sum as an integer if it is one, otherwise rounded once.
    """

    needs_only_totals = False

    def __init__(self, definition: Definition) -> None:
        super().__init__(definition)
        self.sums = (0,) * len(definition.columns)  # in units of 2**-1074

    def _fill(self, rows: Integers, corpus: Corpus | None) -> None:
        super()._fill(rows, corpus)
        self.sums = exact_sums(rows)
        self.total = tuple(map(round_sum, self.sums))

    def _combine(self, other: Self) -> dict[str, Any]:
        sums = tuple(map(add, self.sums, other.sums))
        return {"sums": sums, "total": tuple(map(round_sum, sums)), "sizes": self.sizes | other.sizes}

    def state(self) -> dict[str, Any]:
        ratios = map(ratio_of, self.sums)
        total = [numerator if denominator == 1 else [numerator, denominator] for numerator, denominator in ratios]
        return {**super().state(), "total": total}

    def _restore(self, state: Mapping[str, Any]) -> None:
        numbers = self._item(state, "total", list)
        self.sums = tuple(map(self._restore_sum, numbers))
        super()._restore({**state, "total": [0] * len(numbers)})
        self.total = tuple(map(round_sum, self.sums))
        self._check_sizes()

    def _restore_sum(self, number: object) -> int:
        pair: list[Any] = number if isinstance(number, list) and len(number) == 2 else [number, 1]
        if all(type(part) is int for part in pair) and pair[1] > 0:
            scaled = scaled_ratio(*pair)
            if scaled is not None and abs(scaled) < _SUM_LIMIT:
                return scaled
        allowed = "integers, or pairs of a numerator and a denominator that is a power of two up to 2 ** 1074"
        raise self._invalid(f"total must hold {allowed}, got {number!r:.60}")

    @classmethod
    def sample(cls, definition: Definition, rows: Integers) -> Sample:
        sample = super().sample(definition, rows)
        return sample if rows.dtype == np.int64 else replace(sample, whole=definition.value_of(rows))

    @classmethod
    def without_each(cls, definition: Definition, rows: Integers) -> Floats:
        if rows.dtype == np.int64:
            return super().without_each(definition, rows)
        # One at a time: beyond 2**53 an integer sum is exact, and an array of doubles would round it.
        rest = zip(*(sums_without_each(column) for column in np.asarray(rows, dtype=np.float64).T), strict=True)
        return np.array([definition.formula(sums) for sums in rest], dtype=np.float64)


class SumAndLast(Sum):
    """Column sums followed by the row of the last segment, for formulas that also look at it."""

    needs_only_totals = False

    def __init__(self, definition: Definition) -> None:
        super().__init__(definition)
        self.last: tuple[int, ...] = ()

    def _fill(self, rows: Integers, corpus: Corpus | None) -> None:
        super()._fill(rows, corpus)
        self.last = tuple(rows[-1].tolist()) if len(rows) else ()

    def _score(self) -> Score:
        return self.definition.score_type(self.definition, self.total + self.last, False, self.references)

    def _combine(self, other: Self) -> dict[str, Any]:
        return {**super()._combine(other), "last": other.last or self.last}

    def state(self) -> dict[str, Any]:
        return {**super().state(), "last_row": list(self.last)}

    def _restore(self, state: Mapping[str, Any]) -> None:
        super()._restore(state)
        last = self._integers(state, "last_row")
        self.last = self._row(last, "last_row") if last else ()

    @classmethod
    def sample(cls, definition: Definition, rows: Integers) -> Sample:
        raise OptionError("context", "'corpus' for resampling", "last-segment")

    @classmethod
    def without_each(cls, definition: Definition, rows: Integers) -> Floats:
        raise OptionError("context", "'corpus' to leave segments out", "last-segment")


class ExactMeans(Sum):
    """Column sums and the exact means of segment scores; the corpus score is the mean."""

    needs_only_totals = False
    additive = False

    def __init__(self, definition: Definition) -> None:
        super().__init__(definition)
        self.means: dict[str, ExactMean] = {}

    def _fill(self, rows: Integers, corpus: Corpus | None) -> None:
        super()._fill(rows, corpus)
        scores = self.definition.formula.scores(tuple(rows.T)) if len(rows) else {}
        self.means = {name: ExactMean().add(_column(values, len(rows))) for name, values in scores.items()}

    def _score(self) -> Score:
        names = self.definition.formula.scores(self.total)
        parts = {name: self.means.get(name, ExactMean()).value for name in names}
        return self.definition.score_type(self.definition, self.total, False, self.references, parts=parts)

    def _combine(self, other: Self) -> dict[str, Any]:
        means = {
            name: ExactMean().merge(self.means.get(name, ExactMean())).merge(other.means.get(name, ExactMean()))
            for name in self.means | other.means
        }
        return {**super()._combine(other), "means": means}

    def state(self) -> dict[str, Any]:
        return {**super().state(), "means": {name: list(mean.state()) for name, mean in self.means.items()}}

    def _restore(self, state: Mapping[str, Any]) -> None:
        super()._restore(state)
        names = tuple(self.definition.formula.scores(self.total))
        means = self._item(state, "means", dict)
        if means and means.keys() != set(names):
            raise self._invalid(f"means must hold {', '.join(names)}, got {', '.join(map(str, means))}")
        self.means = {name: self._restore_mean(means, name) for name in names if means}
        if len({mean.count for mean in self.means.values()}) > 1:
            raise self._invalid("its means count different numbers of segments")

    def _restore_mean(self, means: Mapping[str, Any], name: str) -> ExactMean:
        numbers, place = self._item(means, name, list), f"the mean {name}"
        for number in numbers[1:]:
            self._check_integer(number, place)
        total, count = numbers if len(numbers) == 2 else (None, 0)
        if not isinstance(total, int) or isinstance(total, bool) or count < (total != 0):
            raise self._invalid(f"{place} must be a sum and the number of segments, got {numbers!r:.60}")
        lowest, highest = self.definition.kind.value_range
        mean = ExactMean.of_state((total, count))
        if abs(total) >= count * _MEAN_LIMIT + 1 or (count and not lowest <= mean.value <= highest):
            raise self._invalid(f"{place} must be from {lowest:g} to {highest:g}")
        return mean

    @classmethod
    def _values(cls, definition: Definition, rows: Integers) -> Floats:
        return _column(definition.formula(tuple(rows.T)), len(rows))

    @classmethod
    def sample(cls, definition: Definition, rows: Integers) -> Sample:
        scores, kind = cls._values(definition, rows), definition.kind
        return Sample.of_scores(scores, higher_is_better=kind.higher_is_better, has_percent=kind.has_percent)

    @classmethod
    def without_each(cls, definition: Definition, rows: Integers) -> Floats:
        values = cls._values(definition, rows)
        return np.asarray(ExactMean().add(values).without_each(values), dtype=np.float64)


class KeptRows(RowSummary):
    """All rows, one per reference of each segment, for formulas that draw references at the end."""

    def __init__(self, definition: Definition) -> None:
        super().__init__(definition)
        self.rows: Integers = np.zeros((0, len(definition.columns)), dtype=np.int64)
        self.counts: Places = np.zeros(0, dtype=np.intp)  # number of references of each segment

    def _fill(self, rows: Integers, corpus: Corpus | None) -> None:
        self.rows = rows
        self.counts = np.ones(len(rows), dtype=np.intp) if corpus is None else _reference_counts(corpus)

    def _combine(self, other: Self) -> dict[str, Any]:
        rows, counts = np.concatenate([self.rows, other.rows]), np.concatenate([self.counts, other.counts])
        return {"rows": rows, "counts": counts}

    @property
    def has_segments(self) -> bool:
        return len(self.counts) > 0

    @property
    def references(self) -> int | None:
        return int(self.counts[0]) if len(self.counts) and (self.counts == self.counts[0]).all() else None

    @property
    def total(self) -> tuple[int, ...]:
        return tuple(self.rows.sum(axis=0).tolist())

    def _score(self) -> Score:
        value = self.definition.formula.mean_over_draws(self.rows, self.counts)
        return self.definition.score_type(self.definition, self.total, False, self.references, value)

    def state(self) -> dict[str, Any]:
        return {"rows": self.rows.tolist(), "references": self.counts.tolist()}

    def _restore(self, state: Mapping[str, Any]) -> None:
        rows = self._item(state, "rows", list)
        kept = [self._row(self._integers({"row": row}, "row"), "row") for row in rows]
        counts = self._integers(state, "references")
        if min(counts, default=1) < 1 or sum(counts) != len(kept):
            needed = f"the number of rows of each segment, {len(kept)} together"
            raise self._invalid(f"references must hold {needed}, got {counts!r:.60}")
        self.rows = np.array(kept, dtype=np.int64).reshape(len(kept), len(self.definition.columns))
        self.counts = np.array(counts, dtype=np.intp)

    @classmethod
    def sentence(cls, definition: Definition, corpus: Corpus) -> Score:
        summary = cls(definition)
        summary.add_corpus(corpus, 1)
        value = float(cls.segments(definition, summary.rows, corpus)[0])
        return definition.score_type(definition, summary.total, True, summary.references, value)

    @classmethod
    def segments(cls, definition: Definition, rows: Integers, corpus: Corpus) -> Floats:
        scores, counts = super().segments(definition, rows, corpus), _reference_counts(corpus)
        starts = counts.cumsum() - counts
        sums = scores[starts]
        # One reference after another: reduceat does not say in which order it adds, on which the last digit depends.
        for place in range(1, counts.max(initial=0)):
            longer = counts > place
            sums[longer] += scores[starts[longer] + place]
        return sums / counts

    @classmethod
    def statistics(
        cls, definition: Definition, rows: Integers, corpus: Corpus, *, required: bool = False
    ) -> Statistics | None:
        if corpus.references.group_size == 1 or len(corpus) == 0:
            return super().statistics(definition, rows, corpus)
        if required:
            raise InputError(
                f"{definition.name} only has rows with one reference per segment: pick one from each list."
            )
        return None


def _reference_counts(corpus: Corpus) -> Places:
    return np.asarray(corpus.references.sizes(), dtype=np.intp)


def _column(values: Value, rows: int) -> Floats:
    return np.broadcast_to(np.asarray(values, dtype=np.float64), (rows,))
