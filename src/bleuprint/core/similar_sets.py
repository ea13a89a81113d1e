"""Pairs of similar texts, found without comparing all pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bleuprint.core import _native
from bleuprint.core.arrays import np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Sets(NamedTuple):
    """Sets of elements, which are numbered from the rarest on; elements that one set alone has are only counted."""

    elements: NDArray[np.uint32]
    offsets: NDArray[np.uint64]
    sizes: NDArray[np.uint32]
    element_limit: int


def similar_sets(sets: Sets, threshold: float, limit: int, threads: int) -> NDArray[np.uint32] | None:
    """The pairs of sets whose Jaccard similarity reaches the threshold.

    A row holds the two sets and how many elements they share. The result is None if there are more than `limit`. Empty
    sets are similar to none.
    """
    pairs = _native.similar_sets(*sets, threshold, limit, threads)
    return None if pairs is None else np.frombuffer(pairs, dtype=np.uint32).reshape(-1, 3)
