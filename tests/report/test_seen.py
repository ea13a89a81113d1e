"""The page of what a corpus contains."""

from __future__ import annotations

from bleuprint import NgramIndex, seen
from bleuprint.report import render_seen
from tests.report.test_page import Page

HOSTILE = "<script>alert(1)</script> one two three four five six seven eight nine & \x1b[31m <b> ten"


def test_seen_spans_are_highlighted_and_texts_are_escaped() -> None:
    index = NgramIndex.build(["before " + HOSTILE + " after"], tokenizer="whitespace", name="<i>corpus</i>")
    result = seen([HOSTILE, "nothing of this is known"], index, rule="palm").with_effects(
        {"<u>A</u>": ["a b", "c d"]}, ["a b", "c e"], permutations=100
    )
    html = render_seen(result, name="<em>items</em>")
    assert "<script>alert(1)" not in html
    assert "\x1b" not in html
    assert "<i>corpus" not in html
    assert "<u>A" not in html
    assert "<em>items" not in html
    assert '<mark class="m3">&lt;script&gt;alert(1)&lt;/script&gt; one two' in html
    assert "1 of 2 items are contaminated" in html
    assert "<b>contaminated</b>, also by the rule: 7 of 7 8-grams, in 1 record" in html
    Page(html)


def test_a_page_without_contaminated_texts() -> None:
    index = NgramIndex.build(["a b c"], tokenizer="whitespace")
    html = render_seen(seen(["x y"], index), name="items.txt", percent=True)
    assert "No item has a match in the corpus." in html
    assert "0.00" in html
