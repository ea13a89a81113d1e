"""The audit of a gate predicts what the gate does to real releases.

The items come from a large population with two runs each. The audit sees samples of it; the gate is then put to other
samples, harmed in the same way, and stops as many of them as the audit said.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from bleuprint.results import Result
from bleuprint.runners.comparisons import with_columns
from bleuprint.runners.gates import gate
from bleuprint.runners.gates.audit import audit_gate
from bleuprint.runners.gates.report import Undecided
from bleuprint.runners.gates.rules import Rule

pytestmark = pytest.mark.slow

SAMPLES, TRIALS = 10, 200  # of the audit, and for each of them
RELEASES = 500
DROP = 0.02
Scores = NDArray[np.float64]


def population(kind: str, generator: np.random.Generator) -> Scores:
    """Two runs of 20,000 items."""
    items = generator.beta(4, 2, 20_000)
    if kind == "scores":
        return np.clip(items + generator.normal(0, 0.08, (2, len(items))), 0, 1)
    return (generator.random((2, len(items))) < items).astype(float)


def column(scores: Scores) -> Result:
    return with_columns(None, {"quality": {"model": scores.tolist()}})


def harm(new: Scores, share: float, generator: np.random.Generator) -> Scores:
    """The scores with this share replaced by lower ones of other items."""
    order = np.sort(new)
    lower = np.searchsorted(order, new)
    worse = np.where(lower > 0, order[(generator.random(len(new)) * lower).astype(int)], new)
    return np.where(generator.random(len(new)) < share, worse, new)


@pytest.mark.parametrize("kind", ["scores", "passes"])
@pytest.mark.parametrize("size", [30, 200, 800])
@pytest.mark.parametrize(
    ("rule", "undecided"), [("strict", "fail"), ("worse", "pass"), ("not-worse", "fail"), ("not-worse", "pass")]
)
def test_rates_are_those_of_real_releases(kind: str, size: int, rule: Rule, undecided: Undecided) -> None:
    generator = np.random.default_rng(size)
    runs = population(kind, generator)

    def sample() -> Scores:
        drawn = runs[:, generator.choice(runs.shape[1], size, replace=False)]
        return drawn if generator.random() < 0.5 else drawn[::-1]

    options = {"rule": rule, "undecided": undecided, "max_drop": 0.01}
    audits = [
        audit_gate(*map(column, sample()), drop=DROP, harm="worse", trials=TRIALS, **options)  # type: ignore[arg-type]
        for _ in range(SAMPLES)
    ]
    for point in (0, 2):
        predicted = [audit.drops[point].stopped.share for audit in audits]
        shares = [audit.drops[point].harmed for audit in audits]
        stopped = 0
        for number in range(RELEASES):
            new, old = sample()
            harmed = harm(new, shares[number % SAMPLES], generator)
            report = gate(column(harmed), column(old), resamples=1000, **options)  # type: ignore[arg-type]
            stopped += not report.passed
        share = stopped / RELEASES
        error = math.sqrt(share * (1 - share) / RELEASES + 1e-4) + float(np.std(predicted)) / math.sqrt(SAMPLES)
        assert abs(np.mean(predicted) - share) < 3 * error, (point, np.mean(predicted), share)
