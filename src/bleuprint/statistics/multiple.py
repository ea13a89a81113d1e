"""Multiple comparisons: Holm's correction and rank clusters."""

from __future__ import annotations

from collections.abc import Sequence, Set

Better = Set[tuple[str, str]]  # pairs of systems, of which the first is significantly better


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for a family of tests, keeping the chance of any false positive below α.

    The smallest is multiplied by the number of tests, the next by one less, and so on; none may be smaller than an
    earlier one. Holm (1979): A simple sequentially rejective multiple test procedure.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = largest
    return corrected


def rank_clusters(names: Sequence[str], better: Better) -> tuple[tuple[str, ...], ...]:
    """Split the names, best first, where every system above is significantly better than every system below.

    This is the rule of WMT's findings: every pair across clusters differs significantly; within a cluster, some do not.

    >>> significant = {("a", "b"), ("a", "c"), ("a", "d"), ("b", "d"), ("c", "d")}
    >>> rank_clusters(["a", "b", "c", "d"], significant)
    (('a',), ('b', 'c'), ('d',))
    """
    clusters: list[tuple[str, ...]] = []
    start = 0
    for cut in range(1, len(names) + 1):
        if cut == len(names) or all((upper, lower) in better for upper in names[:cut] for lower in names[cut:]):
            clusters.append(tuple(names[start:cut]))
            start = cut
    return tuple(clusters)


def rank_ranges(names: Sequence[str], better: Better) -> dict[str, tuple[int, int, int]]:
    """Return the best and the worst rank of each system, and how many systems it beats.

    A system can rank no higher than below all that are significantly better, and no lower than above all that are
    significantly worse. WMT's findings report these ranges.

    >>> significant = {("a", "b"), ("a", "d"), ("b", "d"), ("c", "d")}
    >>> rank_ranges(["a", "b", "c", "d"], significant)
    {'a': (1, 2, 2), 'b': (2, 3, 1), 'c': (1, 3, 1), 'd': (4, 4, 0)}
    """
    ranges = {}
    for name in names:
        above = sum((other, name) in better for other in names)
        below = sum((name, other) in better for other in names)
        ranges[name] = 1 + above, len(names) - below, below
    return ranges
