"""Keys crafted against the tables: harmless without the seed, and no result depends on the seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bleuprint import corpus_bleu, evaluate
from bleuprint.core import _native, counts
from tests.support import crafted
from tests.support.effort import part
from tests.support.processes import run_python

KNOWN = 0x1234567890ABCDEF
COUNT = 2048
# A look-up in a table that is half full passes half a slot by.
ORDINARY = 1.0


def assert_ordinary(detours: Callable[[Any, int], Any], keys: Any) -> None:
    """Under the edges of all seeds and some between."""
    chance = random.Random(11)
    for seed in (0, 1, (1 << 64) - 1, *(chance.getrandbits(64) for _ in range(40))):
        assert max(detours(keys, seed)) < ORDINARY * len(keys)


def test_words_crafted_against_a_known_seed_are_ordinary_under_another() -> None:
    words = crafted.colliding_words(COUNT, KNOWN)
    vocabulary, growing, small = _native.token_detours(words, KNOWN)
    assert min(growing, small) > COUNT * COUNT / 4  # the attack is a real one
    assert vocabulary < ORDINARY * COUNT  # which hashes otherwise
    assert_ordinary(_native.token_detours, words)


def test_pairs_crafted_against_a_known_seed_are_ordinary_under_another() -> None:
    pairs = crafted.colliding_pairs(COUNT, KNOWN)
    assert min(_native.pair_detours(pairs, KNOWN)) > COUNT * COUNT / 4
    assert_ordinary(_native.pair_detours, pairs)


@pytest.mark.parametrize("bits", [9, 11])
def test_pairs_crafted_without_a_seed_are_ordinary(bits: int) -> None:
    pairs = crafted.blindly_crafted_pairs(bits)
    assert len(set(pairs.tolist())) == 1 << bits
    assert_ordinary(_native.pair_detours, pairs)


@pytest.mark.parametrize("step", [1, 2, 64, 1 << 10, 1 << 16, 1 << 32, (1 << 32) + 1, 1 << 48])
def test_regular_pairs_are_spread_by_every_seed(step: int) -> None:
    keys = np.arange(COUNT, dtype=np.uint64) * np.uint64(step)
    assert_ordinary(_native.pair_detours, keys)


@pytest.mark.parametrize("form", ["{:08}", "{:04}word", "w{}", "{:x}", "a-longer-word-with-the-number-{}"])
def test_numbered_words_are_spread_by_every_seed(form: str) -> None:
    words = [form.format(number) for number in range(COUNT)]
    assert_ordinary(_native.token_detours, words)


def test_no_result_and_no_order_depends_on_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BLEUPRINT_HASH_SEED", raising=False)
    expected = json.loads(run_python("-m", "tests.support.seeded"))
    assert len(expected) > 25
    for seed in part(("0", "1", "0xFFFFFFFFFFFFFFFF", "81985529216486895"), 2):
        monkeypatch.setenv("BLEUPRINT_HASH_SEED", seed)
        assert json.loads(run_python("-m", "tests.support.seeded")) == expected


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
