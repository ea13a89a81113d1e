"""The one door from scores and results up to what shows them.

A score knows nothing about tables, and a result nothing about reports, which are built on them; yet both show
themselves in notebooks and as pages. Only these functions import what does it, and only when it is asked for.
`tests/project/test_architecture.py` names them as exceptions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bleuprint.metrics.base.score import Score


def render_page(result: object, **options: object) -> str:
    """Return the HTML page of a result; the report knows which page belongs to which result."""
    from bleuprint.report import page_of

    return page_of(result, **options)


def render_score(score: Score) -> str:
    """Return the HTML card of a score: its value, its parts and its signature."""
    from bleuprint.metrics import cards
    from bleuprint.results.digits import format_part
    from bleuprint.results.display import Cell, DisplayTable
    from bleuprint.results.notebook import add_style

    name = score.definition.name
    card = cards.find(name)
    table = DisplayTable(
        ("part", "value"),
        tuple((Cell(part), Cell(format_part(value))) for part, value in score.parts.items()),
        caption=f"{name if card is None else card.title} = {score.value:.4f}",
        signatures={"score": score.signature},
    )
    return add_style(table.html())
