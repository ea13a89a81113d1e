"""Limits: a number exactly at its limit keeps it, at every door, and a limit that cannot bind is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bleuprint import checks, compare, evaluate
from bleuprint.errors import GateError, OptionError
from bleuprint.insight.quadrants import quadrants
from bleuprint.integrations.pytest_plugin import Assertions
from bleuprint.metrics import BLEU, NearDuplicates
from bleuprint.runners.comparisons import with_columns
from bleuprint.runners.gates import gate
from bleuprint.runners.gates.rules import settle
from bleuprint.statistics.equivalence import equivalence_of
from tests.support.cli import assert_one_line, invoke

MOST_ITEMS = 200


class TestExactly:
    def test_all_drops_from_one_share_to_another(self) -> None:
        """The limit is the decimal that a person writes for the drop; one item more is beyond it."""
        wrong = 0
        for items in range(1, MOST_ITEMS + 1):
            for fewer in range(1, items + 1):
                if 10**6 * fewer % items:
                    continue  # no decimal of up to six places
                limit = float(Fraction(fewer, items))
                for before in range(fewer, items + 1):
                    old, new = before / items, (before - fewer) / items
                    passes = settle(old - new, "", "strict", limit, scale=old)
                    wrong += passes is None or passes[0] != "passed"
                    if before > fewer:
                        beyond = settle(old - (before - fewer - 1) / items, "", "strict", limit, scale=old)
                        wrong += beyond is None or beyond[0] != "failed"
        assert wrong == 0

    def test_all_shares(self) -> None:
        for items in range(1, MOST_ITEMS + 1):
            for reached in range(items + 1):
                for percent in range(101):
                    expected = Fraction(reached, items) >= Fraction(percent, 100)
                    assert checks.reaches(reached / items, percent / 100) == expected

    def test_what_is_far_below_a_digit_of_the_limit_is_rounding(self) -> None:
        assert checks.reaches(0.1 + 0.2, 0.3)
        assert checks.reaches(0.3, 0.1 + 0.2)
        assert not checks.reaches(0.3 - 1e-9, 0.3)
        assert not checks.reaches(0.5, float("inf"))
        assert checks.reaches(0.5, float("-inf"))
        assert not checks.reaches(float("nan"), 0.5)

    @pytest.mark.parametrize("rule", ["strict", "worse"])
    def test_a_gate_lets_an_allowed_drop_pass(self, rule: Any) -> None:
        references = [f"answer {place}" for place in range(200)]

        def result(right: int) -> Any:
            outputs = [*references[:right], *["no"] * (200 - right)]
            return evaluate(outputs, references, metrics=["exact-match", "wer"])

        report = gate(result(5), result(7), rule=rule, max_drop=0.01)
        assert report.checks[0].message.endswith(": a drop of 0.0100, not more than 0.01")
        assert report.passed
        assert not gate(result(4), result(7), rule="strict", max_drop=0.01).passed

    def test_a_pass_rate_that_is_just_enough(self) -> None:
        scores = [1.0] * 55 + [0.0] * 45
        result = with_columns(None, {"judge": {"mine": scores}})
        limits: dict[str, Any] = {"thresholds": {"judge": 0.5}}
        assert gate(result, min_pass_rate={"judge": 0.55}, **limits).passed
        assert not gate(result, min_pass_rate={"judge": 0.56}, **limits).passed

    def test_bounds_and_thresholds(self) -> None:
        """1 - 0.9 is below 0.1 in floats, and 3 * 0.1 above 0.3."""
        result = with_columns(None, {"low": {"mine": [1 - 0.9]}, "high": {"mine": [3 * 0.1]}})
        assert gate(result, minimum={"low": 0.1}, maximum={"high": 0.3}).passed
        assert not gate(result, minimum={"low": 0.11}).passed
        assert gate(result, min_pass_rate={"low": 1}, thresholds={"low": 0.1}).passed

    def test_a_margin_is_not_kept_by_a_difference_of_its_size(self) -> None:
        for difference in (0.035 - 0.025, 0.03 - 0.02, -0.01):
            assert equivalence_of(difference, 0.0, 100, 0.01, alpha=0.05).verdict != "equivalent"
        assert equivalence_of(0.0099, 0.0, 100, 0.01, alpha=0.05).verdict == "equivalent"

    @pytest.mark.parametrize("decimals", [1, 2])
    def test_near_duplicates_are_those_of_fractions(self, decimals: int) -> None:
        """Texts of 1 to 12 words that begin alike have any ratio of common words that so few words can have."""
        texts = [
            " ".join([*(f"w{place}" for place in range(shared)), *(f"o{shared}-{own}-{place}" for place in range(own))])
            for shared in range(1, 8)
            for own in range(6)
        ]
        words = [text.split() for text in texts]
        for step in range(1, 10**decimals, 7 if decimals == 2 else 1):
            limit = Fraction(step, 10**decimals)
            expected = {
                (one, other)
                for other in range(len(texts))
                for one in range(other)
                if Fraction(2 * _common(words[one], words[other]), len(words[one]) + len(words[other])) >= limit
            }
            metric = NearDuplicates(measure="rouge-l", threshold=float(limit), tokenizer="whitespace")
            assert {pair[:2] for pair in metric.corpus(texts).pairs()} == expected, limit


def _common(one: list[str], other: list[str]) -> int:
    """The words of the longest common subsequence; texts here share nothing but how they begin."""
    return next(
        (place for place, pair in enumerate(zip(one, other, strict=False)) if len(set(pair)) > 1),
        min(len(one), len(other)),
    )


WORDS = ["cat", "dog", "cow", "hen", "pig", "fox", "owl", "bee", "ant", "elk"]
REFERENCES = [f"the {word} sat on the old mat number {place}" for place, word in enumerate(WORDS * 4)]
WORSE = [text.replace("sat", "is") if place % 2 else text for place, text in enumerate(REFERENCES)]
SYSTEMS = {"good": REFERENCES, "worse": WORSE}
IN_POINTS = r"must be below 1 for bleu \(scores are fractions: 0.01, not 1\), got 1"


class TestScale:
    """One point is 0.01; somebody who writes 1 means a point."""

    @pytest.mark.parametrize("option", ["margin", "detect"])
    def test_a_difference_that_scores_cannot_have(self, option: str) -> None:
        settings: dict[str, Any] = {option: 1}
        with pytest.raises(OptionError, match=f"{option} {IN_POINTS}"):
            compare(SYSTEMS, REFERENCES, **settings)
        with pytest.raises(OptionError, match=f"{option} must be below 1 for ter, got 1000"):
            compare(SYSTEMS, REFERENCES, metrics="ter", **{**settings, option: 1000})
        columns = {"judge": {"good": [4.0, 5.0, 3.0], "worse": [3.0, 5.0, 2.0]}}
        assert compare(columns=columns, **settings).metric("judge").pairs, "nobody knows the scale of a column"

    @pytest.mark.parametrize("rule", ["strict", "worse", "not-worse"])
    def test_a_drop_that_scores_cannot_have(self, rule: Any) -> None:
        new, old = evaluate(WORSE, REFERENCES), evaluate(REFERENCES, REFERENCES)
        with pytest.raises(OptionError, match=f"max_drop {IN_POINTS}"):
            gate(new, old, rule=rule, max_drop=1)
        with pytest.raises(OptionError, match=f"max_drop {IN_POINTS}"):
            Assertions().assert_not_worse(WORSE, REFERENCES, REFERENCES, max_drop=1, rule=rule)

    def test_a_metric_with_another_scale(self) -> None:
        new, old = (evaluate(texts, REFERENCES, metrics="nist") for texts in (WORSE, REFERENCES))
        assert gate(new, old, max_drop=5).passed
        assert compare(SYSTEMS, REFERENCES, metrics="nist", margin=5).metric("nist").pairs[0].equivalence is not None

    def test_thresholds(self) -> None:
        result = evaluate(SYSTEMS, REFERENCES, metrics=["bleu", "nist"])
        with pytest.raises(OptionError, match=r"fidelity_threshold must be from 0 to 1 for bleu .*0.4, not 40"):
            quadrants(result, fidelity="bleu", fluency="nist", fidelity_threshold=40)
        assert quadrants(result, fidelity="bleu", fluency="nist", fluency_threshold=40).fluency.threshold == 40
        with pytest.raises(OptionError, match=r"threshold must be from 0 to 1 for bleu .*0.4, not 40"):
            BLEU().threshold = 40
        with pytest.raises(OptionError, match=r"maximum must be from 0 to 10 for ter .*0.6, not 60"):
            gate(evaluate(WORSE, REFERENCES, metrics="ter"), maximum={"ter": 60})

    def test_differences_by_metric(self) -> None:
        result = compare(SYSTEMS, REFERENCES, metrics=["bleu", "ter"], margin={"bleu": 0.5}, detect={"ter": 0.01})
        bleu, ter = (result.metric(name).pairs[0] for name in ("bleu", "ter"))
        assert (bleu.equivalence.margin if bleu.equivalence else None, bleu.segments_needed) == (0.5, None)
        assert (ter.equivalence, ter.segments_needed is not None) == (None, True)
        assert "|detect:ter=0.01|margin:bleu=0.5#" in result.signature
        with pytest.raises(OptionError, match=r"margin must be a number, or a dict by metric \(bleu\), got 'ter'"):
            compare(SYSTEMS, REFERENCES, margin={"ter": 0.1})
        with pytest.raises(OptionError, match="margin must be a positive difference"):
            compare(SYSTEMS, REFERENCES, margin={"bleu": -0.1})
        new, old = (evaluate(texts, REFERENCES, metrics=["bleu", "ter"]) for texts in (WORSE, REFERENCES))
        report = gate(new, old, max_drop={"bleu": 0.5})
        assert [(check.outcome, check.rule) for check in report.checks] == [
            ("passed", "drop at most 0.5 (worse)"),
            ("failed", "rise at most 0 (worse)"),
        ]
        with pytest.raises(GateError, match="there is a max_drop for chrf, but only bleu, ter is compared"):
            gate(new, old, max_drop={"chrf": 0.5})


class TestCommands:
    @pytest.fixture
    def files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        for name, texts in {**SYSTEMS, "ref": REFERENCES}.items():
            Path(f"{name}.txt").write_text("\n".join(texts) + "\n")
        for name in SYSTEMS:
            scored = ["score", f"{name}.txt", "-r", "ref.txt", "-m", "bleu", "-m", "nist", "--json", f"{name}.json"]
            assert invoke(*scored).exit_code == 0

    @pytest.mark.usefixtures("files")
    def test_percent_reads_points(self) -> None:
        command = ["compare", "good.txt", "worse.txt", "-r", "ref.txt", "-m", "bleu", "-m", "nist", "--percent"]
        shown = invoke(*command, "--margin", "1", "--detect", "1")
        assert shown.exit_code == 0, shown.stderr
        assert "good is not worse than worse by 1.00 or more" in shown.stdout
        assert "|detect:bleu=0.01,nist=1.0|margin:bleu=0.01,nist=1.0|" in shown.stdout
        alone = invoke(*command[:6], "bleu", "--percent", "--margin", "0.7", "--seed", "1")
        assert "|margin:bleu=0.007|" in alone.stdout
        by_metric = invoke(*command, "--margin", "bleu=2", "--margin", "3")
        assert "|margin:bleu=0.02,nist=3.0|" in by_metric.stdout

    @pytest.mark.usefixtures("files")
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["compare", "good.txt", "worse.txt", "-r", "ref.txt", "--margin", "1"], "margin must be below 1 for bleu"),
            (["compare", "good.txt", "worse.txt", "-r", "ref.txt", "--detect", "1"], "detect must be below 1 for bleu"),
            (["gate", "worse.json", "--baseline", "good.json", "--max-drop", "1"], "0.01, not 1), got 1"),
            (
                ["gate", "worse.json", "--baseline", "good.json", "--max-drop", "ter=0.1"],
                "a max_drop for ter, but only",
            ),
            (["gate", "worse.json", "--max-drop", "x"], "'x' must have the form [METRIC=]D, such as bleu=0.3"),
            (["gate", "worse.json", "--min", "bleu=0.9", "--min", "bleu=0.1"], "there are two numbers for bleu"),
            (["gate", "worse.json", "--max", "bleu=0.9", "--max", "bleu=1"], "there are two numbers for bleu"),
            (["gate", "worse.json", "--min-pass-rate", "bleu=1", "--min-pass-rate", "bleu=0"], "two numbers for bleu"),
            (["gate", "worse.json", "--threshold", "bleu=1", "--threshold", "bleu=0"], "two numbers for bleu"),
            (["gate", "worse.json", "--max-drop", "0.1", "--max-drop", "0.2"], "two numbers for all metrics"),
        ],
    )
    def test_what_is_refused(self, arguments: list[str], message: str) -> None:
        refused = invoke(*arguments)
        assert refused.exit_code == 2
        assert_one_line(refused.stderr, message)

    @pytest.mark.usefixtures("files")
    def test_drops_by_metric(self) -> None:
        command = ["gate", "worse.json", "--baseline", "good.json", "--max-drop"]
        assert invoke(*command, "bleu=0.3").exit_code == 1
        assert invoke(*command, "bleu=0.3", "--max-drop", "nist=5").exit_code == 0
        assert invoke(*command, "bleu=0.3", "--max-drop", "5").exit_code == 0, "the others may drop by 5"
