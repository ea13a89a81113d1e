"""A gate stops a release whose outputs have collapsed: more alike, with fewer words, or copies of each other."""

from __future__ import annotations

from typing import Any

import pytest

import bleuprint as bp
from bleuprint.errors import GateError
from bleuprint.results import Result
from bleuprint.runners.gates import GateReport, gate
from tests.runners.test_gates import forge
from tests.support.cli import lines
from tests.support.every import models_of

METRICS = ("self-bleu", "distinct", "duplicates")
GOOD = lines("system-a")
REFERENCES = lines("ref-1")
# Every third input gets one of four answers, whatever it asks; and one where the collapse has only begun.
COLLAPSED = [GOOD[place % 4] if place % 3 == 0 else text for place, text in enumerate(GOOD)]
SLIGHTLY = [GOOD[0] if place == 1 else text for place, text in enumerate(GOOD)]


def result(texts: list[str], metrics: Any = METRICS) -> Result:
    return Result.from_json(bp.evaluate({"model": texts}, metrics=metrics).to_json())


def outcomes(report: GateReport) -> dict[str, str]:
    return {check.metric: check.outcome for check in report.checks}


def test_a_collapse_stops_the_release() -> None:
    report = gate(result(COLLAPSED), result(GOOD))
    assert not report.passed
    assert outcomes(report) == dict.fromkeys(METRICS, "failed")
    messages = {check.metric: check.message for check in report.checks}
    old, new = bp.self_bleu(GOOD).value, bp.self_bleu(COLLAPSED).value
    assert f"{new:.4f} after {old:.4f}: a rise of {new - old:.4f}, more than 0 and significant" in messages["self-bleu"]
    assert ": a drop of " in messages["distinct"]
    assert ": a rise of " in messages["duplicates"]


def test_the_same_outputs_pass() -> None:
    for rule in ("worse", "strict", "not-worse"):
        report = gate(result(GOOD), result(GOOD), rule=rule)
        assert outcomes(report) == dict.fromkeys(METRICS, "passed"), rule
        assert report.passed


def test_a_recovery_passes() -> None:
    assert gate(result(GOOD), result(COLLAPSED)).passed


def test_a_slight_rise_is_undecided_and_strict_decides() -> None:
    report = gate(result(SLIGHTLY), result(GOOD))
    assert outcomes(report)["self-bleu"] == "undecided"
    assert "a larger test set may decide it" in report.checks[0].message
    assert not report.passed
    assert gate(result(SLIGHTLY), result(GOOD), undecided="pass").passed
    assert outcomes(gate(result(SLIGHTLY), result(GOOD), rule="strict"))["self-bleu"] == "failed"


def test_few_texts_decide_nothing() -> None:
    few = slice(0, 3)
    report = gate(result(COLLAPSED[:1] * 3), result(GOOD[few]))
    assert outcomes(report) == dict.fromkeys(METRICS, "undecided")
    assert outcomes(gate(result(GOOD[few]), result(GOOD[few][::-1]), rule="not-worse"))["self-bleu"] != "failed"


@pytest.mark.parametrize("rule", ["worse", "strict", "not-worse"])
def test_a_drop_that_is_allowed_passes(rule: Any) -> None:
    new, old = result(COLLAPSED, ["self-bleu"]), result(GOOD, ["self-bleu"])
    rise = bp.self_bleu(COLLAPSED).value - bp.self_bleu(GOOD).value
    assert gate(new, old, rule=rule, max_drop=2 * rise).passed
    assert not gate(new, old, rule=rule, max_drop=rise / 100).passed


def test_bounds_hold_for_pools() -> None:
    value = bp.self_bleu(COLLAPSED).value
    assert gate(result(COLLAPSED), maximum={"self-bleu": value}).passed
    assert not gate(result(COLLAPSED), maximum={"self-bleu": value - 1e-9}).passed


def test_a_result_that_stores_another_number_is_refused() -> None:
    with pytest.raises(GateError, match=r"self-bleu of the new result is stored as 0\.5000, but its texts score"):
        gate(forge(result(GOOD), value=0.5), result(GOOD))


class TestWithoutResampling:
    """The embeddings of Fréchet distance are summed, so that no part of the texts can be scored without encoding it."""

    metric = staticmethod(lambda: bp.metrics.Frechet(**models_of("frechet")))

    def evaluated(self, texts: list[str]) -> Result:
        metrics = {"frechet": self.metric(), "distinct": bp.Distinct()}
        return bp.evaluate({"model": texts}, REFERENCES, metrics=metrics)

    def check(self, new: list[str], old: list[str], **options: Any) -> dict[str, str]:
        report = gate(self.evaluated(new), self.evaluated(old), metrics={"frechet": self.metric()}, **options)
        self.message = next(check.message for check in report.checks if check.metric == "frechet")
        return outcomes(report)

    def test_what_needs_a_test_is_undecided(self) -> None:
        worse = COLLAPSED[:1] * len(GOOD)
        assert self.check(worse, GOOD) == {"frechet": "undecided", "distinct": "failed"}
        assert "a rise of " in self.message
        assert "which cannot be tested: every resample would have to be encoded again" in self.message
        assert self.check(GOOD, GOOD, rule="not-worse") == {"frechet": "undecided", "distinct": "passed"}

    def test_what_needs_none_is_decided(self) -> None:
        worse = COLLAPSED[:1] * len(GOOD)
        assert self.check(GOOD, worse)["frechet"] == "passed"
        assert self.check(GOOD, GOOD) == {"frechet": "passed", "distinct": "passed"}
        assert self.check(worse, GOOD, rule="strict")["frechet"] == "failed"
        assert self.check(worse, GOOD, rule="strict", max_drop={"frechet": 1e9})["frechet"] == "passed"

    def test_alone(self) -> None:
        new, old = (bp.evaluate({"m": texts}, REFERENCES, metrics={"frechet": self.metric()}) for texts in (GOOD, GOOD))
        assert gate(new, old, metrics={"frechet": self.metric()}).passed

    def test_a_stored_number_is_computed_again(self) -> None:
        forged = forge(self.evaluated(GOOD), value=0.0)
        with pytest.raises(GateError, match=r"frechet of the new result is stored as 0\.0000, but its texts score"):
            gate(forged, self.evaluated(GOOD), metrics={"frechet": self.metric()})


def test_pools_without_a_copy_are_no_evidence_that_there_are_none() -> None:
    """60 texts without a copy also come from a system that copies one in twenty now and then."""
    one, other = ([f"{word} number {number} of these" for number in range(60)] for word in ("text", "line"))
    report = gate(result(one, ["duplicates"]), result(other, ["duplicates"]), rule="not-worse", max_drop=0.01)
    assert outcomes(report) == {"duplicates": "undecided"}
    assert "no rise, with 95 % confidence at most 0.0950, more than 0.01" in report.checks[0].message
    assert gate(result(one, ["duplicates"]), result(other, ["duplicates"]), rule="not-worse", max_drop=0.1).passed
    assert gate(result(one, ["duplicates"]), result(one, ["duplicates"]), rule="not-worse", max_drop=0.01).passed
