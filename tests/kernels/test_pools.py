"""Pools large enough to be counted in several parts, by several workers and in several windows of orders."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

from bleuprint.core.columns import checked_column
from bleuprint.core.counts import Pool
from bleuprint.core.tokenizers import resolve
from tests.kernels.twins.clipped import Token, grams
from tests.support.effort import part

ORDERS = 6  # one more than are read at a time
COMPARED = (*part(range(1, ORDERS), 2), ORDERS)  # the plain counts of one order take a second
THREADS = (1, 3)
Table = Counter[tuple[Token, ...]]


def pool_of(texts: list[str]) -> Pool:
    tokenizer = resolve("whitespace", False)
    pool = Pool(tokenizer.scheme, tokenizer.native_lowercase)
    pool.add(tokenizer.prepare_column(checked_column(texts, "texts"), "texts"), 1)
    return pool


def generated(count: int, seed: int) -> list[str]:
    """Few frequent words and many rare ones, empty texts, copies and one long text."""
    generator = random.Random(seed)
    texts = [
        " ".join(str(min(int(generator.paretovariate(0.6)), 5000)) for _ in range(generator.randrange(0, 24)))
        for _ in range(count)
    ]
    texts[5] = texts[count // 2]
    texts[7] = " ".join(str(i % 11) for i in range(3000))
    return texts


def ngram_counts(texts: list[str], order: int) -> list[Table]:
    return [grams(text.split(), order) for text in texts]


def clipped_by_top_two(own: list[Table], others: list[Table] | None = None) -> list[int]:
    """Against all other texts, or against all of `others`."""
    tops: dict[tuple[Token, ...], list[int]] = {}
    for table in own if others is None else others:
        for ngram, count in table.items():
            tops.setdefault(ngram, []).append(count)
    clips = {ngram: sorted(counts, reverse=True) for ngram, counts in tops.items()}
    which = 1 if others is None else 0  # min(count, largest elsewhere) is min(count, second largest)
    limits = {ngram: counts[which] if len(counts) > which else 0 for ngram, counts in clips.items()}
    return [sum(min(count, limits.get(ngram, 0)) for ngram, count in table.items()) for table in own]


def test_large_pools_are_counted_as_by_the_definition() -> None:
    """Enough tokens for many buckets in several parts and for two workers."""
    texts = generated(24_000, seed=3)
    pool = pool_of(texts)
    rows = [pool.leave_one_out(ORDERS, threads) for threads in THREADS]
    different = [pool.distinct_per_text(ORDERS, threads) for threads in THREADS]
    frequencies = [pool_of(texts).frequency_counts(ORDERS, threads) for threads in THREADS]  # kept by a pool
    holders = [pool_of(texts).holders(ORDERS, threads) for threads in THREADS]
    everything = np.ones((1, len(texts)), dtype=np.uint64)
    assert all(each.frequencies(everything) == [frequencies[0][-1]] for each in holders)
    for order in COMPARED:
        tables = ngram_counts(texts, order)
        everywhere: Table = Counter()
        for table in tables:
            everywhere.update(table)
        expected = clipped_by_top_two(tables)
        assert all(matrix[:, 1 + order].tolist() == expected for matrix in rows)
        assert all(matrix[:, order - 1].tolist() == list(map(len, tables)) for matrix in different)
        assert all(counts[order - 1] == Counter(everywhere.values()) for counts in frequencies)


def test_large_pools_are_crossed_as_by_the_definition() -> None:
    """Empty queries in front and at the end, which have no marks of their own."""
    queries, references = ["", *generated(12_000, seed=4), ""], ["", *generated(12_000, seed=5)]
    rows = [pool_of(queries).cross(pool_of(references), ORDERS, threads) for threads in THREADS]
    for order in COMPARED:
        expected = clipped_by_top_two(ngram_counts(queries, order), ngram_counts(references, order))
        assert all(matrix[:, 1 + order].tolist() == expected for matrix in rows)
