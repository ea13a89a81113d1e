"""Texts in blocks that never meet: what their n-grams come to together is found by exchanging tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuprint.core import _native
from bleuprint.core._native import Column
from bleuprint.core.preparation import prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SUMS", "TOP_TWO", "MergedTable", "TextBlock"]

TOP_TWO = "top-two"  # of each n-gram the two largest counts in any one text; it lives on in at least two texts
SUMS = "sums"  # of each n-gram its occurrences on either side; it lives on with at least two in all


class TextBlock:
    """Some texts, and how far their n-grams have been looked at: as bytes it goes from process to process."""

    def __init__(self, block: _native.TextBlock) -> None:
        self._block = block

    @classmethod
    def of(cls, texts: Column, scheme: str, lowercase: bool, *, second_side: bool = False) -> TextBlock:
        """A block of new texts, at order 0."""
        prepare(scheme, lowercase)
        return cls(_native.block_of_column(texts, scheme, lowercase, second_side))

    @classmethod
    def unpacked(cls, packed: bytes) -> TextBlock:
        return cls(_native.TextBlock(packed))

    def packed(self) -> bytes:
        return self._block.packed()

    def __len__(self) -> int:
        return len(self._block)

    @property
    def order(self) -> int:
        """The order whose answers were taken last."""
        return self._block.order

    @property
    def candidates(self) -> int:
        """Positions that may hold an n-gram of the next order that lives."""
        return self._block.candidates

    @property
    def fingerprint(self) -> int:
        """Of the content, to notice a block that was made again and became another."""
        return self._block.fingerprint

    def lengths(self) -> NDArray[np.int64]:
        import numpy as np

        return np.frombuffer(self._block.lengths(), dtype=np.int64)

    def matches(self) -> NDArray[np.int64]:
        """Per text: matches of order 1 up to the order of the block."""
        import numpy as np

        return np.frombuffer(self._block.matches(), dtype=np.int64).reshape(len(self), self.order)

    def tables(self, rule: str, seed: int, buckets: int) -> list[bytes]:
        """What the block knows of its n-grams of the next order, one table for each bucket."""
        return self._block.tables(rule, seed, buckets)

    def take_answers(self, rule: str, seed: int, answers: list[bytes]) -> None:
        """To the next order, by what the merged tables answer; b"" of a bucket whose table was empty."""
        self._block.take_answers(rule, seed, answers)


class MergedTable:
    """The tables that all blocks have of one bucket, in one; numbers follow the order in which tables are added."""

    def __init__(self, rule: str, order: int) -> None:
        self._merged = _native.MergedTable(rule, order)

    def add(self, table: bytes) -> int:
        """Its place, under which it is answered."""
        self._merged.add(table)
        return len(self._merged) - 1

    def answer(self, table: int) -> bytes:
        return self._merged.answer(table)

    def counts(self) -> NDArray[np.int64]:
        """Both numbers of each different n-gram."""
        import numpy as np

        return np.frombuffer(self._merged.counts(), dtype=np.int64).reshape(-1, 2)
