"""The n-gram index against tokengrams 0.3.3, which counts token ids with a suffix array.

tokengrams takes a corpus as one sequence, so its n-grams may cross the borders of texts; each text here is one corpus.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
from tokengrams import InMemoryIndex, MemmapIndex

from bleuprint import NgramIndex
from tests.support.cli import lines


def ids_of(texts: list[str]) -> list[int]:
    words = [word for text in texts for word in text.split()]
    numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
    return [numbers[word] for word in words]


def asked(ids: list[int]) -> list[list[int]]:
    """N-grams of the corpus, some of them changed in one place."""
    source = random.Random(1)
    ngrams = []
    for _ in range(3000):
        begin, length = source.randrange(len(ids)), source.randint(1, 13)
        ngram = ids[begin : begin + length]
        if source.random() < 0.3:
            ngram[source.randrange(len(ngram))] = source.choice(ids)
        ngrams.append(ngram)
    return ngrams


def test_counts_equal_those_of_tokengrams_on_the_sample() -> None:
    ids = ids_of([*lines("ref-1"), *lines("system-a"), *lines("ref-2"), *lines("ref-1")])
    index, other = NgramIndex.build([ids]), InMemoryIndex(ids, vocab=len(set(ids)))
    ngrams = asked(ids)
    counts = index.counts(ngrams)
    assert counts == [other.count(ngram) for ngram in ngrams]
    assert {0, 1, 2} <= set(counts)


def test_places_equal_those_of_tokengrams_on_random_ids(tmp_path: Path) -> None:
    ids = np.random.default_rng(1).zipf(1.4, 50_000).clip(max=3000).astype(np.uint16)
    ids.tofile(tmp_path / "ids.bin")
    other = MemmapIndex.build(str(tmp_path / "ids.bin"), str(tmp_path / "table.bin"), vocab=2**16)
    listed = ids.tolist()
    index = NgramIndex.build([listed])
    for ngram in asked(listed)[:500]:
        assert index.count(ngram) == other.count(ngram)
        places = [place.token for place in index.find(ngram, limit=10**6)]
        assert places == sorted(other.positions(ngram))
