"""Keys crafted against the tables: harmless without the seed, and no result depends on the seed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bleuprint import corpus_bleu, evaluate
from bleuprint.core import _native, counts
from tests.support import crafted
from tests.support.effort import part

ROOT = Path(__file__).resolve().parents[2]
KNOWN = 0x1234567890ABCDEF
COUNT = 2048
# A look-up in a table that is half full passes half a slot by.
ORDINARY = 1.0


def other_seeds() -> list[int]:
    chance = random.Random(11)
    return [0, 1, (1 << 64) - 1, *(chance.getrandbits(64) for _ in range(40))]


def test_words_crafted_against_a_known_seed_are_ordinary_under_another() -> None:
    words = crafted.colliding_words(COUNT, KNOWN)
    vocabulary, growing, small = _native.token_detours(words, KNOWN)
    assert min(growing, small) > COUNT * COUNT / 4  # the attack is a real one
    assert vocabulary < ORDINARY * COUNT  # which hashes otherwise
    for seed in other_seeds():
        assert max(_native.token_detours(words, seed)) < ORDINARY * COUNT


def test_pairs_crafted_against_a_known_seed_are_ordinary_under_another() -> None:
    pairs = crafted.colliding_pairs(COUNT, KNOWN)
    assert min(_native.pair_detours(pairs, KNOWN)) > COUNT * COUNT / 4
    for seed in other_seeds():
        assert max(_native.pair_detours(pairs, seed)) < ORDINARY * COUNT


@pytest.mark.parametrize("bits", [9, 11])
def test_pairs_crafted_without_a_seed_are_ordinary(bits: int) -> None:
    pairs = crafted.blindly_crafted_pairs(bits)
    assert len(set(pairs.tolist())) == 1 << bits
    for seed in other_seeds():
        assert max(_native.pair_detours(pairs, seed)) < ORDINARY * len(pairs)


@pytest.mark.parametrize("step", [1, 2, 64, 1 << 10, 1 << 16, 1 << 32, (1 << 32) + 1, 1 << 48])
def test_regular_pairs_are_spread_by_every_seed(step: int) -> None:
    keys = np.arange(COUNT, dtype=np.uint64) * np.uint64(step)
    for seed in other_seeds():
        assert max(_native.pair_detours(keys, seed)) < ORDINARY * COUNT


@pytest.mark.parametrize("form", ["{:08}", "{:04}word", "w{}", "{:x}", "a-longer-word-with-the-number-{}"])
def test_numbered_words_are_spread_by_every_seed(form: str) -> None:
    words = [form.format(number) for number in range(COUNT)]
    for seed in other_seeds():
        assert max(_native.token_detours(words, seed)) < ORDINARY * COUNT


def digests(seed: str | None) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if name != "BLEUPRINT_HASH_SEED"}
    if seed is not None:
        environment["BLEUPRINT_HASH_SEED"] = seed
    command = [sys.executable, "-m", "tests.support.seeded"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_no_result_and_no_order_depends_on_the_seed() -> None:
    expected = digests(None)
    assert len(expected) > 25
    for seed in part(("0", "1", "0xFFFFFFFFFFFFFFFF", "81985529216486895"), 2):
        assert digests(seed) == expected


def test_references_of_a_segment_are_found_without_a_search() -> None:
    """Counters that share readings look a text up by its place, however many references its segment has."""

    def detours(references: int) -> int:
        column = counts.column([["a"] * references] * 3, groups=True, tokenized=False)
        return _native.reading_detours(column, ["13a", "char", "13a", "whitespace"])

    assert detours(20_000) == detours(20) < 10


def test_many_references_score_alike_alone_and_beside_others() -> None:
    references = [[f"the cat sat on mat {number}" for number in range(20_000)]]
    texts = ["the cat sat on the mat 7"]
    result = evaluate({"one": texts}, references, metrics=["bleu", "gleu"])
    assert result.systems[0].score("bleu").value == corpus_bleu(texts, references).value
