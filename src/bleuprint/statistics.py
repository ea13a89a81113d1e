"""Named int64 columns, one row per segment. Rows add; a score is a function of a sum of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleuprint.errors import MergeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Statistics"]


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """What a metric counted: `rows[i, k]` is column `names[k]` of segment i.

    >>> from bleuprint import BLEU
    >>> statistics = BLEU(max_order=2).statistics(["a b c"], ["a b d"])
    >>> statistics.names
    ('hypothesis_length', 'reference_length', 'matches_1', 'matches_2', 'totals_1', 'totals_2')
    >>> statistics.total()
    (3, 3, 2, 1, 3, 2)
    """

    signature: str
    names: tuple[str, ...]
    rows: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)

    def total(self) -> tuple[int, ...]:
        """The column sums."""
        return tuple(self.rows.sum(axis=0).tolist())

    def take(self, indices: object) -> Statistics:
        """The rows at these indices, in this order, repeats included."""
        import numpy as np

        return Statistics(self.signature, self.names, self.rows[np.asarray(indices, dtype=np.intp)])

    def __add__(self, other: Statistics) -> Statistics:
        """The segments of both, one after the other."""
        import numpy as np

        if self.signature != other.signature:
            raise MergeError(self.signature, other.signature)
        return Statistics(self.signature, self.names, np.concatenate([self.rows, other.rows]))
