"""What the sections of the report say is what the numbers are."""

from __future__ import annotations

import dataclasses
import re
from typing import Any
from xml.etree import ElementTree

import pytest

import bleuprint as bp
from bleuprint.errors import LengthMismatchError, OptionError
from bleuprint.insight.quadrants import Axis, Quadrants
from bleuprint.report import CHARTS, alone, charts, picture, render
from bleuprint.report.sections.buckets import bucket_values, groupings
from bleuprint.report.sections.influence import costs, differences
from bleuprint.report.sections.origin import waterfall_steps
from bleuprint.report.sections.systems import verdicts_on
from bleuprint.report.sections.systems.compared import with_comparison
from bleuprint.results import MetricResult, Result
from bleuprint.results.comparison import read_comparison
from bleuprint.results.digits import Digits
from bleuprint.results.fields import MalformedError
from bleuprint.results.naming import short_signature
from bleuprint.runners import comparisons
from tests.report.test_page import HOSTILE, Page, change_scores, without_texts
from tests.support.cli import SYSTEMS, lines, references


def sample(**options: Any) -> Result:
    return bp.evaluate({name: lines(name) for name in SYSTEMS}, references(), **options)


def test_the_page_holds_the_verdicts_ranks_and_intervals_of_the_comparison() -> None:
    result = with_comparison(sample(metrics=["bleu", "chrf"]))
    assert result.comparison is not None
    texts = Page(render(result)).texts
    for entry in result.comparison.metrics:
        for pair in entry.result.pairs:
            assert f"{pair.verdict}." in texts
            assert f"{abs(pair.difference.value):.4f}" in pair.verdict, "one scale: no hundredths beside +0.0058"
        for system in entry.result.systems:
            assert f"{system.score.low:.4f} … {system.score.high:.4f}" in texts
            ranks = f"{system.best_rank} to {system.worst_rank}"
            shown = ranks if system.best_rank != system.worst_rank else str(system.best_rank)
            assert f"{system.name}: rank {shown}, better than {system.wins} of 2." in texts
    assert result.comparison.signature in "".join(texts)


def test_systems_that_were_not_compared_are_compared_as_compare_does_it() -> None:
    result = sample()
    outputs = {system.name: system.hypotheses for system in result.systems}
    found = bp.compare(outputs, result.references)
    assert with_comparison(result).comparison == found
    assert render(result) == render(with_comparison(result))


def test_one_metric_that_cannot_be_drawn_from_keeps_no_other_from_it() -> None:
    result = sample(metrics=["bleu", "ter"])
    strange = [
        dataclasses.replace(
            system, scores=(system.scores[0], dataclasses.replace(system.scores[1], signature="mine.1|x:1"))
        )
        for system in result.systems
    ]
    compared = with_comparison(dataclasses.replace(result, systems=tuple(strange)))
    assert compared.comparison is not None
    assert [entry.metric for entry in compared.comparison.metrics] == ["bleu"]


def test_one_system_has_an_interval_as_well() -> None:
    result = bp.evaluate(lines("system-a"), references())
    interval = bp.confidence_interval(lines("system-a"), references())
    assert f"{interval.low:.4f} … {interval.high:.4f}" in Page(render(result)).texts


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ({}, "comparison.signature must be of type str"),
        ({"signature": "", "metrics": 5}, "comparison.metrics must be of type list"),
        ({"signature": "", "metrics": []}, "comparison.metrics must hold at least one metric"),
        ({"signature": "", "metrics": [{"metric": "bleu"}]}, r"comparison.metrics\[0\].signature must be of type str"),
        ({"signature": "", "metrics": [[]]}, r"comparison.metrics\[0\] must be of type dict"),
    ],
)
def test_a_comparison_of_another_make_is_refused(broken: dict[str, Any], expected: str) -> None:
    with pytest.raises(MalformedError, match=expected):
        read_comparison(broken, "comparison")


def test_the_waterfall_ends_at_the_score() -> None:
    for system in sample(metrics={"bleu": bp.BLEU(), "two": bp.BLEU(max_order=2)}).systems:
        for score in system.scores:
            steps = waterfall_steps(score, Digits())
            assert steps[-1].value == steps[-2].value == score.value
            assert len(steps) == len(score.parts["precisions"]) + 2  # type: ignore[arg-type]
    weighted = bp.evaluate(["a b c d e"], ["a b c x e"], metrics={"w": bp.BLEU(max_order=2, weights=(0.9, 0.1))})
    assert waterfall_steps(weighted.systems[0].scores[0], Digits()) == []
    assert "The share of the n-grams" in render(weighted)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_costs_and_differences_are_those_of_insight(metric: str) -> None:
    result = sample(metrics=metric)
    first, second = result.systems[:2]
    lost = costs(result, first, metric)
    sign = 1 if first.scores[0].higher_is_better else -1
    texts = first.hypotheses
    worst = lost.index(max(lost))
    kept = [place for place in range(48) if place != worst]
    fewer = bp.evaluate([texts[p] for p in kept], [result.references[p] for p in kept], metrics=metric)
    better = sign * (fewer.systems[0].scores[0].value - first.scores[0].value)
    assert lost[worst] == pytest.approx(better, abs=1e-12)
    parts = differences(result, first, second, metric)
    assert sum(parts) == pytest.approx(sign * (first.scores[0].value - second.scores[0].value), abs=1e-9)
    assert f"{lost[worst]:.5f}" in Page(render(result)).texts


@pytest.mark.parametrize("metric", ["nist", "cider"])
def test_costs_of_metrics_that_learn_from_the_references(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights are learned again without each segment, as `influence` does, unless that takes too long."""
    result = sample(metrics=metric)
    system = result.systems[0]
    expected = bp.insight.influence(metric, system.hypotheses, result.references)
    assert costs(result, system, metric) == (-expected).tolist()
    assert f"{-expected.min():.5f}" in Page(render(result)).texts
    monkeypatch.setattr("bleuprint.report.sections.influence._MOST_RELEARNED", 47)
    assert costs(result, system, metric) == []
    assert f"{metric} learns weights from the references" in render(result)


def test_buckets_score_their_own_segments() -> None:
    result = sample()
    labels = ["news", "chat", "law"] * 16
    grouping = groupings([5, 15, 70] * 16, {"domain": labels})
    assert [group.labels for group in grouping] == [("0–9", "10–19", "60 and more"), ("news", "chat", "law")]
    system = result.systems[0]
    for group in grouping:
        for number, value in enumerate(bucket_values(result, system, "bleu", group)):
            part = slice(number, None, 3)
            assert value == bp.corpus_bleu(system.hypotheses[part], result.references[part]).value
    with pytest.raises(LengthMismatchError, match="domain"):
        render(result, columns={"domain": ["news"]})


def test_diversity_is_self_bleu() -> None:
    texts = Page(render(sample())).texts
    for name in SYSTEMS:
        assert f"{bp.self_bleu(lines(name)).value:.4f}" in texts


@pytest.mark.parametrize(
    ("second", "finding"),
    [
        (["a b", "a c"], "The metrics agree: distinct also puts"),
        (["d e", "d e"], "The metrics disagree: distinct puts"),
    ],
)
def test_metrics_disagree_only_where_one_scores_another_system_higher(second: list[str], finding: str) -> None:
    metrics = {"exact-match": bp.ExactMatch(), "distinct": bp.Distinct(max_order=1)}
    assert finding in render(bp.evaluate({"A": ["x y", "x z"], "B": second}, second, metrics=metrics))


def test_what_cannot_be_replayed_is_left_out() -> None:
    """A tokenizer of the author's: scores, but nothing that would need the metric again."""
    result = bp.evaluate(
        {"a": ["a b", "c d"], "b": ["a b", "c"]}, ["a b", "c d"], metrics={"own": bp.BLEU(tokenizer=str.split)}
    )
    html = render(result)
    texts = Page(html).texts
    assert "Influence of single segments" not in texts
    assert "Pairs of systems" not in texts
    assert "Scores of single segments" in texts


def test_a_result_without_texts_has_no_segments_to_browse() -> None:
    html = render(without_texts(sample()))
    assert "The texts were not kept in this result." in html
    assert 'id="data"' not in html
    assert 'class="pick"' not in html


@pytest.mark.parametrize("chart", sorted(set(CHARTS) - {"fluency", "sweep", "tradeoff"}))
def test_every_chart_stands_alone_as_xml(chart: str) -> None:
    result = sample(metrics=["bleu", "ter"])
    for metric in ("bleu", "ter"):
        if chart == "origin" and metric == "ter":
            continue
        svg = alone(picture(result, chart, metric=metric), f"{chart} <&> \x00\ufffe")
        root = ElementTree.fromstring(svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "var(" not in svg
        assert "light-dark" not in svg
        assert float(root.attrib["height"]) > 100


@pytest.mark.parametrize("chart", ["scores", "systems", "distribution", "length"])
def test_hostile_names_do_not_leave_their_chart(chart: str) -> None:
    result = bp.evaluate({name: ["a b", "c d e"] for name in HOSTILE[:9]}, ["a b", "c d e f"])
    root = ElementTree.fromstring(alone(picture(result, chart), HOSTILE[0]))
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "g", "rect", "line", "circle", "path", "text", "title", "style"}


def test_charts_that_are_not_there_are_refused() -> None:
    result = sample()
    refusals: tuple[tuple[dict[str, Any], str], ...] = (
        ({"chart": "pie"}, "one of distribution"),
        ({"chart": "fluency"}, "cannot draw 'fluency': the result has no scores of a metric such as bleu"),
        ({"chart": "scores", "metric": "ter"}, "one of bleu"),
        ({"chart": "origin", "systems": ["nobody"]}, "one of system-a"),
    )
    for arguments, words in refusals:
        with pytest.raises(OptionError, match=words):
            picture(result, **arguments)


def test_a_score_has_the_same_digits_everywhere() -> None:
    """Figures showed three digits beside the four of the tables."""
    result = sample()
    texts = Page(render(result)).texts
    for system in result.systems:
        value = system.score("bleu").value
        assert texts.count(f"{value:.4f}") >= 2, "in the table, and where it comes from"
        assert f"{value:.3f}" not in texts


def test_a_scatter_counts_its_quadrants() -> None:
    values = {"one": ((0.9, 0.1, 0.8, 0.2), (0.1, 0.2, 0.8, 0.9))}
    fidelity = Axis("y", True, 0.5, {name: pair[0] for name, pair in values.items()})
    fluency = Axis("x", False, 0.5, {name: pair[1] for name, pair in values.items()})
    assignment = Quadrants(
        fidelity,
        fluency,
        {"one": ("faithful and fluent", "fluent but wrong", "faithful but clumsy", "neither")},
    )
    texts = Page(charts.scatter(assignment, "one", "label")).texts
    assert {"faithful and fluent: 1", "faithful but clumsy: 1", "neither: 1", "fluent but wrong: 1"} <= set(texts)


def test_ranges_cover_their_ends() -> None:
    rows = [
        charts.Row("a", 0.2, "x", interval=(0.1, 0.31)),
        charts.Row("b", -0.05, "y", interval=(-0.1, 0.0), strong=False),
    ]
    page = Page(charts.ranges(rows, "label", axis="difference", zero=True))
    for tag, attributes in page.tags:
        if tag == "rect":
            assert float(attributes["x"] or -1) >= 0
            assert float(attributes["x"] or 0) + float(attributes["width"] or 0) <= 320


@pytest.mark.parametrize("odd", [float("inf"), float("-inf"), float("nan"), 1e300, -3.0])
def test_scores_without_end_are_shown(odd: float) -> None:
    def change(score: MetricResult) -> MetricResult:
        return dataclasses.replace(score, value=odd, segments=(odd, *score.segments[1:]))

    assert f"{odd:.4f}" in Page(render(change_scores(sample(), change))).texts


@pytest.mark.parametrize("metrics", [[], ["bleu"]])
def test_a_result_of_nearly_nothing_renders(metrics: list[str]) -> None:
    for texts in ([""], ["a"]):
        assert "Segments" in Page(render(bp.evaluate(texts, texts, metrics=metrics))).texts
    empty = Result(systems=(), references=(), sources=None, size=0, digests={}, versions={})
    assert "0 systems · 0 segments" in Page(render(empty)).texts


def test_results_show_themselves() -> None:
    result = bp.evaluate({"<b>a</b>": ["a b"], "b": ["a"]}, ["a b"])
    assert result.to_html() == render(result)
    shown = result._repr_html_()
    assert "&lt;b&gt;a&lt;/b&gt;" in shown
    assert "<b>" not in shown
    assert short_signature(result.systems[0].scores[0].signature) in Page(shown).texts


FRACTION = re.compile(r"(?<![=<] )(?<![\d.])0\.(?!00\b)\d")  # p-values apart, which no scale changes


def drawings(html: str) -> list[tuple[str, list[str]]]:
    """The charts of a page, each with its name and its labels and tooltips."""
    found = []
    for text in re.findall(r"<svg\b.*?</svg>", html, re.DOTALL):
        svg = ElementTree.fromstring(text)
        shares = "distributions" in svg.get("class", "")  # which has an axis of shares, numbers that are no scores
        kinds = ("title",) if shares else ("title", "text")
        labels = ["".join(element.itertext()) for kind in kinds for element in svg.iter(kind)]
        found.append((svg.get("aria-label", ""), labels))
    return found


def test_percent_reaches_every_chart_of_a_metric_that_has_one() -> None:
    model = bp.Perplexity(bp.LanguageModel.train(lines("ref-1"), order=2, tokenizer="13a"))
    outputs = {name: lines(name) for name in SYSTEMS}
    half = {name: [" ".join(text.split()[::2]) for text in texts] for name, texts in outputs.items()}
    old, new = (bp.evaluate(each, references(), metrics=[bp.BLEU(), model]) for each in (half, outputs))
    plain, percent = (
        drawings(render(new, earlier={"old": old}, percent=percent, metrics={"perplexity": model}))
        for percent in (False, True)
    )
    of_bleu = [drawn for drawn in percent if "perplexity" not in drawn[0]]
    assert [(name, text) for name, labels in of_bleu for text in [name, *labels] if FRACTION.search(text)] == []
    assert len({name for name, labels in plain if any(map(FRACTION.search, labels))}) > 10

    def alone(drawn: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
        return [(name, labels) for name, labels in drawn if "perplexity" in name and "bleu" not in name]

    assert alone(percent) == alone(plain) != [], "a metric with its own scale keeps it"
    for system in new.systems:
        score = f"{100 * system.score('bleu').value:.2f}"
        assert any(score in labels for name, labels in percent if name == f"where the bleu of {system.name} comes from")


@pytest.mark.parametrize("chart", sorted(CHARTS.keys() - {"distribution", "influence"}))
def test_percent_reaches_every_picture(chart: str) -> None:
    model = bp.Perplexity(bp.LanguageModel.train(lines("ref-1"), order=2, tokenizer="13a"))
    metrics = [bp.IBLEU()] if chart == "sweep" else [bp.BLEU(), model]
    result = sample(metrics=metrics, sources=lines("source"))
    ((_, plain),), ((_, percent),) = (
        drawings(
            str(picture(result, chart, percent=percent, metrics={} if chart == "sweep" else {"perplexity": model}))
        )
        for percent in (False, True)
    )
    # The axis of alpha is from 0 to 1 whatever the scores are.
    expected = [f"0.{tenth}" for tenth in range(10)] if chart == "sweep" else []
    assert percent != plain
    assert [text for text in percent if FRACTION.search(text) and text not in expected] == []


def test_percent_reaches_pictures_that_have_other_small_numbers() -> None:
    result = sample()
    spread = picture(result, "distribution", percent=True)
    assert ">80</text>" in spread
    assert ">0.8</text>" not in spread
    plain, percent = (picture(result, "influence", percent=percent) for percent in (False, True))
    number = re.compile(r'class="number"[^>]*>([^<]*)<')
    assert [float(text) for text in number.findall(percent)] == pytest.approx(
        [100 * float(text) for text in number.findall(plain)]
    )


@pytest.mark.parametrize(("percent", "difference", "margin"), [(False, "0.0130", "0.0200"), (True, "1.30", "2.00")])
def test_verdicts_follow_the_scale_of_the_page(percent: bool, difference: str, margin: str) -> None:
    columns = {"A v0.5": lines("system-a"), "B v0.4": lines("system-b")}
    (pair,) = bp.compare(columns, references(), margin=0.02).metric("bleu").pairs
    interval = dataclasses.replace(pair.difference, value=0.013)
    test, equivalence = verdicts_on(dataclasses.replace(pair, difference=interval), Digits(percent=percent))
    assert f"difference of {difference} " in test
    assert f" {margin}" in equivalence
    assert test.endswith("(p < 0.0001)"), "p-values are on no scale"
    assert {"v0.5", "v0.4"} <= set(test.replace(":", "").split()), "nor are names"


def test_percent_leaves_scores_from_elsewhere_on_their_scale() -> None:
    """Their differences stay as they are as well, so both are one number."""
    columns = {"comet": {"A": [0.81, 0.67, 0.75], "B": [0.79, 0.7, 0.61]}}
    scored = comparisons.with_columns(None, columns, ())
    page = render(dataclasses.replace(scored, comparison=comparisons.compare(columns=columns)), percent=True)
    assert ">0.7433<" in page
    assert "74.33" not in page


def test_the_first_finding_names_alpha_and_who_leads_with_another() -> None:
    references = ["the cat sat on the mat today", "a dog ran over the old road"]
    near = ["the cat sat on the mat now", "a dog ran over the old street"]
    outputs = {"copies": near, "rewrites": ["today a cat sat on the mat", "over the old road ran some dog"]}
    html = render(bp.evaluate(outputs, references, sources=near, metrics=[bp.IBLEU(alpha=0.9)]))
    page = Page(html)
    assert any("copies leads in ibleu (" in text and "alpha 0.9)" in text for text in page.texts)
    assert "With another alpha, rewrites leads." in html
    assert "The best system depends on alpha: rewrites from 0.5 to" in html
    assert "copy of the source" in page.texts
    one = render(bp.evaluate(outputs["copies"], references, sources=near, metrics=[bp.IBLEU(alpha=0.9)]))
    assert "With another alpha" not in one
    assert "by alpha" not in render(bp.evaluate(outputs, references))
