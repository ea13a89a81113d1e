"""Statistics in named columns of numbers, one row per segment. A score is a function of a sum of rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bleuprint.core.arrays import Floats, Integers, Numbers, np
from bleuprint.errors import InputError, LengthMismatchError
from bleuprint.statistics.exact_mean import ExactMean, exact_sums, round_sum

_LARGEST = 2.0**1000  # scores of which intervals have finite ends


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Statistics:
    """The statistics of a metric: `rows[i, k]` is column `names[k]` of segment i.

    >>> from bleuprint import BLEU
    >>> statistics = BLEU(max_order=2).statistics(["a b c"], ["a b d"])
    >>> statistics.names
    ('hypothesis_length', 'reference_length', 'matches_1', 'matches_2', 'totals_1', 'totals_2')
    >>> statistics.total()
    (3, 3, 2, 1, 3, 2)
    """

    signature: str
    names: tuple[str, ...]
    rows: Integers  # float64 in custom metrics with real numbers

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Statistics of {len(self.rows):,} segments: {', '.join(self.names)}>"

    def total(self) -> tuple[int | float, ...]:
        """Return the column sums, rounded once if they are not integers."""
        return tuple(map(round_sum, exact_sums(self.rows)))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sample:
    """Rows to sample from, and the score of a sum of rows. Resampling and influence need nothing else.

    >>> from bleuprint import BLEU
    >>> sample = BLEU(max_order=1, tokenizer="whitespace").sample(["a b", "c d"], ["a b", "c e"])
    >>> sample.score().item(), sample.score(sample.rows[:1]).item()
    (0.75, 1.0)
    """

    rows: Numbers  # one per segment
    formula: Callable[[Sequence[Any]], Any]  # maps columns of sums to scores
    higher_is_better: bool = True
    has_percent: bool = True  # whether scores can be shown as a percentage
    whole: float | None = None  # the score of all rows, if their sum in floating point could miss it by a rounding
    of_segments: bool = False  # whether a row alone has a score, that of a segment or a cluster

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Sample of {len(self.rows):,} segments>"

    @classmethod
    def of_scores(cls, scores: Floats, *, higher_is_better: bool = True, has_percent: bool = False) -> Sample:
        """Return the sample whose score is the mean of these scores, one per segment.

        >>> Sample.of_scores(np.array([0.25, 0.75])).score().item()
        0.5
        """
        rows = np.column_stack([scores, np.ones(len(scores))])
        return cls(rows, _mean, higher_is_better, has_percent, ExactMean().add(scores).value, True)

    def by_cluster(self, labels: Sequence[Hashable]) -> Sample:
        """Return the sample with one row per cluster: the sum of the rows with the same label.

        Sums of these rows are sums of segments, so the score stays the same. Drawing, swapping, and leaving out rows
        then handles whole clusters, as it must if segments of a cluster depend on each other.

        >>> sample = Sample.of_scores(np.array([0.0, 1.0, 0.5])).by_cluster(["a", "a", "b"])
        >>> sample.rows.tolist(), sample.score().item()
        ([[1.0, 2.0], [0.5, 1.0]], 0.5)
        """
        if len(labels) != len(self):
            raise LengthMismatchError("the sample", len(self), "clusters", len(labels))
        numbers: dict[Hashable, int] = {}
        clusters = [numbers.setdefault(label, len(numbers)) for label in labels]
        if len(numbers) < 2:
            raise InputError(f"clusters must contain at least two different labels, got {len(numbers)}.")
        rows: Any = np.zeros_like(self.rows, shape=(len(numbers), self.rows.shape[1]))
        np.add.at(rows, clusters, self.rows)
        return replace(self, rows=rows)

    def alone(self) -> Floats | None:
        """The score of each segment or cluster alone; None if a row has no score."""
        with np.errstate(all="ignore"):
            scores = self.score(self.rows) if self.of_segments else None
        return scores if scores is not None and (np.abs(scores) < _LARGEST).all() else None

    def score(self, sums: Numbers | None = None) -> Floats:
        """Return the score of each row of sums, by default of the sum of all rows."""
        if sums is None and self.whole is not None:
            return np.array([self.whole])
        sums = self.rows.sum(axis=0, keepdims=True) if sums is None else sums
        columns = tuple(np.ascontiguousarray(column) for column in sums.T)
        return np.broadcast_to(np.asarray(self.formula(columns), dtype=np.float64), len(sums))


def _mean(columns: Sequence[Any]) -> Any:
    return columns[0] / np.maximum(columns[1], 1.0)
