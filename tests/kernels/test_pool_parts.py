"""Parts of a pool that are scored together, 64 or 256 at a time, against each part counted by itself."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bleuprint.core import counts
from bleuprint.core.columns import checked_column
from bleuprint.metrics import SelfBLEU
from bleuprint.metrics.base.pool import PooledTexts
from tests.kernels.twins import pool as twin


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
    assert metric.definition.formula.is_quick
    score = summary.part_scorer(threads)
    together = score(counts.words_of_parts(parts))[:count]
    for values, part in zip(together, parts, strict=True):
        alone = summary.part(np.flatnonzero(part).tolist()).values()
        assert values.tolist() == pytest.approx(alone, rel=1e-13)


def test_the_number_of_threads_changes_no_bit() -> None:
    texts = texts_of(3000, 12, 50, seed=1)
    summary = SelfBLEU(tokenizer="whitespace").update(texts).summary
    assert isinstance(summary, PooledTexts)
    words = counts.words_of_parts(parts_of(300, len(texts), seed=2))
    one, two = (summary.part_scorer(threads)(words) for threads in (1, 2))
    assert np.array_equal(one, two)


small_texts = st.lists(st.lists(st.sampled_from("abc"), max_size=7).map(" ".join), min_size=1, max_size=9)


def chosen(texts: list[str], part: NDArray[np.bool_]) -> list[list[str]]:
    return [text.split() for text, inside in zip(texts, part, strict=True) if inside]


@given(texts=small_texts, data=st.data(), order=st.integers(1, 4), threads=st.integers(1, 3))
def test_numbers_of_parts_are_those_of_each_alone(
    texts: list[str], data: st.DataObject, order: int, threads: int
) -> None:
    every = st.lists(st.booleans(), min_size=len(texts), max_size=len(texts)).filter(any)
    parts = [np.array(part) for part in data.draw(st.lists(every, min_size=1, max_size=70))]
    pool, members = pool_of(texts), counts.words_of_parts(parts)
    holders = pool.holders(order, threads)
    assert holders.shared == sum(several > 1 for several, _ in twin.most_shared(texts_tokens(texts), order, 10**6))
    found = zip(
        parts,
        holders.frequencies(members),
        holders.other_texts(members),
        pool.window_types(order + 1, members, threads).tolist(),
        pool.stretches(0.7, members, threads).tolist(),
        pool.stretches(0.7, members, threads, backward=True).tolist(),
        strict=True,
    )
    for part, frequencies, others, windows, forward, backward in found:
        alone = chosen(texts, part)
        tokens = sum(map(len, alone))
        assert frequencies == twin.frequency_counts(alone, order)[-1]
        assert others == Counter(twin.other_texts(alone, order))
        window = min(order + 1, tokens)
        assert windows == [tokens, window, twin.window_types(alone, window) if tokens else 0]
        assert forward == [tokens, *twin.stretches(alone, 0.7, backward=False)]
        assert backward == [tokens, *twin.stretches(alone, 0.7, backward=True)]


def texts_tokens(texts: list[str]) -> list[list[str]]:
    return [text.split() for text in texts]


def test_frequent_ngrams_of_many_texts() -> None:
    """Values that no byte holds, and values that no table holds, but a map."""
    mixed = [f"w{number % 7} w{number % 3}" for number in range(1100)]
    texts = ["a a a"] * 300 + ["a b"] * 400 + mixed + ["x y"] * 70_000
    pool = pool_of(texts)
    generator = np.random.default_rng(4)
    parts = [generator.random(len(texts)) < share for share in (0.05, 0.5, 0.95, 1.0)]
    members = counts.words_of_parts(parts)
    for order in (1, 2):
        holders = pool.holders(order, 2)
        others = holders.other_texts(members)
        for part, frequencies, other in zip(parts, holders.frequencies(members), others, strict=True):
            alone = pool.select(np.flatnonzero(part).tolist())
            assert frequencies == alone.frequency_counts(order, 1)[-1]
            assert other == Counter(alone.other_texts(order, 1).tolist())


def test_joined_texts_are_what_python_joins() -> None:
    numbers = [0, 7, -31, 10**9, -(10**9) - 1, 10**18, 2**64, 16**40, -(10**40)]
    texts: list[list[str | int]] = [[*numbers], ["a b", "\x00", "é"], [], ["last"], []]
    pool = counts.Pool("whitespace", False)
    pool.add(checked_column(texts, "texts", tokenized=True), 1)
    content, ends = pool.join_texts()
    assert content.tobytes().decode() == "".join(" ".join(map(str, text)) + " " for text in texts)
    assert [content.tobytes()[:end].decode().count("last") for end in ends.tolist()] == [0, 0, 0, 1, 1]


def test_what_was_kept_is_of_the_texts_that_are_there() -> None:
    pool = pool_of(["a b", "a b"])
    assert pool.frequency_counts(1, 1) == pool.frequency_counts(1, 1) == [Counter({2: 2})]
    pool.merge(pool_of(["a"]))
    assert pool.frequency_counts(1, 1) == [Counter({3: 1, 2: 1})]
    with pytest.raises(ZeroDivisionError):
        pool.once("name", lambda: 1 / 0)
    assert pool.once("name", lambda: 1) == pool.once("name", lambda: 2) == 1


def test_a_sample_and_methods_outside_the_core_are_counted_part_by_part() -> None:
    texts = texts_of(30, 9, 8, seed=5)
    for metric in (SelfBLEU(sample=10), SelfBLEU(smoothing="method4")):
        summary = metric.update(texts).summary
        assert isinstance(summary, PooledTexts)
        assert not metric.definition.formula.is_quick
        assert metric.definition.formula.part_scorer(summary.texts, (), 1) is None
