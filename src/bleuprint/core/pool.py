"""Many texts at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuprint.core import _native
from bleuprint.core._native import Column
from bleuprint.core.preparation import prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Pool"]


class Pool:
    """Many texts as token ids, and what they share."""

    def __init__(self, scheme: str, lowercase: bool) -> None:
        prepare(scheme, lowercase)
        self._reading = (scheme, lowercase)
        self._pool = _native.Pool(scheme, lowercase)

    def __len__(self) -> int:
        return len(self._pool)

    def add(self, texts: Column, threads: int) -> None:
        self._pool.add(texts, threads)

    def append(self, other: Pool) -> None:
        self._pool.append(other._pool)

    def selected(self, texts: list[int]) -> Pool:
        """A pool of these texts."""
        pool = Pool(*self._reading)
        pool._pool.add_from(self._pool, texts)
        return pool

    def leave_one_out(self, max_order: int, threads: int) -> NDArray[np.int64]:
        """Per text: its length, the nearest length of another, clipped matches with all others by order."""
        import numpy as np

        rows = np.zeros((len(self), 2 + max_order), dtype=np.int64)
        self._pool.leave_one_out(threads, rows)
        return rows

    def cross(self, references: Pool, max_order: int, threads: int) -> NDArray[np.int64]:
        """The same against all texts of another pool."""
        import numpy as np

        rows = np.zeros((len(self), 2 + max_order), dtype=np.int64)
        self._pool.cross(references._pool, threads, rows)
        return rows

    def distinct(self, max_order: int, threads: int) -> list[tuple[int, int]]:
        """Per order: how many different n-grams there are, and how many in all."""
        return self._pool.distinct(max_order, threads)

    def distinct_per_text(self, max_order: int, threads: int) -> NDArray[np.int64]:
        """Different n-grams inside each text, by order."""
        import numpy as np

        rows = np.zeros((len(self), max_order), dtype=np.int64)
        self._pool.distinct_per_text(threads, rows)
        return rows

    def frequencies(self, order: int, threads: int) -> NDArray[np.int64]:
        """How often each different n-gram occurs."""
        import numpy as np

        return np.frombuffer(self._pool.frequencies(order, threads), dtype=np.int64)

    def paired_counts(self, other: Pool, order: int, threads: int) -> NDArray[np.int64]:
        """How often each n-gram of either pool occurs in this one and in the other."""
        import numpy as np

        return np.frombuffer(self._pool.paired_counts(other._pool, order, threads), dtype=np.int64).reshape(-1, 2)

    def most_shared(self, order: int, limit: int, threads: int) -> list[tuple[tuple[str | int, ...], int]]:
        """The n-grams that occur in the most texts, with the number of texts."""
        return self._pool.most_shared(order, limit, threads)

    def tokens(self, texts: list[int]) -> list[list[str | int]]:
        """The tokens of these texts."""
        return self._pool.tokens(texts)

    def duplicates(self, threads: int) -> NDArray[np.int64]:
        """A number per text, equal for texts of equal tokens."""
        import numpy as np

        groups = np.zeros(len(self), dtype=np.int64)
        self._pool.duplicates(threads, groups)
        return groups

    def lengths(self) -> NDArray[np.int64]:
        import numpy as np

        return np.frombuffer(self._pool.lengths(), dtype=np.int64)
