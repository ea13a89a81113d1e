"""Honesty of the test and the intervals of pool metrics, by simulation, as `test_honesty` has it for segments.

Every simulated test set has inputs with a topic each. A system answers every input with words of its topic, and the
narrower the system, the fewer words it knows: so its outputs are more alike, and they are paired by their topics.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.statistics.comparison import PairComparison
from tools.interval_simulation import COPIES, MEASURES, pool_coverage

pytestmark = pytest.mark.slow

SIMULATIONS = 400
INPUTS = 60
SWAPS = 199
METRICS = ("self-bleu", "distinct")
POWER = {"self-bleu": 0.7, "distinct": 0.4}  # at least; 0.78 and 0.50 of 600 simulations


def outputs(generator: np.random.Generator, topics: list[int], words: int) -> list[str]:
    """One output per topic; a word is the more likely the earlier it stands in the vocabulary of the topic."""
    texts = []
    for topic in topics:
        known = generator.zipf(1.6, size=int(generator.integers(4, 14))) % words
        texts.append(" ".join(f"w{(topic * 7 + word) % (3 * words)}" for word in known.tolist()))
    return texts


@cache
def compared(words: int) -> dict[str, list[PairComparison]]:
    """The comparisons of a system that knows 40 words per topic with one that knows so many, by metric."""
    found: dict[str, list[PairComparison]] = {metric: [] for metric in METRICS}
    for seed in range(SIMULATIONS):
        generator = np.random.default_rng(seed)
        topics = generator.integers(5, size=INPUTS).tolist()
        systems = {"one": outputs(generator, topics, 40), "other": outputs(generator, topics, words)}
        comparison = bp.compare(systems, metrics=METRICS, resamples=SWAPS, seed=seed, baseline="other", threads=1)
        for metric in METRICS:
            found[metric] += comparison.metric(metric).pairs
    return found


def spread(share: float) -> float:
    """Three standard deviations of a share of all simulations."""
    return 3 * math.sqrt(share * (1 - share) / SIMULATIONS)


@pytest.mark.parametrize("metric", METRICS)
def test_false_alarms_are_as_rare_as_promised(metric: str) -> None:
    p_values = np.array([pair.p_value for pair in compared(40)[metric]])
    assert abs((p_values <= 0.05).mean() - 0.05) <= spread(0.05)
    assert abs((p_values <= 0.5).mean() - 0.5) <= spread(0.5)
    assert all(pair.samples < SWAPS for pair in compared(40)[metric] if pair.p_value > 0.5), "nothing ended early"


@pytest.mark.parametrize("metric", METRICS)
def test_a_collapse_is_found(metric: str) -> None:
    found = compared(8)[metric]
    assert np.mean([pair.p_value <= 0.05 for pair in found]) >= POWER[metric]
    assert all(pair.better == "one" for pair in found if pair.p_value < 0.05)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("words", [40, 8])
def test_intervals_of_differences_cover_the_expected_one(words: int, metric: str) -> None:
    """The jackknife is too wide on average rather than too narrow (Efron, Stein 1981), but not by much."""
    pairs = compared(words)[metric]
    expected = 0.0 if words == 40 else float(np.mean([pair.difference.value for pair in pairs]))
    covered = np.mean([pair.difference.low <= expected <= pair.difference.high for pair in pairs])
    assert 0.95 - spread(0.95) <= covered <= 0.995


@pytest.mark.parametrize("copies", COPIES)
@pytest.mark.parametrize("measure", MEASURES)
def test_intervals_of_rare_events_cover_their_mean(measure: str, copies: float) -> None:
    assert pool_coverage(copies, 300)[measure][1] >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / 300)
