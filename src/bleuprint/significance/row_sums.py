"""Sums of rows that chance chooses, from the core."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleuprint.core import counts

__all__ = ["RowSums", "Sums", "numbers_below"]

Sums = NDArray[np.int64] | NDArray[np.float64]


class RowSums:
    """Rows, one per segment; what is chosen of them depends on seed and number of the trial, on nothing else.

    >>> sums = RowSums(np.array([[1], [10], [100]])).drawn(seed=1, begin=0, end=5, threads=1)
    >>> sums.tolist() == RowSums(np.array([[1], [10], [100]])).drawn(seed=1, begin=0, end=9, threads=2)[:5].tolist()
    True
    """

    def __init__(self, rows: Sums) -> None:
        kind: Any = counts.IntegerRows if rows.dtype == np.int64 else counts.RealRows
        self._rows = kind(rows)
        self._empty = rows[:0]

    def drawn(self, seed: int, begin: int, end: int, threads: int) -> Sums:
        """In each of the trials as many rows as there are, drawn with repeats."""
        out = self._room(end - begin)
        self._rows.drawn(seed, begin, end, threads, out)
        return out

    def drawn_at(self, indices: NDArray[np.uint32], threads: int) -> Sums:
        """The rows at these indices, one line of them per trial."""
        out = self._room(len(indices))
        self._rows.drawn_at(indices.reshape(-1), threads, out)
        return out

    def chosen(self, seed: int, begin: int, end: int, threads: int) -> Sums:
        """In each of the trials the rows for which a coin falls heads."""
        out = self._room(end - begin)
        self._rows.chosen(seed, begin, end, threads, out)
        return out

    def chosen_by(self, words: NDArray[np.uint32], trials: int, threads: int) -> Sums:
        """The rows whose bit is set: that of a row and trial is number trial · rows + row in the words."""
        out = self._room(trials)
        self._rows.chosen_by(words, threads, out)
        return out

    def _room(self, trials: int) -> Sums:
        return np.empty_like(self._empty, shape=(trials, self._empty.shape[1]))


def numbers_below(bound: int, words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Random numbers out of random words, which they overwrite; now and then a word gives none.

    >>> numbers_below(10, np.array([0, (1 << 31) + 1, 0xFFFFFFFF], dtype=np.uint32)).tolist()
    [5, 9]
    """
    return words[: counts.bounded(words, bound)]
