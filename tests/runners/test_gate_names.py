"""How a gate is told which metrics it limits, and whose losses it shows."""

from __future__ import annotations

import pytest

from bleuprint import evaluate, gate
from bleuprint.errors import GateError

REFERENCES = [f"the {word} sat on the old mat" for word in ("cat", "dog", "cow", "hen", "pig", "fox", "owl", "bee")]
GOOD = evaluate(REFERENCES, REFERENCES, metrics=["chrf", "item-bleu"])
WORSE = evaluate([text.replace("sat on", "is") for text in REFERENCES], REFERENCES, metrics=["chrf", "item-bleu"])


def test_limits_name_metrics_as_other_options_do() -> None:
    report = gate(
        WORSE,
        GOOD,
        max_drop={"Item_BLEU": 0.9, "chrF": 0.8},
        minimum={"item_bleu": 0.1},
        min_pass_rate={"ITEM_BLEU": 0},
        thresholds={"item_bleu": 0.2},
    )
    assert report.passed
    assert {check.metric for check in report.checks} == {"chrf", "item-bleu"}
    with pytest.raises(GateError, match="there is a max_drop for bleu, but only chrf, item-bleu is compared"):
        gate(WORSE, GOOD, max_drop={"bleu": 0.1})


def test_the_losses_are_those_of_a_metric_that_dropped() -> None:
    """Too low a pass rate says nothing about what was lost."""
    report = gate(WORSE, GOOD, max_drop={"item-bleu": 0.9}, min_pass_rate={"item-bleu": 1})
    assert [check.metric for check in report.checks if not check.passed] == ["item-bleu", "item-bleu", "chrf"]
    assert {loss.metric for loss in report.losses} == {"chrf"}
    report = gate(WORSE, GOOD, max_drop=0.9, min_pass_rate={"item-bleu": 1})
    assert {loss.metric for loss in report.losses} == {"item-bleu"}
