"""How contestants are measured: interleaved repeats in one process, memory and start-up in processes of their own."""

from __future__ import annotations

import gc
import hashlib
import importlib
import importlib.metadata
import importlib.util
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from itertools import count
from pathlib import Path
from statistics import median
from threading import Thread
from types import ModuleType
from typing import Generic, Literal, TypeVar

from bench.data import ROOT, Corpus
from bench.results import Goal, Row, Section

Result = TypeVar("Result")

EXACT = 1e-9  # two float64 computations of the same score
SINGLE_PRECISION = 1e-5

_marks = count(1)


@dataclass(frozen=True)
class Contestant(Generic[Result]):
    """Somebody who can do the job of a section."""

    name: str
    items: int  # what the time is divided by
    prepare: Callable[[int], Callable[[], Result]]  # a mark for fresh text → the job that is timed
    difference: Callable[[int, Result], float] | None = None  # the mark and the answer → its distance from ours
    tolerance: float = EXACT
    goal: Goal | None = None


Field = Callable[[Corpus], Sequence[Contestant[Result]]]


@dataclass(frozen=True)
class Run:
    """What the user asked for."""

    corpus: Corpus
    large: Corpus  # where size is the question
    repeat: int = 5
    quick: bool = False


@dataclass(frozen=True)
class Suite:
    """The sections of one metric, and those whose memory is measured."""

    sections: Callable[[Run], Iterator[Section]]
    memory: Field[Iterable[float]] | None = None


def peer_installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def peer(name: str) -> ModuleType | None:
    """The package, or None where it is not installed."""
    return importlib.import_module(name) if peer_installed(name) else None


def race(field: Field[Result], corpus: Corpus, run: Run, *, clock: Literal["cpu", "wall"] = "cpu") -> list[Row]:
    """Microseconds per item of everybody, repeat by repeat one after another: noise hits all alike."""
    # Once on little text: imports on first use and one-off tables are not what is measured.
    for contestant in field(corpus.head(8)):
        contestant.prepare(next(_marks))()
    contestants = field(corpus)
    rows = [Row(entry.name, [], tolerance=entry.tolerance, goal=entry.goal) for entry in contestants]
    for _ in range(run.repeat):
        mark = next(_marks)
        for contestant, row in zip(contestants, rows, strict=True):
            row.raw.append(_trial(contestant, row, mark, clock))
    return compared(rows)


def _trial(contestant: Contestant[Result], row: Row, mark: int, clock: Literal["cpu", "wall"]) -> float:
    job = contestant.prepare(mark)
    forget()
    now = time.process_time if clock == "cpu" else time.perf_counter
    start = now()
    result = job()
    elapsed = now() - start
    if contestant.difference is not None:
        found = contestant.difference(mark, result)
        row.difference = found if row.difference is None else _worse(found, row.difference)
    return elapsed / contestant.items * 1e6


def _worse(first: float, second: float) -> float:
    """The larger of two differences; unlike max(), a NaN on either side stays."""
    return first if first != first or first >= second else second


def compared(rows: list[Row]) -> list[Row]:
    """The rows with their ratios to the first, repeat against repeat."""
    base = rows[0].raw
    for row in rows:
        row.ratio = median(a / b for a, b in zip(row.raw, base, strict=True)) if all(base) else None
    return rows


def largest_difference(scores: Iterable[float], ours: Iterable[float]) -> float:
    return reduce(_worse, (abs(a - b) for a, b in zip(scores, ours, strict=True)), 0.0)


def forget() -> None:
    """Empty the line caches of sacrebleu and collect garbage."""
    for name, module in list(sys.modules.items()):
        if name.startswith("sacrebleu."):
            for holder in list(vars(module).values()):
                for attribute in [holder, *vars(holder).values()] if isinstance(holder, type) else [holder]:
                    clear = getattr(attribute, "cache_clear", None)
                    if callable(clear):
                        clear()
    gc.collect()


def hashing_gain() -> float:
    """How many times as fast two threads are as one at work that divides perfectly, here and now."""
    block = bytes(8 << 20)
    elapsed = []
    for threads in (1, 2):
        share = memoryview(block)[: len(block) // threads]
        workers = [Thread(target=hashlib.sha256, args=(share,)) for _ in range(threads)]
        start = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        elapsed.append(time.perf_counter() - start)
    return elapsed[0] / elapsed[1]


def second_thread(repeat: int) -> str:
    """What a second thread is worth on this machine at this moment."""
    gain = median(hashing_gain() for _ in range(repeat))
    return f"For scale: just now SHA-256 of one block ran {gain:.2f}× as fast in two threads as in one."


def peak_memory(suite: str, names: Sequence[str], corpus: Corpus, run: Run) -> dict[str, list[float]]:
    """Megabytes that each contestant's job adds to the process at its peak, once per repeat, each in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "corpus.tsv"
        corpus.write(lines)
        return {
            name: [
                float(_python("-m", "bench.memory", suite, name, str(lines), str(mark)))
                for mark in range(1 if run.quick else 3)
            ]
            for name in names
        }


def _python(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"python {' '.join(arguments)} failed:\n{done.stderr}")
    return done.stdout


def start_up_milliseconds(statement: str) -> float:
    """CPU time of a new interpreter that runs the statement."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", statement], cwd=ROOT, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def load_average() -> str:
    return "  ".join(f"{value:.2f}" for value in os.getloadavg()) + "  (1, 5, 15 minutes)"


def machine(packages: Iterable[str]) -> dict[str, str]:
    """What the figures were measured on."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "load": load_average(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": ", ".join(f"{name} {_version(name)}" for name in packages),
    }


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "absent"
