"""`python -m bench.spark_growth [--texts N ...]`: time, memory and shuffled bytes of Self-BLEU-5 on local Spark.

Every size runs with two cores in processes of their own, which together may take the memory that --limit names: beyond
it the kernel kills them (control groups, so Linux and root). The whole table is what all different n-grams of orders 1
to 5 would take in one place.
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
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet

from bench.control_group import control_group
from bench.data import ROOT
from bench.self_bleu_growth import WORDS, texts

SIZES = (250_000, 500_000, 1_000_000, 2_000_000)
PART = 125_000  # texts in a file
NGRAM_BYTES = 44  # in a merged table: a key of 16, counts of 16, and between two and four slots of 4


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.spark_growth", description=__doc__)
    parser.add_argument("--texts", type=int, nargs="+", default=SIZES)
    parser.add_argument("--heap", default="768m", help="of the JVM")
    parser.add_argument("--block", type=int, default=2 << 20, help="bytes of text in a block")
    parser.add_argument("--limit", type=int, default=2200, help="megabytes for all processes of Spark together")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(scored(options.one, options.heap, options.block)))
        return
    rows = []
    for size in sorted(options.texts):
        rows.append(measured(size, options))
        print(json.dumps(rows[-1]), flush=True)
    for before, after in [*itertools.pairwise(rows), *([(rows[0], rows[-1])] if len(rows) > 2 else [])]:
        for name in ("wall", "cpu", "shuffled"):
            exponent = math.log(after[name] / before[name]) / math.log(after["texts"] / before["texts"])
            print(f"{before['texts']:,} to {after['texts']:,}: {name} grows with exponent {exponent:.2f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def measured(count: int, options: argparse.Namespace) -> dict[str, Any]:
    """One size: the texts in files, Spark under its limit, then one machine."""
    from bleuprint.metrics import Distinct, SelfBLEU

    lines = texts(count)
    with (
        tempfile.TemporaryDirectory(prefix="spark-growth-") as folder,
        control_group(options.limit * 1_000_000) as group,
    ):
        (Path(folder) / "texts").mkdir()
        for start in range(0, count, PART):
            table = pa.table({"text": lines[start : start + PART]})
            parquet.write_table(table, Path(folder) / "texts" / f"{start:09}.parquet")
        command = [sys.executable, "-m", "bench.spark_growth", "--one", folder]
        command += ["--heap", options.heap, "--block", str(options.block)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, preexec_fn=group.enter)
        kills, largest = group.kills(), group.largest
    if done.returncode or kills:
        sys.exit(f"{done.stderr}\n{count:,} texts: {kills} processes killed for want of memory")
    found = json.loads(done.stdout.splitlines()[-1])
    began = time.process_time()
    single = SelfBLEU(max_order=5, tokenizer="whitespace").corpus(lines)
    alone = time.process_time() - began
    shares = Distinct(max_order=5, tokenizer="whitespace").corpus(lines).per_order
    different = sum(share * count * (WORDS - place) for place, share in enumerate(shares))
    score = found.pop("score")
    return {
        "texts": count,
        "megabytes of text": round(sum(map(len, lines)) / 1e6, 1),
        **found,
        "limit MB": options.limit,
        "largest MB": round(largest / 1e6),
        "whole table MB": round(different * NGRAM_BYTES / 1e6),
        "cpu of one machine": round(alone, 2),
        "equal to one machine": score == [single.value, *single.per_order],
    }


def scored(folder: Path, heap: str, block_bytes: int) -> dict[str, Any]:
    """One run over texts in files."""
    from bleuprint import SelfBLEU
    from bleuprint.integrations.spark import pool_score
    from bleuprint.integrations.spark.session import local_session

    metric = SelfBLEU(max_order=5, tokenizer="whitespace")
    collector = "-XX:+UseSerialGC"  # rows are as large as blocks, and G1 cannot move what it calls humongous
    options = {
        "spark.driver.memory": heap,
        "spark.driver.extraJavaOptions": collector,
        "spark.local.dir": f"{folder}/local",
    }
    spark = local_session("local[2]", options)
    pool_score(spark.createDataFrame([("a b",), ("a b",)], "text string"), metric=metric)  # workers are up
    jvm = int(spark.sparkContext._jvm.ProcessHandle.current().pid())  # type: ignore[union-attr]
    wall, cpu = time.perf_counter(), cpu_seconds(jvm)
    score = pool_score(spark.read.parquet(f"{folder}/texts"), metric=metric, block_bytes=block_bytes)
    wall, cpu = time.perf_counter() - wall, cpu_seconds(jvm) - cpu
    found = {"wall": round(wall, 2), "cpu": round(cpu, 2), "shuffled": written(spark)}
    spark.stop()
    return {**found, "score": [score.value, *score.per_order]}


def written(spark: Any) -> int:
    """Bytes that all tasks have written for shuffles."""
    executors = spark.sparkContext._jsc.sc().statusStore().executorList(True)
    return sum(executors.apply(place).totalShuffleWrite() for place in range(executors.size()))


def cpu_seconds(root: int) -> float:
    """Of a process and all under it that live, and of those they have waited for."""
    parents: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        ticks[int(entry.name)] = sum(map(int, stat[11:15]))
        parents.setdefault(int(stat[1]), []).append(int(entry.name))
    found, waiting = 0, [root]
    while waiting:
        number = waiting.pop()
        found += ticks.get(number, 0)
        waiting += parents.get(number, [])
    return found / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
