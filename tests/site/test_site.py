"""Search, versions and widths of the manual, from file:// addresses."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tools.docs_site import versions

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def results(page: Page, site: Path, query: str) -> list[str]:
    """The pages that the search finds, best first."""
    page.goto(f"{(site / 'search.html').as_uri()}?q={query.replace(' ', '+')}")
    page.wait_for_function("document.querySelector('.search-summary')?.innerText.includes('found')")
    addresses: list[str] = page.locator("ul.search li > a").evaluate_all(
        "links => links.map((link) => link.getAttribute('href'))"
    )
    return addresses


class TestSearch:
    @pytest.mark.parametrize(
        ("query", "first"),
        [
            ("compare systems", "how-to/compare-systems.html"),
            ("self-bleu", "how-to/diversity.html"),
            ("confidence interval", "is-the-difference-real.html"),
            ("gate", "how-to/gate-in-ci.html"),
            ("perplexity", "how-to/fluency.html"),
            ("significance", "how-to/compare-systems.html"),
            ("human ratings", "how-to/which-metric-agrees.html"),
            ("explain", "how-to/explain-a-score.html"),
            ("paper", "how-to/put-scores-into-a-paper.html"),
            ("memory", "how-to/large-files.html"),
            ("diversity", "how-to/diversity.html"),
        ],
    )
    def test_how_tos_come_before_classes(self, page: Page, site: Path, query: str, first: str) -> None:
        found = results(page, site, query)
        assert found[0] == first
        places = {address: place for place, address in enumerate(found) if address.startswith("reference/")}
        assert all(place > 0 for place in places.values())

    @pytest.mark.parametrize(
        ("query", "first"),
        [
            ("bleu", "metrics/bleu.html"),
            ("chrf", "metrics/chrf.html"),
            ("wer", "metrics/wer.html"),
            ("corpus_bleu", "metrics/bleu.html#bleuprint.corpus_bleu"),
            ("LanguageModel", "reference/models.html#bleuprint.LanguageModel"),
        ],
    )
    def test_a_name_finds_what_it_names(self, page: Page, site: Path, query: str, first: str) -> None:
        assert results(page, site, query)[0] == first

    def test_results_say_what_pages_are_about(self, page: Page, site: Path) -> None:
        results(page, site, "self-bleu")
        assert "with Self-BLEU, distinct-n" in page.locator("ul.search li").first.inner_text()


class TestVersions:
    def test_the_list_leads_to_the_same_page_of_another_version(self, page: Page, site: Path, tmp_path: Path) -> None:
        docs = tmp_path / "docs"
        versions.publish(site, "2.0.0", docs)
        old = tmp_path / "old"
        shutil.copytree(site, old)
        (old / "numbers.html").unlink()
        versions.publish(old, "1.0.0", docs)
        page.goto((docs / "2.0.0" / "how-to" / "gate-in-ci.html").as_uri())
        switch = page.get_by_label("Version")
        assert switch.locator("option").all_inner_texts() == ["latest", "2.0.0", "1.0.0"]
        assert switch.input_value() == "2.0.0"
        switch.select_option("1.0.0")
        page.wait_for_url("**/1.0.0/how-to/gate-in-ci.html")
        page.goto((docs / "latest" / "numbers.html").as_uri())
        page.get_by_label("Version").select_option("1.0.0")
        page.wait_for_url("**/1.0.0/index.html")

    def test_the_root_leads_to_the_latest(self, page: Page, site: Path) -> None:
        page.goto((site.parent / "index.html").as_uri())
        page.wait_for_url("**/latest/index.html")

    def test_one_version_alone_works(self, browser: Browser, site: Path, tmp_path: Path) -> None:
        shutil.copytree(site, tmp_path / "alone" / "manual")
        alone = browser.new_page()
        alone.goto((tmp_path / "alone" / "manual" / "index.html").as_uri())
        assert alone.get_by_label("Version").count() == 0
        assert alone.locator("h1").inner_text().startswith("bleuprint")
        alone.close()


def test_the_home_page_holds_the_scorer_if_it_was_built(browser: Browser, site: Path) -> None:
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    frames = page.locator("iframe.scorer")
    assert frames.count() == (site / "bleuprint.html").exists()
    if frames.count():
        frames.scroll_into_view_if_needed()
        inside = page.frame_locator("iframe.scorer")
        inside.locator("#try-worked").click()
        inside.locator("#results tbody td").first.wait_for()
        assert inside.locator("#results tbody .score").first.inner_text() == "0.3565"
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_pages_fit_the_width(browser: Browser, site: Path, width: int, scheme: Any) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    for name in ("index", "numbers", "gallery", "metrics/bleu", "reference/index", "reference/evaluate", "cli/score"):
        page.goto((site / f"{name}.html").as_uri())
        wide: int = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, name
        red: int = page.evaluate("Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
        assert (red < 64) == (scheme == "dark")
    context.close()
