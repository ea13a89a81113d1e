"""How often tests find a difference between equal systems whose segments come in documents, as a table.

`python -m tools.cluster_simulation` writes the table into bench/tables/simulations.md; it takes some minutes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np

from bleuprint.statistics.chance import Chance
from bleuprint.statistics.paired import randomization_p_values
from bleuprint.statistics.rows import Sample

ALPHA = 0.05
RUNS = 2000
CLUSTERS = (20, 100, 500)
CORRELATIONS = (0.0, 0.1, 0.25, 0.5)
_SIZE = 5  # segments per document
_SWAPS = 399  # (399 + 1) · 0.05 is an integer, so the level can be met exactly
_PAGE = Path(__file__).parent.parent / "bench" / "tables" / "simulations.md"
_TABLE = re.compile(r"(?<=<!-- clusters -->\n).*?(?=<!-- end of clusters -->)", re.DOTALL)


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


def main() -> None:
    text = _PAGE.read_text(encoding="utf-8")
    _PAGE.write_text(_TABLE.sub(lambda _: table(), text), encoding="utf-8")


if __name__ == "__main__":
    main()
