"""Parts of a pool that are scored together, 64 or 256 at a time, against each part counted by itself."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from bleuprint.core import counts
from bleuprint.core.columns import checked_column
from bleuprint.metrics import SelfBLEU
from bleuprint.metrics.base.pool import PooledTexts


def pool_of(texts: list[str]) -> counts.Pool:
    pool = counts.Pool("whitespace", False)
    pool.add(checked_column(texts, "texts"), 1)
    return pool


def texts_of(count: int, longest: int, words: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(f"w{draw.randrange(words)}" for _ in range(draw.randint(0, longest))) for _ in range(count)]


def parts_of(count: int, texts: int, seed: int) -> list[NDArray[np.bool_]]:
    generator = np.random.default_rng(seed)
    shares = generator.uniform(0.1, 1.0, size=count)
    parts = [generator.random(texts) < share for share in shares]
    for part in parts:
        part[:2] = True  # a text needs another one
    return parts


# Short texts are read as bytes; texts of 256 tokens or more, and orders beyond 6, are not. 300 parts are four words of
# 64 at once and one alone.
@pytest.mark.parametrize(("longest", "max_order", "count"), [(12, 5, 300), (12, 7, 70), (400, 2, 130), (300, 4, 300)])
@pytest.mark.parametrize("threads", [1, 2])
def test_self_bleu_of_parts_is_that_of_each_alone(longest: int, max_order: int, count: int, threads: int) -> None:
    texts = texts_of(60, longest, 30, seed=longest + max_order)
    metric = SelfBLEU(max_order=max_order, tokenizer="whitespace")
    summary = metric.update(texts).summary
    assert isinstance(summary, PooledTexts)
    parts = parts_of(count, len(texts), seed=count)
    score, is_quick = summary.part_scorer(threads)
    assert is_quick
    together = score(counts.words_of_parts(parts))[:count]
    for values, part in zip(together, parts, strict=True):
        alone = summary.part(np.flatnonzero(part).tolist()).values()
        assert values.tolist() == pytest.approx(alone, rel=1e-13)


def test_the_number_of_threads_changes_no_bit() -> None:
    texts = texts_of(3000, 12, 50, seed=1)
    summary = SelfBLEU(tokenizer="whitespace").update(texts).summary
    assert isinstance(summary, PooledTexts)
    words = counts.words_of_parts(parts_of(300, len(texts), seed=2))
    one, two = (summary.part_scorer(threads)[0](words) for threads in (1, 2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize("max_order", [1, 3, 8])
def test_distinct_ngrams_of_parts_are_those_of_each_alone(max_order: int) -> None:
    texts = texts_of(80, 20, 12, seed=max_order)
    pool, parts = pool_of(texts), parts_of(300, len(texts), seed=3)
    together = pool.parts(max_order, 2, repeats_count=False).distinct(counts.words_of_parts(parts))[:300]
    for counted, part in zip(together.tolist(), parts, strict=True):
        alone = pool.select(np.flatnonzero(part).tolist()).distinct(max_order, 1)
        assert counted == [different for different, _ in alone] + [total for _, total in alone]


def test_a_sample_and_methods_outside_the_core_are_counted_part_by_part() -> None:
    texts = texts_of(30, 9, 8, seed=5)
    for metric in (SelfBLEU(sample=10), SelfBLEU(smoothing="method4")):
        summary = metric.update(texts).summary
        assert isinstance(summary, PooledTexts)
        assert not summary.part_scorer()[1]
