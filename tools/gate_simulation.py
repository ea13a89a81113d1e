"""Simulate how often each rule of a gate is wrong, and write its table in `bench/tables/simulations.md`.

The population are the segments of the bundled sample, with the outputs of its systems a and c under BLEU. A test set
draws segments with replacement. For each one, the new and the old output are those of a and c in random order: with a
probability of one half for systems that are equally good, and with the probability that gives the wanted drop for a
new system that is really worse.

    python -m tools.gate_simulation --trials 500 --write
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import bleuprint
from bleuprint.metrics import BLEU
from bleuprint.runners.gates import RULES, Rule, decide, interval_alpha
from bleuprint.statistics.comparison import compare_samples
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.settings import BOOTSTRAP, Settings

SIZES = (5, 20, 100, 1000)
MAX_DROP, DROP, ALPHA = 0.01, 0.03, 0.05
PAGE = Path(__file__).parents[1] / "bench" / "tables" / "simulations.md"
BEGIN, END = "<!-- begin: python -m tools.gate_simulation --write -->\n", "<!-- end -->\n"


class Rates(NamedTuple):
    """How often each outcome was reached by a rule, as shares of the trials."""

    rule: Rule
    segments: int
    without_change: dict[str, float]
    with_drop: dict[str, float]


class Population:
    """Segments with a good and a bad output each."""

    def __init__(self) -> None:
        folder = Path(bleuprint.__file__).parent / "dataset" / "sample"
        good, bad, first, second = (
            (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
            for name in ("system-a", "system-c", "ref-1", "ref-2")
        )
        references = list(zip(first, second, strict=True))
        self.good, self.bad = (BLEU().sample(texts, references) for texts in (good, bad))

    def swap_probability(self, drop: float) -> float:
        """The probability that the bad output is the new one, at which the score drops that much."""
        low, high = 0.5, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if self._drop(middle) < drop else (low, middle)
        return low

    def _drop(self, probability: float) -> float:
        totals = self.good.rows.sum(axis=0), self.bad.rows.sum(axis=0)
        old = probability * totals[0] + (1 - probability) * totals[1]
        new = probability * totals[1] + (1 - probability) * totals[0]
        return float(self.good.formula(tuple(old)) - self.good.formula(tuple(new)))

    def draw(self, size: int, probability: float, chance: np.random.Generator) -> dict[str, Sample]:
        """The old and the new outputs of one test set."""
        places = chance.integers(len(self.good.rows), size=size)
        is_bad = chance.random(size) < probability

        def drawn(from_bad: NDArray[np.bool_]) -> Sample:
            rows = np.where(from_bad[:, None], self.bad.rows[places], self.good.rows[places])
            return replace(self.good, rows=rows)

        return {"new": drawn(is_bad), "baseline": drawn(~is_bad)}


def outcomes(samples: dict[str, Sample], seed: int) -> Iterator[tuple[Rule, str]]:
    """The outcome of every rule for one test set."""
    tested = compare_samples(samples, Settings(alpha=ALPHA, resamples=1000, seed=seed))
    wide = Settings(test=BOOTSTRAP, alpha=interval_alpha("not-worse", ALPHA), resamples=1000, seed=seed)
    bounded = compare_samples(samples, wide)
    for rule in RULES:
        comparison = bounded if rule == "not-worse" else tested
        pair = comparison.pair("new", "baseline")
        yield rule, decide(pair, comparison.segments, True, rule, MAX_DROP, ALPHA)[0]


def simulate(sizes: Sequence[int], trials: int, seed: int = 1) -> list[Rates]:
    """The rates of every rule at every size."""
    population = Population()
    chance = np.random.default_rng(seed)
    rates = []
    for size in sizes:
        counted: dict[tuple[Rule, float], Counter[str]] = {
            (rule, drop): Counter() for rule in RULES for drop in (0, DROP)
        }
        for drop in (0, DROP):
            probability = population.swap_probability(drop) if drop else 0.5
            for trial in range(trials):
                for rule, outcome in outcomes(population.draw(size, probability, chance), trial):
                    counted[rule, drop][outcome] += 1
        for rule in RULES:
            shares = [{key: count / trials for key, count in counted[rule, drop].items()} for drop in (0, DROP)]
            rates.append(Rates(rule, size, shares[0], shares[1]))
    return sorted(rates, key=lambda row: RULES.index(row.rule))


def table(rates: Sequence[Rates], trials: int) -> str:
    """The rates as a Markdown table."""
    lines = [
        f"Shares of {trials:,} simulated test sets, BLEU, `--max-drop {MAX_DROP:g}`, `--alpha {ALPHA:g}`:",
        "",
        f"| rule | segments | no change: failed | undecided | real drop of {DROP:g}: passed | undecided |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for row in rates:
        shares = (
            row.without_change.get("failed", 0.0),
            row.without_change.get("undecided", 0.0),
            row.with_drop.get("passed", 0.0),
            row.with_drop.get("undecided", 0.0),
        )
        lines.append(f"| {row.rule} | {row.segments:,} | {' | '.join(f'{share:.0%}' for share in shares)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=500)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text = table(simulate(SIZES, options.trials), options.trials)
    if not options.write:
        print(text, end="")
        return
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
