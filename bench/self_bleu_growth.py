"""`python -m bench.self_bleu_growth TEXTS THREADS`: time and memory of Self-BLEU-5 over generated texts, as JSON."""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from numpy.typing import NDArray

import bleuprint
from bench import memory

WORDS = 20  # in a text


def word_ranks(count: int) -> NDArray[np.int64]:
    """A row for each text: words as unevenly frequent as in a language (Zipf)."""
    ranks: NDArray[np.int64] = np.random.default_rng(1).zipf(1.3, size=(count, WORDS)) % 1_000_003
    return ranks


def texts(count: int) -> list[str]:
    return [" ".join(map(str, row)) for row in word_ranks(count).tolist()]


def main() -> None:
    lines, threads = texts(int(sys.argv[1])), int(sys.argv[2])
    bleuprint.self_bleu(lines[:2], tokenizer="whitespace")
    before = memory.settled()
    wall, cpu = time.perf_counter(), time.process_time()
    score = bleuprint.self_bleu(lines, max_order=5, tokenizer="whitespace", threads=threads)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    extra = (memory.peak() - before) / 1024
    print(json.dumps({"wall": wall, "cpu": cpu, "megabytes": extra, "score": score.value}))


if __name__ == "__main__":
    main()
