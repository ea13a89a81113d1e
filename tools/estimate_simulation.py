"""Simulate how often the intervals of mean ratings hold the truth: table of `bench/tables/simulations.md`.

In each world, a judge rates all outputs and people a random part of them. The interval is right if it holds the mean
rating over all outputs that there could be, or the true difference between two systems.

    python -m tools.estimate_simulation --write
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleuprint.ratings.estimation import Part
from tools.pool_simulation import print_tables

OUTPUTS = 500  # of a system
RATED = (10, 20, 50, 100)  # items
Numbers = NDArray[np.floating]
Places = NDArray[np.intp]


class World(NamedTuple):
    """The judge's scores, what people rate, and the item, by system and output; the truth, and whether it is 0 or 1."""

    scores: list[Numbers]
    ratings: list[Numbers]
    item: Places
    truth: float
    is_share: bool = False


def _quality(generator: np.random.Generator, size: int = OUTPUTS) -> tuple[Numbers, Numbers]:
    return generator.normal(size=size), generator.normal(size=size)


def good(generator: np.random.Generator) -> World:
    """A judge that correlates with people by 0.9."""
    rating, noise = _quality(generator)
    return World([rating + 0.48 * noise], [rating], np.arange(OUTPUTS), 0.0)


def useless(generator: np.random.Generator) -> World:
    """A judge that has nothing to do with people."""
    rating, noise = _quality(generator)
    return World([noise], [rating], np.arange(OUTPUTS), 0.0)


def biased(generator: np.random.Generator) -> World:
    """A judge that rates much too high, and the better the more."""
    rating, noise = _quality(generator)
    return World([2 * rating + 0.3 * rating**2 + noise + 3], [rating], np.arange(OUTPUTS), 0.0)


def passes(generator: np.random.Generator) -> World:
    """Pass or fail: people pass 70 %; the judge passes what they do, and three in ten of what they fail."""
    rating = (generator.random(OUTPUTS) < 0.7).astype(float)
    judge = np.where(generator.random(OUTPUTS) < 0.3, 1.0, rating)
    return World([judge], [rating], np.arange(OUTPUTS), 0.7, is_share=True)


def rare_fails(generator: np.random.Generator) -> World:
    """Pass or fail, where people pass 97 %."""
    rating = (generator.random(OUTPUTS) < 0.97).astype(float)
    judge = np.where(generator.random(OUTPUTS) < 0.3, 1.0, rating)
    return World([judge], [rating], np.arange(OUTPUTS), 0.97, is_share=True)


def errors(generator: np.random.Generator) -> World:
    """Ratings like those of MQM: often 0, sometimes far below."""
    rating = -np.maximum(0.0, generator.exponential(3.0, OUTPUTS) - 2)
    return World([rating + generator.normal(size=OUTPUTS)], [rating], np.arange(OUTPUTS), -3 * float(np.exp(-2 / 3)))


def clusters(generator: np.random.Generator) -> World:
    """Documents of two to eight segments that resemble each other; all segments of a rated document are rated."""
    sizes = generator.integers(2, 9, size=OUTPUTS // 5)
    item = np.repeat(np.arange(len(sizes)), sizes)
    own, noise = _quality(generator, len(item))
    rating = generator.normal(size=len(sizes))[item] + own
    return World([rating + noise], [rating], item, 0.0)


def two_systems(generator: np.random.Generator) -> World:
    """Two systems, rated on the same items, some of which are hard for both; the judge favors the first one."""
    hard = 1.5 * generator.normal(size=OUTPUTS)
    (first, noise), (second, other) = _quality(generator), _quality(generator)
    return World(
        [hard + first + noise + 1, hard + second + other], [hard + first + 0.2, hard + second], np.arange(OUTPUTS), 0.2
    )


def two_pass_rates(generator: np.random.Generator) -> World:
    """Two systems that pass 80 % and 70 %, of which hard items fail both."""
    hard, normal = generator.normal(size=OUTPUTS), NormalDist(sigma=math.sqrt(2))
    ratings = [
        (hard + own < normal.inv_cdf(share)) * 1.0 for own, share in zip(_quality(generator), (0.8, 0.7), strict=True)
    ]
    judges = [np.where(generator.random(OUTPUTS) < 0.2, 1.0, rating) for rating in ratings]
    return World(judges, ratings, np.arange(OUTPUTS), 0.8 - 0.7, is_share=True)


WORLDS: dict[str, Callable[[np.random.Generator], World]] = {
    "good judge": good,
    "useless judge": useless,
    "biased judge": biased,
    "pass or fail": passes,
    "pass or fail, 3 % fail": rare_fails,
    "errors, mostly none": errors,
    "documents": clusters,
    "difference": two_systems,
    "difference of pass rates": two_pass_rates,
}


@cache
def coverage(name: str, rated: int, runs: int) -> tuple[float, float, float]:
    """How often the interval holds the truth, how often that of ratings alone does, and its width relative to that."""
    generator = np.random.default_rng([rated, *name.encode()])
    held, widths = np.zeros(2), np.zeros(2)
    for _ in range(runs):
        world = WORLDS[name](generator)
        items = int(world.item.max()) + 1
        hidden = generator.permutation(items) >= rated
        shift, unit = (0.0, 1.0) if world.is_share else (np.mean(world.scores), np.std(world.scores))
        parts = [
            Part.of(
                (scores - shift) / unit,
                np.where(hidden[world.item], np.nan, rating),
                world.item,
                items,
                has_scale=world.is_share,
                level=0.95,
            )
            for scores, rating in zip(world.scores, world.ratings, strict=True)
        ]
        part = parts[0] if len(parts) == 1 else parts[0] - parts[1]
        for place, found in enumerate((part.solve(), part.alone())):
            low, high = found.ends or (-math.inf, math.inf)  # no interval claims nothing
            held[place] += low - 1e-12 <= world.truth <= high + 1e-12
            widths[place] += 0.0 if found.ends is None else high - low
    return float(held[0] / runs), float(held[1] / runs), float(widths[0] / widths[1])


def tables(runs: int) -> dict[str, str]:
    """The Markdown tables by name."""
    lines = [
        f"| world | {' | '.join(f'{rated} rated' for rated in RATED)} |",
        f"|---|{'---:|' * len(RATED)}",
    ]
    for name in WORLDS:
        cells = []
        for rated in RATED:
            held, alone, width = coverage(name, rated, runs)
            cells.append(f"{100 * held:.1f} % ({100 * alone:.1f} %), × {width:.2f}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return {"mean ratings": "\n".join(lines) + "\n"}


if __name__ == "__main__":
    print_tables("estimate_simulation", __doc__, tables, 2000)
