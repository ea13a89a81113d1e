"""Seen before: what a corpus contains of each item, highlighted, the novelty curve, and scores without such items."""

from __future__ import annotations

from itertools import groupby
from math import nan
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.corpora.findings import Evidence, Seen, SeenItem
from bleuprint.report import charts
from bleuprint.results.digits import Digits

LINK = "Seen before"
_SHOWN = 200


class SeenView(NamedTuple):
    """What the section shows; of many items, those that are contaminated or have the longest spans."""

    result: Seen
    digits: Digits
    chart: Markup | None
    items: list[tuple[SeenItem, list[list[tuple[str, bool]]]]]  # with the words of their fields


def of_seen(result: Seen, canvas: charts.Canvas) -> SeenView:
    """The view of a result."""
    chart = charts.lines(
        range(1, len(result.novelty) + 1),
        {"these texts": [nan if value is None else value for value in result.novelty]},
        "Share of n-grams that the corpus does not contain, by order",
        axis="order of n-grams",
        value_axis="novelty",
        canvas=canvas,
    )
    items = [(item, [_pieces(field) for field in item.fields]) for item in result.found[:_SHOWN]]
    return SeenView(result, canvas.digits, chart if result.novelty else None, items)


def _pieces(field: Evidence) -> list[tuple[str, bool]]:
    """Runs of words, each with whether the corpus contains it."""
    seen = field.seen
    runs = groupby(range(len(field.words)), key=seen.__getitem__)
    return [(" ".join(field.words[at] for at in places), marked) for marked, places in runs]
