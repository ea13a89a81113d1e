"""The report as a workbench: links to a view, two panes, keys, sorting, export."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from playwright.sync_api import Download

from bleuprint import work
from bleuprint.report import render
from bleuprint.results import Result
from bleuprint.runners import evaluate
from tests.report.browser.conftest import Opened, Opening
from tests.report.browser.samples import sample_page
from tests.report.test_history import runs
from tests.support.cli import lines, references

# The clipboard of a file is not always to be had: what was copied is kept here.
CLIPBOARD = """Object.defineProperty(navigator, 'clipboard',
    {value: {writeText: text => { window.copied = text; return Promise.resolve(); }}});"""
VIEW = "({...state, group: state.group && [...state.group.buckets], only: state.only && [...state.only.ids].sort()})"


def saved(download: Download) -> bytes:
    return Path(download.path()).read_bytes()


def first_column(opened: Opened) -> list[str]:
    return opened.page.locator("table.scores tbody th").all_inner_texts()


def test_the_first_screen_answers(open_page: Opening) -> None:
    opened = open_page(sample_page())
    assert opened.page.locator("h1").inner_text() == "system-a, system-b and system-c"
    assert "3 systems · 48 segments · 2 references each · with sources · test set " in (
        opened.page.locator("header").inner_text()
    )
    findings = opened.page.locator(".findings li").all()
    assert 1 <= len(findings) <= 3
    for finding in findings:
        target = str(finding.locator("a").get_attribute("href"))
        assert opened.page.locator(f"section{target}").count() == 1, "each finding leads to its evidence"
    assert "system-a leads in bleu" in findings[0].inner_text()
    table = opened.page.locator("table.scores").bounding_box()
    assert table is not None
    assert table["y"] + table["height"] < 900, "the table of scores is on the first screen"


def test_the_table_sorts_by_any_column(open_page: Opening) -> None:
    opened = open_page(sample_page())
    heads = opened.page.locator("table.scores .sort")
    heads.nth(2).click()  # ter: lower is better, so the lowest comes first
    values = [float(text) for text in opened.page.locator("tbody tr td:nth-child(3) .score").all_inner_texts()]
    assert values == sorted(values)
    assert opened.page.locator("table.scores th").nth(2).get_attribute("aria-sort") == "ascending"
    best_first = first_column(opened)
    heads.nth(2).click()
    assert first_column(opened) == best_first[::-1]
    heads.nth(0).focus()
    opened.page.keyboard.press("Enter")
    assert first_column(opened) == sorted(best_first)
    assert opened.page.locator("table.scores [aria-sort]").count() == 1


FOLLOW = """link => new Promise(done => {
    addEventListener("popstate", done, {once: true});
    location.hash = link;
})"""
VIEWS = (
    "{first: 1, second: 2, metric: 1, order: 'behind', chosen: 7}",
    "{query: 'bridge', second: -1}",
    "{low: 0.25, high: 0.75}",
    "{group: {group: 1, buckets: new Set([0, 2])}, order: 'place'}",
    "{box: {x: {metric: 2, system: 1, low: null, high: 50}, y: {metric: 0, system: 2, low: 0.2, high: null}}}",
    "{side: sideOf(document.querySelectorAll('.scatter.brush')[1], 'neither')}",
    "{only: withWords('the', 1)}",
    "{only: {name: 'two of them', ids: new Set([3, 9])}}",
)


def test_a_link_opens_the_view_it_was_copied_from(open_page: Opening) -> None:
    opened = open_page(sample_page(), prepare=CLIPBOARD)
    again = open_page(sample_page(), fragment="#segment=5")
    again.until("state.chosen === 4")
    for change in VIEWS:
        opened.run(f"() => set({{...firstView(), ...{change}}})")
        opened.page.locator(".detail-head button", has_text="copy link").click()
        link = opened.run("window.copied")
        assert link == opened.page.url
        again.run(FOLLOW, link.partition("#")[2])
        assert again.run(VIEW) == opened.run(VIEW)
        assert again.run("found") == opened.run("found")
        assert again.page.locator("#detail h3").inner_text() == opened.page.locator("#detail h3").inner_text()


def test_a_broken_link_opens_the_page_anyway(open_page: Opening) -> None:
    fragment = "#segment=99999&system=nobody&beside=x&metric=none&order=__proto__&from=z&x=[&with={}&listed=[1]&by=q"
    opened = open_page(sample_page(), fragment=fragment)
    opened.until("state.chosen >= 0")
    assert opened.count() == 48
    assert opened.run("[state.metric, state.order]") == [0, "worst"]


def test_back_and_forward_go_through_the_views(open_page: Opening) -> None:
    opened = open_page(sample_page())
    opened.page.locator("#order").select_option("best")
    opened.page.locator("#first").select_option("2")
    opened.page.locator("nav a", has_text="Distribution").click()
    assert opened.page.url.endswith("#distribution")
    assert opened.run("state.first") == 2, "a section changes nothing in the list"
    opened.page.go_back()
    opened.page.go_back()
    opened.until("state.first === 0")
    assert opened.page.locator("#order").input_value() == "best"
    opened.page.go_back()
    opened.until("state.order === 'worst'")
    opened.page.go_forward()
    opened.until("state.order === 'best'")


def test_a_segment_is_copied_as_markdown(open_page: Opening) -> None:
    result = evaluate({"a|b": ["x *y* | <i>"], "c": ["x"]}, ["x y"], sources=["src\nof it"])
    opened = open_page(render(result), prepare=CLIPBOARD)
    opened.run("set({first: 0, second: 1})")
    opened.page.locator(".detail-head button", has_text="Markdown").click()
    rows = opened.run("window.copied").splitlines()
    assert rows[0] == "**Segment 1**"
    assert rows[2:5] == ["|  | text | bleu |", "| --- | --- | ---: |", "| source | src of it |  |"]
    assert rows[6].startswith(r"| a\|b | x \*y\* \| \<i\> | 0.")


def exported(opened: Opened, kind: str) -> str:
    with opened.page.expect_download() as download:
        opened.page.locator("#export").select_option(kind)
    assert download.value.suggested_filename.endswith(f"-segments.{kind}")
    return saved(download.value).decode()


def test_the_listed_segments_are_exported(open_page: Opening) -> None:
    opened = open_page(sample_page())
    opened.run("set({low: 0.4, high: 0.6, order: 'place'})")
    places = opened.run("found")
    assert 2 < len(places) < 48
    table = list(csv.DictReader(io.StringIO(exported(opened, "csv"), newline="")))
    assert [int(row["segment"]) - 1 for row in table] == places
    assert [row["system-b"] for row in table] == [lines("system-b")[place] for place in places]
    assert [float(row["system-a ter"]) for row in table] == [opened.run("data.scores[1][0]")[place] for place in places]
    entries = [json.loads(line) for line in exported(opened, "jsonl").splitlines()]
    assert [entry["references"] for entry in entries] == [[lines("ref-1")[p], lines("ref-2")[p]] for p in places]
    assert entries[0]["systems"][2]["output"] == lines("system-c")[places[0]]
    assert exported(opened, "md").count("**Segment ") == len(places)


def test_an_exported_table_runs_nothing_in_a_spreadsheet(open_page: Opening) -> None:
    opened = open_page(render(evaluate({"=name": ['=1+1"', "a;@b"]}, ["+x", "y"])))
    cells = [cell for row in csv.reader(io.StringIO(exported(opened, "csv"), newline="")) for cell in row]
    assert {"'=name", "'=1+1\"", "a;'@b", "'+x"} <= set(cells)


def test_a_chart_is_saved_as_svg_and_png(open_page: Opening) -> None:
    opened = open_page(sample_page())
    buttons = opened.page.locator("#distribution .save").first
    for kind, start in (("SVG", b"<svg "), ("PNG", b"\x89PNG")):
        with opened.page.expect_download() as download:
            buttons.locator("button", has_text=kind).click()
        content = saved(download.value)
        assert content.startswith(start)
        assert len(content) > 2000
        if kind == "SVG":
            assert b"var(" not in content
            assert b"data-" not in content
    opened.requests = [url for url in opened.requests if not url.startswith("blob:")]


def test_keys_reach_everything(open_page: Opening) -> None:
    opened = open_page(sample_page(), prepare=CLIPBOARD)
    press = opened.page.keyboard.press
    press("s")
    assert opened.run("document.activeElement.id") == "list"
    before = opened.run("state.chosen")
    press("j")
    assert opened.run("found.indexOf(state.chosen)") == 1
    press("k")
    assert opened.run("state.chosen") == before
    press("x")
    assert opened.run("[state.first, state.second]") == [2, 0]
    press("/")
    assert opened.run("document.activeElement.id") == "search"
    opened.page.keyboard.type("bridge")
    assert opened.count() < 48
    press("Escape")
    press("c")
    assert opened.count() == 48
    press("m")
    assert "**Segment " in opened.run("window.copied")
    press("l")
    assert opened.run("window.copied") == opened.page.url
    press("?")
    assert opened.page.locator("#sheet").is_visible()
    press("Escape")
    assert not opened.page.locator("#sheet").is_visible()


def test_a_phone_has_one_pane(open_page: Opening) -> None:
    opened = open_page(sample_page(), width=390)
    browser, sections = opened.page.locator("#browser"), opened.page.locator("#sections")
    assert sections.is_visible()
    assert not browser.is_visible()
    opened.run("set({low: 0.4, high: 0.6})")
    button = opened.page.locator("#to-segments")
    assert button.inner_text() == f"{opened.run('found.length')} of 48 segments"
    button.click()
    assert browser.is_visible()
    assert not sections.is_visible()
    opened.page.locator("#to-report").click()
    assert sections.is_visible()
    opened.page.locator("#influence .go").first.click()
    assert browser.is_visible(), "opening a segment leads to it"


def test_two_panes_where_there_is_room(open_page: Opening) -> None:
    opened = open_page(sample_page())
    browser = opened.page.locator("#browser")
    for section in ("scores", "distribution", "diversity"):
        opened.page.locator(f"#{section}").scroll_into_view_if_needed()
        box = browser.bounding_box()
        assert box is not None
        assert (box["y"] >= 0, box["y"] + box["height"] <= 900) == (True, True), "it stays in sight"
    opened.page.locator("#show-segments").click()
    assert not browser.is_visible()
    opened.page.keyboard.press("s")
    assert browser.is_visible()


def test_segments_go_by_their_ids(open_page: Opening) -> None:
    result = evaluate({"one": ["a b", "c d"]}, ["a b", "c x"])
    named = Result(**{**{name: getattr(result, name) for name in result.__dataclass_fields__}, "ids": ("q/1", "<b>2")})
    opened = open_page(render(named))
    opened.run("set({chosen: 1})")
    assert opened.page.locator("#detail h3").inner_text() == "Segment 2 · <b>2"
    assert opened.page.locator(".row .place").all_inner_texts() == ["<b>2", "q/1"]
    opened.page.locator("#search").fill("q/1")
    assert opened.count() == 1


REMARKS = {
    "": "The output is empty.",
    "the cat sat on the mat in 1999 .": "The output equals a reference.",
    "die Katze": "The output equals the source.",
    "dogs bark": "None of its tokens is in a reference.",
    "cat mat": "No match is longer than one token.",
    "mat the on sat cat the in 1999 .": "Most of the words are there, in another order.",
    "the cat sat": "It is short: 3 tokens, the closest reference has 9.",
    "the cat sat on the mat in 1998 .": "A number is in no reference: 1998.",
    "The Cat sat on the mat in 1999 .": "2 words differ in upper and lower case only.",
    "a b c a b c a b c a b c": "It says “a b c” 4 times.",
}


def test_a_low_score_is_explained(open_page: Opening) -> None:
    size = len(REMARKS)
    result = evaluate({"one": list(REMARKS)}, ["the cat sat on the mat in 1999 ."] * size, sources=["die Katze"] * size)
    opened = open_page(render(result))
    for place, said in enumerate(REMARKS.values()):
        opened.run("place => set({chosen: place})", place)
        assert said in opened.page.locator(".remarks li").all_inner_texts()


def test_percent_multiplies_what_is_shown(open_page: Opening) -> None:
    result = evaluate(
        {"one": ["the cat sat on a mat", "x y"]}, ["the cat sat on the mat", "x z"], metrics=["bleu", "nist"]
    )
    bleu, nist = (score.value for score in result.systems[0].scores)
    opened = open_page(render(result, percent=True, title="A <b>title</b>", date="2026-11-17"))
    assert opened.page.locator("h1").inner_text() == "A <b>title</b>"
    assert opened.page.locator("header .note").first.inner_text().startswith("2026-11-17 · 1 system · 2 segments")
    assert opened.page.locator("table.scores .score").all_inner_texts() == [f"{100 * bleu:.2f}", f"{nist:.3f}"]
    opened.run("set({low: 0.5})")
    assert opened.page.locator("#low").input_value() == "50"
    assert opened.page.locator(".chip").inner_text() == "bleu of one: 50 to … ✕"
    shown = opened.page.locator(".row .values b").first.inner_text()
    assert shown == f"{100 * opened.run('data.scores[0][0][found[0]]'):.2f}"


def test_segments_that_changed_between_runs_are_listed(open_page: Opening) -> None:
    old, new = runs().values()
    opened = open_page(render(new, earlier={"old": old}, run="new"))
    assert opened.page.locator("#first option").all_inner_texts() == ["a", "b", "c", "a (old)"]
    button = opened.page.locator("#history .go").first
    button.click()
    assert opened.count() == int(button.inner_text())
    assert opened.run("[state.first, state.second, state.order]") == [0, 3, "difference"]
    assert opened.page.locator(".chip").inner_text() == "a: better than in old ✕"
    assert opened.page.locator("#scores tbody tr").count() == 3, "the table has the latest run alone"


def test_the_work_behind_a_score_is_shown(open_page: Opening) -> None:
    opened = open_page(render(evaluate({"one": lines("system-a")}, references()), segments_shown=2))
    worst = opened.run("Object.keys(data.steps).map(key => Number(key.split(' ')[2]))")
    assert len(worst) == 2
    opened.run("place => set({chosen: place})", worst[0])
    opened.page.locator(".work-steps summary").click()
    steps = opened.page.locator(".work").inner_text()
    assert "Clipped matches of order 1" in steps
    shown = work(lines("system-a")[worst[0]], references()[worst[0]], "bleu")
    assert str(shown.steps[-1].equations[-1]) in steps
    opened.run("places => set({chosen: found.find(place => !places.includes(place))})", worst)
    opened.page.locator(".work-steps summary").click()
    assert opened.page.locator(".work code").inner_text().startswith("bleuprint work -m bleu '")
