"""The built page in Chromium; `make test-web` builds it before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.report.browser.conftest import HANG, Opened
from tests.report.browser.conftest import browser as browser
from tools import web_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Open = Callable[..., Opened]


@pytest.fixture(scope="session")
def built() -> Path:
    assert web_page.PAGE.exists(), "the page is not built; run: make web"
    return web_page.PAGE


@pytest.fixture
def open_page(browser: Browser, built: Path) -> Iterator[Open]:
    """Opens the page from its file; at the end nothing may have gone wrong in it, and nothing have left it."""
    opened: list[Opened] = []

    def opening(width: int = 1440, path: Path = built) -> Opened:
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.set_default_timeout(HANG)
        found = Opened(page, path.as_uri())
        for event, listener in found.listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]
        page.goto(found.address)
        opened.append(found)
        return found

    yield opening
    for each in opened:
        each.page.close()
        assert each.problems == []
        # Its own file, its worker, and what it makes to be saved.
        assert [url for url in each.requests if url != each.address and not url.startswith("blob:")] == []
