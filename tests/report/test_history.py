"""Several runs on one test set: what changed, and runs that do not belong together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.errors import ResultError
from bleuprint.report import render
from bleuprint.report.page import MetricHead
from bleuprint.report.sections.history import changes, history_of
from bleuprint.results import Result
from bleuprint.results.digits import Digits
from tests.report.test_page import Page, without_texts
from tests.support.cli import assert_one_line, invoke, lines, references


def runs() -> dict[str, Result]:
    """System a gets better, system b stays as it is, system c is new."""
    half = [" ".join(text.split()[::2]) for text in lines("system-a")]
    outputs = [
        {"a": half, "b": lines("system-b")},
        {"a": lines("system-a"), "b": lines("system-b"), "c": lines("system-c")},
    ]
    return {
        f"run {n}": bp.evaluate(systems, references(), metrics=["bleu", "ter"]) for n, systems in enumerate(outputs)
    }


def test_what_changed_is_what_the_scores_say() -> None:
    old, new = runs().values()
    history = history_of(new, "new", {"old": old})
    assert [system.name for system in history.merged.systems] == ["a", "b", "c", "a (old)"]
    for number, metric in enumerate(("bleu", "ter")):
        higher = metric == "bleu"
        a, b, c = changes(history, MetricHead(metric, number, higher, None, Digits()))
        before, after = (result.system("a").score(metric) for result in (old, new))
        assert a.difference == f"{after.value - before.value:+.4f}"
        assert a.words == "better beyond chance"
        pairs = list(zip(before.segments, after.segments, strict=True))
        assert a.better == tuple(place for place, (x, y) in enumerate(pairs) if (y > x if higher else y < x))
        assert a.worse == tuple(place for place, (x, y) in enumerate(pairs) if (y < x if higher else y > x))
        assert (b.words, b.difference, b.better, b.worse) == ("the same output", "+0.0000", (), ())
        assert (c.words, c.before) == ("not part of old", None)


def test_a_worse_run_is_called_worse() -> None:
    old, new = runs().values()
    smaller = replace(new, systems=new.systems[:2])
    history = history_of(old, "new", {"old": smaller})
    assert next(iter(changes(history, MetricHead("bleu", 0, True, None, Digits())))).words == "worse beyond chance"
    assert next(iter(changes(history, MetricHead("ter", 1, False, None, Digits())))).words == "worse beyond chance"


def test_the_page_has_the_history() -> None:
    old, new = runs().values()
    page = Page(render(new, earlier={"old": old}, run="new"))
    assert "History" in page.texts
    assert any(text.startswith("Since old, a changed by +0.") for text in page.texts)
    assert "History" not in Page(render(new)).texts


def test_runs_that_do_not_belong_together_are_refused() -> None:
    old, new = runs().values()
    other = bp.evaluate({"a": lines("system-a")}, [text for text, _ in references()], metrics=["bleu", "ter"])
    fewer = bp.evaluate({"a": lines("system-a")}, references(), metrics=["bleu"])
    cased = bp.evaluate(
        {"a": lines("system-a")}, references(), metrics={"bleu": bp.BLEU(lowercase=True), "ter": bp.TER()}
    )
    for earlier, words in (
        (other, "its references are not those of new"),
        (fewer, "it has no ter, which new has"),
        (cased, "its bleu was computed with other settings"),
        (without_texts(old), "its texts were not kept"),
    ):
        with pytest.raises(ResultError, match=words):
            render(new, earlier={"old": earlier}, run="new")
    with pytest.raises(ResultError, match="two runs have this name"):
        render(new, earlier={"new": old}, run="new")


def test_the_command_takes_several_results(tmp_path: Path) -> None:
    for name, result in zip(("first", "second"), runs().values(), strict=True):
        result.write_json(tmp_path / f"{name}.json")
    done = invoke("report", str(tmp_path / "first.json"), str(tmp_path / "second.json"), "--title", "Nightly <b>")
    assert done.exit_code == 0, done.stderr
    html = (tmp_path / "second.html").read_text(encoding="utf-8")
    assert "<h1>Nightly &lt;b&gt;</h1>" in html
    assert "Since first, a changed by" in html
    assert str(tmp_path) not in html, "no path of this machine is in the page"
    bp.evaluate(["a"], ["a"]).write_json(tmp_path / "other.json")
    refused = invoke("report", str(tmp_path / "other.json"), str(tmp_path / "second.json"), "--force")
    assert refused.exit_code == 2
    assert_one_line(refused.stderr, "its references are not those of second")
