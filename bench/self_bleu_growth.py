"""`python -m bench.self_bleu_growth TEXTS THREADS [MEMORY]`: time and memory of Self-BLEU-5 over generated texts.

It prints JSON. With MEMORY, such as 2GB, the texts come one by one, and what takes more is counted on disk; the time to
generate the texts is left out of the processor time.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bleuprint
from bench import memory

WORDS = 20  # in a text
BLOCK = 10_000  # texts that are generated at a time
OPTIONS: dict[str, Any] = {"max_order": 5, "tokenizer": "whitespace"}


def word_ranks(count: int) -> NDArray[np.int64]:
    """A row for each text: words as unevenly frequent as in a language (Zipf)."""
    ranks: NDArray[np.int64] = np.random.default_rng(1).zipf(1.3, size=(count, WORDS)) % 1_000_003
    return ranks


def texts(count: int) -> list[str]:
    return [" ".join(map(str, row)) for row in word_ranks(count).tolist()]


def each_text(count: int) -> Iterator[str]:
    """The same texts, without all of them in memory."""
    generator = np.random.default_rng(1)
    for begin in range(0, count, BLOCK):
        ranks = generator.zipf(1.3, size=(min(BLOCK, count - begin), WORDS)) % 1_000_003
        yield from (" ".join(map(str, row)) for row in ranks.tolist())


def disk_used() -> float:
    """Megabytes of the files without a name that this process has open."""
    sizes = []
    for link in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):  # that of the folder, which is closed
            if str(link.readlink()).endswith("(deleted)"):
                sizes.append(link.stat().st_blocks * 512)
    return sum(sizes) / 1024**2


def main() -> None:
    count, threads, limit = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    given: Any = each_text(count) if limit else texts(count)
    options = {**OPTIONS, "threads": threads, **({"memory": limit[0]} if limit else {})}
    bleuprint.self_bleu(["a b", "a"], tokenizer="whitespace")
    generating = 0.0
    if limit:
        begin = time.process_time()
        for _ in each_text(count):
            pass
        generating = time.process_time() - begin
    before = memory.settled()
    wall, cpu = time.perf_counter(), time.process_time()
    score = bleuprint.self_bleu(given, **options)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu - generating
    extra = (memory.peak() - before) / 1024
    figures = {"wall": wall, "cpu": cpu, "megabytes": extra, "peak": memory.peak() / 1024, "score": score.value}
    print(json.dumps({**figures, "disk": disk_used()} if limit else figures))


if __name__ == "__main__":
    main()
