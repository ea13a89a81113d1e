"""Paired tests of two systems: resampling alone, the rows being counted before. One thread."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

from bench.data import ROOT, Corpus
from bench.harness import Contestant, Run, compared, largest_difference, peak_memory, peer, race
from bench.results import Goal, Row, Section
from bench.self_bleu import slope
from bleuprint import BLEU
from bleuprint.statistics.chance import Chance, draw_scores
from bleuprint.statistics.intervals import interval_of
from bleuprint.statistics.paired import bootstrap_p_value, randomization_p_values
from bleuprint.statistics.rows import Sample

SEGMENTS = 27_000
RESAMPLES = 1000
SWAPS = 10_000
QUICK = 100
TRIALS = 20_000
MEGABYTES = 200
SYSTEMS = (10, 20, 40)
GROWTH_SEGMENTS = 549  # of WMT22 from Chinese to English in the domains that people rated
MOST_SECONDS = {"compare": 2.0, "report": 4.0}  # for the most systems
REPEATS = 2  # sacrebleu takes half a minute for each

Answer = Iterable[float]
Test = Callable[[tuple[Sample, Sample], int, Chance], Answer]


def sections(run: Run) -> Iterator[Section]:
    corpus = run.large.head(SEGMENTS)
    short = replace(run, repeat=min(run.repeat, REPEATS))
    for title, field, trials in (
        ("Paired bootstrap", bootstrap_field, QUICK if run.quick else RESAMPLES),
        ("Approximate randomization", swap_field, QUICK if run.quick else SWAPS),
    ):
        rows = race(lambda part, field=field, trials=trials: field(part, trials), corpus, short)  # type: ignore[misc]
        yield Section(f"{title}, {trials:,} trials of {len(corpus):,} segments, BLEU, CPU time", "µs/trial", rows)
    yield memory_section(replace(run, large=corpus))
    yield from growth_sections(run, "compare", "Comparison of all pairs")


def memory_section(run: Run) -> Section:
    names = [contestant.name for contestant in memory_field(run.large.head(2))]
    rows = compared([Row(name, raw) for name, raw in peak_memory("significance", names, run.large, run).items()])
    for row in rows:
        if row.name.startswith("bleuprint"):
            row.goal = Goal(at_most=MEGABYTES, of="value")
    return Section(f"Peak extra memory of the tests, {len(run.large):,} segments, a process each", "MB", rows)


def growth_sections(run: Run, work: str, title: str) -> Iterator[Section]:
    """Time and memory for several numbers of systems, a process each."""
    sizes, segments = ((2, 3, 4), 60) if run.quick else (SYSTEMS, GROWTH_SEGMENTS)
    found = {size: grown(size, segments, work) for size in sizes}
    times = [Row(f"{size} systems", [figures["cpu"]]) for size, figures in found.items()]
    times[-1].goal = Goal(at_most=MOST_SECONDS[work], of="value")
    notes = [f"Fitted exponent of CPU time over systems: {_exponent(found):.2f} (goal at most 2)."]
    if work == "compare":
        fixed = _exponent({size: grown(size, segments, str(TRIALS)) for size in sizes})
        notes.append(
            "The number of pairs grows by n², and so do the trials that Holm's correction needs for each of them; with "
            f"{TRIALS:,} trials for any number of pairs the exponent is {fixed:.2f}."
        )
    yield Section(f"{title}, {segments:,} segments, BLEU, one thread, CPU time", "s", compared(times), notes)
    peaks = [Row(f"{size} systems", [figures["megabytes"]]) for size, figures in found.items()]
    peaks[-1].goal = Goal(at_most=MEGABYTES, of="value") if work == "compare" else None
    yield Section(f"{title}, {segments:,} segments, peak memory beyond the texts", "MB", peaks)


def _exponent(found: dict[int, dict[str, float]]) -> float:
    return slope([(math.log(size), math.log(figures["cpu"])) for size, figures in found.items()])


def grown(systems: int, segments: int, work: str) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.significance_growth", str(systems), str(segments), work]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def memory_field(corpus: Corpus) -> list[Contestant[Answer]]:
    trials = (RESAMPLES, SWAPS) if len(corpus) >= SEGMENTS else (QUICK, QUICK)
    fields = zip(("bootstrap", "swaps"), (bootstrap_field, swap_field), trials, strict=True)
    return [
        replace(entry, name=f"{entry.name}: {kind}") for kind, field, count in fields for entry in field(corpus, count)
    ]


def bootstrap_field(corpus: Corpus, trials: int) -> list[Contestant[Answer]]:
    return contestants(corpus, trials, bootstrap, "_paired_bs_test")


def swap_field(corpus: Corpus, trials: int) -> list[Contestant[Answer]]:
    return contestants(corpus, trials, swaps, "_paired_ar_test")


def bootstrap(samples: tuple[Sample, Sample], trials: int, chance: Chance) -> Answer:
    first, second = draw_scores(samples, trials, chance)
    value = samples[1].score().item()
    p_value = bootstrap_p_value(samples[0].score().item() - value, first - second, chance)
    interval = interval_of(value, second, None, level=0.95, method="percentile", chance=chance)
    return p_value, interval.mean, interval.margin


def swaps(samples: tuple[Sample, Sample], trials: int, chance: Chance) -> Answer:
    return randomization_p_values(samples, [(0, 1)], trials, chance)


def contestants(corpus: Corpus, trials: int, test: Test, function: str) -> list[Contestant[Answer]]:
    samples = two_systems(corpus)
    theirs = Chance(mode="sacrebleu")

    def entry(name: str, job: Callable[[], Answer], expected: bool, goal: Goal | None = None) -> Contestant[Answer]:
        def difference(_: int, answer: Answer) -> float:
            return largest_difference(answer, test(samples, trials, theirs))

        # sacrebleu computes scores of resamples in single precision.
        return Contestant(name, trials, lambda _: job, difference if expected else None, tolerance=1e-6, goal=goal)

    entries = [
        entry("bleuprint, sacrebleu's draws", lambda: test(samples, trials, theirs), False),
        entry("bleuprint, own draws", lambda: test(samples, trials, Chance()), False),
    ]
    sacrebleu = peer("sacrebleu")
    if sacrebleu is not None:
        entries.append(entry("sacrebleu", peer_job(sacrebleu, samples, trials, function), True, Goal(20)))
    return entries


def two_systems(corpus: Corpus) -> tuple[Sample, Sample]:
    """The hypotheses, and the same with every fifth cut short."""
    cut = [text if i % 5 else text[: 2 * len(text) // 3] for i, text in enumerate(corpus.hypotheses)]
    metric = BLEU()
    return metric.sample(corpus.hypotheses, corpus.references), metric.sample(cut, corpus.references)


def peer_job(sacrebleu: ModuleType, samples: tuple[Sample, Sample], trials: int, function: str) -> Callable[[], Answer]:
    from sacrebleu import significance

    baseline, system = (sample.rows.tolist() for sample in samples)

    class Counted(sacrebleu.BLEU):  # type: ignore[name-defined,misc]
        """With rows that were counted before; those of both packages are the same."""

        def _extract_corpus_statistics(self, hypotheses: object, references: object) -> Any:
            return system

    metric = Counted()
    score = significance.Result(metric._aggregate_and_compute(baseline).score)

    def job() -> Answer:
        info = {"BLEU": (baseline, score)}
        test = getattr(significance, function)
        result = test(info, "system", system, None, {"BLEU": metric}, trials, -1, 12345)[1]["BLEU"]
        return [result.p_value, *([] if result.mean is None else [result.mean / 100, result.ci / 100])]

    return job
