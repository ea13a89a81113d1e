"""The report: right numbers, and text that stays text whatever it holds."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bleuprint.report import charts, render
from bleuprint.results import MetricResult, Result
from bleuprint.runners import evaluate

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style><style>body{display:none}</style>",
    "</title></head><body onload=alert(1)>",
    "]]><svg onload=alert(1)>",
    "<!-- --!> <a href=javascript:alert(1)>x</a>",
    "{{ 7 * 7 }} {% include '/etc/passwd' %} {# gone #}",
    "&lt;b&gt; &amp;amp; &#60;script&#62;",
    "https://example.org/x.js //example.org",
    "a\x00b\x1b[31mc\x7fd\x85e\rf",
    "abc \u202edef\u202c \u2066ghi\u2069 \u200f",
    "مرحبا بالعالم",
    "line one\nline two\ttab",
    "",
    "   ",
]
_SHOWN = {
    **{code: 0x2400 + code for code in range(32) if code not in (9, 10)},
    0x7F: 0x2421,
    0x85: 0xFFFD,
}


class Page(HTMLParser):
    """Tags with their attributes, and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.heads: list[str] = []  # of the table of segments
        self.comments: list[str] = []
        self._fresh = True
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), "an attribute came twice"
        self.tags.append((tag, dict(attrs)))
        self._fresh = True

    def handle_endtag(self, tag: str) -> None:
        self._fresh = True

    def handle_data(self, data: str) -> None:
        if self._fresh:
            self.texts.append(data)
            if self.tags and self.tags[-1][1].get("scope") == "rowgroup":
                self.heads.append(data)
            self._fresh = False
        else:
            self.texts[-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    @property
    def shape(self) -> list[tuple[str, tuple[str, ...]]]:
        return [(tag, tuple(attributes)) for tag, attributes in self.tags]


def result_with(texts: list[str], names: list[str]) -> Result:
    return evaluate(
        dict.fromkeys(names, texts),
        [(text, "x" + text) for text in texts],
        sources=texts,
        notes=[text for text in texts if text.strip()],
    )


def change_scores(result: Result, change: Callable[[MetricResult], MetricResult]) -> Result:
    systems = (replace(system, scores=tuple(map(change, system.scores))) for system in result.systems)
    return replace(result, systems=tuple(systems))


def without_texts(result: Result) -> Result:
    return replace(result, references=(), systems=tuple(replace(system, hypotheses=()) for system in result.systems))


def test_hostile_texts_stay_text() -> None:
    page = Page(render(result_with(HOSTILE, HOSTILE[:14])))
    for text in HOSTILE[:15]:
        shown = text.translate(_SHOWN)
        for variant in (shown, "x" + shown):
            assert variant in page.texts, f"{variant!r} is not on the page as it is"
        assert page.texts.count(shown) >= 14, "every system's output is there"


def test_hostile_texts_add_no_structure() -> None:
    """The page has the same kinds of tags and attributes as one with harmless texts."""
    texts, names = HOSTILE[:15], HOSTILE[:14]
    harmless_texts = [f"text {index} of many, a text" for index in range(len(texts) - 2)] + ["the same"] * 2
    harmless_names = [f"name {index}" for index in range(len(names))]
    hostile, harmless = (
        Page(render(result_with(texts, names))),
        Page(render(result_with(harmless_texts, harmless_names))),
    )
    assert set(hostile.shape) <= set(harmless.shape)
    # Lists of segments and n-grams depend on the scores, and so do shapes in charts. All else comes equally often.
    fixed = {"section", "h1", "h2", "h3", "a", "aside", "figure", "script", "style", "meta", "table", "td"}
    assert [item for item in hostile.shape if item[0] in fixed] == [item for item in harmless.shape if item[0] in fixed]


def test_nothing_can_run_or_load() -> None:
    html = render(result_with(HOSTILE, HOSTILE[:14]))
    page = Page(html)
    assert page.comments == []
    assert {"iframe", "img", "link", "object", "embed", "base", "form"}.isdisjoint(tag for tag, _ in page.tags)
    scripts = [attributes for tag, attributes in page.tags if tag == "script"]
    assert scripts == [{"type": "application/octet-stream", "id": "data"}, {}]
    assert all(str(attributes["href"]).startswith("#") for tag, attributes in page.tags if tag == "a")
    for tag, attributes in page.tags:
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            assert name not in {"style", "src", "srcset", "xlink:href", "action", "data", "srcdoc"}, (tag, name)
            assert tag == "a" or name != "href"
            assert "//" not in (value or "") or name in {"aria-label", "data-words"}, (tag, name, value)
    assert "\x00" not in html
    assert "\x1b" not in html
    assert "\r" not in html


def test_policy_lets_in_the_one_style_sheet_and_the_one_script() -> None:
    html = render(result_with(["a"], ["one"]))
    page = Page(html)
    policies = [a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
    styles = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert len(policies) == len(styles) == len(scripts) == 1
    style, script = (
        base64.b64encode(hashlib.sha256(found.encode()).digest()).decode() for found in (styles[0], scripts[0])
    )
    assert policies[0] == (
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
        "img-src blob:; base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"url\(|@import", styles[0])
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", scripts[0])
    assert not re.search(r"\bfetch\b|XMLHttpRequest|WebSocket|import\(|localStorage|cookie", scripts[0])


def test_texts_choose_their_own_direction() -> None:
    page = Page(render(result_with(HOSTILE, ["one", "two"])))
    cells = [attributes for tag, attributes in page.tags if tag == "td" and "dir" in attributes]
    assert len(cells) == len(HOSTILE) * (1 + 2 + 2)
    assert all(attributes["dir"] == "auto" for attributes in cells)


def test_headline_numbers_and_signatures_are_there() -> None:
    result = evaluate({"one": ["a b c d e"], "two": ["a b c x e"]}, ["a b c d e"])
    page = Page(render(result))
    texts = "".join(page.texts)
    for system in result.systems:
        score = system.score("bleu")
        assert f"{score.value:.4f}" in page.texts
        assert score.segment_signature in texts
        assert score.signature in texts
    assert "4-grams" in page.texts
    assert page.texts.index("one") < page.texts.index("two")


def test_segments_come_worst_first_and_the_limit_is_said() -> None:
    hypotheses = ["a b c d", "x y z w", "a b c x"]
    result = evaluate({"one": hypotheses}, ["a b c d"] * 3)
    page = Page(render(result, segments_shown=2))
    assert page.heads == ["Segment 2", "Segment 3"]
    assert any("The 2 worst of 3 segments; all of them can be browsed" in text for text in page.texts)
    everything = Page(render(result))
    assert any("All 3 segments." in text for text in everything.texts)


def test_lower_is_better_turns_the_order_round() -> None:
    result = evaluate({"one": ["a b c d", "x"], "two": ["a b c d", "a b c d"]}, ["a b c d"] * 2)
    page = Page(render(change_scores(result, lambda score: replace(score, higher_is_better=False))))
    assert any("lower is better" in text for text in page.texts)
    assert page.heads == ["Segment 1", "Segment 2"]
    assert page.texts.index("one") < page.texts.index("two")


def test_a_score_without_precisions_gets_no_such_section() -> None:
    result = evaluate({"one": ["a"]}, ["a"])
    bare = change_scores(result, lambda score: replace(score, parts={}))
    assert "Where the score comes from" in Page(render(result)).texts
    assert "Where the score comes from" not in Page(render(bare)).texts


def test_bars_are_as_long_as_their_values() -> None:
    svg = charts.bars(
        [charts.Row("a", 0.25, "¼"), charts.Row("b", 1.0, "1"), charts.Row("c", 7.0, "7")], "<label>", axis="x"
    )
    page = Page(svg)
    widths = [float(a["width"] or 0) for tag, a in page.tags if tag == "rect" and a["class"] == "mark"]
    full = [float(a["width"] or 0) for tag, a in page.tags if tag == "rect" and a["class"] == "track"]
    assert widths == [full[0] / 4, full[0], full[0]]
    assert page.tags[0][1]["aria-label"] == "<label>"


@pytest.mark.parametrize("values", [[], [0.0], [1.0], [0.0, 0.049, 0.05, 0.5, 0.999, 1.0]])
def test_distributions_count_every_value_once(values: list[float]) -> None:
    page = Page(charts.distributions({"one": values}, "scores", axis="bleu", data={"metric": 0}))
    tips = [text for text in page.texts if " to " in text]
    assert sum(int(tip.rpartition(" ")[2]) for tip in tips) == len(values)
    assert sum(charts.bins_of(values, 20, charts.Scale())) == len(values)


def test_templates_are_compiled_once_and_only_where_python_may_write(tmp_path: Path) -> None:
    code = "import bleuprint; print(bleuprint.evaluate({'a': ['x y']}, ['x z']).to_html())"
    pages = []
    for may_write in ("", "1", "1", ""):
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": may_write}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
        compiled = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.cache")}
        pages.append((done.stdout, compiled))
    assert len(pages[0][1]) > 3
    assert pages == [pages[0]] * 4


def test_a_page_is_drawn_where_nothing_may_be_written(tmp_path: Path) -> None:
    code = "import bleuprint; bleuprint.evaluate({'a': ['x y']}, ['x z']).to_html()"
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert not list(tmp_path.iterdir())
