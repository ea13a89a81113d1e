"""`python -m bench.spark_growth [--texts N ...]`: CPU time of Self-BLEU-5 on local Spark beside one machine, as JSON.

Every size runs in a session of its own, after a first small score that starts the workers. The last lines are what a
further text costs, from the smallest to the largest size, and the exponent with which the cost grows.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.data import ROOT

SIZES = (200_000, 1_000_000)
FILE = 125_000  # texts in a file
OPTIONS = {
    "spark.driver.memory": "1500m",
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC",  # collectors with threads of their own take more CPU time
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
PROCESSES = ("jvm", "workers", "driver")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.spark_growth", description=__doc__)
    parser.add_argument("--texts", type=int, nargs="+", default=SIZES)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(score(options.texts[0])))
        return
    found = []
    for size in sorted(options.texts):
        found.append(run(size))
        print(json.dumps(found[-1]), flush=True)
    if len(found) > 1:
        print(json.dumps({name: round(value, 2) for name, value in margin(found).items()}))


def run(size: int) -> dict[str, Any]:
    """Seconds of CPU time for so many texts, in a process of its own."""
    command = [sys.executable, "-m", "bench.spark_growth", "--one", "--texts", str(size)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def margin(found: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Microseconds that a further text costs in each process, and how that compares with one machine."""
    first, last = found[0], found[-1]
    further = last["texts"] - first["texts"]
    costs = {name: (last[name] - first[name]) / further * 1e6 for name in (*PROCESSES, "spark", "one machine")}
    growth = math.log(last["spark"] / first["spark"]) / math.log(last["texts"] / first["texts"])
    return {**costs, "ratio": costs["spark"] / costs["one machine"], "exponent": growth}


def score(size: int) -> dict[str, Any]:
    """One session, then one machine."""
    import pyarrow as pa
    from pyarrow import parquet
    from pyspark.sql import SparkSession

    from bench.self_bleu_growth import texts  # it imports all suites, and with them this file
    from bleuprint import SelfBLEU
    from bleuprint.integrations import spark as integration

    metric = SelfBLEU(max_order=5, tokenizer="whitespace")
    lines = texts(size)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory(prefix="spark-growth-") as folder:
        builder = SparkSession.builder.master("local[2]").config("spark.local.dir", f"{folder}/local")
        for name, value in OPTIONS.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        for start in range(0, size, FILE):
            parquet.write_table(pa.table({"text": lines[start : start + FILE]}), f"{folder}/{start:09}.parquet")
        few = session.createDataFrame([("a b",), ("a b",)], "text string")
        integration.score(few, "text", None, metrics={"self-bleu": metric})
        java: Any = session.sparkContext._jvm
        number = int(java.ProcessHandle.current().pid())
        before = cpu_seconds(number)
        result = integration.score(session.read.parquet(folder), "text", None, metrics={"self-bleu": metric})
        after = cpu_seconds(number)
        session.stop()
    seconds = {name: after[name] - before[name] for name in PROCESSES}
    began = time.process_time()
    alone = metric.corpus(lines, threads=1)
    one_machine = time.process_time() - began
    (found,) = result.systems[0].scores
    return {
        "texts": size,
        **{name: round(value, 2) for name, value in seconds.items()},
        "spark": round(sum(seconds.values()), 2),
        "one machine": round(one_machine, 2),
        "equal": (found.value, found.parts["per_order"]) == (alone.value, alone.per_order),
    }


def cpu_seconds(java: int) -> dict[str, float]:
    """Of the JVM, of the Python processes under it with those that have ended, and of this process."""
    parents: dict[int, list[int]] = {}
    ticks: dict[int, tuple[int, int]] = {}  # of the process, and of its children that have ended
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        ticks[int(entry.name)] = int(stat[11]) + int(stat[12]), int(stat[13]) + int(stat[14])
        parents.setdefault(int(stat[1]), []).append(int(entry.name))
    workers, waiting = ticks[java][1], list(parents.get(java, ()))
    while waiting:
        number = waiting.pop()
        workers += sum(ticks.get(number, (0, 0)))
        waiting += parents.get(number, ())
    second = os.sysconf("SC_CLK_TCK")
    return {"jvm": ticks[java][0] / second, "workers": workers / second, "driver": time.process_time()}


if __name__ == "__main__":
    main()
