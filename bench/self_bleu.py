"""Self-BLEU: against NLTK's way, against fast-bleu, and how the cost grows."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import bleuprint
from bench.data import ROOT, Corpus
from bench.harness import Contestant, Run, largest_difference, peer, race
from bench.results import Goal, Row, Section
from bleuprint.core.pool import words_of_parts

ORDER = 4
SIZES = {"nltk": 500, "fast_bleu": 5_000, "fast_bleu, large": 50_000}
POOLED, SWAPS = 20_000, 64  # texts of both pools; swaps that are scored at once
GROWTH = (1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000)
ON_DISK = (5_000_000, 10_000_000, 20_000_000)

Scores = Sequence[float]


def sections(run: Run) -> Iterator[Section]:
    sizes = dict.fromkeys(SIZES, 40) if run.quick else SIZES
    once = replace(run, repeat=1)  # the peers take half a minute and more
    yield Section(
        f"Self-BLEU-{ORDER} of {sizes['nltk']} texts in tokens, one thread, CPU time",
        "µs/text",
        race(nltk_field, run.large.head(sizes["nltk"]), once),
        ["NLTK's sentence_bleu of every text against all others is what Texygen does; one repeat."],
        rate="text",
    )
    for name in ("fast_bleu", "fast_bleu, large"):
        corpus = run.large.head(sizes[name])
        wrong: list[str] = []
        rows = race(partial(fast_field, wrong=wrong), corpus, once)
        yield Section(
            f"Self-BLEU-{ORDER} of {len(corpus):,} texts in tokens, one thread, CPU time",
            "µs/text",
            rows,
            wrong,
            rate="text",
        )
    corpus = run.large.head(200 if run.quick else POOLED)
    title = f"{SWAPS} swaps of two pools of {len(corpus) // 2:,} texts, Self-BLEU-{ORDER}, CPU time"
    yield Section(title, "µs/swap", race(swap_field, corpus, once), ["Both give the same numbers."])
    yield growth_section(run)
    yield disk_section(run)


def swap_field(corpus: Corpus) -> list[Contestant[Scores]]:
    """The test of two pools: all swaps from one count of the texts, and each swap counted by itself."""

    def prepare(mark: int, *, at_once: bool) -> Callable[[], Scores]:
        metric = bleuprint.metrics.SelfBLEU(max_order=ORDER, tokenizer="whitespace")
        pool: Any = metric.update(tokens_of(corpus, mark)).summary
        half, generator = len(corpus) // 2, np.random.default_rng(mark)
        swaps = [generator.integers(2, size=half).astype(bool) for _ in range(SWAPS)]
        parts = [np.concatenate([~swap, swap, np.zeros(len(corpus) % 2, bool)]) for swap in swaps]
        if at_once:
            return lambda: list(pool.part_scorer(1)(words_of_parts(parts))[:, -1].tolist())
        return lambda: [pool.part(np.flatnonzero(part).tolist()).values(1)[-1] for part in parts]

    def difference(mark: int, scores: Scores) -> float:
        return largest_difference(scores, prepare(mark, at_once=True)())

    once = Contestant("bleuprint, one count", SWAPS, partial(prepare, at_once=True))
    each = Contestant("bleuprint, a count per swap", SWAPS, partial(prepare, at_once=False), difference)
    return [once, each]


def tokens_of(corpus: Corpus, mark: int) -> list[list[str]]:
    return [line.split() for line in corpus.fresh(mark)[0]]


def ours(texts: list[list[str]]) -> Scores:
    return list(bleuprint.self_bleu(texts, max_order=ORDER, threads=1).per_text.tolist())


def entry(
    name: str,
    corpus: Corpus,
    score: Callable[[list[list[str]]], Scores],
    difference: Callable[[Scores, Scores], float] | None = None,
    goal: Goal | None = None,
) -> Contestant[Scores]:
    def prepare(mark: int) -> Callable[[], Scores]:
        texts = tokens_of(corpus, mark)
        return lambda: score(texts)

    def against_ours(mark: int, scores: Scores) -> float:
        return 0.0 if difference is None else difference(scores, ours(tokens_of(corpus, mark)))

    return Contestant(name, len(corpus), prepare, None if difference is None else against_ours, goal=goal)


def nltk_field(corpus: Corpus) -> list[Contestant[Scores]]:
    entries = [entry("bleuprint", corpus, ours)]
    module = peer("nltk.translate.bleu_score")
    if module is not None:
        smooth = module.SmoothingFunction().method1

        def brute_force(texts: list[list[str]]) -> Scores:
            weights = (1 / ORDER,) * ORDER
            rest = (texts[:i] + texts[i + 1 :] for i in range(len(texts)))
            return [module.sentence_bleu(refs, text, weights, smooth) for refs, text in zip(rest, texts, strict=True)]

        entries.append(entry("nltk, text by text", corpus, brute_force, largest_difference, Goal(3000)))
    return entries


def fast_field(corpus: Corpus, wrong: list[str]) -> list[Contestant[Scores]]:
    entries = [entry("bleuprint", corpus, ours)]
    fast_bleu = peer("fast_bleu")
    if fast_bleu is None:
        wrong.append("fast-bleu is not installed: pip install fast-bleu")
        return entries

    def score(texts: list[list[str]]) -> Scores:
        weights = (1 / ORDER,) * ORDER
        with redirect_stderr(sys.__stderr__):  # it hands stderr to faulthandler, which wants a real file
            return list(fast_bleu.SelfBLEU(texts, {"all": weights}).get_score()["all"])

    def report(scores: Scores, correct: Scores) -> float:
        distances = [abs(a - b) for a, b in zip(scores, correct, strict=True)]
        differing = sum(distance > 1e-5 for distance in distances)
        wrong[:] = [
            f"fast-bleu reads past an array; here {differing:,} of its {len(scores):,} scores differ from ours "
            f"by more than 1e-5, the worst by {max(distances):.3g}. It is reported, not counted as a disagreement."
        ]
        return 0.0

    entries.append(entry("fast_bleu", corpus, score, report, Goal(60)))
    return entries


def growth_section(run: Run) -> Section:
    sizes = (200, 400) if run.quick else GROWTH
    measured = {size: grown(size, 1) for size in sizes}
    rows = [Row(f"{size:,} texts", [figures["cpu"] / size * 1e6]) for size, figures in measured.items()]
    pairs = [(math.log(size), math.log(figures["cpu"])) for size, figures in measured.items()]
    one, two = measured[sizes[-1]], grown(sizes[-1], 2)
    notes = [
        f"Fitted exponent of CPU time over texts: {slope(pairs):.3f} (goal at most 1.1).",
        f"{sizes[-1]:,} texts: {one['megabytes']:,.0f} MB beyond the texts with one thread (goal at most 250), "
        f"{two['megabytes']:,.0f} MB with two, which take {two['wall']:.2f} s.",
        "Generated texts of 20 words with Zipf frequencies, Self-BLEU-5 from strings, a process each.",
    ]
    return Section("Growth of Self-BLEU-5, one thread, CPU time", "µs/text", rows, notes, rate="text")


def disk_section(run: Run) -> Section:
    sizes, limit = ((200_000, 400_000), "160MB") if run.quick else (ON_DISK, "1GB")
    measured = {size: grown(size, 2, limit) for size in sizes}
    rows = [Row(f"{size:,} texts", [figures["cpu"] / size * 1e6]) for size, figures in measured.items()]
    pairs = [(math.log(size), math.log(figures["cpu"])) for size, figures in measured.items()]
    largest = measured[sizes[-1]]
    notes = [
        f"Fitted exponent of CPU time over texts: {slope(pairs):.3f} (goal at most 1.1).",
        f"{sizes[-1]:,} texts: {largest['peak']:,.0f} MB at most in the whole process, {largest['disk']:,.0f} MB on "
        f"disk, {largest['wall']:.0f} s with two threads, the texts generated meanwhile.",
        "The same texts, one by one from an iterator; the time to generate them is left out.",
    ]
    return Section(f"Growth of Self-BLEU-5 on disk, memory={limit}, CPU time", "µs/text", rows, notes, rate="text")


def grown(size: int, threads: int, *limit: str) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.self_bleu_growth", str(size), str(threads), *limit]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Least squares."""
    x_mean, y_mean = (math.fsum(column) / len(points) for column in zip(*points, strict=True))
    rise = math.fsum((x - x_mean) * (y - y_mean) for x, y in points)
    return rise / math.fsum((x - x_mean) ** 2 for x, _ in points)
