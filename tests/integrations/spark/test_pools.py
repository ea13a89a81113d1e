"""Texts measured against each other on Spark give what one machine gives, bit for bit."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuprint.errors import OptionError, PoolError
from bleuprint.integrations.spark import _shuffle, pool_score
from bleuprint.integrations.spark._pools import nearest_lengths
from bleuprint.metrics import CrossBLEU, Distinct, SelfBLEU, registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PoolScore
from tests.integrations.spark.frames import cut, frame, sentence
from tests.kernels.twins import pool as twin
from tests.support.effort import MANY, part
from tests.support.tables import POOL_TABLE
from tests.support.wmt22 import Wmt22

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def texts(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [sentence(chance) for _ in range(count)]


TEXTS, OTHERS = texts(400, 1), texts(150, 2)
KINDS: dict[str, Any] = dict(POOL_TABLE)
ON_SPARK = {name for name, kind in KINDS.items() if kind().definition.formula.exchange is not None}


def column(spark: SparkSession, lines: list[str], partitions: int) -> DataFrame:
    return frame(spark, [[(line,) for line in part] for part in cut(lines, partitions, partitions)], "text string")


def assert_same(found: PoolScore, expected: PoolScore) -> None:
    assert (found.value, found.per_order) == (expected.value, expected.per_order)
    assert (found.signature, found.texts) == (expected.signature, expected.texts)


CROSS = CrossBLEU(max_order=3, tokenizer="13a", lowercase=True)
slow = pytest.mark.slow


@pytest.mark.parametrize("partitions", [pytest.param(1, marks=slow), 2, pytest.param(5, marks=slow)])
@pytest.mark.parametrize("metric", [SelfBLEU(), CROSS], ids=["self-bleu", "cross-bleu"])
def test_bleu_of_texts_for_any_number_of_partitions(spark: SparkSession, metric: Metric[Any], partitions: int) -> None:
    references = column(spark, OTHERS, 3) if metric is CROSS else None
    found = pool_score(column(spark, TEXTS, partitions), metric=metric, references=references, per_text=True)
    expected = metric.corpus(TEXTS, OTHERS if metric is CROSS else None)
    assert_same(found, expected)
    assert found.per_text is not None
    assert np.array_equal(found.per_text, expected.per_text)


@pytest.mark.parametrize("name", part(sorted(set(ON_SPARK) - {"self-bleu", "cross-bleu"}), 5))
def test_every_other_metric_of_pools(spark: SparkSession, name: str) -> None:
    orders = {"max_order": 3} if "max_order" in registry.options_of(KINDS[name]) else {}
    metric: Metric[Any] = KINDS[name](**orders)
    alone: Metric[Any] = KINDS[name](**orders)
    references = None
    if alone.needs_references:
        alone.add_references(OTHERS)
        references = column(spark, OTHERS, 2)
    told: list[int] = []
    found = pool_score(column(spark, TEXTS, 3), metric=metric, references=references, advance=told.append)
    assert_same(found, alone.corpus(TEXTS))
    assert told == [1] * metric.definition.formula.max_order


@slow
def test_many_blocks_and_buckets(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of texts that fill many machines: some hundred bytes make a block, some n-grams a bucket."""
    monkeypatch.setattr(_shuffle, "_NGRAM_BYTES", (8 << 20) // (400 if MANY else 1600))
    blocks = cut(TEXTS, 6, 3)
    metric = SelfBLEU(max_order=3, tokenizer="whitespace", smoothing="method5", weights=(0.5, 0.25, 0.25))
    spread = frame(spark, [[(line,) for line in block] for block in blocks], "text string")
    assert_same(pool_score(spread, metric=metric), metric.corpus(TEXTS))


@slow
def test_smaller_blocks_need_less_memory_and_give_the_same(spark: SparkSession) -> None:
    """One partition of some hundred kilobytes, in blocks of 64: batches come no larger either, and only meanwhile."""
    lines = [
        f"{line} {number % 97} {number % 89}"
        for number, line in enumerate(TEXTS * ((400_000 if MANY else 140_000) // len(str(TEXTS))))
    ]
    batches = "spark.sql.execution.arrow.maxBytesPerBatch"
    before = spark.conf.get(batches, None)
    during: list[str | None] = []
    found = pool_score(
        column(spark, lines, 1), block_bytes=1 << 16, advance=lambda _: during.append(spark.conf.get(batches))
    )
    assert_same(found, SelfBLEU().corpus(lines))
    assert set(during) == {"65536"}
    assert spark.conf.get(batches, None) == before
    with pytest.raises(OptionError, match="block_bytes must be an integer from 65536 to"):
        pool_score(column(spark, TEXTS, 1), block_bytes=1000)


def test_nothing_shared_and_nothing_there(spark: SparkSession) -> None:
    lines = ["a b c", "d e f", "", "g"]
    for metric in (SelfBLEU(max_order=4), Distinct(max_order=4)):
        assert_same(pool_score(column(spark, lines, 2), metric=metric), metric.corpus(lines))
    with pytest.raises(PoolError, match=r"at least 2 of them, got 1\."):
        pool_score(column(spark, ["alone"], 2))
    with pytest.raises(PoolError, match="cross-bleu with references"):
        pool_score(column(spark, lines, 1), metric=CROSS, references=column(spark, [], 1))


@slow
def test_wmt22(spark: SparkSession, wmt22_data: Wmt22) -> None:
    lines = wmt22_data.output("cs-en", wmt22_data.systems("cs-en")[0])[: None if MANY else 400]
    assert_same(pool_score(column(spark, lines, 5)), SelfBLEU().corpus(lines))


def test_what_cannot_be_asked_for(spark: SparkSession) -> None:
    df = column(spark, TEXTS[:3], 1)
    with pytest.raises(OptionError, match=r"sample must be None on Spark, which can score all texts, got 500\."):
        pool_score(df, metric=SelfBLEU(profile="texygen"))
    with pytest.raises(OptionError, match="references must be a DataFrame to compare with"):
        pool_score(df, metric="ms-jaccard")
    with pytest.raises(OptionError, match="only cross-bleu and ms-jaccard compare"):
        pool_score(df, metric="distinct", references=df)
    with pytest.raises(OptionError, match="metric must be one of cross-bleu, distinct, entropy"):
        pool_score(df, metric="bleu")
    with pytest.raises(OptionError, match="per_text must be False"):
        pool_score(df, metric="distinct", per_text=True)
    with pytest.raises(OptionError, match=r"text must be a column of the DataFrame \(text\), got 'texts'\."):
        pool_score(df, "texts")


def test_nearest_lengths() -> None:
    chance = random.Random(4)
    for _ in range(50):
        lists = [["x"] * chance.randint(0, 9) for _ in range(chance.randint(1, 8))]
        histogram = {length: sum(len(text) == length for text in lists) for length in {len(text) for text in lists}}
        nearest = nearest_lengths(histogram)
        assert [nearest[len(text)] for text in lists] == twin.leave_one_out_lengths(lists)
        others = [["x"] * chance.randint(0, 9) for _ in range(chance.randint(1, 4))]
        nearest = nearest_lengths(histogram, {len(text): 1 for text in others})
        assert [nearest[len(text)] for text in lists] == twin.cross_lengths(lists, others)
