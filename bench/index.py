"""The n-gram index: building against tokengrams and a plain sort, queries, size, memory, and how all of them grow."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.data import ROOT
from bench.harness import Run, peer_installed
from bench.results import Goal, Row, Section

MEGABYTES = (10, 50, 200, 1000, 2000)
QUICK = (1, 3)
COMPARED = 50  # megabytes; a plain sort writes twenty times as much
MEMORY = 1 << 30
Figures = dict[str, Any]
_MAPPED = "Resident memory includes the pages of mapped files, which the system takes back when it needs them."


def sections(run: Run) -> Iterator[Section]:
    sizes = QUICK if run.quick else tuple(map(int, os.environ.get("BLEUPRINT_INDEX_SIZES", "").split())) or MEGABYTES
    compared = sizes[-1] if run.quick else COMPARED
    with tempfile.TemporaryDirectory(dir=os.environ.get("BLEUPRINT_INDEX_FOLDER")) as name:
        folder = Path(name)
        yield from _compared(folder, compared)
        grown = {size: _grown(folder, size) for size in sizes}
    yield from _growth(grown)


def _job(*arguments: object) -> Figures:
    command = [sys.executable, "-m", "bench.index_growth", *map(str, arguments)]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found: Figures = json.loads(printed.splitlines()[-1])  # tokengrams prints lines of its own before
    return found


def _compared(folder: Path, megabytes: int) -> Iterator[Section]:
    text = folder / "text.txt"
    _job("text", text, megabytes * 10**6)
    found = {"bleuprint": _job("build", text, folder / "text.bpi", MEMORY)}
    if peer_installed("tokengrams"):
        found["tokengrams MemmapIndex, from ids"] = _job("tokengrams", text, folder)
    found["13-grams | sort | uniq -c"] = _job("sort", text, folder)
    yield Section(
        f"Building an index of {megabytes} MB of text, one thread, CPU time",
        "s/build",
        _rows({name: figures["cpu"] for name, figures in found.items()}),
        [
            "tokengrams starts from token ids of two bytes, so reading and tokenizing are not in its time, and sorts "
            "whole suffixes. sort has 1 GB, and its result answers for 13-grams alone."
        ],
    )
    yield Section(
        "The same: bytes on disk for each token",
        "bytes/token",
        _rows({name: figures["bytes"] / found["bleuprint"]["tokens"] for name, figures in found.items()}),
    )
    for kind in ("allocated", "resident"):
        held = {name: figures[kind] for name, figures in found.items() if kind in figures}
        yield Section(f"The same: {kind} memory at its highest", "MB", _rows(held), [_MAPPED])
    (folder / "sorted").unlink()


def _grown(folder: Path, megabytes: int) -> Figures:
    text, index = folder / "text.txt", folder / "text.bpi"
    _job("text", text, megabytes * 10**6)
    figures = _job("build", text, index, MEMORY)
    return {**figures, "gigabytes": megabytes / 1000, "query": _job("query", index, text)}


def _growth(grown: dict[int, Figures]) -> Iterator[Section]:
    smallest, largest = min(grown), max(grown)

    def exponent(of: Any) -> str:
        if smallest == largest:
            return "only one size was measured"
        ratio = math.log(of(grown[largest]) / of(grown[smallest])) / math.log(largest / smallest)
        return f"growth exponent from {smallest} MB to {largest} MB: {ratio:.2f}"

    def rows(of: Any, goal: Goal | None = None) -> list[Row]:
        return [Row(f"{size} MB", [of(figures)], goal=goal) for size, figures in grown.items()]

    limit = Goal(at_most=MEMORY / 2**20, of="value")
    yield Section(
        "Building: CPU time",
        "s/build",
        rows(lambda figures: figures["cpu"]),
        [exponent(lambda figures: figures["cpu"])],
    )
    yield Section(
        "Building: text per minute of CPU time",
        "GB/minute",
        rows(lambda figures: figures["gigabytes"] / figures["cpu"] * 60),
    )
    yield Section(
        f"Building with --memory {MEMORY >> 20}MB: allocated memory at its highest",
        "MB",
        rows(lambda figures: figures["allocated"], limit),
        [_MAPPED],
    )
    yield Section("The same: resident memory at its highest", "MB", rows(lambda figures: figures["resident"]))
    yield Section(
        "Bytes of the index for each token", "bytes/token", rows(lambda figures: figures["bytes"] / figures["tokens"])
    )
    for what, title in (("curve", "novelty of every order up to 13"), ("contamination", "contamination by 13-grams")):
        for kind in ("seen", "unseen"):
            key = f"{what}_{kind}"

            def value(figures: Figures, key: str = key) -> float:
                return float(figures["query"][key])

            yield Section(
                f"{title}: texts that are {kind}, CPU time for each", "µs/text", rows(value), [exponent(value)]
            )


def _rows(values: dict[str, float]) -> list[Row]:
    first = next(iter(values.values()))
    return [Row(name, [value], ratio=value / first) for name, value in values.items()]
