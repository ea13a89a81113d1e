"""Access for everyone: axe-core finds nothing against WCAG 2.2 AA, in any state of the page."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import pytest

from bleuprint.report import render
from tests.report.browser.conftest import Opened, Opening
from tests.report.browser.samples import ARABIC, JAPANESE, other_script, sample_page
from tests.report.test_history import runs
from tests.support.effort import MANY

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@cache
def axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(opened: Opened) -> list[Any]:
    opened.run(axe())
    found = opened.run("rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", RULES)
    return [
        (entry["id"], entry["help"], [node["html"][:200] for node in entry["nodes"][:3]])
        for entry in found["violations"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"] if MANY else ["light"])
@pytest.mark.parametrize("width", [1440, 390] if MANY else [1440])
def test_the_page_breaks_no_rule(open_page: Opening, width: int, scheme: str) -> None:
    opened = open_page(sample_page(), width=width, scheme=scheme)
    opened.run("set({low: 0.2, high: 0.8, order: 'difference'})")
    opened.run("for (const details of document.querySelectorAll('details')) details.open = true")
    assert violations(opened) == []
    if width == 390:
        opened.run("showSegments()")
        assert violations(opened) == []


def test_the_drawer_and_the_sheet_break_no_rule(open_page: Opening) -> None:
    opened = open_page(render(other_script(ARABIC, "13a")))
    opened.page.keyboard.press("?")
    assert violations(opened) == []
    opened.page.keyboard.press("Escape")
    opened.page.locator("a.about").first.click()
    assert violations(opened) == []


def test_pages_of_other_kinds_break_no_rule(open_page: Opening) -> None:
    old, new = runs().values()
    pages = [render(new, earlier={"old": old}, run="new"), *([render(other_script(JAPANESE, "char"))] if MANY else [])]
    for html in pages:
        assert violations(open_page(html)) == []
