"""`python -m bench.diversity_growth TEXTS MEASURE…`: time and memory of each measure over generated texts, as JSON.

The time is the median of five runs, or of as many as fit into six seconds.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np

import bleuprint
from bench import memory
from bench.self_bleu_growth import word_ranks
from bleuprint.metrics import registry

REPEATS = 5
LONG = 6.0  # seconds, for all runs of a measure
WHOLE: dict[str, dict[str, Any]] = {
    "diversity": {},
    "diversity without intervals": {"confidence": None},
    "diversity on disk": {"memory": "200MB"},
}


def texts(count: int) -> list[str]:
    """Texts with the word frequencies of a language (Zipf); every tenth is an earlier one with another word."""
    ranks = word_ranks(count)
    generator = np.random.default_rng(2)
    copies = np.arange(9, count, 10)
    ranks[copies] = ranks[generator.integers(copies)]
    ranks[copies, generator.integers(ranks.shape[1], size=len(copies))] = word_ranks(count)[copies, 0]
    return [" ".join(map(str, row)) for row in ranks.tolist()]


def measured(name: str, lines: list[str]) -> dict[str, float]:
    runs = [_forked(name, lines)]
    while len(runs) < REPEATS and (len(runs) + 1) * runs[0]["cpu"] < LONG:
        runs.append(_forked(name, lines))
    return {**runs[0], "runs": len(runs), **{clock: median(run[clock] for run in runs) for clock in ("wall", "cpu")}}


def _forked(name: str, lines: list[str]) -> dict[str, float]:
    """In a process that shares the texts, so that peaks do not add up."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_measure, args=(name, lines, sending))
    child.start()
    sending.close()  # else one that fails would be waited for
    figures: dict[str, float] = receiving.recv()
    child.join()
    return figures


def _measure(name: str, lines: list[str], sending: Any) -> None:
    score: Callable[[list[str]], Any] = partial(_diversity, WHOLE.get(name, {}))
    if name not in WHOLE:
        kind: Any = registry.metrics("pool")[name]
        score = partial(kind(tokenizer="whitespace").corpus, threads=1)
    score(lines[:3])
    before = memory.settled()
    wall, cpu = time.perf_counter(), time.process_time()
    found = score(lines)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    extra = (memory.peak() - before) / 1024
    error, value = float(getattr(found, "error", 0.0)), float(getattr(found, "value", 0.0))
    sending.send({"wall": wall, "cpu": cpu, "megabytes": extra, "score": value, "error": error})


def _diversity(options: dict[str, Any], lines: list[str]) -> bleuprint.pools.Diversity:
    texts = iter(lines) if "memory" in options else lines
    return bleuprint.diversity(texts, tokenizer="whitespace", threads=2, **options)


def main() -> None:
    lines = texts(int(sys.argv[1]))
    bleuprint.self_bleu(lines[:2])
    print(json.dumps({name: measured(name, lines) for name in sys.argv[2:]}))


if __name__ == "__main__":
    main()
