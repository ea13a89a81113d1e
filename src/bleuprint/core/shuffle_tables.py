"""Shared n-grams of texts in separate processes, found by exchanging tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuprint.core import _native
from bleuprint.core._native import Column
from bleuprint.core.arrays import np
from bleuprint.core.unicode import prepare

if TYPE_CHECKING:
    from numpy.typing import NDArray

TOP_TWO = "top-two"  # the two largest counts of an n-gram in one text; kept if at least two texts contain it
CROSS = "cross"  # the largest count of an n-gram in one text of each side; kept if both sides contain it
SUMS = "sums"  # the occurrences of an n-gram on each side; kept if there are at least two in total


class TextBlock:
    """Some texts and the n-gram order processed so far; can be sent between processes as bytes."""

    def __init__(self, block: _native.TextBlock) -> None:
        self._block = block

    @classmethod
    def of(cls, texts: Column, scheme: str, lowercase: bool, *, second_side: bool = False) -> TextBlock:
        """Return a block of new texts, at order 0."""
        prepare(scheme, lowercase)
        return cls(_native.block_of_column(texts, scheme, lowercase, second_side))

    @classmethod
    def unpack(cls, packed: bytes) -> TextBlock:
        return cls(_native.TextBlock(packed))

    def pack(self) -> bytes:
        return self._block.packed()

    def __len__(self) -> int:
        return len(self._block)

    @property
    def order(self) -> int:
        """The last order whose answers were taken."""
        return self._block.order

    @property
    def candidates(self) -> int:
        """The number of positions where an n-gram of the next order may still be kept."""
        return self._block.candidates

    @property
    def fingerprint(self) -> int:
        """A hash of the content, to detect a recomputed block that differs."""
        return self._block.fingerprint

    def lengths(self) -> NDArray[np.int64]:
        return np.frombuffer(self._block.lengths(), dtype=np.int64)

    def matches(self) -> NDArray[np.int64]:
        """Return per text: matches from order 1 up to the block's order."""
        return np.frombuffer(self._block.matches(), dtype=np.int64).reshape(len(self), self.order)

    def tables(self, rule: str, seed: int, buckets: int) -> list[bytes]:
        """Return the block's counts for n-grams of the next order, one table per bucket."""
        return self._block.tables(rule, seed, buckets)

    def take_answers(self, rule: str, seed: int, answers: list[bytes]) -> None:
        """Advance to the next order with the answers of the merged tables; b"" for a bucket with an empty table."""
        self._block.take_answers(rule, seed, answers)


class MergedTable:
    """The tables of all blocks for one bucket, merged. Tables are numbered in the order they are added."""

    def __init__(self, rule: str, order: int) -> None:
        self._merged = _native.MergedTable(rule, order)

    def add(self, table: bytes) -> int:
        """Add a table and return its number for `answer`."""
        self._merged.add(table)
        return len(self._merged) - 1

    def answer(self, table: int) -> bytes:
        return self._merged.answer(table)

    def counts(self) -> NDArray[np.int64]:
        """Return both counts of each distinct n-gram."""
        return np.frombuffer(self._merged.counts(), dtype=np.int64).reshape(-1, 2)
