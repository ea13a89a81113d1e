"""Pairs of similar texts, found without comparing all pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bleuprint.core import _native
from bleuprint.core.arrays import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Sets", "similar_sets"]


class Sets(NamedTuple):
    """Sets of elements, which are numbered from the rarest on; elements that one set alone has are only counted."""

    elements: NDArray[np.uint32]
    offsets: NDArray[np.uint64]
    sizes: NDArray[np.uint32]

    @classmethod
    def of(cls, count: int, owners: NDArray[np.int64], elements: NDArray[np.int64]) -> Sets:
        """So many sets: set `owners[i]` has `elements[i]`, each element once; 0 is an element of that set alone."""
        sizes = np.bincount(owners, minlength=count)
        listed = elements > 0
        owners, elements = owners[listed], elements[listed]
        frequencies = np.bincount(elements)
        rank = np.empty(len(frequencies), dtype=np.int64)
        rank[np.argsort(frequencies, kind="stable")] = np.arange(len(frequencies))
        ranks = rank[elements]
        order = np.lexsort((ranks, owners))
        offsets = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=count))])
        return cls(ranks[order].astype(np.uint32), offsets.astype(np.uint64), sizes.astype(np.uint32))


def similar_sets(sets: Sets, threshold: float, limit: int, threads: int) -> NDArray[np.uint32] | None:
    """The pairs of sets whose Jaccard similarity reaches the threshold.

    A row holds the two sets and how many elements they share. The result is None if there are more than `limit`. Empty
    sets are similar to none.
    """
    element_limit = int(sets.elements.max(initial=0)) + 1
    pairs = _native.similar_sets(*sets, element_limit, threshold, limit, threads)
    return None if pairs is None else np.frombuffer(pairs, dtype=np.uint32).reshape(-1, 3)
