"""A single score as HTML: its value, its parts and its signature."""

from __future__ import annotations

from bleuprint.metrics import cards
from bleuprint.metrics.base.score import Score
from bleuprint.results.digits import format_part
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.results.notebook import framed


def score_html(score: Score) -> str:
    """The card of a score, of a metric or of a pool."""
    name = score.definition.name
    card = cards.find(name)
    table = DisplayTable(
        ("part", "value"),
        tuple((Cell(part), Cell(format_part(value))) for part, value in score.parts.items()),
        caption=f"{name if card is None else card.title} = {score.value:.4f}",
        signatures={"score": score.signature},
        words=frozenset({0}),
    )
    return framed(table.html())
