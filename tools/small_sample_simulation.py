"""Simulate intervals, equivalence tests and gates on few items: tables of `bench/tables/simulations.md`.

Items pass or fail, or lose a part of their score; a share of them does, from none to all. An interval is right if it
holds the truth. A test errs if it finds a difference where there is none, or equivalence, or that nothing is worse,
where the true difference is the margin itself.

    python -m tools.small_sample_simulation --write
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bleuprint.runners.gates import decide, interval_alpha
from bleuprint.statistics.comparison import PairComparison, compare_samples
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.settings import Settings
from tools.pool_simulation import print_tables

SIZES = (1, 2, 3, 5, 8, 12, 20, 50, 200)
RATES = (0.0, 0.01, 0.1, 0.5, 0.9, 0.99, 1.0)
MARGIN = 0.1
Scores = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, float], tuple[Scores, Scores, float]]  # both systems, the true difference


def passes(generator: np.random.Generator, size: int, rate: float) -> tuple[Scores, Scores, float]:
    """Items that the first system passes at this rate, and the second never."""
    return (generator.random(size) < rate).astype(float), np.zeros(size), rate


def flips(generator: np.random.Generator, size: int, rate: float) -> tuple[Scores, Scores, float]:
    """Items of which this share passes with one system alone, six times in ten the first."""
    which = generator.random(size)
    return (which < 0.6 * rate).astype(float), ((0.6 * rate <= which) & (which < rate)).astype(float), 0.2 * rate


def losses(generator: np.random.Generator, size: int, rate: float) -> tuple[Scores, Scores, float]:
    """Perfect items, of which this share loses a part of its score with the first system."""
    lost = np.where(generator.random(size) < rate, generator.random(size), 0.0)
    return 1 - lost, np.ones(size), -rate / 2


def changes(generator: np.random.Generator, size: int, rate: float) -> tuple[Scores, Scores, float]:
    """Items of middling scores, of which this share has another score with the first system."""
    old = generator.beta(2, 2, size)
    new = np.where(generator.random(size) < rate, generator.beta(1, 2, size), old)
    return new, old, rate * (1 / 3 - 1 / 2)


def no_change(generator: np.random.Generator, size: int, rate: float) -> tuple[Scores, Scores, float]:
    """The same, where each change could as well be the other way round."""
    new, old, _ = changes(generator, size, rate)
    swap = generator.random(size) < 0.5
    return np.where(swap, new, old), np.where(swap, old, new), 0.0


def drop_of_margin(generator: np.random.Generator, size: int, rate: float) -> tuple[Scores, Scores, float]:
    """Items that pass or fail, of which a share of the margin fails anew, and this share of the others either way."""
    which, rest = generator.random(size), rate * (1 - MARGIN) / 2
    fails, gains, either = which < MARGIN + rest, (MARGIN + rest <= which) & (which < MARGIN + 2 * rest), rest > 0
    return np.where(fails, 0.0, 1.0), np.where(gains & either, 0.0, 1.0), -MARGIN


INTERVALS: dict[str, tuple[Draw, bool]] = {
    "share of items that pass": (passes, False),
    "difference of two such shares": (flips, True),
    "mean score": (losses, False),
    "difference of two mean scores": (changes, True),
}


def compared(new: Scores, old: Scores, settings: Settings, rows: dict[bytes, PairComparison]) -> PairComparison:
    """The comparison of two systems; equal numbers of passes and flips have one."""
    order = np.lexsort((new, old))
    key = np.stack((new[order], old[order])).tobytes()
    if key not in rows:
        samples = {"new": Sample.of_scores(new[order], has_percent=True)}
        samples["baseline"] = Sample.of_scores(old[order], has_percent=True)
        rows[key] = compare_samples(samples, settings, baseline="baseline").pairs[0]
    return rows[key]


@cache
def coverage(name: str, size: int, rate: float, runs: int) -> float:
    """How often the 95 % interval holds the truth."""
    draw, is_pair = INTERVALS[name]
    generator = np.random.default_rng([size, round(1000 * rate)])
    known: dict[bytes, tuple[float, float]] = {}
    held = 0
    for _ in range(runs):
        new, old, truth = draw(generator, size, rate)
        order = np.lexsort((new, old))
        key = np.stack((new[order], old[order])).tobytes()
        if key not in known:
            samples = {"new": Sample.of_scores(new[order], has_percent=True)}
            samples["old"] = Sample.of_scores(old[order], has_percent=True)
            found = compare_samples(samples, Settings(resamples=400), baseline="old")
            interval = found.pairs[0].difference if is_pair else found.system("new").score
            known[key] = interval.low, interval.high
        low, high = known[key]
        held += low - 1e-12 <= truth + (0 if is_pair else old.mean()) <= high + 1e-12
    return held / runs


@cache
def error_rates(size: int, rate: float, runs: int) -> tuple[float, float, float]:
    """How often a system is found better that is not, equivalent at the margin, and not worse by the margin."""
    generator = np.random.default_rng([size, round(1000 * rate), 1])
    plain, loose = Settings(resamples=400), Settings(resamples=400, margin=MARGIN)
    bound = Settings(resamples=400, alpha=interval_alpha("not-worse", 0.05))
    known: list[dict[bytes, PairComparison]] = [{}, {}, {}]
    better = equivalent = passed = 0
    for _ in range(runs):
        new, old, _ = no_change(generator, size, rate)
        better += compared(new, old, plain, known[0]).better is not None
        new, old, _ = drop_of_margin(generator, size, rate)
        equivalence = compared(new, old, loose, known[1]).equivalence
        equivalent += equivalence is not None and equivalence.verdict == "equivalent"
        pair = compared(new, old, bound, known[2])
        passed += decide(pair, size, True, "not-worse", MARGIN, 0.05)[0] == "passed"
    return better / runs, equivalent / runs, passed / runs


def tables(runs: int) -> dict[str, str]:
    """The Markdown tables by name."""
    head = f"| {{}} | share | {' | '.join(map(str, SIZES))} |\n|---|---:{'|---:' * len(SIZES)}|\n"
    cover, errors = head.format("interval of a"), head.format("error")
    for name in INTERVALS:
        for rate in RATES:
            cells = [f"{100 * coverage(name, size, rate, runs):.0f}" for size in SIZES]
            cover += f"| {name} | {rate:g} | {' | '.join(cells)} |\n"
    for place, name in enumerate(("better", "equivalent", "not worse")):
        for rate in RATES:
            cells = [f"{100 * error_rates(size, rate, runs)[place]:.1f}" for size in SIZES]
            errors += f"| {name} | {rate:g} | {' | '.join(cells)} |\n"
    return {"coverage of few items": cover, "errors of few items": errors}


if __name__ == "__main__":
    print_tables("small_sample_simulation", __doc__, tables, 100)
