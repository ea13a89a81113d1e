"""What the join of similar sets computes: all pairs, compared one by one."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations

Pair = tuple[int, int, int]


def similar_sets(sets: Sequence[AbstractSet[object]], threshold: float) -> list[Pair]:
    """Pairs of sets whose Jaccard similarity reaches the threshold, and how many elements they share."""
    pairs = []
    for first, second in combinations(range(len(sets)), 2):
        shared, either = len(sets[first] & sets[second]), len(sets[first] | sets[second])
        if either and shared / either >= threshold:
            pairs.append((first, second, shared))
    return pairs
