"""Diversity: what each measure costs for a million texts, how the cost grows, and the join of near-duplicates."""

from __future__ import annotations

import importlib.util
import json
import math
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import bleuprint
from bench.data import ROOT, Corpus
from bench.harness import Contestant, Run, peer, race
from bench.results import Row, Section
from bench.self_bleu import slope

SIZES = (16_000, 64_000, 256_000, 1_000_000)
JOINED, REPEATED = 20_000, 5_000
THRESHOLD, ORDER = 0.8, 3
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
            f"Exponents over {', '.join(f'{size:,}' for size in sizes)} texts with Zipf frequencies, a process each.",
        ],
        rate="text",
    )
    yield from peers(run)
    yield join_section(run)


def grown(size: int) -> dict[str, dict[str, float]]:
    command = [sys.executable, "-m", "bench.diversity_growth", str(size), *MEASURES]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    figures: dict[str, dict[str, float]] = json.loads(done.stdout)
    return figures


def peers(run: Run) -> Iterator[Section]:
    """Against the package diversity, where it can still run."""
    score = self_repetition_of_diversity()
    texts = generated(40 if run.quick else REPEATED)

    def entry(name: str, call: Callable[[], float]) -> Contestant[float]:
        own = bleuprint.self_repetition(texts, tokenizer="whitespace", threads=1).value
        return Contestant(name, len(texts), lambda mark: call, lambda mark, value: abs(value - own), tolerance=1e-12)

    def field(_: Corpus) -> list[Contestant[float]]:
        ours = entry("bleuprint", lambda: bleuprint.self_repetition(texts, tokenizer="whitespace", threads=1).value)
        theirs = [] if score is None else [entry("diversity", lambda: float(score(texts, verbose=False)))]
        return [ours, *theirs]

    notes = [] if score is not None else ["diversity is not installed: pip install --no-deps diversity nltk tqdm"]
    rows = race(field, run.corpus, run)
    yield Section(f"Self-repetition of {len(texts):,} texts, one thread, CPU time", "µs/text", rows, notes, rate="text")


def self_repetition_of_diversity() -> Callable[..., float] | None:
    """Its file alone: importing the package needs spaCy and sentence-transformers."""
    package = importlib.util.find_spec("diversity")
    if package is None or not package.submodule_search_locations:
        return None
    path = Path(package.submodule_search_locations[0]) / "self_repetition.py"
    spec = importlib.util.spec_from_file_location("diversity_self_repetition", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ImportError:
        return None
    score: Callable[..., float] = module.self_repetition_score
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
    metric = bleuprint.NearDuplicates(threshold=THRESHOLD, order=ORDER, tokenizer="whitespace")
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


def brute_force(texts: list[str]) -> set[tuple[int, int]]:
    """All pairs, through the sizes of n-gram sets only to leave out what cannot reach the threshold."""
    sets = []
    for text in texts:
        words = text.split()
        sets.append(frozenset(tuple(words[start : start + ORDER]) for start in range(len(words) - ORDER + 1)))
    holders: dict[tuple[str, ...], list[int]] = {}
    for place, ngrams in enumerate(sets):
        for ngram in ngrams:
            holders.setdefault(ngram, []).append(place)
    met = {pair for places in holders.values() for pair in combinations(places, 2)}  # all that share anything
    return {
        (one, other) for one, other in met if len(sets[one] & sets[other]) >= THRESHOLD * len(sets[one] | sets[other])
    }


def minhash(module: object, texts: list[str]) -> set[tuple[int, int]]:
    lsh = module.MinHashLSH(threshold=THRESHOLD, num_perm=256)  # type: ignore[attr-defined]
    found: set[tuple[int, int]] = set()
    for place, text in enumerate(texts):
        words = text.split()
        sketch = module.MinHash(num_perm=256)  # type: ignore[attr-defined]
        grams = {" ".join(words[start : start + ORDER]) for start in range(len(words) - ORDER + 1)}
        sketch.update_batch([gram.encode() for gram in grams])
        found |= {(other, place) for other in lsh.query(sketch)}
        lsh.insert(place, sketch)
    return found
