"""The built manual, opened from disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.report.browser.conftest import HANG, browser
from tests.support.documents import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]


@pytest.fixture(scope="session")
def site() -> Path:
    built = ROOT / "build" / "docs" / "latest"
    if not (built / "index.html").exists():
        pytest.fail("the manual is not built: make docs")
    return built


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in which nothing may go wrong, and which asks for nothing but files."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(HANG)
    opened, problems = context.new_page(), []
    opened.on("console", lambda message: problems.append(message.text))
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("request", lambda request: problems.extend([request.url] * (not request.url.startswith("file://"))))
    yield opened
    context.close()
    assert problems == []
