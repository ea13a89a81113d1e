"""How many settings a search tries in a second, and what a look into a difference takes. Nobody else does either."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

import bleuprint
from bench.data import Corpus
from bench.harness import Contestant, Run, compared, race
from bench.results import Row, Section
from bench.self_bleu import slope

SEGMENTS = 2_000
SYSTEM = 27_000
WEIGHTED_SIZES = (800, 3_200, 12_800)
_NO_PEER = "No peer offers this, so there is nothing to compare with."


def sections(run: Run) -> Iterator[Section]:
    corpus = run.corpus.head(SEGMENTS)
    tried = bleuprint.reconcile(corpus.hypotheses[:2], corpus.references[:2], "1").tried
    yield Section(
        f"reconcile: {tried:,} settings of BLEU on {len(corpus):,} segments, one thread, CPU time",
        "µs/setting",
        race(_search, corpus, run),
        [_NO_PEER],
        rate="setting",
    )
    large = run.large.head(SYSTEM)
    yield Section(
        f"Two systems of {len(large):,} segments, one thread, CPU time",
        "µs/segment",
        race(_difference, large, run),
        [_NO_PEER, "Ratios are to influence."],
    )
    yield from _learned_weights(run)


def _learned_weights(run: Run) -> Iterator[Section]:
    """Influence under metrics whose weights are learned again without each segment."""
    sizes = (50, 100) if run.quick else WEIGHTED_SIZES
    for name, metric in (("NIST", bleuprint.NIST()), ("CIDEr-D", bleuprint.CIDEr())):
        rows = []
        for size in (10, *sizes):  # the first loads what is loaded once
            part = run.large.head(size)
            start = time.process_time()
            bleuprint.insight.influence(metric, part.hypotheses, part.references, threads=1)
            rows.append(Row(f"{size:,} segments", [(time.process_time() - start) / size * 1e6]))
        del rows[0]
        points = [(math.log(size), math.log(row.value * size)) for size, row in zip(sizes, rows, strict=True)]
        yield Section(
            f"Influence under {name}, one thread, CPU time",
            "µs/segment",
            compared(rows),
            [f"Fitted exponent of CPU time over segments: {slope(points):.2f}.", _NO_PEER],
        )


def _search(corpus: Corpus) -> list[Contestant[int]]:
    tried = bleuprint.reconcile(corpus.hypotheses[:2], corpus.references[:2], "1").tried

    def prepare(mark: int) -> Callable[[], int]:
        hypotheses, references = corpus.fresh(mark)
        return lambda: bleuprint.reconcile(hypotheses, references, "27.3", threads=1).tried

    def difference(_: int, found: int) -> float:
        return abs(found - tried)

    return [Contestant("bleuprint", tried, prepare, difference)]


def _difference(corpus: Corpus) -> list[Contestant[float]]:
    metric = bleuprint.BLEU()

    def entry(name: str, job: Callable[[list[str], list[str], list[str]], float]) -> Contestant[float]:
        def prepare(mark: int) -> Callable[[], float]:
            hypotheses, references = corpus.fresh(mark)
            other = [line.replace("the ", "", 1) for line in hypotheses]
            return lambda: job(hypotheses, other, references)

        return Contestant(name, len(corpus), prepare)

    return [
        entry("influence", lambda a, _, r: float(bleuprint.insight.influence(metric, a, r, threads=1)[0])),
        entry("contributions", lambda a, b, r: float(bleuprint.insight.contributions(metric, a, b, r, threads=1)[0])),
        entry(
            "ngram_changes",
            lambda a, b, r: float(len(bleuprint.insight.ngram_changes(metric, a, b, r, threads=1).gained)),
        ),
    ]
