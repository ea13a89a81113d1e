"""`python -m bench.spark_growth [--texts N ...]`: time, memory and shuffled bytes of Self-BLEU-5 on local Spark.

Every size runs in a process of its own with two cores and the heap that --heap names. Memory is the largest resident
set of the JVM and all its Python workers together, looked at ten times a second.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet

from bench.data import ROOT
from bench.growth import texts

SIZES = (250_000, 500_000, 1_000_000, 2_000_000)
PART = 125_000  # texts in a file
PAGE = os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.spark_growth", description=__doc__)
    parser.add_argument("--texts", type=int, nargs="+", default=SIZES)
    parser.add_argument("--heap", default="1g")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(options.one, options.heap)))
        return
    rows = []
    for size in sorted(options.texts):
        command = [sys.executable, "-m", "bench.spark_growth", "--one", str(size), "--heap", options.heap]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        rows.append(json.loads(done.stdout.splitlines()[-1]))
        print(json.dumps(rows[-1]), flush=True)
    for before, after in itertools.pairwise(rows):
        for name in ("wall", "cpu", "shuffled"):
            exponent = math.log(after[name] / before[name]) / math.log(after["texts"] / before["texts"])
            print(f"{before['texts']:,} to {after['texts']:,}: {name} grows with exponent {exponent:.2f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def measured(count: int, heap: str) -> dict[str, Any]:
    """One run over texts in files."""
    from bleuprint import SelfBLEU
    from bleuprint.integrations.spark import pool_score
    from bleuprint.integrations.spark.session import local_session

    lines = texts(count)
    with tempfile.TemporaryDirectory(prefix="spark-growth-") as folder:
        (Path(folder) / "texts").mkdir()
        for start in range(0, count, PART):
            table = pa.table({"text": lines[start : start + PART]})
            parquet.write_table(table, Path(folder) / "texts" / f"{start:09}.parquet")
        metric = SelfBLEU(max_order=5, tokenizer="whitespace")
        spark = local_session("local[2]", {"spark.driver.memory": heap, "spark.local.dir": folder + "/local"})
        pool_score(spark.createDataFrame([("a b",), ("a b",)], "text string"), metric=metric)  # workers are up
        jvm = int(spark.sparkContext._jvm.ProcessHandle.current().pid())  # type: ignore[union-attr]
        watch = Watch(jvm)
        wall, cpu = time.perf_counter(), cpu_seconds(jvm)
        score = pool_score(spark.read.parquet(folder + "/texts"), metric=metric)
        wall, cpu = time.perf_counter() - wall, cpu_seconds(jvm) - cpu
        peak = watch.stop()
        shuffled = written(spark)
        spark.stop()
    single = metric.corpus(lines)
    return {
        "texts": count,
        "tokens": sum(line.count(" ") + 1 for line in lines),
        "megabytes of text": round(sum(map(len, lines)) / 1e6, 1),
        "wall": round(wall, 2),
        "cpu": round(cpu, 2),
        "peak megabytes": {name: round(size / 1e6) for name, size in peak.items()},
        "shuffled": shuffled,
        "equal to one machine": (score.value, score.per_order) == (single.value, single.per_order),
    }


def written(spark: Any) -> int:
    """Bytes that all tasks have written for shuffles."""
    executors = spark.sparkContext._jsc.sc().statusStore().executorList(True)
    return sum(executors.apply(place).totalShuffleWrite() for place in range(executors.size()))


def tree(root: int) -> dict[int, list[str]]:
    """The process and everything under it, with the fields of /proc/PID/stat after the name."""
    parents: dict[int, list[int]] = {}
    fields: dict[int, list[str]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        fields[int(entry.name)] = stat
        parents.setdefault(int(stat[1]), []).append(int(entry.name))
    found, waiting = {}, [root]
    while waiting:
        number = waiting.pop()
        if number in fields:
            found[number] = fields[number]
            waiting += parents.get(number, [])
    return found


def cpu_seconds(root: int) -> float:
    """Of the processes that live and of those they have waited for."""
    ticks = sum(sum(map(int, stat[11:15])) for stat in tree(root).values())
    return ticks / os.sysconf("SC_CLK_TCK")


class Watch:
    """The largest memory that was seen: of the JVM, of all Python workers, of both at one moment."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._peak = {"jvm": 0, "workers": 0, "together": 0}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._over.wait(0.1):
            sizes = {number: int(stat[21]) * PAGE for number, stat in tree(self._root).items()}
            jvm = sizes.pop(self._root, 0)
            now = {"jvm": jvm, "workers": sum(sizes.values()), "together": jvm + sum(sizes.values())}
            self._peak = {name: max(size, now[name]) for name, size in self._peak.items()}

    def stop(self) -> dict[str, int]:
        self._over.set()
        self._thread.join()
        return self._peak


if __name__ == "__main__":
    main()
