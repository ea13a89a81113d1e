"""How often tests find a difference where there is none, and items depend on each other, as tables.

Equal systems, whose segments come in documents; and metrics that agree equally well with people, whose outputs come in
segments: scores made up, and those of real metrics for real ratings.

`python -m tools.cluster_simulation` writes the tables into bench/tables/simulations.md; it takes some minutes. The one
of real ratings reads ../shared/data, as `tools.human_agreement` does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

import bleuprint as bp
from bleuprint.ratings.agreement.resampling import Outputs, correlation_p_values, system_p_values
from bleuprint.ratings.agreement.statistics import standardize
from bleuprint.ratings.items import Trials
from bleuprint.statistics.chance import Chance
from bleuprint.statistics.paired import randomization_p_values
from bleuprint.statistics.rows import Sample
from tools.human_agreement import data_folder, rows_of
from tools.pool_simulation import write_table

ALPHA = 0.05
RUNS = 2000
CLUSTERS = (20, 100, 500)
CORRELATIONS = (0.0, 0.1, 0.25, 0.5)
_SIZE = 5  # segments per document
_SWAPS = 399  # (399 + 1) · 0.05 is an integer, so the level can be met exactly
METRIC_RUNS = 1000
REAL_RUNS = 400
NOISES = (0.0, 0.5, 1.0, 2.0)  # that all outputs of a segment share, in standard deviations of that of single outputs
SIZES = ((40, 4), (60, 8))  # segments and systems
REAL_PAIRS = (("bleu", "chrf"), ("bleu", "ter"), ("chrf", "rouge"))
LEVELS = ("segment, Pearson", "segment, Spearman", "system, Pearson")


def false_alarms(clusters: int, correlation: float, runs: int, seed: int = 1) -> tuple[float, float]:
    """Return the share of runs in which segments, and in which clusters, differ significantly by chance.

    The scores of both systems have the same mean. Their differences within a cluster have the given correlation.
    """
    generator = np.random.default_rng(seed)
    labels = np.repeat(np.arange(clusters), _SIZE).tolist()
    alarms = [0, 0]
    for run in range(runs):
        shared = np.repeat(generator.standard_normal(clusters), _SIZE)
        own = generator.standard_normal(clusters * _SIZE)
        difference = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
        common = generator.standard_normal(clusters * _SIZE)  # some items are hard for both systems
        segments = [Sample.of_scores(common + difference), Sample.of_scores(common)]
        for kind, samples in enumerate((segments, [sample.by_cluster(labels) for sample in segments])):
            (p_value,) = randomization_p_values(samples, [(0, 1)], _SWAPS, Chance(run))
            alarms[kind] += p_value <= ALPHA
    return alarms[0] / runs, alarms[1] / runs


def table() -> str:
    """Return the Markdown table of all simulations."""
    heads = [f"{count} documents, {kind}" for count in CLUSTERS for kind in ("ignored", "`clusters`")]
    lines = [f"| correlation | {' | '.join(heads)} |", f"|---{'|---:' * len(heads)}|"]
    for correlation in CORRELATIONS:
        cells = []
        for clusters in CLUSTERS:
            cells += [f"{100 * share:.1f} %" for share in false_alarms(clusters, correlation, RUNS)]
            print(correlation, clusters, *cells[-2:], file=sys.stderr, flush=True)
        lines.append(f"| {correlation:g} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def equal_metrics(items: int, systems: int, noise: float, seed: int) -> Outputs:
    """Scores of two metrics that see as much of the truth, and ratings of the outputs."""
    generator = np.random.default_rng(seed)
    item, system = np.repeat(np.arange(items), systems), np.tile(np.arange(systems), items)
    truth = generator.standard_normal(items)[item] + generator.standard_normal(systems)[system]
    own = generator.standard_normal((3, len(item)))
    shared = noise * generator.standard_normal((2, items))[:, item]
    return Outputs(0.4 * truth + own[:2] + shared, truth + own[2], item, system, items, systems)


def ratings_file() -> Path:
    """Expert ratings of translations."""
    return data_folder() / "human" / "mqm-ted-en-de.tsv.xz"


@cache
def rated_outputs(metric: str, other: str) -> Outputs:
    """The rated outputs of real systems, with their scores under two metrics, on one scale."""
    rows = rows_of(ratings_file(), "\t")
    texts, references = ([row[column] for row in rows] for column in ("hypothesis", "reference"))
    scores = []
    for name in (metric, other):
        found = bp.evaluate(texts, references, metrics=name).systems[0].score(name)
        sign = 1 if bp.metrics.registry.resolve(name).higher_is_better else -1
        scores.append(sign * np.array(found.segments))
    numbers = [np.unique([row[column] for row in rows], return_inverse=True) for column in ("segment", "system")]
    (segments, segment), (systems, system) = numbers
    ratings = np.array([float(row["mqm"]) for row in rows])
    return Outputs(standardize(np.array(scores)), ratings, segment, system, len(segments), len(systems))


def exchange_metrics(outputs: Outputs, seed: int) -> Outputs:
    """Let a coin decide for each segment which of two metrics gave which scores: both are then equally good."""
    coins = np.random.default_rng(seed).integers(2, size=outputs.items, dtype=bool)[outputs.item]
    return replace(outputs, scores=np.where(coins, outputs.scores[::-1], outputs.scores))


def metric_alarms(draw: Callable[[int], Outputs], runs: int) -> dict[str, tuple[float, float]]:
    """The shares of runs in which equal metrics differ significantly: swapped output by output, and by segment."""
    alarms = {level: [0, 0] for level in LEVELS}
    for run in range(runs):
        outputs = draw(run)
        single = replace(outputs, item=np.arange(len(outputs)), items=len(outputs))
        for kind, units in enumerate((single, outputs)):
            trials = Trials(_SWAPS // 2, run)
            p_values = (
                correlation_p_values(units, trials),
                correlation_p_values(units, trials, ranks=True),
                system_p_values(units, "pearson", trials)[0],
            )
            for level, found in zip(LEVELS, p_values, strict=True):
                alarms[level][kind] += found[0, 1] <= ALPHA
    return {level: (counts[0] / runs, counts[1] / runs) for level, counts in alarms.items()}


def made_up_alarms(items: int, systems: int, noise: float, runs: int) -> dict[str, tuple[float, float]]:
    """The alarms for scores that are made up."""
    return metric_alarms(lambda run: equal_metrics(items, systems, noise, run), runs)


def real_alarms(pair: tuple[str, str], runs: int) -> dict[str, tuple[float, float]]:
    """The alarms for the scores of two real metrics, exchanged at random."""
    outputs = rated_outputs(*pair)
    return metric_alarms(lambda run: exchange_metrics(outputs, run), runs)


def alarm_table(heads: str, rows: Mapping[str, dict[str, tuple[float, float]]]) -> str:
    """Return the Markdown table of alarms by row."""
    kinds = [f"{level}, {kind}" for level in LEVELS for kind in ("by output", "by segment")]
    lines = [f"| {' | '.join([heads, *kinds])} |", f"|{'---|' * (1 + heads.count('|'))}{'---:|' * len(kinds)}"]
    for name, found in rows.items():
        cells = [f"{100 * share:.1f} %" for shares in found.values() for share in shares]
        print(name, *cells, file=sys.stderr, flush=True)
        lines.append(f"| {' | '.join([name, *cells])} |")
    return "\n".join(lines) + "\n"


def metric_table() -> str:
    """Return the Markdown table of the simulations of metrics."""
    rows = {
        f"{items} × {systems} | {noise:g}": made_up_alarms(items, systems, noise, METRIC_RUNS)
        for items, systems in SIZES
        for noise in NOISES
    }
    return alarm_table("segments × systems | shared noise", rows)


def real_table() -> str:
    """Return the Markdown table of real metrics."""
    return alarm_table("metrics", {" and ".join(pair): real_alarms(pair, REAL_RUNS) for pair in REAL_PAIRS})


TABLES: dict[str, Callable[[], str]] = {"clusters": table, "metrics": metric_table, "real metrics": real_table}


def main() -> None:
    wanted = sys.argv[1:] or list(TABLES)
    for name in wanted:
        write_table(name, TABLES[name]())


if __name__ == "__main__":
    main()
