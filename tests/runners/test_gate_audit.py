"""The audit of a gate: what it says of simulated releases is what the gate does to them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bleuprint.errors import GateError, InputError, LengthMismatchError, OptionError
from bleuprint.results import Result
from bleuprint.runners import evaluate
from bleuprint.runners.comparisons import with_columns
from bleuprint.runners.gates import RULES, gate
from bleuprint.runners.gates.audit import AuditedRule, GateAudit, audit_gate
from bleuprint.runners.gates.rules import Rule, stop_rate
from bleuprint.runners.gates.simulation import Items, SegmentDrop
from bleuprint.statistics.rows import Sample
from tests.support.cli import invoke, refuse

WORDS = [f"{first}{last}" for first in "bcdfghklmn" for last in ("at", "og", "en", "ig")]
REFERENCES = [f"the {word} sat on the mat near the old door" for word in WORDS]
RUNS = [
    [text.replace("near", "by") if place % 4 == run else text for place, text in enumerate(REFERENCES)]
    for run in (0, 1, 2)
]
FAST: dict[str, Any] = {"trials": 60}


def runs(metrics: Any = ("bleu",), count: int = 2) -> list[Result]:
    return [evaluate({"model": outputs}, REFERENCES, metrics=metrics) for outputs in RUNS[:count]]


def column(scores: NDArray[np.float64]) -> Result:
    return with_columns(None, {"quality": {"model": scores.tolist()}})


@pytest.mark.parametrize("size", [30, 600])
@pytest.mark.parametrize("rule", RULES)
def test_outcomes_are_those_of_the_gate(size: int, rule: Rule) -> None:
    """Of many items, a normal distribution stands for the tests: it may disagree where a p-value is close to alpha."""
    generator = np.random.default_rng(4)
    scores = np.clip(generator.beta(4, 2, size) + generator.normal(0, 0.1, (2, size)), 0, 1)
    rows = np.concatenate([scores, scores[:1] * 0.5])
    check = SegmentDrop("quality", [Sample.of_scores(row) for row in rows], 0.05, 12345, 1)
    items = Items(size, 2)
    releases = [items.draw(generator, share) for share in (0.0, 0.02, 0.05) for _ in range(10)]
    same = 0
    for release, trial in zip(releases, check.trials(releases), strict=True):
        new, old = (column(rows[side]) for side in release)
        report = gate(new, old, rule=rule, max_drop=0.005, resamples=1000)
        same += trial(rule, 0.005) == report.checks[0].outcome
    assert same == len(releases) if size < 50 or rule == "strict" else same >= len(releases) - 2


def test_runs_of_a_harmless_system_are_on_both_sides_alike() -> None:
    items = Items(500, 3)
    release = items.draw(np.random.default_rng(1), 0.0)
    assert (release.new[1] == release.old[1]).all(), "the items are the same"
    assert (release.new[0] != release.old[0]).all(), "the runs are not"
    assert {*release.new[0].tolist()} == {*release.old[0].tolist()} == {0, 1, 2}


def test_clusters_are_drawn_whole() -> None:
    labels = [place // 5 for place in range(50)]
    release = Items(50, 2, labels).draw(np.random.default_rng(1), 0.3)
    drawn = release.new[1].reshape(-1, 5)
    assert (drawn % 5 == np.arange(5)).all()
    assert (drawn // 5 == drawn[:, :1] // 5).all()
    kept = np.where(release.new[0] == 2, 1 - release.old[0], release.new[0]).reshape(-1, 5)
    assert (kept == kept[:, :1]).all(), "a cluster comes from one run"


def test_a_gate_that_allows_more_stops_less() -> None:
    strict, loose = (audit_gate(*runs(), rule="strict", max_drop=margin, drop=0.1, **FAST) for margin in (0.0, 0.05))
    assert loose.rules[0].false_alarms.share < strict.rules[0].false_alarms.share
    assert [point.stopped.stopped for point in strict.drops] == sorted(point.stopped.stopped for point in strict.drops)
    assert strict.drops[0].harmed == 0.0 < strict.drops[1].harmed < strict.drops[2].harmed


@pytest.mark.parametrize("metrics", [["bleu", "ter"], ["rouge", "meteor"], ["self-bleu", "distinct"], ["item-bleu"]])
def test_every_kind_of_metric(metrics: list[str]) -> None:
    audit = audit_gate(*runs(metrics), drop=0.02, **FAST)
    assert [check.metric for check in audit.checks] == metrics
    assert all(check.drop >= 0 for check in audit.checks)
    assert audit.drops[-1].stopped.share > max(0.7, audit.drops[0].stopped.share)
    assert audit.verdict.startswith("This gate stops ")


def test_pass_rates_bounds_and_new_failures() -> None:
    options: dict[str, Any] = {"min_pass_rate": {"chrf": 0.9}, "thresholds": {"chrf": 0.6}, "minimum": {"chrf": 0.8}}
    audit = audit_gate(*runs(["chrf"]), drop=0.2, max_drop=0.5, **options, **FAST)
    rates = {check.rule: check.caught.share for check in audit.checks}
    assert list(rates) == ["drop at most 0.5 (worse)", "at least 0.8", "pass rate at least 0.9", "no new failures"]
    assert rates["drop at most 0.5 (worse)"] == 0.0 < 0.9 < rates["pass rate at least 0.9"]
    assert rates["at least 0.8"] > 0.9 < rates["no new failures"]


def test_clusters_raise_the_false_alarms_of_a_gate_that_knows_none() -> None:
    generator = np.random.default_rng(3)
    labels = [place // 10 for place in range(200)]
    scores = [0.5 + np.repeat(generator.normal(0, 0.1, 20), 10) + generator.normal(0, 0.02, 200) for _ in range(2)]
    results = [column(one) for one in scores]
    alone, together = (
        audit_gate(*results, undecided="pass", drop=0.02, clusters=clusters).rules[0].false_alarms.share
        for clusters in (None, labels)
    )
    assert alone < 0.06 < 0.15 < together


@pytest.mark.parametrize("harm", ["cut", "worse", "other"])
def test_ways_to_harm(harm: str) -> None:
    bad = [text.replace("sat on", "is at") for text in REFERENCES]
    first = evaluate({"model": RUNS[0], "other": bad}, REFERENCES)
    audit = audit_gate(first, runs()[1], system="model", harm=harm, drop=0.01, **FAST)
    assert audit.drops[2].stopped.share >= audit.drops[0].stopped.share
    assert f"|harm:{harm}|" in audit.signature


def test_the_same_seed_gives_the_same_audit() -> None:
    first, second, other = (audit_gate(*runs(), drop=0.1, seed=seed, **FAST).to_json() for seed in (1, 1, 2))
    assert first == second != other


def test_items_that_are_needed_are_those_of_the_rule() -> None:
    audit = audit_gate(*runs(count=3), undecided="pass", drop=0.02, **FAST)
    own, best = audit.rules[0], audit.best
    assert own.needed is not None
    assert best.needed is not None
    assert own.needed > len(REFERENCES)
    assert f"With about {best.needed:,} items instead of 40, " in audit.verdict


def test_so_many_items_catch_the_drop() -> None:
    """Copies of the items are drawn as further items are: with as many as are needed, the whole gate catches 80 %."""

    def audit(copies: int) -> AuditedRule:
        repeated = [
            evaluate({"model": outputs * copies}, REFERENCES * copies, metrics=["bleu", "ter"]) for outputs in RUNS
        ]
        return audit_gate(*repeated, undecided="pass", drop=0.02, trials=200, threads=1).rules[0]

    few = audit(1)
    assert few.needed is not None
    assert few.caught.share < 0.6
    many = audit(round(few.needed / len(REFERENCES)))
    assert 0.7 < many.caught.share < 0.9


def test_rates_of_normal_estimates() -> None:
    assert stop_rate(0.0, 0.01, "strict", 0.0, 0.05) == 0.5
    assert stop_rate(0.0, 0.01, "worse", 0.0, 0.05, undecided_fails=False) == pytest.approx(0.025)
    assert stop_rate(0.0, 0.01, "not-worse", 0.0, 0.05) == pytest.approx(0.95)
    assert stop_rate(0.03, 0.01, "not-worse", 0.03, 0.05, undecided_fails=False) == pytest.approx(0.05)
    assert stop_rate(0.02, 0.0, "strict", 0.01, 0.05) == 1.0


class TestFewAndEqualItems:
    def test_one_item(self) -> None:
        audit = audit_gate(column(np.array([0.5])), column(np.array([0.6])), rule="not-worse", drop=0.01, harm="worse")
        assert audit.rules[0].false_alarms.share == 1.0, "one item shows nothing, and undecided checks fail"

    def test_nothing_worse_to_harm_with(self) -> None:
        with pytest.raises(OptionError, match=r"with all outputs replaced by .* drops by 0; choose"):
            audit_gate(column(np.full(20, 0.5)), drop=0.01)

    def test_equal_runs_raise_no_alarm(self) -> None:
        same = runs()[:1] * 2
        audit = audit_gate(*same, drop=0.05, **FAST)
        assert audit.rules[0].false_alarms.stopped == 0
        assert audit.rules[0].false_alarms.in_words() == "none of 60"

    def test_one_cluster(self) -> None:
        with pytest.raises(InputError, match="at least two different labels"):
            audit_gate(*runs(), clusters=["a"] * len(REFERENCES))


class TestRefusals:
    def test_no_result(self) -> None:
        with pytest.raises(GateError, match="pass a result, or better two runs"):
            audit_gate()

    def test_a_pool_needs_two_runs(self) -> None:
        with pytest.raises(GateError, match="auditing self-bleu needs two runs"):
            audit_gate(*runs(["self-bleu"], count=1))

    def test_systems_must_be_named(self) -> None:
        several = evaluate({"a": RUNS[0], "b": RUNS[1]}, REFERENCES)
        with pytest.raises(OptionError, match="system must be the name of one system: a, b, got None"):
            audit_gate(several)

    def test_columns_have_no_texts_to_cut(self) -> None:
        with pytest.raises(OptionError, match="'worse' for quality, whose texts are not known"):
            audit_gate(column(np.linspace(0, 1, 20)), harm="cut")

    def test_results_without_texts(self) -> None:
        full = runs()[0]
        bare = replace(full, references=(), systems=tuple(replace(one, hypotheses=()) for one in full.systems))
        with pytest.raises(GateError, match="auditing bleu needs the texts"):
            audit_gate(bare)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"drop": 0.99}, "a drop of 0.99 cannot be simulated"),
            ({"drop": 0.0}, "drop must be"),
            ({"trials": 0}, "trials must be"),
            ({"harm": "maul"}, "harm must be 'cut', 'worse' or the name of another system"),
            ({"rule": "kind"}, "rule must be"),
            ({"minimum": {"ter": 0.3}}, "ter cannot be audited"),
        ],
    )
    def test_options(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises((OptionError, GateError), match=message):
            audit_gate(*runs(), **{**FAST, **options})

    def test_labels_for_other_items(self) -> None:
        with pytest.raises(LengthMismatchError):
            audit_gate(*runs(), clusters=["a", "b"])


class TestCommand:
    @pytest.fixture
    def files(self, tmp_path: Path) -> list[str]:
        paths = [str(tmp_path / f"run-{number}.json") for number in (1, 2)]
        for path, result in zip(paths, runs(["bleu", "chrf"]), strict=True):
            Path(path).write_text(result.to_json(), encoding="utf-8")
        return paths

    def test_tables_json_and_page(self, files: list[str], tmp_path: Path) -> None:
        page, saved = tmp_path / "audit.html", tmp_path / "audit.json"
        options = ("--drop", "0.05", "--trials", "50", "--max-drop", "bleu=0.02")
        done = invoke("gate", "audit", *files, *options, "--report", str(page), "--json", str(saved))
        assert done.exit_code == 0, done.output
        assert "This gate stops " in done.output
        assert "drop at most 0.02 (worse)" in done.output
        assert "this gate" in done.output
        assert "What the gate stops" in page.read_text(encoding="utf-8")
        stored = json.loads(saved.read_text(encoding="utf-8"))
        assert stored["rules"][0]["false_alarms"]["of"] == 50

    def test_clusters_come_from_a_file(self, files: list[str], tmp_path: Path) -> None:
        labels = tmp_path / "labels.txt"
        labels.write_text("".join(f"{place // 4}\n" for place in range(len(REFERENCES))), encoding="utf-8")
        done = invoke("gate", "audit", *files, "--drop", "0.05", "--trials", "20", "--cluster-file", str(labels))
        assert "|clusters:yes|" in done.output

    def test_a_gate_still_takes_a_file(self, files: list[str]) -> None:
        assert invoke("gate", files[0], "--baseline", files[1], "--undecided", "pass").exit_code == 0

    def test_refusals_are_one_line(self, files: list[str]) -> None:
        refuse("there is no such file", "gate", "audit", files[0], "nope.json")
        refuse("cannot be simulated", "gate", "audit", *files, "--drop", "5")

    def test_a_hopeless_gate_says_so(self, files: list[str]) -> None:
        done = invoke("gate", files[0], "--baseline", files[1])
        assert "stops about 50 % of harmless releases" in done.stdout
        result = [Result.read_json(file) for file in files]
        assert "Note: model, bleu: this rule stops about 50 %" in gate(*result).to_markdown()
        assert gate(*result, max_drop=0.2).note == ""


def test_the_report_of_an_audit_names_the_system() -> None:
    audit = audit_gate(*runs(), drop=0.1, **FAST)
    assert isinstance(audit, GateAudit)
    assert repr(audit).startswith("<GateAudit of model: This gate stops ")
    assert "The gate of model, check by check" in audit.to_html()
