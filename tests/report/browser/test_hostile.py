"""Whatever a corpus holds is shown as text and runs nothing."""

from __future__ import annotations

from functools import cache

from bleuprint.report import render
from bleuprint.runners import evaluate
from tests.report.browser.conftest import Opening
from tests.report.test_page import HOSTILE

# A watch over everything that would show that something ran.
WATCH = """
window.ran = [];
for (const name of ["alert", "fetch", "open", "prompt"]) window[name] = (...all) => window.ran.push([name, ...all]);
"""


@cache
def hostile_page() -> str:
    texts = [*HOSTILE, "x" * 50_000, "{{constructor.constructor('alert(1)')()}} ${alert(1)} <%= 1 %>"]
    names = [name for name in HOSTILE if name.strip()][:6]
    systems = {name: texts[place:] + texts[:place] for place, name in enumerate(names)}
    columns = {HOSTILE[0]: [f"{HOSTILE[2]} {place % 3}" for place in range(len(texts))]}
    result = evaluate(systems, [(text, text) for text in texts], sources=texts, notes=[HOSTILE[1]])
    return render(result, columns=columns)


def test_a_hostile_corpus_is_text(open_page: Opening) -> None:
    opened = open_page(hostile_page(), prepare=WATCH)
    shown = set()
    size = opened.run("data.texts.length")
    for index in range(size):
        opened.run("index => set({order: 'place', chosen: index})", index)
        shown |= set(opened.run("[...document.querySelectorAll('#detail .text')].map(p => p.textContent)"))
    for text in HOSTILE[:11]:
        assert text in shown
    assert f"{'x' * 20_000}… (30,000 more)" in shown
    assert "a␀b␛[31mc␡d�e␍f" in shown
    assert opened.run("window.ran") == []


def test_no_text_becomes_an_element(open_page: Opening) -> None:
    opened = open_page(hostile_page(), prepare=WATCH)
    for order in ("worst", "best", "longest"):
        opened.page.locator("#order").select_option(order)
    opened.page.locator("#search").fill("<script>")
    opened.page.locator("#detail details summary").first.click()
    assert opened.count() > 0
    for name in ("script:not([type]):not(body > script)", "img", "iframe", "object", "form", "base", "link"):
        assert opened.page.locator(name).count() == 0, name
    assert opened.page.locator("script").count() == 2
    assert opened.run("[...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames())"
                      ".filter(name => name.startsWith('on'))") == []  # fmt: skip
    links = opened.run("[...document.querySelectorAll('a')].map(a => a.getAttribute('href'))")
    assert all(link.startswith("#") for link in links)
    assert opened.run("window.ran") == []


def test_bidirectional_overrides_stay_in_their_text(open_page: Opening) -> None:
    opened = open_page(hostile_page())
    isolated = opened.run("[...document.querySelectorAll('#detail .text')].map(p => getComputedStyle(p).unicodeBidi)")
    assert set(isolated) <= {"isolate", "plaintext"}
    assert opened.run("getComputedStyle(document.querySelector('bdi')).unicodeBidi") == "isolate"


def test_the_policy_stops_what_would_slip_through(open_page: Opening) -> None:
    """A script, a handler, a style and a picture that someone got into the page after all do nothing."""
    html = hostile_page().replace(
        "<main>",
        "<main><script>window.ran.push('script')</script><p style='color: red' id='styled'>x</p>"
        "<img src='https://example.org/x.png' onerror='window.ran.push(1)'>",
        1,
    )
    opened = open_page(html, prepare=WATCH)
    assert opened.run("window.ran") == []
    assert opened.run("getComputedStyle(styled).color") != "rgb(255, 0, 0)"
    # The browser tells of these when it gets to it.
    while len(refused := [problem for problem in opened.problems if "Content Security Policy" in problem]) < 3:
        opened.page.wait_for_timeout(10)
    while not opened.failures:
        opened.page.wait_for_timeout(10)
    opened.problems = [problem for problem in opened.problems if problem not in refused]
    # The browser tells of the picture it was asked for and refused to fetch.
    assert opened.failures == {"https://example.org/x.png": "csp"}
    opened.requests.remove("https://example.org/x.png")
