"""Many comparisons at once: Holm's correction, and which systems stand in one rank cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["holm", "rank_clusters"]


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values for a family of tests: below α, with probability 1 - α none of them is an accident.

    The smallest is multiplied by the number of tests, the next by one less, and so on; none may be smaller than one
    before it. Holm (1979): A simple sequentially rejective multiple test procedure.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = largest
    return corrected


def rank_clusters(names: Sequence[str], is_better: Callable[[str, str], bool]) -> tuple[tuple[str, ...], ...]:
    """The names, best first, cut where everything above is significantly better than everything below.

    That is the rule of WMT's findings: across a cut every pair can be told apart, within a cluster some cannot.

    >>> told_apart = {("a", "b"), ("a", "c"), ("a", "d"), ("b", "d"), ("c", "d")}
    >>> rank_clusters(["a", "b", "c", "d"], lambda first, second: (first, second) in told_apart)
    (('a',), ('b', 'c'), ('d',))
    """
    clusters: list[tuple[str, ...]] = []
    start = 0
    for cut in range(1, len(names) + 1):
        if cut == len(names) or all(is_better(upper, lower) for upper in names[:cut] for lower in names[cut:]):
            clusters.append(tuple(names[start:cut]))
            start = cut
    return tuple(clusters)
