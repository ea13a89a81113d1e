"""Gates: shut on a drop that is large and real, or beyond a bound, and for no other reason."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree

import pytest

from bleuprint.errors import GateError, OptionError
from bleuprint.metrics import BLEU
from bleuprint.results import Result
from bleuprint.runners import evaluate, one_pass
from bleuprint.runners.comparisons import with_columns
from bleuprint.runners.gates import RULES, gate
from bleuprint.statistics.paired import mcnemar_p_value
from tests.support.cli import assert_one_line, invoke

WORDS = [*"abcdefghijklmnopqrst"]
REFERENCES = [f"the {word} sat on the {other}" for word, other in zip(WORDS, WORDS[::-1], strict=True)]
# Spoiled outputs: none, one in twenty, all.
GOOD = REFERENCES
HARMED = [REFERENCES[0].replace("sat", "is"), *REFERENCES[1:]]
BAD = [text.replace("sat", "is") for text in REFERENCES]


def result(outputs: list[str], **options: Any) -> Result:
    return evaluate(outputs, REFERENCES, metrics={"bleu": BLEU(**options)})


def forge(honest: Result, **changed: Any) -> Result:
    """The result with other fields in the first score of its first system."""
    system, *others = honest.systems
    first, *scores = system.scores
    return replace(honest, systems=(replace(system, scores=(replace(first, **changed), *scores)), *others))


class TestDrops:
    def test_a_large_and_real_drop_shuts_it(self) -> None:
        report = gate(result(BAD), result(GOOD), max_drop=0.005)
        assert not report.passed
        assert "more than 0.005 and significant (p <" in report.checks[0].message

    @pytest.mark.parametrize("above", [0.0, 1e-16, -1e-16, 1e-9])
    def test_a_drop_at_the_limit_is_decided_by_no_number_of_segments(self, above: float) -> None:
        mixed = [*BAD[:10], *GOOD[10:]]
        drop = result(GOOD).systems[0].scores[0].value - result(mixed).systems[0].scores[0].value
        report = gate(result(mixed), result(GOOD), max_drop=drop + above, rule="not-worse")
        assert report.checks[0].outcome == "undecided"
        assert report.checks[0].message.endswith("no number of segments would decide it")

    def test_a_drop_that_no_test_can_decide_is_undecided(self) -> None:
        report = gate(result(HARMED), result(GOOD), max_drop=0.005)
        assert (report.passed, report.checks[0].outcome) == (False, "undecided")
        assert "no p-value below 0.05 is possible with so few changed segments (p = 1.0000" in report.checks[0].message
        assert report.checks[0].message.endswith("about 158 segments are needed, this is 20")
        assert report.pretty().startswith("UNDECIDED  hypotheses, bleu: ")
        assert report.pretty().endswith("gate failed: 1 of 1 checks (1 undecided)")

    def test_a_drop_that_may_be_chance_is_undecided(self) -> None:
        """Seven outputs are worse and five better, so that the test could decide but does not."""
        old = [*BAD[:5], *GOOD[5:]]
        new = [*GOOD[:5], *BAD[5:12], *GOOD[12:]]
        report = gate(result(new), result(old))
        assert report.checks[0].outcome == "undecided"
        assert "which may be due to chance (p = 0." in report.checks[0].message

    @pytest.mark.parametrize(("policy", "passed"), [("fail", False), ("warn", True), ("pass", True)])
    def test_the_caller_chooses_what_undecided_means(self, policy: Any, passed: bool) -> None:
        report = gate(result(HARMED), result(GOOD), undecided=policy)
        assert (report.passed, report.checks[0].outcome) == (passed, "undecided")
        suite = ElementTree.fromstring(report.to_junit())[0]
        assert (suite.attrib["failures"], suite.attrib["skipped"]) == (("0", "1") if passed else ("1", "0"))
        assert suite[0][0].tag == ("skipped" if passed else "failure")
        assert passed or suite[0][0].attrib["type"] == "undecided"
        assert "| ❔ undecided | bleu | 1.0000 | 0." in report.to_markdown()
        assert ("does not fail this gate" if passed else "counts as failed") in report.to_markdown()

    def test_strict_fails_on_any_drop_beyond_the_allowed_one(self) -> None:
        report = gate(result(HARMED), result(GOOD), rule="strict", max_drop=0.005)
        assert report.checks[0].outcome == "failed"
        assert gate(result(HARMED), result(GOOD), rule="strict", max_drop=0.5).passed

    def test_not_worse_passes_only_what_is_shown_to_be_within(self) -> None:
        def outcome(new: list[str], max_drop: float) -> Any:
            return gate(result(new), result(GOOD), rule="not-worse", max_drop=max_drop).checks[0].outcome

        assert outcome(GOOD, 0.0) == "passed"
        assert outcome(HARMED, 0.25) == "passed"
        assert outcome(HARMED, 0.04) == "undecided", "the drop is smaller, its bound is not"
        assert outcome(BAD, 0.005) == "failed"
        message = gate(result(HARMED), result(GOOD), rule="not-worse", max_drop=0.25).checks[0].message
        assert "with 95 % confidence at most 0." in message

    def test_four_segments_cannot_show_that_nothing_is_worse(self) -> None:
        good, other = (evaluate(texts[:4], REFERENCES[:4]) for texts in (GOOD, BAD))
        check = gate(good, other, rule="not-worse").checks[0]
        assert check.outcome == "undecided"
        assert "4 segments cannot show it" in check.message
        assert not gate(good, good, rule="not-worse").passed, "other outputs may be worse"

    def test_a_drop_that_is_small_enough_passes(self) -> None:
        assert gate(result(BAD), result(GOOD), max_drop=0.9).passed
        assert "not more than 0.9" in gate(result(BAD), result(GOOD), max_drop=0.9).checks[0].message

    def test_a_rise_passes(self) -> None:
        assert gate(result(GOOD), result(BAD)).checks[0].message.endswith("no drop")

    def test_lower_can_be_better(self) -> None:
        bad, good = (evaluate(texts, REFERENCES, metrics=["ter"]) for texts in (BAD, GOOD))
        assert not gate(bad, good).passed
        assert ": a rise of 0." in gate(bad, good).checks[0].message
        assert gate(bad, good).checks[0].rule == "rise at most 0 (worse)"
        assert gate(good, bad).passed
        assert gate(good, bad).checks[0].message.endswith("no rise")

    def test_several_systems_go_by_name(self) -> None:
        new = evaluate({"A": BAD, "B": GOOD, "C": BAD}, REFERENCES)
        old = evaluate({"B": GOOD, "A": GOOD}, REFERENCES)
        report = gate(new, old, allow_missing=True)
        assert [(check.system, check.passed) for check in report.checks] == [("A", False), ("B", True), ("C", True)]
        assert "C: this system is missing in the baseline, which is allowed" in report.pretty()

    def test_a_system_that_is_missing_fails(self) -> None:
        new = evaluate({"A": GOOD, "renamed": BAD}, REFERENCES)
        old = evaluate({"A": GOOD, "B": GOOD}, REFERENCES)
        report = gate(new, old)
        assert not report.passed
        assert [check.system for check in report.checks if not check.passed] == ["renamed", "B"]
        assert "B: this system is missing in the new result, so it was not compared; pass allow_miss" in report.pretty()
        assert gate(new, old, allow_missing=True).passed

    def test_a_metric_that_is_missing_fails(self) -> None:
        one, two = (evaluate(GOOD, REFERENCES, metrics=names) for names in (["bleu"], ["bleu", "ter"]))
        for new, old, where in ((one, two, "new result"), (two, one, "baseline")):
            report = gate(new, old)
            assert not report.passed
            assert f"ter: this metric is missing in the {where}" in report.pretty()
            assert gate(new, old, allow_missing=True).passed


class TestBounds:
    def test_minimum_and_maximum(self) -> None:
        scored = evaluate(BAD, REFERENCES, metrics=["bleu", "ter"])
        bleu, ter = (score.value for score in scored.systems[0].scores)
        assert gate(scored, minimum={"bleu": bleu}, maximum={"ter": ter}).passed
        report = gate(scored, minimum={"bleu": 0.9, "ter": 0.9}, maximum={"ter": 0.01})
        assert [check.passed for check in report.checks] == [False, False, False]
        assert f"bleu: {bleu:.4f}, but must be at least 0.9" in report.pretty()
        assert report.pretty().endswith("gate failed: 3 of 3 checks")


class TestItems:
    def test_the_pass_rate_and_the_failing_items(self) -> None:
        scored = result([*BAD[:2], *GOOD[2:]])
        report = gate(scored, min_pass_rate={"bleu": 0.9}, thresholds={"bleu": 0.8})
        assert report.passed
        assert report.checks[0].items == ("segment 1", "segment 2")
        assert report.checks[0].message == (
            "hypotheses, bleu: 18 of 20 items (90.0 %; 95 %: 68.3 … 98.8 %) reach ≥ 0.8, which is at least 90.0 %; "
            "worst: segment 1, segment 2"
        )
        named = replace(result(BAD), ids=tuple(f"q{number}" for number in range(20)))
        (check,) = gate(named, min_pass_rate={"bleu": 0.9}, thresholds={"bleu": 0.8}).checks
        assert check.outcome == "failed"
        assert check.items == named.ids
        assert check.message.endswith("q3, q4 and 15 more")

    def test_thresholds_come_from_the_card_and_know_the_direction(self) -> None:
        scored = evaluate(BAD, REFERENCES, metrics=["item-bleu", "ter"])
        sentence, ter = gate(scored, min_pass_rate={"item-bleu": 1, "ter": 1}).checks
        assert "reach ≥ 0.5" in sentence.message
        assert (ter.outcome, "reach ≤ 0.5" in ter.message) == ("passed", True)
        with pytest.raises(GateError, match="cider has no default threshold: pass one in thresholds"):
            gate(evaluate(BAD, REFERENCES, metrics=["cider"]), min_pass_rate={"cider": 1})

    def test_new_failures_are_tested(self) -> None:
        def new_failures(new: list[str], old: list[str], **options: Any) -> Any:
            rate: dict[str, Any] = {"min_pass_rate": {"bleu": 0}, "thresholds": {"bleu": 0.8}, "max_drop": 0.99}
            return gate(result(new), result(old), **rate, **options).checks[1]

        assert new_failures(GOOD, BAD).outcome == "passed"
        few = new_failures(HARMED, GOOD)
        assert (few.outcome, few.items) == ("undecided", ("segment 1",))
        assert (
            "1 item fails that passed before, 0 the other way round (p = 1.0000), which may be due to chance"
            in few.message
        )
        assert new_failures(HARMED, GOOD, rule="strict").outcome == "failed"
        many = new_failures(BAD, GOOD)
        assert (many.outcome, len(many.items)) == ("failed", 20)
        assert "(p < 0.0001)" in many.message

    @pytest.mark.parametrize(("worse", "better"), [(0, 0), (1, 0), (5, 0), (8, 1), (1, 8), (10, 10), (30, 12)])
    def test_mcnemar_is_a_binomial_test(self, worse: int, better: int) -> None:
        """The sum of the probabilities of all outcomes that are at most as likely as this one."""
        changed = worse + better
        ways = [math.comb(changed, count) for count in range(changed + 1)]
        expected = Fraction(sum(way for way in ways if way <= ways[worse]), 2**changed)
        assert mcnemar_p_value(worse, better) == pytest.approx(float(expected), rel=1e-12)


class TestRefusals:
    @pytest.mark.parametrize("options", [{"rule": "lax"}, {"undecided": "maybe"}])
    def test_what_is_no_rule(self, options: Any) -> None:
        with pytest.raises(OptionError, match="must be one of"):
            gate(result(GOOD), result(GOOD), **options)

    @pytest.mark.parametrize(
        ("call", "expected"),
        [
            (lambda: gate(result(GOOD)), "there is nothing to check"),
            (lambda: gate(result(GOOD), minimum={"chrf": 0.5}), "the result has no chrf: it has bleu"),
            (
                lambda: gate(result(GOOD), result(GOOD, max_order=2)),
                r"bleu has other options in the baseline \(max_order\)",
            ),
            (lambda: gate(result(GOOD), evaluate(GOOD, BAD)), "the two results have different references"),
            (lambda: gate(result(GOOD), evaluate(GOOD, GOOD, metrics="ter")), "no metric in common"),
            (
                lambda: gate(evaluate({"A": GOOD, "B": GOOD}, GOOD), evaluate({"C": GOOD, "D": GOOD}, GOOD)),
                "no system of the new result is in the baseline, which has C, D",
            ),
        ],
    )
    def test_what_cannot_be_decided(self, call: Any, expected: str) -> None:
        with pytest.raises(GateError, match=expected):
            call()

    @pytest.mark.parametrize("drop", [-0.1, float("nan"), True, "0.1"])
    def test_what_is_no_drop(self, drop: Any) -> None:
        with pytest.raises(OptionError, match="max_drop must be a number of at least 0"):
            gate(result(GOOD), result(GOOD), max_drop=drop)


class TestFiles:
    def test_junit_and_markdown_hold_what_names_hold(self) -> None:
        name = "<a>&'\"|\x00\ud7ff]]>*"
        report = gate(evaluate({name: BAD}, REFERENCES), minimum={"bleu": 0.9})
        tree = ElementTree.fromstring(report.to_junit())
        (suite,) = tree
        assert suite.attrib == {"name": "bleuprint gate", "tests": "1", "failures": "1", "errors": "0", "skipped": "0"}
        assert suite[0].attrib["classname"] == name.replace("\x00", r"\x00")
        assert "but must be at least 0.9" in (suite[0][0].text or "")
        *_, row = report.to_markdown().splitlines()
        assert row.startswith("| ❌ failed | bleu |  | 0.")
        two = gate(evaluate({name: BAD, "b": BAD}, REFERENCES), minimum={"bleu": 0.9}).to_markdown()
        assert two.splitlines()[2] == "| outcome | system | metric | before | now | change | p | verdict |"
        row = two.splitlines()[4]
        assert row.startswith("| ❌ failed | \\<a\\>\\&'\"\\|")
        assert row.count("|") - row.count("\\|") == 9

    def test_markdown_shows_the_items_that_lost_most(self) -> None:
        """Items are found by their ids, in whatever order; the worst come first, with what they were and are."""
        ids = tuple(f"q{number}" for number in range(20))
        texts = [*GOOD[:17], BAD[17], "", f"{GOOD[19]} <b>@all</b>"]
        new = evaluate(texts[::-1], REFERENCES[::-1], ids=ids[::-1])
        report = gate(new, evaluate(GOOD[:19] + GOOD[19:], REFERENCES, ids=ids), rule="strict")
        assert [loss.item for loss in report.losses[:2]] == ["q18", "q19"]
        assert report.losses[0].output_before == GOOD[18]
        assert (report.losses[0].before, report.losses[0].now, report.losses[0].output_now) == (1.0, 0.0, "")
        shown = report.to_markdown()
        assert "### Items that lost most\n\n**q18**: bleu 1.0000 → 0.0000\n\n- before: " in shown
        assert f"- now: (empty)\n- against the reference: <del>{GOOD[18]}</del>\n" in shown
        assert "<b>" not in shown
        assert "<ins>\\<b\\>" in shown
        assert not gate(new, new).losses

    def test_a_gate_that_is_open(self) -> None:
        report = gate(result(GOOD), result(GOOD))
        assert ElementTree.fromstring(report.to_junit())[0].attrib["failures"] == "0"
        assert report.to_markdown().startswith("## Gate passed\n")


class TestCommand:
    @pytest.fixture
    def files(self, tmp_path: Path) -> dict[str, str]:
        for name, texts in (("good", GOOD), ("bad", BAD)):
            result(texts).write_json(tmp_path / f"{name}.json")
        return {name: str(tmp_path / f"{name}.json") for name in ("good", "bad")}

    def test_exit_codes_and_files(self, files: dict[str, str], tmp_path: Path) -> None:
        junit, summary = tmp_path / "junit.xml", tmp_path / "summary.md"
        written = ["--junit", str(junit), "--markdown", str(summary)]
        shut = invoke("gate", files["bad"], "--baseline", files["good"], "--max-drop", "0.005", *written)
        assert (shut.exit_code, shut.stderr) == (1, "")
        assert shut.stdout.splitlines()[-1] == "gate failed: 1 of 1 checks"
        assert ElementTree.parse(junit).getroot()[0].attrib["failures"] == "1"
        assert summary.read_text().startswith("## Gate failed")
        shut_by_bound = invoke("gate", files["bad"], "--min", "bleu=0.9")
        assert shut_by_bound.exit_code == 1
        opened = invoke("gate", files["good"], "--baseline", files["bad"], "--min", "bleu=0.3", "--max", "bleu=1")
        assert opened.exit_code == 0
        assert opened.stdout.splitlines()[-1] == "gate passed"

    def test_five_items_of_garbage_shut_it(self, tmp_path: Path) -> None:
        references = [f"the {word} sat on the old mat" for word in ["cat", "dog", "cow", "hen", "pig"]]
        texts = {"ref": references, "old": [text.replace("old", "red") for text in references], "new": ["garbage"] * 5}
        for name, listed in texts.items():
            (tmp_path / f"{name}.txt").write_text("\n".join(listed) + "\n")
        for name in ("old", "new"):
            output = str(tmp_path / f"{name}.json")
            scored = invoke("score", str(tmp_path / f"{name}.txt"), "-r", str(tmp_path / "ref.txt"), "--json", output)
            assert scored.exit_code == 0
        arguments = [str(tmp_path / "new.json"), "--baseline", str(tmp_path / "old.json"), "--max-drop", "0.01"]
        shut = invoke("gate", *arguments)
        assert shut.exit_code == 1
        assert "no p-value below 0.05 is possible with so few changed segments (p = 0.0625 at best)" in shut.stdout
        assert "about 6 segments are needed, this is 5" in shut.stdout
        assert shut.stdout.endswith("gate failed: 1 of 1 checks (1 undecided)\n")
        assert invoke("gate", *arguments, "--rule", "strict").exit_code == 1
        assert invoke("gate", *arguments, "--rule", "not-worse").exit_code == 1
        warned = invoke("gate", *arguments, "--undecided", "warn")
        assert (warned.exit_code, "warning: 1 of 1 checks are undecided" in warned.stderr) == (0, True)
        assert invoke("gate", *arguments, "--undecided", "pass").stdout.endswith("gate passed (1 undecided)\n")

    @pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999"])
    @pytest.mark.parametrize("side", ["new", "baseline"])
    def test_what_is_no_number_opens_nothing(
        self, files: dict[str, str], tmp_path: Path, value: str, side: str
    ) -> None:
        fields = json.loads(Path(files["bad"]).read_text())
        fields["systems"][0]["scores"][0]["value"] = "HERE"
        (tmp_path / "nan.json").write_text(json.dumps(fields).replace('"HERE"', value))
        new, old = (str(tmp_path / "nan.json"), files["good"])[:: 1 if side == "new" else -1]
        for arguments in (["--baseline", old], ["--min", "bleu=0.9", "--baseline", old]):
            failed = invoke("gate", new, *arguments)
            assert failed.exit_code == 2
            assert_one_line(failed.stderr, "must be a finite number")

    def test_a_file_cannot_turn_the_direction(self, files: dict[str, str]) -> None:
        path = Path(files["bad"])
        path.write_text(path.read_text().replace('"higher_is_better": true', '"higher_is_better": false'))
        failed = invoke("gate", files["bad"], "--baseline", files["good"])
        assert failed.exit_code == 2
        assert_one_line(failed.stderr, "says that lower is better, but for bleu, higher is better")

    def test_step_summary(self, files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        page = tmp_path / "step.md"
        page.write_text("before\n")
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
        assert invoke("gate", files["good"], "--min", "bleu=0.3", "--step-summary").exit_code == 0
        assert page.read_text().startswith("before\n## Gate passed")
        monkeypatch.delenv("GITHUB_STEP_SUMMARY")
        failed = invoke("gate", files["good"], "--min", "bleu=0.3", "--step-summary")
        assert failed.exit_code == 2
        assert_one_line(failed.stderr, "GITHUB_STEP_SUMMARY is not set")

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            ([], "Nothing to check; pass --baseline, --min, --max, or --min-pass-rate."),
            (["--min", "bleu"], "'bleu' must have the form METRIC=N, such as bleu=0.3"),
            (["--min", "=0.3"], "must have the form METRIC=N"),
            (["--min", "bleu=nan"], "must have the form METRIC=N"),
            (["--min", "chrf=0.3"], "the result has no chrf"),
            (
                ["--min", "bleu=30"],
                "minimum must be from 0 to 1 for bleu (scores are fractions: 0.3, not 30)",
            ),
            (["--min", "bleu=-1"], "minimum must be from 0 to 1 for bleu, got -1"),
            (["--max", "bleu=inf"], "maximum must be a number, got inf"),
            (["--min-pass-rate", "bleu=90"], "min_pass_rate must be a share from 0 to 1, got 90"),
            (["--min-pass-rate", "bleu=0.9", "--threshold", "bleu=40"], "thresholds must be from 0 to 1 for bleu"),
            (["--min", "bleu=0.1", "--threshold", "bleu=0.4"], "--threshold bleu=N needs --min-pass-rate bleu=SHARE"),
            (["--baseline", "GOOD", "--rule", "not-worse", "--alpha", "0.7"], "alpha must be between 0 and 0.5"),
            (["--baseline", "none.json"], "none.json: there is no such file"),
            (["--baseline", "GOOD", "--alpha", "2"], "alpha must be"),
        ],
    )
    def test_usage(self, files: dict[str, str], arguments: list[str], expected: str) -> None:
        failed = invoke("gate", files["good"], *(files["good"] if item == "GOOD" else item for item in arguments))
        assert failed.exit_code == 2
        assert_one_line(failed.stderr, expected)

    def test_nothing_is_overwritten(self, files: dict[str, str], tmp_path: Path) -> None:
        mine = tmp_path / "mine.xml"
        mine.write_text("mine")
        failed = invoke("gate", files["good"], "--min", "bleu=0.3", "--junit", str(mine))
        assert failed.exit_code == 2
        assert mine.read_text() == "mine"
        assert json.loads(Path(files["good"]).read_text())["size"] == len(GOOD)


SCORES = [0.5 + place / 100 for place in range(20)]


class TestColumns:
    """Results that hold scores from elsewhere, such as COMET, and no texts."""

    @staticmethod
    def scores(values: list[float], ids: list[str] | None = None, name: str = "comet", **options: Any) -> Result:
        return with_columns(None, {name: {"mine": values}}, ids=ids, **options)

    @pytest.mark.parametrize("rule", RULES)
    def test_every_rule(self, rule: Any) -> None:
        good, bad = self.scores(SCORES), self.scores([value - 0.1 for value in SCORES])
        (check,) = gate(bad, good, rule=rule, max_drop=0.01).checks
        assert check.outcome == "failed"
        assert check.message.startswith("mine, comet: 0.4950 after 0.5950: a drop of 0.1000, ")
        assert gate(good, bad, rule=rule).passed
        lower: dict[str, Any] = {"lower_is_better": ["comet"]}
        assert gate(self.scores([0.1] * 20, **lower), self.scores([0.4] * 20, **lower), rule=rule).passed

    def test_pass_rates_and_bounds(self) -> None:
        good, bad = self.scores(SCORES), self.scores([value - 0.1 for value in SCORES])
        report = gate(
            bad, good, minimum={"comet": 0.4}, min_pass_rate={"comet": 0.9}, thresholds={"comet": 0.5}, max_drop=1
        )
        assert [check.outcome for check in report.checks] == ["passed", "failed", "failed", "passed"]
        assert report.checks[0].message == "mine, comet: 0.4950, which is at least 0.4"
        with pytest.raises(GateError, match="comet has no default threshold"):
            gate(bad, min_pass_rate={"comet": 0.9})

    def test_segments_are_matched_by_id(self) -> None:
        ids = [f"q{place}" for place in range(20)]
        report = gate(self.scores(SCORES, ids), self.scores(SCORES[::-1], ids[::-1]), rule="not-worse")
        assert report.checks[0].message.endswith("no segment scores differently")
        with pytest.raises(GateError, match="no item of the new result is in the baseline: q0 is not one of its ids"):
            gate(self.scores(SCORES, ids), self.scores(SCORES, [f"p{place}" for place in range(20)]))
        with pytest.raises(GateError, match="the new result has 20 segments, but the baseline has 19"):
            gate(self.scores(SCORES, ids), self.scores(SCORES[1:]))

    def test_beside_texts(self) -> None:
        new, old = (
            with_columns(result(texts), {"comet": {"hypotheses": scores}})
            for texts, scores in ((BAD, SCORES), (GOOD, [value + 0.1 for value in SCORES]))
        )
        assert [check.outcome for check in gate(new, old).checks] == ["failed", "failed"]
        only = self.scores(SCORES)
        only = replace(only, systems=(replace(only.systems[0], name="hypotheses"),))
        assert gate(new, only, allow_missing=True).checks[0].passed
        with pytest.raises(GateError, match="comparing bleu needs the texts"):
            gate(result(GOOD), replace(result(GOOD), references=()))

    def test_the_command(self, tmp_path: Path) -> None:
        for name, values in (("new", [0.1] * 20), ("old", SCORES)):
            self.scores(values).write_json(tmp_path / f"{name}.json")
        shut = invoke("gate", str(tmp_path / "new.json"), "--baseline", str(tmp_path / "old.json"))
        assert shut.exit_code == 1, shut.stderr
        assert "FAIL  mine, comet: 0.1000 after 0.5950" in shut.stdout


class TestStoredTotals:
    """A gate does not trust the number that a file holds beside what it was computed from."""

    @staticmethod
    def edited(path: Path, stored: Result, **changed: Any) -> str:
        forge(stored, **changed).write_json(path)
        return str(path)

    def test_a_changed_total(self, tmp_path: Path) -> None:
        path = self.edited(tmp_path / "r.json", result(BAD), value=0.99)
        shut = invoke("gate", path, "--min", "bleu=0.9")
        assert shut.exit_code == 2
        assert_one_line(shut.stderr, "the bleu of the new result is stored as 0.9900, but its texts score 0.1797")
        assert invoke("gate", path, "--max", "bleu=1").exit_code == 2

    def test_changed_segments(self, tmp_path: Path) -> None:
        path = self.edited(tmp_path / "r.json", result(BAD), segments=[1.0] * 20)
        shut = invoke("gate", path, "--min-pass-rate", "bleu=0.9")
        assert shut.exit_code == 2
        assert_one_line(shut.stderr, "the bleu of segment 1 in the new result is stored as 1.0000, but its text scores")
        self.edited(tmp_path / "old.json", result(GOOD), segments=[0.0] * 20)
        old = ["--baseline", str(tmp_path / "old.json"), "--min-pass-rate", "bleu=0"]
        result(GOOD).write_json(tmp_path / "new.json")
        assert_one_line(invoke("gate", str(tmp_path / "new.json"), *old).stderr, "segment 1 in the baseline result")

    def test_a_changed_mean_of_a_column(self, tmp_path: Path) -> None:
        stored = with_columns(None, {"comet": {"mine": [0.25, 0.5]}})
        path = self.edited(tmp_path / "r.json", stored, value=0.9)
        shut = invoke("gate", path, "--min", "comet=0.8")
        assert shut.exit_code == 2
        assert_one_line(shut.stderr, "value is 0.9, but the mean of its segments is 0.375")
        with pytest.raises(GateError, match=r"stored as 0.9000, but the mean of its segments is 0.3750"):
            gate(forge(stored, value=0.9), minimum={"comet": 0.8})

    def test_what_cannot_be_computed_again_is_marked(self) -> None:
        streamed = replace(result(GOOD), references=())
        assert gate(streamed, minimum={"bleu": 0.3}).checks[0].message == (
            "hypotheses, bleu: 1.0000 (as stored), which is at least 0.3"
        )


class TestCounting:
    """A gate counts nothing twice."""

    @pytest.fixture
    def calls(self, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
        """The metrics of each measurement."""
        made: list[list[str]] = []
        measure = one_pass.measure

        def record(metrics: Any, corpora: Any, **options: Any) -> Any:
            made.append(list(metrics))
            return measure(metrics, corpora, **options)

        monkeypatch.setattr(one_pass, "measure", record)
        return made

    EVERYTHING: ClassVar[dict[str, Any]] = {
        "minimum": {"bleu": 0.1, "self-bleu": 0},
        "maximum": {"ter": 1.0},
        "min_pass_rate": {"bleu": 0},
        "thresholds": {"bleu": 0.8},
        "resamples": 50,
    }

    def test_results_in_memory_are_not_counted_again(self, calls: list[list[str]]) -> None:
        names = ["bleu", "ter", "self-bleu"]
        new, old = (evaluate(texts, REFERENCES, metrics=names) for texts in (HARMED, GOOD))
        expected = gate(*(Result.from_json(one.to_json()) for one in (new, old)), **self.EVERYTHING)
        calls.clear()
        assert gate(new, old, **self.EVERYTHING) == expected
        assert calls == []

    def test_results_of_files_are_counted_once_each(self, calls: list[list[str]]) -> None:
        names = ["bleu", "ter", "self-bleu"]
        new, old = (
            Result.from_json(evaluate({"A": texts, "B": texts}, REFERENCES, metrics=names).to_json())
            for texts in (HARMED, GOOD)
        )
        calls.clear()
        gate(new, minimum={"bleu": 0.1}, min_pass_rate={"bleu": 0}, thresholds={"bleu": 0.8})
        assert calls == [["bleu"]]
        calls.clear()
        gate(new, old, **self.EVERYTHING)
        assert calls == [names, names]

    def test_segments_keep_the_options_of_their_level(self, calls: list[list[str]]) -> None:
        """BLEU of a segment without 4-grams is smoothed otherwise than that of a corpus."""
        new = Result.from_json(evaluate(["a b c", "the cat"], ["a b d", "the cat"]).to_json())
        calls.clear()
        rates: dict[str, Any] = {"min_pass_rate": {"bleu": 1}, "thresholds": {"bleu": 0.5}}
        assert gate(new, **rates).checks[0].items == tuple(
            f"segment {place + 1}" for place, value in enumerate(new.systems[0].scores[0].segments) if value < 0.5
        )
        assert calls == [["bleu"]]
        with pytest.raises(GateError, match=r"the bleu of segment 1 in the new result is stored as 0.9000, but its"):
            gate(forge(new, segments=(0.9, 1.0)), **rates)
        ter = evaluate(["a"], ["a"], metrics="ter").systems[0].scores[0]
        with pytest.raises(GateError, match="the segments of bleu were scored by another metric, ter"):
            gate(forge(new, segment_signature=ter.segment_signature), **rates)
