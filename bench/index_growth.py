"""`python -m bench.index_growth JOB …`: one job of the index suite in a process of its own, as JSON.

Jobs: `text PATH BYTES` writes text made by repeating and perturbing real text; `build TEXT INDEX MEMORY`, `query INDEX
TEXT`, `tokengrams TEXT FOLDER` and `sort TEXT FOLDER` measure one contestant on it.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import memory
from bench.data import load

LINES = 20_000


def write_text(path: Path, size: int) -> None:
    """Every line is a line of real text with two words replaced and one inserted, so that no two are the same."""
    corpus = load(LINES)
    lines = [line.split() for line in (*corpus.references, *corpus.hypotheses) if line]
    words = sorted({word for line in lines for word in line})
    source = random.Random(size)
    below, chosen, written = source.random, source.choices(words, k=1 << 16), 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        while written < size:
            block = []
            for line in lines:
                copy = line.copy()
                for _ in range(2):
                    copy[int(below() * len(copy))] = chosen[int(below() * 65536)]
                copy.insert(int(below() * len(copy)), chosen[int(below() * 65536)])
                block.append(" ".join(copy))
                written += len(block[-1]) + 1
                if written >= size:
                    break
            file.write("\n".join(block) + "\n")


class Watch:
    """Allocated memory of this process at its highest, in megabytes, looked at a hundred times a second."""

    def __init__(self) -> None:
        self.before = self.most = self._now()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._stop.wait(0.01):
            self.most = max(self.most, self._now())

    @staticmethod
    def _now() -> float:
        for line in memory.STATUS.read_text(encoding="ascii").splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1024
        return 0.0


def measured(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    with Watch() as watch:
        wall, cpu = time.perf_counter(), time.process_time()
        found = work()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {"wall": wall, "cpu": cpu, "allocated": watch.most, "resident": memory.peak() / 1024, **found}


def build(text: Path, index: Path, limit: int) -> dict[str, Any]:
    from bleuprint.corpora import build_index

    def work() -> dict[str, Any]:
        made = build_index(text, index, tokenizer="whitespace", memory=limit, overwrite=True, threads=1)
        return {"tokens": made.tokens, "words": made.words, "bytes": made.size}

    return measured(work)


def query(index: Path, text: Path) -> dict[str, Any]:
    from bleuprint import NgramIndex
    from bleuprint.metrics import Contamination, Novelty

    opened = NgramIndex.open(index)
    with text.open(encoding="utf-8") as file:
        lines = [line for line, _ in zip(file, range(2000), strict=False)]
    unseen = [" ".join(reversed(line.split())) for line in lines]
    found: dict[str, Any] = {"texts": len(lines)}
    for name, texts in (("seen", lines), ("unseen", unseen)):
        for what, metric in (("curve", Novelty(opened)), ("contamination", Contamination(opened))):
            metric.corpus(texts, threads=1)  # reads the pages
            begin = time.process_time()
            metric.corpus(texts, threads=1)
            found[f"{what}_{name}"] = (time.process_time() - begin) / len(texts) * 1e6
    return found


def tokengrams(text: Path, folder: Path) -> dict[str, Any]:
    """On token ids of two bytes, so all but the most frequent words share one number."""
    import numpy as np
    from tokengrams import MemmapIndex

    numbers: dict[str, int] = {}
    with text.open(encoding="utf-8") as file, (folder / "ids.bin").open("wb") as ids:
        for line in file:
            row = [min(numbers.setdefault(word, len(numbers)), 65535) for word in line.split()]
            ids.write(np.array(row, dtype=np.uint16).tobytes())

    def work() -> dict[str, Any]:
        MemmapIndex.build(str(folder / "ids.bin"), str(folder / "table.bin"), vocab=2**16)
        sizes = [(folder / name).stat().st_size for name in ("ids.bin", "table.bin")]
        return {"tokens": sizes[0] // 2, "bytes": sum(sizes)}

    return measured(work)


def plain_sort(text: Path, folder: Path) -> dict[str, Any]:
    """All 13-grams, one per line, through sort: what a script without an index does."""
    begin = time.perf_counter()
    ngrams = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    words = line.split()\n"
        "    sys.stdout.writelines(' '.join(words[i:i+13]) + chr(10) for i in range(len(words) - 12))\n"
    )
    command = '"$0" -c "$1" < "$2" | LC_ALL=C sort -S 1G -T "$3" | uniq -c > "$3/sorted"'
    subprocess.run(["bash", "-c", command, sys.executable, ngrams, str(text), str(folder)], check=True)
    times = os.times()
    return {
        "wall": time.perf_counter() - begin,
        "cpu": times.children_user + times.children_system,
        "bytes": (folder / "sorted").stat().st_size,
    }


def main() -> None:
    job, *arguments = sys.argv[1:]
    if job == "text":
        write_text(Path(arguments[0]), int(arguments[1]))
        found: dict[str, Any] = {}
    elif job == "build":
        found = build(Path(arguments[0]), Path(arguments[1]), int(arguments[2]))
    elif job == "query":
        found = query(Path(arguments[0]), Path(arguments[1]))
    elif job == "tokengrams":
        found = tokengrams(Path(arguments[0]), Path(arguments[1]))
    else:
        found = plain_sort(Path(arguments[0]), Path(arguments[1]))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
