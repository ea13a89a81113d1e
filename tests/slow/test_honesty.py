"""Statistical honesty, by simulation: tests find nothing where there is nothing, intervals hold what they promise.

Run by `make test-slow`. A population of segments, far more than a test set has, stands for all texts there are; every
simulation draws a test set from it. Bounds are three standard deviations of the binomial count.
"""

from __future__ import annotations

import math
import random
from functools import cache
from typing import Any

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.statistics.chance import Chance, draw_scores
from bleuprint.statistics.intervals import bootstrap_intervals, jackknife, standard_error
from bleuprint.statistics.paired import bootstrap_p_value, randomization_p_values
from bleuprint.statistics.power import segments_needed
from bleuprint.statistics.rows import Sample

pytestmark = pytest.mark.slow

POPULATION = 20_000
SEGMENTS = 200
SIMULATIONS = 2000
WORDS = [f"w{number}" for number in range(30)]
METRICS: dict[str, type[Any]] = {"bleu": bp.BLEU, "chrf": bp.CHRF, "ter": bp.TER, "rouge": bp.ROUGE}


@cache
def population(metric: str, noise: float, seed: int = 1) -> Sample:
    """Outputs of a system with so much noise; segments differ in length and difficulty."""
    content, errors = random.Random(7), random.Random(seed)
    outputs, references = [], []
    for _ in range(POPULATION):
        line = content.choices(WORDS, k=content.randrange(3, 20))
        share = noise * 2 * content.random()
        outputs.append(" ".join(errors.choice(WORDS) if errors.random() < share else word for word in line))
        references.append(" ".join(line))
    sample: Sample = METRICS[metric]().sample(outputs, references)
    return sample


def taken(sample: Sample, indices: Any) -> Sample:
    return Sample(np.ascontiguousarray(sample.rows[indices]), sample.formula, sample.higher_is_better)


def within(count: int, trials: int, share: float) -> bool:
    return abs(count / trials - share) <= 3 * math.sqrt(share * (1 - share) / trials)


def null_pair(metric: str, generator: np.random.Generator) -> tuple[Sample, Sample]:
    """Two systems that differ in every segment and not at all on average: who wrote which output is a coin's choice."""
    indices = generator.integers(0, POPULATION, size=SEGMENTS)
    first, second = (taken(population(metric, 0.3, seed), indices) for seed in (1, 2))
    swap = generator.integers(2, size=(SEGMENTS, 1), dtype=bool)
    rows = np.where(swap, second.rows, first.rows), np.where(swap, first.rows, second.rows)
    return Sample(rows[0], first.formula), Sample(rows[1], first.formula)


def p_value(pair: tuple[Sample, Sample], test: str, seed: int) -> float:
    chance = Chance(seed)
    if test == "approximate-randomization":
        return randomization_p_values(pair, [(0, 1)], 399, chance)[0]
    first, second = draw_scores(pair, 399, chance)
    return bootstrap_p_value(pair[0].score().item() - pair[1].score().item(), first - second, chance)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("test", ["approximate-randomization", "paired-bootstrap"])
def test_false_alarms_are_as_rare_as_promised(test: str, metric: str) -> None:
    generator = np.random.default_rng(5)
    found = [p_value(null_pair(metric, generator), test, seed) for seed in range(SIMULATIONS)]
    assert within(sum(value <= 0.05 for value in found), SIMULATIONS, 0.05)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_intervals_hold_the_truth_as_often_as_promised(method: str, metric: str) -> None:
    whole = population(metric, 0.3)
    truth = whole.score().item()
    generator = np.random.default_rng(6)
    held = 0
    for seed in range(SIMULATIONS // 2):
        sample = taken(whole, generator.integers(0, POPULATION, size=SEGMENTS))
        interval = bootstrap_intervals([sample], method=method, chance=Chance(seed))[0]
        held += interval.low <= truth <= interval.high
    assert within(held, SIMULATIONS // 2, 0.95)


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_so_many_segments_find_the_difference_as_often_as_promised(metric: str) -> None:
    first, second = population(metric, 0.30, 1), population(metric, 0.32, 2)
    truth = first.score().item() - second.score().item()
    generator = np.random.default_rng(7)
    estimates = []
    for _ in range(50):
        indices = generator.integers(0, POPULATION, size=SEGMENTS)
        error = float(standard_error(jackknife(taken(first, indices)) - jackknife(taken(second, indices))))
        estimates.append(segments_needed(error, SEGMENTS, truth, power=0.8))
    needed = int(np.median(estimates))
    found = 0
    for seed in range(500):
        indices = generator.integers(0, POPULATION, size=needed)
        found += p_value((taken(first, indices), taken(second, indices)), "approximate-randomization", seed) <= 0.05
    # The number is an estimate itself: some points beside the binomial error.
    assert abs(found / 500 - 0.8) <= 3 * math.sqrt(0.8 * 0.2 / 500) + 0.03
