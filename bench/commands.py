"""Whole commands as people run them, start-up included, at three sizes. No peer has them."""

from __future__ import annotations

import math
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.data import ROOT, Corpus
from bench.harness import Run, compared
from bench.report import systems_of
from bench.results import Goal, Row, Section
from bench.self_bleu import slope

SEGMENTS = 549  # of WMT22 from Chinese to English in the domains that people rated


@dataclass(frozen=True)
class Job:
    """A command, by the size of what it reads."""

    title: str
    item: str
    sizes: Sequence[int]
    quick: Sequence[int]
    goal: float  # milliseconds of the largest
    prepare: Callable[[Path, Corpus, int], list[str]]  # writes files, and says what comes after `bleuprint`


def sections(run: Run) -> Iterator[Section]:
    for job in JOBS:
        sizes = job.quick if run.quick else job.sizes
        with tempfile.TemporaryDirectory() as folder:
            lines = {size: job.prepare(Path(folder), run.large, size) for size in sizes}
            rows = [Row(f"{size:,} {job.item}", []) for size in sizes]
            for _ in range(run.repeat):
                for row, line in zip(rows, lines.values(), strict=True):
                    row.raw.append(milliseconds(line))
        points = [(math.log(size), math.log(row.value)) for size, row in zip(sizes, rows, strict=True)]
        rows[-1].goal = Goal(at_most=job.goal, of="value")
        notes = [f"Fitted exponent of CPU time, start-up included: {slope(points):.2f}."]
        yield Section(f"{job.title}, CPU time", "ms", compared(rows), notes)


def milliseconds(line: list[str]) -> float:
    """CPU time of a command in a process of its own; modules stay compiled, as where it is installed."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "bleuprint", *line], cwd=ROOT, env=variables, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def score_with_report(folder: Path, corpus: Corpus, systems: int) -> list[str]:
    outputs, references = systems_of(corpus.head(SEGMENTS), 0, systems)
    files = [_write(folder / f"{name}.txt", lines) for name, lines in outputs.items()]
    page = str(folder / f"{systems}.html")
    reference = _write(folder / "reference", references)
    return ["score", *files, "-r", reference, "-m", "bleu,chrf,ter", "--report", page, "--force"]


def compare_pools(folder: Path, corpus: Corpus, texts: int) -> list[str]:
    """Two pools of texts, of which the second has half as many words."""
    words = " ".join(corpus.references[:2000]).split()
    files = []
    for seed, vocabulary in enumerate((words, words[::2])):
        choose = random.Random(seed).choice
        lines = [" ".join(choose(vocabulary) for _ in range(12)) for _ in range(texts)]
        files.append(_write(folder / f"{texts}-{seed}.txt", lines))
    return ["compare", "--pool", *files, "-m", "self-bleu,distinct"]


def work_of_rouge(folder: Path, corpus: Corpus, tokens: int) -> list[str]:
    hypothesis, reference = (" ".join(lines).split()[:tokens] for lines in (corpus.hypotheses, corpus.references))
    return ["work", "-m", "rouge", " ".join(hypothesis), " ".join(reference)]


def _write(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


JOBS = (
    Job("score --report under BLEU, chrF and TER", "systems", (3, 6, 13), (1, 2), 1500, score_with_report),
    Job(
        "compare --pool under Self-BLEU and distinct-n",
        "texts",
        (12_500, 25_000, 50_000),
        (20, 40),
        10_000,
        compare_pools,
    ),
    Job("work of ROUGE", "tokens", (500, 2000, 8000), (5, 10), 1000, work_of_rouge),
)
