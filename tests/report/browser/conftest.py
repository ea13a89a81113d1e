"""One Chromium for all tests of the page; every page that is opened is watched until it is closed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
HANG = 300_000.0  # milliseconds; only what never happens takes longer


def chromium() -> str | None:
    named = os.environ.get("BLEUPRINT_CHROMIUM")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Closed with the last test of this folder: while it runs, asyncio.run works nowhere in the process."""
    program = chromium()
    if program is None:
        pytest.skip("Chromium is not installed: apt-get install chromium, or name one in BLEUPRINT_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=ARGUMENTS, timeout=HANG)
        yield started
        started.close()


_TRIES = 1200  # a minute, which only a hang takes


def until(page: Page, condition: str) -> None:
    """Wait until a condition holds.

    Playwright's own wait evaluates a string in the page, which the page's policy forbids from the second time on.
    """
    for _ in range(_TRIES):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"the page never came to {condition}")


@dataclass
class Opened:
    """A page, and what happened in it."""

    page: Page
    address: str
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    failures: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.listeners: dict[str, Callable[[Any], None]] = {
            "console": lambda message: self.problems.append(f"{message.type}: {message.text}"),
            "pageerror": lambda error: self.problems.append(str(error)),
            "dialog": lambda dialog: self.problems.append(f"dialog: {dialog.message}"),
            "request": lambda request: self.requests.append(request.url),
            "requestfailed": lambda request: self.failures.update({request.url: request.failure}),
        }

    def run(self, script: str, argument: object = None) -> Any:
        return self.page.evaluate(script, argument)

    def until(self, condition: str) -> None:
        until(self.page, condition)

    def searched(self) -> None:
        """Wait until the search has an answer."""
        self.run("async () => { while (underWay !== null) await new Promise((resolve) => setTimeout(resolve)); }")

    def count(self) -> int:
        """How many segments are listed, when the search has an answer."""
        self.searched()
        words: str = self.page.locator("#found").inner_text()
        return int(words.split(" of ")[0].replace(",", ""))


Opening = Callable[..., Opened]


@pytest.fixture(scope="package")
def spare_pages(browser: Browser) -> list[Page]:
    """Pages to open the next report in, which keeps nothing in them: a new page would start a process."""
    return []


@pytest.fixture
def open_page(browser: Browser, spare_pages: list[Page], tmp_path: Path) -> Iterator[Opening]:
    """Opens a page; at the end nothing may have gone wrong in it, and nothing have left it."""
    opened: list[Opened] = []
    prepared: list[Page] = []  # by a script, which stays in them

    def new_page(prepare: str) -> Page:
        if not prepare and spare_pages:
            return spare_pages.pop()
        page = browser.new_page()
        page.set_default_timeout(HANG)
        if prepare:
            page.add_init_script(prepare)
            prepared.append(page)
        return page

    def opening(
        html: str,
        *,
        width: int = 1440,
        scheme: Any = "light",
        prepare: str = "",
        ready: bool = True,
        fragment: str = "",
    ) -> Opened:
        path = tmp_path / f"{len(opened)}.html"
        path.write_text(html, encoding="utf-8")
        page = new_page(prepare)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(media="screen", color_scheme=scheme)
        page.mouse.move(0, 0)
        found = Opened(page, path.as_uri())
        opened.append(found)
        for event, listener in found.listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]
        page.goto(found.address + fragment)
        if ready:
            page.wait_for_selector("#browser:not([hidden])", state="attached")
        return found

    yield opening
    for each in opened:
        each.page.goto("about:blank")
        for event, listener in each.listeners.items():
            each.page.remove_listener(event, listener)
        assert each.problems == []
        assert each.requests == [each.address]
        if each.page in prepared:
            each.page.close()
        else:
            spare_pages.append(each.page)
