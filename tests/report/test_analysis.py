"""The pages of thresholds, estimates and power curves: right numbers, and text that stays text whatever it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import bleuprint as bp
from tests.report.test_page import HOSTILE, Page
from tests.support.effort import part
from tests.support.rated import rows_with_mistakes

ROWS = rows_with_mistakes(40)
QUICK: dict[str, Any] = {"resamples": 50}
MADE: dict[str, Callable[[Any, str], Any]] = {
    "threshold": lambda rows, human: bp.Ratings.read(rows, human).threshold("chrf", cut=5, **QUICK),
    "estimate": lambda rows, human: bp.Ratings.read(rows, human).estimate("bleu", **QUICK),
    "power": lambda rows, human: bp.Ratings.read(rows, human).power(["bleu", "ter"], **QUICK),
}


@pytest.mark.parametrize("name", MADE)
def test_a_page_shows_the_verdict_the_table_and_charts(name: str) -> None:
    shown = MADE[name](ROWS, "quality")
    page = Page(shown.to_html(title="A title", date="2026-01-02"))
    assert "A title" in page.texts
    assert shown.verdict in page.texts
    for row in shown.display()[0].rows:
        assert all(cell.plain in page.texts for cell in row)
    assert sum(tag == "svg" for tag, _ in page.tags) >= 1
    assert any(attributes.get("id") == "analysis" for _, attributes in page.tags)


@pytest.mark.parametrize("name", MADE)
def test_hostile_names_stay_text(name: str) -> None:
    usual = [tag for tag, _ in Page(MADE[name](ROWS, "quality").to_html()).tags]
    for text in part([text for text in HOSTILE if text.strip()], 4):
        rows = [{**row, text: row["quality"]} for row in ROWS]
        assert [tag for tag, _ in Page(MADE[name](rows, text).to_html()).tags] == usual
