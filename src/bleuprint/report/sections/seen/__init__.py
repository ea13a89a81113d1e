"""Seen before: contaminated texts with the seen spans highlighted, the novelty curve, and scores without them."""

from __future__ import annotations

from itertools import groupby
from math import nan
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.corpora.seen import Seen, SeenText
from bleuprint.models.ngram_index import NgramIndex, Span
from bleuprint.report import charts
from bleuprint.results.digits import Digits

LINK = "Seen before"
_SHOWN = 200
_CONTEXT = 6  # tokens around a span in its source


class Item(NamedTuple):
    """A contaminated text as runs of words, each with whether it was seen, and its spans in their sources."""

    number: int
    pieces: list[tuple[str, bool]]
    origins: list[tuple[str, str, str, str]]  # the place, and some words before the span, its own and some after it


class SeenView(NamedTuple):
    """What the section shows; of many contaminated texts, those with the longest spans."""

    result: Seen
    digits: Digits
    chart: Markup
    items: list[Item]


def of_seen(result: Seen, index: NgramIndex, canvas: charts.Canvas) -> SeenView:
    """The view of a result."""
    curve = [nan if value is None else value for value in result.curve]
    chart = charts.lines(
        range(1, len(curve) + 1),
        {"these texts": curve},
        "Share of n-grams that the corpus does not contain, by order",
        axis="order of n-grams",
        value_axis="novelty",
        canvas=canvas,
    )
    items = [_item(text, index) for text in result.by_longest_span[:_SHOWN]]
    return SeenView(result, canvas.digits, chart, items)


def _item(text: SeenText, index: NgramIndex) -> Item:
    seen = [False] * len(text.tokens)
    for span in text.spans:
        seen[span.begin : span.end] = [True] * span.length
    runs = groupby(range(len(seen)), key=seen.__getitem__)
    pieces = [(" ".join(text.tokens[place] for place in places), marked) for marked, places in runs]
    return Item(text.number, pieces, [_origin(text, span, index) for span in text.spans[:5]])


def _origin(text: SeenText, span: Span, index: NgramIndex) -> tuple[str, str, str, str]:
    begin, end, number = span.place.token, span.place.token + span.length, span.place.number
    before = index.words_at(number, begin - _CONTEXT - 1, begin)
    after = index.words_at(number, end, end + _CONTEXT + 1)
    if len(before) > _CONTEXT:
        before = ["…", *before[1:]]
    if len(after) > _CONTEXT:
        after = [*after[:-1], "…"]
    words = " ".join(text.words(span))
    return f"{span.place.source}:{span.place.text}", " ".join(before), words, " ".join(after)
