"""Judgements of swapped sums in plain Python, trial by trial."""

from __future__ import annotations

from collections.abc import Sequence

NEARER, AS_FAR, UNKNOWN = range(3)

Bounds = Sequence[tuple[float, float, float, float]]  # centre, width, slope and error of each column


def judge(first: Sequence[float], second: Sequence[float], bounds: Bounds, limits: tuple[float, float]) -> int:
    """What is known of the difference of a function of these sums."""
    reached, error = 0.0, 0.0
    for one, other, (centre, width, slope, off) in zip(first, second, bounds, strict=True):
        distance = one - other - centre
        if not abs(distance) <= width:
            return UNKNOWN
        reached += slope * distance
        error += off * abs(distance)
    if abs(reached) + error < limits[0]:
        return NEARER
    return AS_FAR if abs(reached) - error > limits[1] else UNKNOWN
