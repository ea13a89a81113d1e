"""Bounds of slopes decide most swaps of a test; its p-values stay those that come from the scores of all swaps."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.metrics.base.metric import Metric
from bleuprint.statistics import paired
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.intervals import quantiles_of_tails
from bleuprint.statistics.rows import Sample
from tests.support.effort import examples

METRICS: list[Metric[Any]] = [
    bp.BLEU(),
    bp.BLEU(weights=(0.4, 0.3, 0.2, 0.1)),
    bp.BLEU(smoothing="floor"),
    bp.BLEU(smoothing="add-k"),
    bp.BLEU(smoothing="method5"),
    bp.BLEU(effective_order=True),
    bp.CHRF(),
    bp.CHRF(word_order=2, beta=1),
    bp.CHRF(eps_smoothing=True),
    bp.TER(),
]
WORDS = ["the", "cat", "dog", "sat", "on", "a", "mat", "and", "saw", "it", "run"]


def outputs(seed: int, damage: float, segments: int = 120) -> list[str]:
    chosen = np.random.default_rng(0).choice(WORDS, size=(segments, 12))
    generator = np.random.default_rng(seed)
    lost = generator.random(chosen.shape) < damage
    texts = np.where(lost, generator.choice([*WORDS, ""], size=chosen.shape), chosen)
    return [" ".join(filter(None, row)) for row in texts.tolist()]


SYSTEMS = [outputs(seed, damage) for seed, damage in enumerate([0.0, 0.1, 0.12, 0.13, 0.3, 0.32, 0.95, 1.0])]


@pytest.mark.parametrize("mode", ["bleuprint", "sacrebleu"])
@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_p_values_are_those_without_bounds(metric: Metric[Any], mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    references = outputs(0, 0.0)
    samples = [metric.sample(system, references) for system in [*SYSTEMS, SYSTEMS[1], [""] * len(references)]]
    pairs = list(combinations(range(len(samples)), 2))
    found = paired.randomization_p_values(samples, pairs, 2000, Chance(mode=mode))
    monkeypatch.setattr(paired, "_judge_by_slopes", lambda *_: None)
    assert found == paired.randomization_p_values(samples, pairs, 2000, Chance(mode=mode))


@pytest.mark.parametrize("metric", [bp.BLEU(), bp.BLEU(weights=(0, 0, 0.2, 0.8)), bp.CHRF(), bp.CHRF(beta=0)], ids=str)
@given(seed=st.integers(0, 1 << 32))
@settings(max_examples=examples(100), deadline=None)
def test_scores_between_two_sums_differ_as_the_slopes_allow(metric: Metric[Any], seed: int) -> None:
    formula: Any
    formula, columns = metric.sample(["a b c d"], ["a b c d"]).formula, len(metric.columns)
    generator = np.random.default_rng(seed)
    ends = generator.integers(900, 1100, size=(2, columns, 50)).astype(np.float64)
    low, high = ends.min(axis=0), ends.max(axis=0)
    lowest, highest = formula.slopes(low, high)
    points = low + (high - low) * generator.random((2, columns, 50))
    change, scores = points[1] - points[0], [formula(tuple(point)) for point in points]
    least = np.minimum(lowest * change, highest * change).sum(axis=0)
    most = np.maximum(lowest * change, highest * change).sum(axis=0)
    assert (lowest <= highest).all()
    assert (least - 1e-12 <= scores[1] - scores[0]).all()
    assert (scores[1] - scores[0] <= most + 1e-12).all()


@pytest.mark.parametrize("metric", [bp.BLEU(), bp.CHRF()], ids=str)
def test_most_swaps_are_decided_by_bounds(metric: Metric[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    computed = []
    real = Sample.score

    def score(self: Sample, sums: Any = None) -> Any:
        computed.append(0 if sums is None else len(sums))
        return real(self, sums)

    monkeypatch.setattr(Sample, "score", score)
    samples = [metric.sample(system, outputs(0, 0.0)) for system in SYSTEMS[1:6]]
    pairs = list(combinations(range(len(samples)), 2))
    paired.randomization_p_values(samples, pairs, 5000, Chance())
    assert sum(computed) < len(pairs) * 5000  # of twice as many scores


@given(
    st.integers(0, 1 << 32),
    st.sampled_from([1, 2, 1000, 8192, 9000, 40_000]),
    st.tuples(st.floats(0, 1), st.floats(0, 1)) | st.floats(0, 0.01).map(lambda tail: (tail, 1 - tail)),
    st.booleans(),
)
@settings(max_examples=examples(100), deadline=None)
def test_quantiles_are_those_of_numpy(seed: int, count: int, shares: tuple[float, float], has_ties: bool) -> None:
    values = np.random.default_rng(seed).normal(size=count)
    values = values.round(1) if has_ties else np.sort(values) if seed % 3 == 0 else values
    assert quantiles_of_tails(values, shares) == np.quantile(values, shares).tolist()
