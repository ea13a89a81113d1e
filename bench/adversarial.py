"""`python -m bench.adversarial [--json FILE]`: does time grow in proportion on input that was made to hurt?

Every case runs at three sizes, each twice the one before; what counts is how much longer the largest takes per byte
than the smallest: about 1 is linear, about 4 quadratic. Crafted words collide in the tables of one known seed: they are
scored once with just that seed and once with a seed of the process' own. Processor time, the least of three runs.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import bleuprint as bp
from bleuprint.core import counts
from bleuprint.models.ngram_index import NgramIndex
from tests.support import crafted

KNOWN_SEED = 0x1234567890ABCDEF
SCHEMES = ("13a", "intl", "zh", "nltk", "char", "tercom", "unicode-words")


@dataclass(frozen=True)
class Case:
    """Something to do with a text that grows."""

    name: str
    unit: int  # the smallest size
    make: Callable[[int], Callable[[], Any]]
    expected: str = "linear"


@dataclass(frozen=True)
class Finding:
    name: str
    expected: str
    bytes: list[int]
    seconds: list[float]

    @property
    def per_byte(self) -> float:
        """How much longer a byte of the largest takes than one of the smallest."""
        return self.seconds[-1] / self.bytes[-1] / (self.seconds[0] / self.bytes[0])


def same(text: str) -> Callable[[], Any]:
    return lambda: bp.sentence_bleu(text, text)


def different(count: int, prefix: str) -> str:
    return " ".join(f"{prefix}{number}" for number in range(count))


def cases() -> Iterator[Case]:
    yield Case("one word, repeated", 250_000, lambda size: same("word " * (size // 5)))
    yield Case("all words different", 250_000, lambda size: same(different(size // 7, "")))
    yield Case("one line of up to 10 MB", 2_500_000, lambda size: same("the cat sat on the mat " * (size // 23)))
    yield Case("empty lines, up to 10^6", 250_000, lambda size: lambda: bp.corpus_bleu([""] * size, [""] * size))
    yield Case("combining marks, chrF", 100_000, lambda size: lambda: bp.sentence_chrf("e" + "\u0301" * size, "e" * 9))
    yield Case("one text a million times, Self-BLEU", 60_000, lambda size: lambda: bp.self_bleu(["a b c"] * size))
    yield Case("one segment with many references, evaluate", 250_000, many_references)
    for scheme in SCHEMES:
        for label, run in (("punctuation", "?!.,-'\""), ("apostrophes", "'"), ("marks", "\u0301"), ("digits", "1.")):
            yield Case(f"{label}, tokenizer {scheme}", 100_000, tokenizing(scheme, run))
    yield Case("TER, reversed words", 200, lambda size: shifted(size), "bounded beam")
    yield Case("METEOR, one word", 4_000, lambda size: lambda: bp.sentence_meteor("a " * size, "a " * size))
    yield Case("METEOR, two words crossed", 4_000, crossed)
    yield Case("ROUGE-L, unlike texts", 8_000, lambda size: unlike(size, bp.sentence_rouge), "m·n/64")
    yield Case("edit distance, unlike texts", 80_000, lambda size: unlike(size, bp.sentence_wer), "n·d/64")
    yield Case("spans of one word, texts of all lengths", 250_000, one_word_spans)
    yield Case("near-duplicates, a chain of all words", 1_000_000, lambda size: chain(size, size // 200))
    yield Case("near-duplicates, a chain of ten words", 1_000_000, lambda size: chain(size, 10), "pairs")


def many_references(size: int) -> Callable[[], Any]:
    references = [[f"the cat {number:07}" for number in range(size // 15)]]
    return lambda: bp.evaluate({"one": ["the cat sat"]}, references, metrics=["bleu", "gleu"])


def tokenizing(scheme: str, run: str) -> Callable[[int], Callable[[], Any]]:
    counts.tokenize("A", scheme, True)  # brings the character tables over
    return lambda size: lambda: counts.tokenize(run * (size // len(run.encode())), scheme)


def shifted(size: int) -> Callable[[], Any]:
    words = [f"w{number}" for number in range(size)]
    return lambda: bp.sentence_ter(" ".join(words), " ".join(words[::-1]))


def crossed(size: int) -> Callable[[], Any]:
    return lambda: bp.sentence_meteor("a b " * (size // 2), "b a " * (size // 2))


def unlike(size: int, function: Callable[[str, str], Any]) -> Callable[[], Any]:
    first, second = different(size, "a"), different(size, "b")
    return lambda: function(first + " x", "x " + second)


def one_word_spans(size: int) -> Callable[[], Any]:
    """Of a text twice as long as the longest of the index."""
    longest = int((size // 2) ** 0.5)
    index = NgramIndex.build([["the"] * length for length in range(1, longest + 1)], tokenizer="whitespace")
    return lambda: index.spans(["the"] * (2 * longest))


def chain(size: int, vocabulary: int) -> Callable[[], Any]:
    """Texts of forty words, each of which differs from the one before it by a word."""
    choose = random.Random(size).randrange
    words = [f"w{choose(vocabulary)}" for _ in range(40)]
    texts = []
    for _ in range(size // 100):
        words[choose(40)] = f"w{choose(vocabulary)}"
        texts.append(" ".join(words))
    return lambda: bp.near_duplicates(texts, tokenizer="whitespace")


def seconds(call: Callable[[], Any], repeats: int = 3) -> float:
    found = []
    for _ in range(repeats):
        begin = time.process_time()
        call()
        found.append(time.process_time() - begin)
    return min(found)


def measured(case: Case) -> Finding:
    sizes = [case.unit, 2 * case.unit, 4 * case.unit]
    return Finding(case.name, case.expected, sizes, [seconds(case.make(size)) for size in sizes])


def collisions() -> list[dict[str, float]]:
    """Of texts of crafted words: seconds, in this process."""
    found = []
    for count in (1024, 2048, 4096, 8192):
        row: dict[str, float] = {"words": count}
        for kind, words in (("crafted", crafted.colliding_words(count, KNOWN_SEED)), ("ordinary", ordinary(count))):
            row[kind] = seconds(same(" ".join(words)))
        found.append(row)
    return found


def ordinary(count: int) -> list[str]:
    return crafted.ordinary_words(count)


def with_seed(seed: int | None) -> list[dict[str, float]]:
    environment = {name: value for name, value in os.environ.items() if name != "BLEUPRINT_HASH_SEED"}
    if seed is not None:
        environment["BLEUPRINT_HASH_SEED"] = str(seed)
    command = [sys.executable, "-m", "bench.adversarial", "--collisions"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: list[dict[str, float]] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.adversarial", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--collisions", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.collisions:
        print(json.dumps(collisions()))
        return
    known, unknown = with_seed(KNOWN_SEED), with_seed(None)
    for label, rows in (("seed known to the author", known), ("seed of the process", unknown)):
        for row in rows:
            ratio = row["crafted"] / row["ordinary"]
            print(f"crafted words, {label:26} {row['words']:6} words {ratio:8.2f} times ordinary words")
    findings = []
    for case in cases():
        finding = measured(case)
        findings.append(finding)
        times = " ".join(f"{value * 1000:9.2f}" for value in finding.seconds)
        print(f"{finding.name:40} {times} ms  {finding.per_byte:5.2f} per byte ({finding.expected})", flush=True)
    if options.json is not None:
        rows = [{**asdict(finding), "per_byte": finding.per_byte} for finding in findings]
        options.json.write_text(json.dumps({"known": known, "unknown": unknown, "cases": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
