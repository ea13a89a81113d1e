"""How single segments affect a corpus score, and the difference between two."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

from bleuprint.core.arrays import Floats, Integers, np
from bleuprint.core.columns import References, Texts
from bleuprint.core.threads import worker_count
from bleuprint.errors import LengthMismatchError
from bleuprint.insight._rows import AnyMetric, again
from bleuprint.metrics import registry
from bleuprint.metrics.base import CoreRows
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.fitting import Fitting

_POINTS = 64  # on the path between the sums of two systems
_STEP = 1e-5  # of a derivative, relative to the column: truncation and rounding error are both about 1e-11 here


def influence(
    metric: str | AnyMetric,
    hypotheses: Texts,
    references: References,
    *,
    sources: Texts | None = None,
    threads: int | None = None,
) -> Floats:
    """Each segment's effect on the corpus score: the score minus what it would be without the segment.

    Exact: equal (`==`) to rescoring the corpus once per segment, at the cost of scoring it once. Metrics that average
    take one integer division per segment, because their means are exact. If lower is better for the metric, a negative
    effect is good.

    A metric that learns weights from the references it scores learns other weights without a segment. NIST takes a few
    times as long as scoring, CIDEr looks at all pairs of segments with a common n-gram, and BERTScore with `idf` scores
    the corpus once per segment. Call `fit` first to keep the weights of all references.

    >>> from bleuprint import BLEU
    >>> bleu = BLEU(max_order=1, tokenizer="whitespace")
    >>> influence(bleu, ["a b", "c d", "e f"], ["a b", "c x", "x y"]).tolist()
    [0.25, 0.0, -0.25]
    """
    resolved = registry.resolve(metric, unit="segment")
    definition = resolved.definition
    if definition.fitting is not None and definition.prior is None:
        return _refit(resolved, definition.fitting, hypotheses, references, threads)
    rows = resolved.statistics(hypotheses, references, sources=sources, threads=threads).rows
    return influence_of_rows(definition, rows)


def influence_of_rows(metric: Definition, rows: Integers) -> Floats:
    """The same from what was counted, for a metric that learns nothing from the texts it scores."""
    return metric.value_of(rows) - metric.row_summary.without_each(metric, rows)


def _refit(
    metric: AnyMetric, fitting: Fitting, hypotheses: Texts, references: References, threads: int | None
) -> Floats:
    """The same for a metric that has to be fitted again without each segment."""
    corpus = metric.definition.read(hypotheses, references, None)
    if fitting.of_sums is not None and len(corpus) > max(1, fitting.fewest_segments):
        ready = metric.definition.ready_for(corpus, workers := worker_count(threads))
        sums = cast(CoreRows, ready.rows).request.sums_without_each(corpus.hypotheses, corpus.references, workers)
        return np.asarray(ready.corpus_score(corpus, workers).value - fitting.of_sums(sums))
    texts, groups = [group[0] for group in corpus.hypotheses.unpack()], corpus.references.unpack()
    score = metric.corpus(texts, groups, threads=threads).value
    # Fewer references give another prior than the one that a signature requires.
    options = {name: value for name, value in metric.definition.options.items() if name != "prior"}
    refitted = metric.of(replace(metric.definition, options=options, fitting=replace(fitting, named=None)))
    left = ((texts[:at] + texts[at + 1 :], groups[:at] + groups[at + 1 :]) for at in range(len(texts)))
    return np.array([score - refitted.corpus(*columns, threads=threads).value for columns in left], dtype=np.float64)


def contributions(
    metric: str | AnyMetric,
    first: Texts,
    second: Texts,
    references: References,
    *,
    sources: Texts | None = None,
    threads: int | None = None,
) -> Floats:
    """Each segment's contribution to the difference between two systems, score(first) − score(second).

    The contributions sum to the difference (within 1e-9). Swapping the systems negates them, the order of the segments
    does not matter, and a segment with the same counts in both systems contributes nothing.

    For metrics that average, a contribution is the difference of the segment's two scores over the number of segments.
    For all others it is the difference in the segment's counts times the rate at which the score changes with each
    count, averaged along the straight line from one system's sums to the other's (Aumann–Shapley prices). What the line
    misses, for example where the formula jumps (the first match of an order without smoothing), is distributed in
    proportion to how much the counts of each segment differ.

    >>> from bleuprint import BLEU
    >>> bleu = BLEU(max_order=1, tokenizer="whitespace")
    >>> contributions(bleu, ["a b", "c x"], ["a y", "c x"], ["a b", "c d"]).round(9).tolist()
    [0.25, 0.0]
    """
    resolved = registry.resolve(metric, unit="segment")
    references, sources = again(references), again(sources)
    ours, theirs = (
        resolved.statistics(texts, references, sources=sources, threads=threads).rows for texts in (first, second)
    )
    if len(ours) != len(theirs):
        raise LengthMismatchError("first", len(ours), "second", len(theirs))
    return contributions_of_rows(resolved.definition, ours, theirs)


def contributions_of_rows(metric: Definition, ours: Integers, theirs: Integers) -> Floats:
    """The same from what was counted."""
    if len(ours) == 0:
        return np.zeros(0)
    if metric.summary.additive:
        return _along_the_line(metric, ours, theirs)
    scores = (np.asarray(metric.formula(tuple(rows.T)), dtype=np.float64) for rows in (ours, theirs))
    mine, other = (np.broadcast_to(values, len(ours)) for values in scores)
    return np.asarray((mine - other) / len(ours))


def _along_the_line(metric: Definition, ours: Integers, theirs: Integers) -> Floats:
    if tuple(ours.sum(axis=0)) < tuple(theirs.sum(axis=0)):  # always the same direction, so that swapping only negates
        return -_along_the_line(metric, theirs, ours)
    change = ours - theirs
    rates = prices(metric, ours.sum(axis=0), theirs.sum(axis=0))
    # Column by column, because the rounding of a matrix product depends on the position of a row.
    parts = np.zeros(len(change))
    for column, rate in zip(change.T, rates, strict=True):
        parts += column * rate
    weights = np.abs(change).sum(axis=1)
    whole = weights.sum()
    if whole == 0:
        return parts
    missing = metric.value_of(ours) - metric.value_of(theirs) - math.fsum(parts)
    return np.asarray(parts + missing * (weights / whole))


def prices(metric: Definition, ours: Integers, theirs: Integers) -> Floats:
    """For each column of the sums: how fast the score changes with it, averaged over the line between both sums."""
    metric.row_summary.sample(
        metric, np.zeros((0, len(ours)), dtype=np.int64)
    )  # raises an error if the metric cannot be resampled
    nodes, weights = np.polynomial.legendre.leggauss(_POINTS)  # from -1 to 1
    places = ((nodes + 1) / 2)[:, np.newaxis]
    points = theirs * (1 - places) + ours * places
    rates = np.zeros(len(ours))
    for column in np.flatnonzero((ours != 0) | (theirs != 0)):
        # A column of real numbers can change its sign on the way, where a step relative to it would vanish.
        crosses = (ours[column] < 0) != (theirs[column] < 0)
        size = max(abs(ours[column]), abs(theirs[column])) if crosses else np.abs(points[:, column])
        step = np.broadcast_to(size * _STEP, _POINTS)
        values = []
        for sign in (1, -1):
            moved = points.copy()
            moved[:, column] += sign * step
            values.append(np.broadcast_to(np.asarray(metric.formula(tuple(moved.T)), dtype=np.float64), _POINTS))
        rates[column] = math.fsum((values[0] - values[1]) / (2 * step) * weights / 2)
    return rates
