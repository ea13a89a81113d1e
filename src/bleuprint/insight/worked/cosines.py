"""What CIDEr weighs: n-grams by how few segments of a fitted corpus have them, and the cosine per order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bleuprint.core.prior import Prior
from bleuprint.insight.worked.model import Board, Cell, WorkTable, disagree
from bleuprint.insight.worked.reading import Gram, Segment, Tokens, grams, marked, numbered
from bleuprint.metrics.base.formulas import exp, ratio, sum_of
from bleuprint.metrics.base.terms import Term

_UNIT = 2.0**-36  # of the cosines in the counts of CIDEr


def cider(board: Board, segment: Segment) -> None:
    """CIDEr of a segment; symbols end in R and the number of the reference if there are several."""
    definition = segment.definition
    prior: Any = definition.prior
    assert prior is not None  # without one there is no score
    clipped = definition.options["variant"] == "cider-d"
    orders = range(1, definition.formula.max_order + 1)
    ours, theirs = segment.tokens()
    board.texts.append(marked("output", ours, theirs, orders))
    board.texts.extend(marked(numbered(theirs, at), text, [ours], orders) for at, text in enumerate(theirs))
    suffixes = [f"_R{at}" if len(theirs) > 1 else "" for at in range(1, len(theirs) + 1)]
    penalties: list[Term | float] = [1.0] * len(theirs)
    if clipped:
        penalties = _length_penalties(board, float(definition.options["sigma"]), ours, theirs, suffixes)
    corpus = _segments_with(prior, {gram for text in (ours, *theirs) for n in orders for gram in grams(text, n)})
    for order in orders:
        weights = _weigh(board, order, corpus, ours, theirs, clipped=clipped)
        cosines = _cosines(board, order, weights, ours, theirs, suffixes, penalties, clipped=clipped)
        mean, column = sum_of(cosines) / len(cosines), board.columns[order - 1]
        # The core rounds the cosine of each reference, and their mean, to a unit.
        if abs(mean.value - column * _UNIT) > 2 * _UNIT:
            disagree("cider", mean.value, column * _UNIT)
        several = ", of the mean over the references" if len(theirs) > 1 else ""
        board.column(order - 1, f"u_{order}", f"the cosine in units of 2^−36{several}")
    board.headings |= {
        "C": ("Cosines", "Rounded to the unit in which they are summed."),
        "CIDEr": ("Score", "Ten times the mean cosine over the orders."),
    }


def _segments_with(prior: Prior, wanted: set[Gram]) -> tuple[int, Counter[Gram]]:
    """The number of segments of the fitted corpus, and how many of them have each n-gram."""
    counted = prior.segments()
    seen: Counter[Gram] = Counter()
    for texts in counted:
        seen.update({gram for text in texts for order in prior.orders for gram in grams(text, order)} & wanted)
    return len(counted), seen


def _length_penalties(
    board: Board, sigma: float, ours: Tokens, theirs: Sequence[Tokens], suffixes: Sequence[str]
) -> list[Term | float]:
    board.step("Length penalty", "A Gaussian of the difference between the lengths of output and reference.")
    length = board.count("c", len(ours), "words of the output")
    penalties: list[Term | float] = []
    for text, suffix in zip(theirs, suffixes, strict=True):
        difference = length - board.count(f"r{suffix}", len(text), "words of the reference")
        penalties.append(board.write(f"L{suffix}", exp(-(difference**2 / (2 * sigma**2)))))
    return penalties


def _weigh(
    board: Board,
    order: int,
    corpus: tuple[int, Counter[Gram]],
    ours: Tokens,
    theirs: Sequence[Tokens],
    *,
    clipped: bool,
) -> dict[Gram, float]:
    """Begin the step of an order with a table of its n-grams, and return their weights."""
    segments, seen = corpus
    mine, others = grams(ours, order), [grams(text, order) for text in theirs]
    every = list(dict.fromkeys(gram for counts in (mine, *others) for gram in counts))
    weights = {gram: math.log(segments) - math.log(max(1, seen[gram])) for gram in every}
    rows: list[tuple[Cell, ...]] = []
    for gram in every:
        counted = [other[gram] for other in others]
        rows.append((" ".join(map(str, gram)), seen[gram], round(weights[gram], 4), mine[gram], *counted))
    names = [f"in {numbered(theirs, at)}" if len(theirs) > 1 else "in the reference" for at in range(len(theirs))]
    header = ("word" if order == 1 else f"{order}-gram", "segments", "weight", "in the output", *names)
    rule = "the smaller of both counts times that of the reference" if clipped else "the product of both counts"
    board.step(
        f"Cosine of order {order}",
        f"The weight of an n-gram is log({segments} / segments that have it), of {segments} segments that were fitted; "
        f"one that no segment has counts as in one. d sums weight² times {rule}; g and h are the squared lengths of "
        "output and reference.",
        WorkTable(header, tuple(rows)) if rows else None,
    )
    return weights


def _cosines(
    board: Board,
    order: int,
    weights: dict[Gram, float],
    ours: Tokens,
    theirs: Sequence[Tokens],
    suffixes: Sequence[str],
    penalties: Sequence[Term | float],
    *,
    clipped: bool,
) -> list[Term]:
    """The penalized cosine of one order with every reference."""
    mine, cosines = grams(ours, order), []
    length = board.count(f"g_{order}", _squared_length(mine, weights))
    for text, suffix, penalty in zip(theirs, suffixes, penalties, strict=True):
        other = grams(text, order)
        used = {gram: min(mine[gram], count) if clipped else mine[gram] for gram, count in other.items()}
        product = sum(weights[gram] ** 2 * used[gram] * count for gram, count in other.items())
        dot = board.count(f"d_{order}{suffix}", float(product))
        other_length = board.count(f"h_{order}{suffix}", _squared_length(other, weights))
        cosine = penalty * ratio(dot, (length * other_length) ** 0.5)
        cosines.append(board.write(f"cos_{order}{suffix}", cosine))
    return cosines


def _squared_length(counts: Counter[Gram], weights: dict[Gram, float]) -> float:
    return float(sum(weights[gram] ** 2 * count * count for gram, count in counts.items()))
