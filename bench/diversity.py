"""Diversity: what each measure costs for a million texts, how the cost grows, and the join of near-duplicates."""

from __future__ import annotations

import importlib.util
import io
import json
import math
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import bleuprint
from bench.data import ROOT, Corpus
from bench.harness import Contestant, Run, peer, peer_installed, race
from bench.results import Row, Section
from bench.self_bleu import slope
from bleuprint.metrics import registry

SIZES = (100_000, 1_000_000)
# All measures in one call, and those that are counted on disk.
WHOLE = ("diversity", "diversity without intervals", "diversity on disk")
WHOLE_SIZES = (100_000, 300_000, 1_000_000)
JOINED, PEER_SIZES = 20_000, (40, 200, 1000)
THRESHOLD, ORDER = 0.8, 3
# Where to find the functions of the package diversity, by our names; those that agree, to the digits that it rounds to.
PEER_FUNCTIONS: dict[str, Any] = {
    "self-repetition": ("self_repetition", "self_repetition_score"),
    "homogenization": ("homogenization", "homogenization_score"),
    "ngram-diversity": ("ngram_diversity", "ngram_diversity_score"),
    "compression-ratio": ("compression", "compression_ratio"),
}
AGREEING = {"self-repetition": 1e-12, "homogenization": 5.1e-4}
MEASURES = (
    *("self-bleu", "distinct", "expected-distinct", "entropy", "zipf", "mattr", "mtld", "compression-ratio"),
    *("ngram-diversity", "repetition-rate", "self-repetition", "homogenization", "vendi", "loops", "duplicates"),
    "near-duplicates",
)


def sections(run: Run) -> Iterator[Section]:
    sizes = (200, 400) if run.quick else SIZES
    measured = {size: grown(size) for size in sizes}
    largest = measured[sizes[-1]]
    rows, notes = [], []
    for name in MEASURES:
        rows.append(Row(name, [largest[name]["cpu"] / sizes[-1] * 1e6]))
        points = [(math.log(size), math.log(max(found[name]["cpu"], 1e-4))) for size, found in measured.items()]
        notes.append(
            f"{name}: {largest[name]['cpu']:.2f} s, {largest[name]['megabytes']:,.0f} MB beyond the texts, "
            f"fitted exponent {slope(points):.3f}."
        )
    yield Section(
        f"Measures of {sizes[-1]:,} texts of 20 words, one thread, CPU time",
        "µs/text",
        rows,
        [
            *notes,
            f"Exponents from {sizes[0]:,} to {sizes[-1]:,} texts, a median of up to five processes. "
            "Words have Zipf frequencies, and every tenth text is an earlier one with another word.",
        ],
        rate="text",
    )
    yield whole_section(run)
    yield from peers(run)
    yield join_section(run)


def whole_section(run: Run) -> Section:
    """All measures in one call."""
    sizes = (200, 400) if run.quick else WHOLE_SIZES
    measured = {size: grown(size, WHOLE) for size in sizes}
    largest, rows, notes = measured[sizes[-1]], [], []
    for name in WHOLE:
        rows.append(Row(name, [largest[name]["cpu"] / sizes[-1] * 1e6]))
        points = [(math.log(size), math.log(found[name]["cpu"])) for size, found in measured.items()]
        notes.append(
            f"{name}: {largest[name]['wall']:.0f} s, of CPU time {largest[name]['cpu']:.0f} s, "
            f"{largest[name]['megabytes']:,.0f} MB beyond the texts, fitted exponent {slope(points):.3f}."
        )
    notes.append(f"Exponents of CPU time over {', '.join(f'{size:,}' for size in sizes)} texts.")
    return Section(f"All measures of {sizes[-1]:,} texts, two threads, CPU time", "µs/text", rows, notes, rate="text")


def grown(size: int, names: tuple[str, ...] = MEASURES) -> dict[str, dict[str, float]]:
    command = [sys.executable, "-m", "bench.diversity_growth", str(size), *names]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    figures: dict[str, dict[str, float]] = json.loads(done.stdout)
    return figures


def peers(run: Run) -> Iterator[Section]:
    """Against the package diversity, where it can still run."""
    for size in (20,) if run.quick else PEER_SIZES:
        texts = generated(size)
        yield from (_peer_section(name, texts, run) for name in PEER_FUNCTIONS)


def _peer_section(name: str, texts: list[str], run: Run) -> Section:
    metric: Any = registry.metrics("pool")[name](tokenizer="whitespace")  # type: ignore[call-arg]
    score, agrees = peer_function(*PEER_FUNCTIONS[name]), name in AGREEING
    own = metric.corpus(texts, threads=1).value

    def entry(who: str, call: Callable[[], float]) -> Contestant[float]:
        difference = (lambda mark, value: abs(value - own)) if agrees else None
        return Contestant(who, len(texts), lambda mark: call, difference, tolerance=AGREEING.get(name, 0.0))

    def field(_: Corpus) -> list[Contestant[float]]:
        ours = entry("bleuprint", lambda: float(metric.corpus(texts, threads=1).value))
        return [ours] if score is None else [ours, entry("diversity", lambda: quietly(score, texts))]

    notes = [] if agrees else ["diversity defines it otherwise; the card says how."]
    if score is None:
        notes = ["diversity is not installed: pip install --no-deps diversity nltk tqdm"]
    rows = race(field, run.corpus, run)
    return Section(f"{name} of {len(texts):,} texts, one thread, CPU time", "µs/text", rows, notes, rate="text")


def quietly(score: Callable[..., float], texts: list[str]) -> float:
    """Without its progress bars."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return float(score(texts))


def peer_function(file: str, function: str) -> Callable[..., float] | None:
    """From its file alone: importing the package needs spaCy and sentence-transformers."""
    package = importlib.util.find_spec("diversity")
    if package is None or not package.submodule_search_locations:
        return None
    spec = importlib.util.spec_from_file_location(
        f"diversity_{file}", Path(package.submodule_search_locations[0]) / f"{file}.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Its BLEU and BERTScore need evaluate, its ROUGE-L does not.
    if "evaluate" not in sys.modules and not peer_installed("evaluate"):
        sys.modules["evaluate"] = ModuleType("evaluate")
        sys.modules["evaluate"].load = None  # type: ignore[attr-defined]
    try:
        spec.loader.exec_module(module)
    except ImportError:
        return None
    score: Callable[..., float] = getattr(module, function)
    return score


def generated(count: int) -> list[str]:
    draw = random.Random(1)
    words = [f"w{number}" for number in range(5000)]
    shares = [1 / (rank + 1) for rank in range(5000)]
    lines = [" ".join(draw.choices(words, shares, k=20)) for _ in range(count * 9 // 10)]
    for place in range(count - len(lines)):
        tokens = lines[place].split()
        tokens[draw.randrange(20)] = "changed"
        lines.append(" ".join(tokens))
    return lines


def join_section(run: Run) -> Section:
    size = 300 if run.quick else JOINED
    texts = generated(size)
    metric = near_duplicates()
    expected = brute_force(texts)
    module = peer("datasketch")
    notes: list[str] = []

    def ours() -> float:
        found = {(pair.first, pair.second) for pair in metric.corpus(texts, threads=1).pairs()}
        both = len(found & expected)
        notes[:] = [
            f"bleuprint: recall {both / len(expected):.3f}, precision {both / max(len(found), 1):.3f} "
            f"of the {len(expected):,} pairs of brute force."
        ]
        return 0.0

    def hashed() -> float:
        found = minhash(module, texts)
        notes.append(f"datasketch, 256 permutations: recall {len(found & expected) / len(expected):.3f}.")
        return 0.0

    def field(_: Corpus) -> list[Contestant[float]]:
        entries = [Contestant("bleuprint", size, lambda mark: ours, None)]
        if module is not None:
            entries.append(Contestant("datasketch (MinHash LSH)", size, lambda mark: hashed, None))
        return entries

    rows = race(field, run.corpus, run)
    return Section(f"Near-duplicates of {size:,} texts, one thread, CPU time", "µs/text", rows, notes, rate="text")


def near_duplicates() -> bleuprint.NearDuplicates:
    return bleuprint.NearDuplicates(threshold=THRESHOLD, order=ORDER, tokenizer="whitespace")


def ngram_sets(texts: list[str]) -> list[frozenset[tuple[str, ...]]]:
    tokens = [text.split() for text in texts]
    return [
        frozenset(tuple(words[start : start + ORDER]) for start in range(len(words) - ORDER + 1)) for words in tokens
    ]


def alike(pairs: set[tuple[int, int]], sets: list[frozenset[tuple[str, ...]]]) -> set[tuple[int, int]]:
    """Those of the pairs that reach the threshold."""
    return {
        (one, other) for one, other in pairs if len(sets[one] & sets[other]) >= THRESHOLD * len(sets[one] | sets[other])
    }


def brute_force(texts: list[str]) -> set[tuple[int, int]]:
    """Of all pairs that share anything, those that reach the threshold."""
    sets = ngram_sets(texts)
    holders: dict[tuple[str, ...], list[int]] = {}
    for place, ngrams in enumerate(sets):
        for ngram in ngrams:
            holders.setdefault(ngram, []).append(place)
    return alike({pair for places in holders.values() for pair in combinations(places, 2)}, sets)


def minhash(module: object, texts: list[str], threshold: float = THRESHOLD) -> set[tuple[int, int]]:
    """Pairs that hashing finds at a threshold. At a lower one it finds more, and these are compared."""
    lsh = module.MinHashLSH(threshold=threshold, num_perm=256)  # type: ignore[attr-defined]
    sets = ngram_sets(texts)
    found: set[tuple[int, int]] = set()
    for place, ngrams in enumerate(sets):
        sketch = module.MinHash(num_perm=256)  # type: ignore[attr-defined]
        sketch.update_batch([" ".join(ngram).encode() for ngram in ngrams])
        found |= {(other, place) for other in lsh.query(sketch)}
        lsh.insert(place, sketch)
    return found if threshold == THRESHOLD else alike(found, sets)
