"""`python -m bench.significance_growth SYSTEMS SEGMENTS WORK`: CPU time and memory of work on many systems, as JSON.

The work is "compare" (all pairs), the same with so many trials, such as "20000", or "report" (an evaluation and its
HTML page).
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from numpy.typing import NDArray

import bleuprint
from bench import memory


def texts(systems: int, segments: int) -> tuple[dict[str, list[str]], list[str]]:
    """Systems of which each replaces some words of the references, the later ones more."""
    generator = np.random.default_rng(1)
    words = generator.zipf(1.3, size=(segments, 24)) % 100_003
    outputs = {}
    for number in range(systems):
        wrong = generator.random(words.shape) < 0.2 + 0.2 * number / systems
        outputs[f"system-{number}"] = join(np.where(wrong, generator.zipf(1.3, size=words.shape) % 100_003, words))
    return outputs, join(words)


def join(words: NDArray[np.int64]) -> list[str]:
    return [" ".join(map(str, row)) for row in words.tolist()]


def main() -> None:
    systems, references = texts(int(sys.argv[1]), int(sys.argv[2]))
    pages, trials = sys.argv[3] == "report", int(sys.argv[3]) if sys.argv[3].isdecimal() else None

    def work(outputs: dict[str, list[str]], golds: list[str]) -> None:
        if pages:
            bleuprint.evaluate(outputs, golds, threads=1).to_html()
        else:
            bleuprint.compare(outputs, golds, resamples=trials, threads=1)

    work({name: outputs[:2] for name, outputs in list(systems.items())[:2]}, references[:2])
    before, cpu = memory.settled(), time.process_time()
    work(systems, references)
    print(json.dumps({"cpu": time.process_time() - cpu, "megabytes": (memory.peak() - before) / 1024}))


if __name__ == "__main__":
    main()
