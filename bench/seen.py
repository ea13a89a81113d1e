"""Test items in a corpus that passes by once: beside grep and a set of n-grams in Python, and how it grows."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.data import ROOT
from bench.harness import Run
from bench.results import Goal, Row, Section

MEGABYTES = (10, 50, 200, 800)
QUICK = (1, 3)
REPEATS = 3
Figures = dict[str, Any]
_CONTESTANTS = {
    "bleuprint, text": ("stream", "text.txt", "13a", 150),
    "bleuprint, text, split at blanks": ("stream", "text.txt", "whitespace", 150),
    "bleuprint, .jsonl": ("stream", "text.jsonl", "13a", 100),
    "bleuprint, .jsonl.zst": ("stream", "text.jsonl.zst", "13a", None),
    "grep -F -c -f 13-grams": ("grep", "text.txt", "", None),
    "a set of 13-grams in Python": ("set", "text.txt", "", None),
}


def sections(run: Run) -> Iterator[Section]:
    sizes: tuple[int, ...] = QUICK if run.quick else MEGABYTES
    compared = sizes[-1] if run.quick else sizes[2]
    grown: dict[int, Figures] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for size in sizes:
            _job("text", folder, size * 10**6)
            if size == compared:
                yield _compare(folder, compared, 1 if run.quick else REPEATS)
            grown[size] = _job("stream", folder / "text.txt", "13a")
    for unit, kind, title in (("s", "cpu", "CPU time"), ("MB", "allocated", "allocated memory at its highest")):
        values = {size: figures[kind] for size, figures in grown.items()}
        exponent = math.log(values[sizes[-1]] / values[sizes[0]]) / math.log(sizes[-1] / sizes[0])
        yield Section(
            f"Searching text without an index: {title}",
            unit,
            [Row(f"{size} MB", [value]) for size, value in values.items()],
            [f"growth exponent from {sizes[0]} MB to {sizes[-1]} MB: {exponent:.2f}"],
        )


def _compare(folder: Path, megabytes: int, repeats: int) -> Section:
    speeds: dict[str, list[float]] = {name: [] for name in _CONTESTANTS}
    for _ in range(repeats):
        for name, (job, file, tokenizer, _) in _CONTESTANTS.items():
            figures = _job(job, folder / file, tokenizer)
            speeds[name].append(figures["bytes"] / figures["cpu"] / 1e6)
    first = next(iter(speeds.values()))
    rows = []
    for name, measured in speeds.items():
        least = _CONTESTANTS[name][3]
        # Starting takes a twentieth of a second, which a small file does not make up for.
        goal = None if least is None or megabytes < 100 else Goal(at_least=least, of="value")
        rows.append(
            Row(name, measured, ratio=sorted(measured)[len(measured) // 2] / sorted(first)[len(first) // 2], goal=goal)
        )
    return Section(
        f"Searching {megabytes} MB for the 13-grams of 2,000 references, one thread, CPU time",
        "MB/s",
        rows,
        [
            "Megabytes of text or .jsonl, unpacked. bleuprint counts the records of every n-gram and keeps places. "
            "grep counts the lines that match, and knows no tokens. The set says whether a line has a 13-gram."
        ],
    )


def _job(*arguments: object) -> Figures:
    command = [sys.executable, "-m", "bench.seen_growth", *map(str, arguments)]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found: Figures = json.loads(printed)
    return found
