"""What single segments do to a corpus score, and to the difference between two."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bleuprint.core.columns import References, Texts
from bleuprint.errors import LengthMismatchError
from bleuprint.insight._rows import AnyMetric, again, checked_metric
from bleuprint.metrics.base.definition import Definition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["contributions", "influence"]

_POINTS = 64  # of the path between two systems' sums
_STEP = 1e-5  # of a derivative, as a part of the column: the error of both its causes is about 1e-11 there


def influence(
    metric: str | AnyMetric,
    hypotheses: Texts,
    references: References,
    *,
    sources: Texts | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Each segment's effect on the corpus score: the score of all segments minus the score without this one.

    Exact: equal to scoring the corpus once more for every segment, with `==`, at the cost of scoring it once. Metrics
    that average take an integer division per segment, as their means are exact. Where lower is better, so is a
    negative effect.

    >>> from bleuprint import BLEU
    >>> bleu = BLEU(max_order=1, tokenizer="whitespace")
    >>> influence(bleu, ["a b", "c d", "e f"], ["a b", "c x", "x y"]).tolist()
    [0.25, 0.0, -0.25]
    """
    chosen = checked_metric(metric)
    rows = chosen.statistics(hypotheses, references, sources=sources, threads=threads).rows
    definition = chosen.definition
    return definition.value_of(rows) - definition.summary.without_each(definition, rows)


def contributions(
    metric: str | AnyMetric,
    first: Texts,
    second: Texts,
    references: References,
    *,
    sources: Texts | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Each segment's part in the difference between two systems, score(first) − score(second).

    The parts sum to the difference (within 1e-9). Swapping the systems negates them, the order of the segments does
    not matter, and a segment that both systems score alike, column by column, has no part.

    For metrics that average, a part is the difference of the segment's two scores over the number of segments. For all
    others it is what the segment's counts differ by, times the rate at which the score moves with each count, averaged
    along the straight line from one system's sums to the other's (Aumann–Shapley prices). What the line misses, as at
    sums where the formula jumps (the first match of an order without smoothing), is shared out in proportion to how
    much the counts of a segment differ.

    >>> from bleuprint import BLEU
    >>> bleu = BLEU(max_order=1, tokenizer="whitespace")
    >>> contributions(bleu, ["a b", "c x"], ["a y", "c x"], ["a b", "c d"]).round(9).tolist()
    [0.25, 0.0]
    """
    import numpy as np

    chosen = checked_metric(metric)
    references, sources = again(references), again(sources)
    ours, theirs = (
        chosen.statistics(texts, references, sources=sources, threads=threads).rows for texts in (first, second)
    )
    if len(ours) != len(theirs):
        raise LengthMismatchError("first", len(ours), "second", len(theirs))
    if len(ours) == 0:
        return np.zeros(0)
    if chosen.definition.summary.additive:
        return _along_the_line(chosen.definition, ours, theirs)
    scores = (np.asarray(chosen.definition.formula(tuple(rows.T)), dtype=np.float64) for rows in (ours, theirs))
    mine, other = (np.broadcast_to(values, len(ours)) for values in scores)
    return np.asarray((mine - other) / len(ours))


def _along_the_line(metric: Definition[Any], ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> NDArray[np.float64]:
    import numpy as np

    if tuple(ours.sum(axis=0)) < tuple(theirs.sum(axis=0)):  # one direction for both, so that swapping only negates
        return -_along_the_line(metric, theirs, ours)
    change = ours - theirs
    rates = prices(metric, ours.sum(axis=0), theirs.sum(axis=0))
    # Column by column: a matrix product would round by the place of a row.
    parts = np.zeros(len(change))
    for column, rate in zip(change.T, rates, strict=True):
        parts += column * rate
    weights = np.abs(change).sum(axis=1)
    whole = int(weights.sum())
    if whole == 0:
        return parts
    missing = metric.value_of(ours) - metric.value_of(theirs) - math.fsum(parts)
    return np.asarray(parts + missing * (weights / whole))


def prices(metric: Definition[Any], ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> NDArray[np.float64]:
    """By column of the sums: how fast the score moves with it, averaged over the line from one sum to the other."""
    import numpy as np

    metric.summary.sample(metric, np.zeros((0, len(ours)), dtype=np.int64))  # refuses where no sample can be drawn
    nodes, weights = np.polynomial.legendre.leggauss(_POINTS)
    places = ((nodes + 1) / 2)[:, np.newaxis]
    points = theirs * (1 - places) + ours * places
    rates = np.zeros(len(ours))
    for column in np.flatnonzero((ours > 0) | (theirs > 0)):
        step = points[:, column] * _STEP
        values = []
        for sign in (1, -1):
            moved = points.copy()
            moved[:, column] += sign * step
            values.append(np.broadcast_to(np.asarray(metric.formula(tuple(moved.T)), dtype=np.float64), _POINTS))
        rates[column] = math.fsum((values[0] - values[1]) / (2 * step) * weights / 2)
    return rates
