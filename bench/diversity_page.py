"""`python -m bench.diversity_page --write`: measure what `bench/tables/diversity.md` says about cost, in one run.

It takes about ten minutes on a machine that does nothing else. The packages diversity and datasketch must be installed:
`pip install --no-deps diversity==0.3.1 datasketch`.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from bench import diversity
from bench.data import ROOT
from bench.harness import peer
from bench.self_bleu import slope
from bleuprint.metrics import registry

PAGE = ROOT / "bench" / "tables" / "diversity.md"
BEGIN, END = "<!-- begin: python -m bench.diversity_page --write -->\n", "<!-- end -->\n"
SIZES = (100_000, 300_000, 1_000_000)
LONG = 2.0  # seconds; a call that takes longer is measured once
REPEATS = 5
LOW_THRESHOLD = 0.5


def growth_table(sizes: Sequence[int]) -> str:
    """Time, memory and growth of all measures, the fastest first."""
    measured = {size: diversity.grown(size) for size in sizes}
    largest = measured[sizes[-1]]
    rows = []
    for name in sorted(largest, key=lambda name: largest[name]["cpu"]):
        points = [(math.log(size), math.log(max(figures[name]["cpu"], 1e-4))) for size, figures in measured.items()]
        error = largest[name]["error"] / largest[name]["score"] if largest[name]["error"] else 0.0
        rows.append(
            [
                name,
                *(f"{figures[name]['cpu']:.2f}" for figures in measured.values()),
                f"{slope(points):.2f}",
                f"{largest[name]['megabytes']:,.0f}",
                f"{100 * error:.1f} %" if error else "exact",
            ]
        )
    header = ["measure", *(f"s, {size:,} texts" for size in sizes), "exponent", "MB beyond the texts", "standard error"]
    return table(header, rows)


def peer_table(sizes: Sequence[int]) -> str:
    """How many times longer the package diversity takes."""
    rows = []
    for name, where in diversity.PEER_FUNCTIONS.items():
        score = diversity.peer_function(*where)
        if score is None:
            raise SystemExit("diversity is not installed: pip install --no-deps diversity==0.3.1")
        rows.append([name, *(f"{_ratio(name, score, diversity.generated(size)):.1f}×" for size in sizes)])
    return table(["measure", *(f"{size:,} texts" for size in sizes)], rows)


def _ratio(name: str, score: Callable[..., float], texts: list[str]) -> float:
    metric: Any = registry.metrics("pool")[name](tokenizer="whitespace")  # type: ignore[call-arg]
    ours = seconds(lambda: metric.corpus(texts, threads=1))
    return seconds(lambda: diversity.quietly(score, texts)) / ours


def join_table(size: int) -> str:
    """Near-duplicates against brute force and datasketch."""
    texts = diversity.generated(size)
    expected = diversity.brute_force(texts)
    metric = diversity.near_duplicates()
    module = peer("datasketch")
    found: dict[str, set[tuple[int, int]]] = {}

    def ours() -> None:
        found["bleuprint"] = {(pair.first, pair.second) for pair in metric.corpus(texts, threads=1).pairs()}

    def hashed(threshold: float) -> None:
        name = f"datasketch (MinHash LSH, 256 permutations, threshold {threshold})"
        found[name] = diversity.minhash(module, texts, threshold)

    if module is None:
        raise SystemExit("datasketch is not installed: pip install datasketch")
    # A pair at the threshold is found with a probability of about one half; far below it, almost all are.
    times = [seconds(ours), *(seconds(lambda at=at: hashed(at)) for at in (diversity.THRESHOLD, LOW_THRESHOLD))]  # type: ignore[misc]
    times.append(seconds(lambda: found.update({"all pairs that share an n-gram": diversity.brute_force(texts)})))
    rows = [
        [
            name,
            f"{len(pairs & expected) / len(expected):.3f}",
            f"{len(pairs & expected) / max(len(pairs), 1):.3f}",
            f"{taken:.2f}",
        ]
        for (name, pairs), taken in zip(found.items(), times, strict=True)
    ]
    return table([f"{size:,} texts, {len(expected):,} pairs", "recall", "precision", "s"], rows)


def seconds(call: Callable[[], object]) -> float:
    """CPU time: the median of a few calls, or that of the first if it takes long."""
    runs: list[float] = []
    while len(runs) < REPEATS and (not runs or runs[0] < LONG):
        start = time.process_time()
        call()
        runs.append(time.process_time() - start)
    return median(runs)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---", *("---:" for _ in header[1:])], *rows]
    return (
        "".join(f"| {' | '.join(line)} |\n" for line in lines).replace("| --- |", "|---|").replace(" ---: |", "---:|")
    )


def page_part(sizes: Sequence[int], peer_sizes: Sequence[int], joined: int) -> str:
    loads = [os.getloadavg()[0]]
    grown = growth_table(sizes)
    loads.append(os.getloadavg()[0])
    return "\n".join(
        [
            grown,
            f"Load average {loads[0]:.1f} before, {loads[1]:.1f} after ({os.cpu_count()} cores).\n",
            "Time of the package `diversity` 0.3.1 as a multiple of ours. It compares all pairs of texts or joins "
            "lists of n-grams:\n",
            peer_table(peer_sizes),
            "Near-duplicates with a Jaccard similarity of trigrams of at least 0.8, in other texts of 20 words:\n",
            join_table(joined),
        ]
    )


def written(page: str, part: str) -> str:
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{PAGE.name} has no {BEGIN.strip()} … {END.strip()}")
    return before + BEGIN + part + END + after


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.diversity_page", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write the tables into {PAGE.name}")
    given = parser.parse_args()
    part = page_part(SIZES, diversity.PEER_SIZES, diversity.JOINED)
    print(part)
    if given.write:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), part), encoding="utf-8")


if __name__ == "__main__":
    main()
