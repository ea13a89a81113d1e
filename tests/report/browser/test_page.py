"""The page as a whole: every section is there, in both themes, on a phone and on paper."""

from __future__ import annotations

import re

import pytest

import bleuprint as bp
from bleuprint import SelfBLEU
from bleuprint.report import render, render_diversity
from bleuprint.runners import evaluate
from tests.report.browser.conftest import Opening
from tests.report.browser.samples import ARABIC, JAPANESE, large_page, other_script, sample_page
from tests.report.browser.test_access import violations
from tests.support.rated import rated_rows

SECTIONS = (
    *("scores", "systems", "origin", "distribution", "buckets", "ngrams", "influence", "fluency", "diversity"),
    "segments",
)
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_every_section_renders(open_page: Opening) -> None:
    opened = open_page(sample_page())
    for name in SECTIONS:
        section = opened.page.locator(f"section#{name}")
        section.scroll_into_view_if_needed()
        assert section.is_visible(), name
        assert opened.page.locator(f'nav a[href="#{name}"]').is_visible(), name
        box = section.bounding_box()
        assert box is not None
        assert box["height"] > 100, name
    assert opened.page.locator(".waterfall").count() == 3
    assert opened.page.locator(".scatter .dots").count() == 12
    assert opened.page.locator("#scores .strip").count() == 9
    opened.page.locator("#systems summary", has_text="In words").first.click()
    words = opened.page.locator("#systems").inner_text()
    assert "system-a is better than system-b: the difference of" in words
    assert "system-a: rank 1, better than 2 of 2." in words


def test_the_card_of_a_metric_opens_in_a_drawer(open_page: Opening) -> None:
    opened = open_page(sample_page())
    drawer = opened.page.locator("#drawer")
    assert not drawer.is_visible()
    for link in opened.page.locator("a.about").all():
        assert opened.page.locator(str(link.get_attribute("href"))).count() == 1
    opened.page.locator("#scores a.about").first.click()
    assert drawer.inner_text().startswith("What BLEU means")
    opened.page.keyboard.press("Escape")
    assert not drawer.is_visible()
    opened.page.locator("#diversity a.about").click()
    assert drawer.inner_text().startswith("What Self-BLEU means")
    drawer.locator(".close").click()
    assert not drawer.is_visible()


@pytest.mark.parametrize(("scheme", "expected"), [("light", "rgb(251, 251, 248)"), ("dark", "rgb(14, 21, 30)")])
def test_the_theme_follows_the_reader_and_the_button(open_page: Opening, scheme: str, expected: str) -> None:
    opened = open_page(sample_page(), scheme=scheme)
    assert opened.run(BACKGROUND) == expected
    opened.page.locator("#theme").click()
    assert opened.run(BACKGROUND) == ({"rgb(251, 251, 248)", "rgb(14, 21, 30)"} - {expected}).pop()
    opened.page.locator("#theme").click()
    assert opened.run(BACKGROUND) == expected


def test_nothing_sticks_out_at_the_side(open_page: Opening) -> None:
    opened = open_page(sample_page())
    for width in (320, 390, 768, 1280, 1920):
        opened.page.set_viewport_size({"width": width, "height": 900})
        assert opened.run(OVERFLOW) == 0, width


def test_long_names_and_words_do_not_stick_out(open_page: Opening) -> None:
    long = "a" * 400
    html = render(evaluate({long: [f"{long} b c", "d"], "b": ["x", long]}, [f"{long} b d", "d"], notes=[long]))
    assert open_page(html, width=390).run(OVERFLOW) == 0


def test_paper_gets_the_worst_segments_instead_of_the_browser(open_page: Opening) -> None:
    opened = open_page(sample_page(), scheme="dark")
    assert not opened.page.locator("#static").is_visible()
    opened.page.emulate_media(media="print")
    assert opened.page.locator("#static").is_visible()
    assert not opened.page.locator("#browser").is_visible()
    assert not opened.page.locator("nav").is_visible()
    assert opened.page.locator("#cards .card").first.is_visible()
    opened.run("dispatchEvent(new Event('beforeprint'))")
    assert opened.page.locator("details:not([open])").count() == 0, "nothing is folded away on paper"
    assert opened.run(BACKGROUND) == "rgb(255, 255, 255)"
    assert len(opened.page.pdf()) > 10_000


def test_a_browser_that_cannot_unpack_says_so(open_page: Opening) -> None:
    opened = open_page(sample_page(), prepare="delete window.DecompressionStream", ready=False)
    words = opened.page.locator("#static .note").inner_text()
    assert "lacks DecompressionStream" in words
    assert opened.page.locator("#static table").is_visible()


def test_a_file_that_was_cut_off_says_so(open_page: Opening) -> None:
    html = re.sub(r'(id="data">.{200})[^<]*', r"\1", sample_page())
    opened = open_page(html, ready=False)
    opened.page.wait_for_selector("#static .note")
    assert "cannot be read" in opened.page.locator("#static .note").inner_text()
    assert opened.page.locator("#static table").is_visible()


@pytest.mark.parametrize("allowed", [True, False])
def test_signatures_can_be_copied(open_page: Opening, allowed: bool) -> None:
    """A browser that refuses gets the text chosen, ready for the keys."""
    answer = "Promise.resolve()" if allowed else "Promise.reject(new Error('no'))"
    clipboard = f"{{writeText: text => {{ window.written = text; return {answer}; }}}}"
    # The label goes back after two seconds, which on a busy machine may be over before we look: time stands still here.
    prepare = "window.later = []; window.setTimeout = call => later.push(call);"
    prepare += f"Object.defineProperty(navigator, 'clipboard', {{value: {clipboard}}});"
    opened = open_page(sample_page(), prepare=prepare)
    opened.page.locator("#scores summary").click()
    code = opened.page.locator("#scores code").first.text_content()
    button = opened.page.locator("#scores .copy").first
    button.click()
    assert opened.run("window.written") == code
    assert button.inner_text() == ("copied" if allowed else "chosen, press Ctrl+C")
    assert allowed or opened.run("getSelection().toString().trim()") == code
    opened.run("later.forEach(call => call())")
    assert button.inner_text() == "copy"


def test_texts_run_in_their_own_direction(open_page: Opening) -> None:
    opened = open_page(render(other_script(ARABIC, "13a")))
    directions = opened.run("[...document.querySelectorAll('#detail .text')].map(p => getComputedStyle(p).direction)")
    assert directions == ["ltr", "rtl", "rtl", "rtl"]
    assert opened.run("getComputedStyle(document.querySelector('.begin')).direction") == "rtl"


def test_texts_without_blanks_are_marked_piece_by_piece(open_page: Opening) -> None:
    opened = open_page(render(other_script(JAPANESE, "char")))
    opened.run("set({order: 'place', first: 0, second: 1})")
    reference = opened.page.locator("#detail .text").nth(1)
    assert reference.inner_text() == JAPANESE["reference"][0]
    assert reference.locator(".t").count() == len(JAPANESE["reference"][0])
    assert reference.locator(".m4").count() >= 4


def test_a_page_of_diversity_alone(open_page: Opening) -> None:
    texts = ["the cat sat down", "the cat sat down", "the cat sat up", "<b>dogs</b> bark"]
    html = render_diversity({"<i>texts</i>": SelfBLEU(max_order=3).corpus(texts)})
    opened = open_page(html, ready=False)
    words = opened.page.locator("#diversity").inner_text()
    assert "<i>texts</i>" in words
    assert "1 text repeats an earlier one" in words
    assert "the cat sat" in words
    assert opened.page.locator("#segments").count() == 0
    assert opened.page.locator("#cards .card").count() == 1


@pytest.mark.parametrize("width", [1440, 390])
def test_a_page_of_agreement_with_people(open_page: Opening, width: int) -> None:
    ratings = bp.Ratings.read(rated_rows(12, 4), "rating", group="document")
    result = ratings.agreement(["bleu", "chrf", "ter"], resamples=30, permutations=49)
    opened = open_page(result.to_html(), width=width, ready=False)
    assert opened.page.locator("#agreement tbody tr").count() == 3 + 3
    assert opened.page.locator("#rated_systems figure").count() == 3
    assert opened.page.locator("#disagreements .m4").count() > 0
    assert opened.run(OVERFLOW) <= 0
    opened.run("for (const details of document.querySelectorAll('details')) details.open = true")
    assert violations(opened) == []


def test_a_large_page_is_small_and_draws_only_what_is_in_sight(open_page: Opening) -> None:
    assert len(large_page().encode()) < 1_500_000
    opened = open_page(large_page())
    assert opened.count() == 5000
    assert 5 < opened.page.locator(".row").count() < 60
    opened.page.locator("#list").focus()
    opened.page.keyboard.press("End")
    assert opened.page.locator('.row[aria-selected="true"]').get_attribute("aria-posinset") == "5000"
    assert opened.page.locator(".row").count() < 60
    opened.page.locator("#search").fill("4321.")
    assert opened.count() == 1
