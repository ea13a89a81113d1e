"""A single score as HTML: its value, its parts and its signature."""

from __future__ import annotations

from bleuprint.metrics import cards
from bleuprint.metrics.base.score import Score
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.results.notebook import framed

__all__ = ["score_html"]

_MOST_NUMBERS = 12  # of one part; a pool has a number per text


def score_html(score: Score) -> str:
    """The card of a score, of a metric or of a pool."""
    name = score.definition.name
    card = cards.find(name)
    table = DisplayTable(
        ("part", "value"),
        tuple((Cell(part), Cell(_shown(value))) for part, value in score.parts.items()),
        caption=f"{name if card is None else card.title} = {score.value:.4f}",
        signatures={"score": score.signature},
        words=frozenset({0}),
    )
    return framed(table.html())


def _shown(value: object) -> str:
    match value:
        case float():
            return f"{value:.4f}"
        case tuple():
            listed = ", ".join(map(_shown, value[:_MOST_NUMBERS]))
            more = len(value) - _MOST_NUMBERS
            return f"{listed} and {more:,} more" if more > 0 else listed
    return str(value)
