"""Gates: shut on a drop that is large and real, or beyond a bound, and for no other reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bleuprint.errors import GateError, OptionError
from bleuprint.metrics import BLEU
from bleuprint.results import Result
from bleuprint.runners import evaluate
from bleuprint.runners.gates import gate
from tests.support.cli import assert_one_line, invoke

WORDS = [*"abcdefghijklmnopqrst"]
REFERENCES = [f"the {word} sat on the {other}" for word, other in zip(WORDS, WORDS[::-1], strict=True)]
# Spoiled outputs: none, one in twenty, all.
GOOD = REFERENCES
HARMED = [REFERENCES[0].replace("sat", "is"), *REFERENCES[1:]]
BAD = [text.replace("sat", "is") for text in REFERENCES]


def result(outputs: list[str], **options: Any) -> Result:
    return evaluate(outputs, REFERENCES, metrics={"bleu": BLEU(**options)})


class TestDrops:
    def test_a_large_and_real_drop_shuts_it(self) -> None:
        report = gate(result(BAD), result(GOOD), max_drop=0.005)
        assert not report.passed
        assert "more than 0.005 and significant (p <" in report.checks[0].message

    def test_a_drop_that_may_be_chance_passes(self) -> None:
        report = gate(result(HARMED), result(GOOD), max_drop=0.005)
        assert report.passed
        assert "which may be due to chance (p = 1.0000)" in report.checks[0].message

    def test_a_drop_that_is_small_enough_passes(self) -> None:
        assert gate(result(BAD), result(GOOD), max_drop=0.9).passed
        assert "not more than 0.9" in gate(result(BAD), result(GOOD), max_drop=0.9).checks[0].message

    def test_a_rise_passes(self) -> None:
        assert gate(result(GOOD), result(BAD)).checks[0].message.endswith("no drop")

    def test_lower_can_be_better(self) -> None:
        bad, good = (evaluate(texts, REFERENCES, metrics=["ter"]) for texts in (BAD, GOOD))
        assert not gate(bad, good).passed
        assert ": a rise of 0." in gate(bad, good).checks[0].message
        assert gate(bad, good).checks[0].rule == "rise at most 0"
        assert gate(good, bad).passed
        assert gate(good, bad).checks[0].message.endswith("no rise")

    def test_several_systems_go_by_name(self) -> None:
        new = evaluate({"A": BAD, "B": GOOD, "C": BAD}, REFERENCES)
        old = evaluate({"B": GOOD, "A": GOOD}, REFERENCES)
        report = gate(new, old)
        assert [(check.system, check.passed) for check in report.checks] == [("A", False), ("B", True)]


class TestBounds:
    def test_minimum_and_maximum(self) -> None:
        scored = evaluate(BAD, REFERENCES, metrics=["bleu", "ter"])
        bleu, ter = (score.value for score in scored.systems[0].scores)
        assert gate(scored, minimum={"bleu": bleu}, maximum={"ter": ter}).passed
        report = gate(scored, minimum={"bleu": 0.9, "ter": 0.9}, maximum={"ter": 0.01})
        assert [check.passed for check in report.checks] == [False, False, False]
        assert f"bleu: {bleu:.4f}, but must be at least 0.9" in report.pretty()
        assert report.pretty().endswith("gate failed: 3 of 3 checks")


class TestRefusals:
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
        assert suite.attrib == {"name": "bleuprint gate", "tests": "1", "failures": "1", "errors": "0"}
        assert suite[0].attrib["classname"] == name.replace("\x00", r"\x00")
        assert "but must be at least 0.9" in (suite[0][0].text or "")
        *_, row = report.to_markdown().splitlines()
        assert row.startswith("| ❌ | \\<a\\>\\&'\"\\|")
        assert row.count("|") - row.count("\\|") == 5

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
            ([], "Nothing to check; pass --baseline, --min, or --max."),
            (["--min", "bleu"], "'bleu' must have the form METRIC=N, such as bleu=0.3"),
            (["--min", "=0.3"], "must have the form METRIC=N"),
            (["--min", "bleu=nan"], "must have the form METRIC=N"),
            (["--min", "chrf=0.3"], "the result has no chrf"),
            (["--baseline", "none.json"], "none.json is not a valid bleuprint result"),
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
