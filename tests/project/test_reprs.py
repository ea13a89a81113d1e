"""What a notebook prints: nothing floods it, and what has a table is shown as one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.dataset import Dataset, DatasetItem
from bleuprint.metrics import registry
from bleuprint.report import picture
from tests.report.test_page import Page
from tests.support.rated import rows_with_mistakes

LONGEST, MOST_LINES = 400, 4
SIZE = 2000
TEXTS = [
    f"the {word} number {place} sat on the mat" for place in range(SIZE // 4) for word in ("cat", "dog", "cow", "hen")
]
OTHERS = [text.replace("sat", "is") for text in TEXTS]


@cache
def result() -> bp.results.Result:
    return bp.evaluate({"A": TEXTS, "B": OTHERS}, TEXTS, metrics=["bleu", "chrf"])


@cache
def comparison() -> bp.Comparison:
    return bp.compare({"A": TEXTS[:50], "B": OTHERS[:50]}, TEXTS[:50], metrics=["bleu", "chrf"], resamples=100)


def items() -> list[DatasetItem]:
    pairs = zip(OTHERS, TEXTS, strict=True)
    return [DatasetItem(actual_output=output, expected_output=expected) for output, expected in pairs]


@cache
def run() -> Any:
    return bp.MetricRunner(["item-bleu"]).run_sync(items())


@cache
def language_model() -> bp.LanguageModel:
    return bp.LanguageModel.train(TEXTS, order=2, discount_fallback=True)


SHOWN: dict[str, Callable[[], Any]] = {
    "result": result,
    "comparison": comparison,
    "result with comparison": lambda: dataclasses.replace(
        bp.evaluate({"A": TEXTS[:50], "B": OTHERS[:50]}, TEXTS[:50], metrics=["bleu", "chrf"]), comparison=comparison()
    ),
    "run": run,
    "item result": lambda: run()[0],
    "verdict": lambda: run()[0].verdicts[0],
    "gate report": lambda: bp.gate(result(), minimum={"bleu": 0.1}),
    "explanation": lambda: bp.explain(OTHERS, TEXTS, "moses", "axion"),
    "score": lambda: bp.corpus_bleu(OTHERS, TEXTS),
    "mean score": lambda: bp.corpus_rouge(OTHERS, TEXTS),
    "pool score": lambda: bp.self_bleu(TEXTS),
    "cross score": lambda: bp.cross_bleu(TEXTS, OTHERS),
    "distinct": lambda: bp.distinct(TEXTS),
    "work": lambda: bp.work(OTHERS[0], TEXTS[0]),
    "threshold": lambda: bp.Ratings.read(rows_with_mistakes(), "ok").threshold("chrf", resamples=50),
    "rating estimate": lambda: bp.Ratings.read(rows_with_mistakes(), "quality").estimate("bleu", resamples=50),
    "rating power": lambda: bp.Ratings.read(rows_with_mistakes(), "quality").power(["bleu", "ter"], resamples=50),
}
OTHER: dict[str, Callable[[], Any]] = {
    "system": lambda: result().systems[0],
    "metric result": lambda: result().systems[0].scores[0],
    "metric comparison": lambda: comparison().metrics[0],
    "sample comparison": lambda: comparison().metrics[0].result,
    "pair": lambda: comparison().metrics[0].result.pairs[0].difference,
    "reconciliation": lambda: bp.reconcile(OTHERS[:20], TEXTS[:20], "0.5"),
    "n-gram changes": lambda: bp.insight.ngram_changes("bleu", TEXTS, OTHERS, TEXTS),
    "buckets": lambda: bp.insight.buckets("bleu", OTHERS, TEXTS)[0],
    "quadrants": lambda: bp.insight.quadrants(
        bp.evaluate(OTHERS, TEXTS, metrics=["bleu", bp.Perplexity(language_model())])
    ),
    "statistics": lambda: bp.BLEU().statistics(OTHERS, TEXTS),
    "sample": lambda: bp.BLEU().sample(OTHERS, TEXTS),
    "replay": lambda: bp.replay(bp.evaluate(OTHERS[:20], TEXTS[:20])),
    "language model": language_model,
    "dataset": lambda: Dataset(items()),
    "choose": lambda: bp.choose([TEXTS[:40]])[0],
    "picture": lambda: picture(result(), "scores"),
    "page": lambda: result().show(),
    "equation": lambda: bp.work(OTHERS[0], TEXTS[0]).equation("BP"),
    "runner": lambda: bp.MetricRunner(["bleu"]),
    "updated metric": lambda: bp.BLEU().update(OTHERS, TEXTS),
    "updated pool": lambda: bp.SelfBLEU().update(TEXTS),
}


@pytest.mark.parametrize("name", [*SHOWN, *OTHER])
def test_no_repr_floods_a_notebook(name: str) -> None:
    text = repr({**SHOWN, **OTHER}[name]())
    assert len(text) <= LONGEST, text[:LONGEST]
    assert text.count("\n") < MOST_LINES


@pytest.mark.parametrize("kind", registry.scored_by_name("segment").values(), ids=lambda kind: kind.name)
def test_no_metric_floods_a_notebook(kind: Any) -> None:
    assert len(repr(kind())) <= LONGEST


@pytest.mark.parametrize("name", SHOWN)
def test_what_has_a_table_is_shown_as_html(name: str) -> None:
    shown = SHOWN[name]()._repr_html_()
    page = Page(shown)
    assert {"div", "style"} <= {tag for tag, _ in page.tags}
    assert len(shown) < 60_000
    for rule in ("prefers-color-scheme:dark", "--jp-ui-font-color1", "--vscode-editor-foreground"):
        assert rule in shown


def test_charts_show_inline() -> None:
    svg = picture(result(), "scores")._repr_svg_()
    assert svg.startswith("<svg ")
    assert "<style>" in svg
