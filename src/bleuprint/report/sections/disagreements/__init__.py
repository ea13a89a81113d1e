"""Outputs that a metric and people rank most differently, with the words that stand in the references.

The words are highlighted as in the segment browser, by the rules of `script/matching.js`: n-grams are clipped as in
n-gram precision, and of equal n-grams those inside a longer match come first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from bleuprint.ratings.agreement.result import Agreement, Disagreement

LINK = "Disagreements"
_SHOWN = 5  # outputs of a metric
_REFERENCES = 3
_TOKEN = re.compile(r"\w+|[^\w\s]")
_ORDERS = 4
_LONGEST = 2000  # letters of a text that are shown


class Piece(NamedTuple):
    """A stretch of text: the length of the longest match it is part of, 0 for none, None between words."""

    text: str
    depth: int | None


class Output(NamedTuple):
    """A disagreement, and its output and the first of its references in pieces."""

    entry: Disagreement
    pieces: tuple[Piece, ...]
    references: list[tuple[Piece, ...]]


def view(result: Agreement) -> list[tuple[str, list[Output]]]:
    """The outputs of each metric, the metric that agrees best first; nothing without texts."""
    lists = []
    for entry in result.levels:
        if entry.level != "segment":
            continue
        for metric in entry.metrics:
            found = [
                other
                for other in result.disagreements
                if (other.metric, other.human) == (metric.metric, entry.human) and other.hypothesis is not None
            ]
            if found:
                lists.append((f"{metric.metric} and {entry.human}", list(map(_output, found[:_SHOWN]))))
    return lists


def _output(entry: Disagreement) -> Output:
    hypothesis = entry.hypothesis or ""
    references = [highlight(reference, [hypothesis]) for reference in entry.references[:_REFERENCES]]
    return Output(entry, highlight(hypothesis, entry.references), references)


def highlight(text: str, references: Sequence[str]) -> tuple[Piece, ...]:
    """Return the text in pieces.

    >>> highlight("the cat sat", ["the cat ran"])
    (Piece(text='the cat', depth=2), Piece(text=' ', depth=None), Piece(text='sat', depth=0))
    """
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    spans = [match.span() for match in _TOKEN.finditer(shown)]
    depths = _depths([shown[begin:end] for begin, end in spans], [_TOKEN.findall(other) for other in references])
    pieces: list[Piece] = []
    at = 0
    for (begin, end), depth in zip(spans, depths, strict=True):
        joins = bool(pieces) and depth > 0 and pieces[-1].depth == depth
        if joins:
            pieces[-1] = Piece(pieces[-1].text + shown[at:end], depth)
        else:
            pieces += [Piece(shown[at:begin], None)] if at < begin else []
            pieces.append(Piece(shown[begin:end], depth))
        at = end
    return (*pieces, Piece(shown[at:], None)) if at < len(shown) else tuple(pieces)


def _depths(tokens: Sequence[str], references: Sequence[Sequence[str]]) -> list[int]:
    """Return the length of the longest match that each token is part of."""
    depths = [0] * len(tokens)
    longer: set[int] = set()
    for order in range(_ORDERS, 0, -1):
        left: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            left |= Counter(_grams(reference, order))
        grams = _grams(tokens, order)
        inside = [start for start in range(len(grams)) if start in longer or start - 1 in longer]
        outside = [start for start in range(len(grams)) if start not in longer and start - 1 not in longer]
        matches = set()
        for start in (*inside, *outside):
            if left[grams[start]] > 0:
                left[grams[start]] -= 1
                matches.add(start)
                for place in range(start, start + order):
                    depths[place] = max(depths[place], order)
        longer = matches
    return depths


def _grams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]
