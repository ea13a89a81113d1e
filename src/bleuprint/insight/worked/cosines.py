"""CIDEr: n-grams weighted by how few segments of a fitted corpus have them, and the cosine per order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bleuprint.core.columns import Text
from bleuprint.core.prior import Prior
from bleuprint.insight.worked.equations import literal
from bleuprint.insight.worked.model import Board, Cell, WorkTable
from bleuprint.insight.worked.reading import Gram, Tokens, disagree, grams, marked, numbered, tokens_of
from bleuprint.metrics.base.definition import Definition

__all__ = ["cider"]

_UNIT = 2.0**-36  # of the cosines in the counts of CIDEr


def cider(
    board: Board, definition: Definition, output: Text, references: Sequence[Text], columns: Sequence[int]
) -> None:
    """CIDEr of a segment; symbols end in R and the number of the reference if there are several."""
    prior: Any = definition.prior
    assert prior is not None  # without one there is no score
    clipped = definition.options["variant"] == "cider-d"
    orders = range(1, definition.formula.max_order + 1)
    ours = tokens_of(output, definition.tokenizer)
    theirs = [tokens_of(reference, definition.tokenizer) for reference in references]
    board.texts.append(marked("output", ours, theirs, orders))
    board.texts.extend(marked(numbered(theirs, at), text, [ours], orders) for at, text in enumerate(theirs))
    suffixes = [f"_R{at}" if len(theirs) > 1 else "" for at in range(1, len(theirs) + 1)]
    if clipped:
        _length_penalties(board, float(definition.options["sigma"]), ours, theirs, suffixes)
    segments, seen = _segments_with(
        prior, {gram for text in (ours, *theirs) for n in orders for gram in grams(text, n)}
    )
    for order, column in zip(orders, columns, strict=True):
        cosines = _order(board, order, (segments, seen), ours, theirs, suffixes, clipped=clipped)
        mean = sum(cosines) / len(cosines)
        # The core rounds the cosine of each reference, and their mean, to a unit.
        if abs(mean - column * _UNIT) > 2 * _UNIT:
            disagree("cider", mean, column * _UNIT)
        several = "the mean over the references, " * (len(theirs) > 1)
        board.write(f"C_{order}", repr(column * _UNIT), f"{several}in units of 2^-36")
    board.step("Score", "Ten times the mean cosine over the orders.")
    board.write("CIDEr", f"10 * (sum({', '.join(f'C_{order}' for order in orders)}) / {len(orders)})")


def _segments_with(prior: Prior, wanted: set[Gram]) -> tuple[int, Counter[Gram]]:
    """The number of segments of the fitted corpus, and how many of them have each n-gram."""
    counted = prior.segments()
    seen: Counter[Gram] = Counter()
    for texts in counted:
        seen.update({gram for text in texts for order in prior.orders for gram in grams(text, order)} & wanted)
    return len(counted), seen


def _length_penalties(
    board: Board, sigma: float, ours: Tokens, theirs: Sequence[Tokens], suffixes: Sequence[str]
) -> None:
    board.step("Length penalty", "A Gaussian of the difference between the lengths of output and reference.")
    board.write("σ", literal(sigma))
    board.write("c", len(ours), "words of the output")
    for text, suffix in zip(theirs, suffixes, strict=True):
        board.write(f"r{suffix}", len(text), "words of the reference")
        board.write(f"L{suffix}", f"exp(-((c - r{suffix})**2 / (2 * σ**2)))")


def _order(
    board: Board,
    order: int,
    corpus: tuple[int, Counter[Gram]],
    ours: Tokens,
    theirs: Sequence[Tokens],
    suffixes: Sequence[str],
    *,
    clipped: bool,
) -> list[float]:
    """Write the cosine of one order with every reference, and return them."""
    segments, seen = corpus
    mine, others = grams(ours, order), [grams(text, order) for text in theirs]
    listed = list(dict.fromkeys(gram for counts in (mine, *others) for gram in counts))
    weights = {gram: math.log(segments) - math.log(max(1, seen[gram])) for gram in listed}
    rows: list[tuple[Cell, ...]] = []
    for gram in listed:
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
    cosines = []
    board.write(f"g_{order}", repr(_squared_length(mine, weights)))
    for other, suffix in zip(others, suffixes, strict=True):
        name = f"{order}{suffix}"
        used = {gram: min(mine[gram], count) if clipped else mine[gram] for gram, count in other.items()}
        product = sum(weights[gram] ** 2 * used[gram] * count for gram, count in other.items())
        board.write(f"d_{name}", repr(float(product)))
        board.write(f"h_{name}", repr(_squared_length(other, weights)))
        defined = board.known[f"g_{order}"] * board.known[f"h_{name}"] > 0
        cosine = f"d_{name} / (g_{order} * h_{name})**0.5"
        penalized = f"L{suffix} * {cosine}" if clipped else cosine
        nothing = "" if defined else "a text has no n-gram with a weight"
        cosines.append(float(board.write(f"cos_{name}", penalized if defined else "0", nothing)))
    return cosines


def _squared_length(counts: Counter[Gram], weights: dict[Gram, float]) -> float:
    return float(sum(weights[gram] ** 2 * count * count for gram, count in counts.items()))
