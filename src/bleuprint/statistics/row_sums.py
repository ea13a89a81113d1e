"""Sums of randomly selected rows, computed by the core."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleuprint.core import counts

Sums = NDArray[np.int64] | NDArray[np.float64]


class RowSums:
    """Sums of rows, one row per segment. The selection depends only on the seed and the trial number.

    >>> sums = RowSums(np.array([[1], [10], [100]])).drawn(seed=1, begin=0, end=5, threads=1)
    >>> sums.tolist() == RowSums(np.array([[1], [10], [100]])).drawn(seed=1, begin=0, end=9, threads=2)[:5].tolist()
    True
    """

    def __init__(self, rows: Sums) -> None:
        kind: Any = counts.IntegerRows if rows.dtype == np.int64 else counts.RealRows
        self._rows = kind(rows)
        self._empty = rows[:0]

    def drawn(self, seed: int, begin: int, end: int, threads: int) -> Sums:
        """Return one sum per trial, of as many rows as there are, drawn with replacement."""
        out = self._room(end - begin)
        self._rows.drawn(seed, begin, end, threads, out)
        return out

    def drawn_at(self, indices: NDArray[np.uint32], threads: int) -> Sums:
        """Return one sum per trial, of the rows at the trial's indices."""
        out = self._room(len(indices))
        self._rows.drawn_at(indices.reshape(-1), threads, out)
        return out

    def chosen(self, seed: int, begin: int, end: int, threads: int) -> Sums:
        """Return one sum per trial, of the rows whose coin shows heads."""
        out = self._room(end - begin)
        self._rows.chosen(seed, begin, end, threads, out)
        return out

    def chosen_by(self, words: NDArray[np.uint32], trials: int, threads: int) -> Sums:
        """Return one sum per trial, of the rows whose bit is set: number trial · rows + row in the words."""
        out = self._room(trials)
        self._rows.chosen_by(words, threads, out)
        return out

    def _room(self, trials: int) -> Sums:
        return np.empty_like(self._empty, shape=(trials, self._empty.shape[1]))


def numbers_below(bound: int, words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Turn random words into random numbers below `bound`, in place; a few words are rejected.

    >>> numbers_below(10, np.array([0, (1 << 31) + 1, 0xFFFFFFFF], dtype=np.uint32)).tolist()
    [5, 9]
    """
    return words[: counts.bounded(words, bound)]
