"""DataFrames with their rows in partitions of the test's choice, and text to fill them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SCHEMA = "hyp string, refs array<string>, src string, system string, segment int"
WORDS = ("the", "cat", "sat", "on", "a", "mat.", "hill,", "don't", "stop:", "é", "日本", "x.y", "3,5", "&amp;", "-")

Row = tuple[Any, ...]


def frame(spark: SparkSession, partitions: Sequence[Sequence[Row]], schema: str = SCHEMA) -> DataFrame:
    """These rows in exactly these partitions, empty ones included."""
    parts = spark.sparkContext.parallelize([list(part) for part in partitions], len(partitions))
    return spark.createDataFrame(parts.flatMap(lambda part: part), schema)


def cut(items: Sequence[Any], partitions: int, seed: int) -> list[list[Any]]:
    """The items in that many runs of random lengths."""
    chance = random.Random(seed)
    ends = [*sorted(chance.randint(0, len(items)) for _ in range(partitions - 1)), len(items)]
    return [list(items[begin:end]) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]


def sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(0, 14)))


def segments(count: int, seed: int) -> list[Row]:
    """Rows of two systems over the same segments."""
    chance = random.Random(seed)
    rows = []
    for number in range(count):
        references, source = [sentence(chance) for _ in range(chance.randint(1, 3))], sentence(chance)
        rows += [(sentence(chance), references, source, system, number) for system in ("A", "B")]
    return rows


def columns(rows: Sequence[Row]) -> tuple[list[str], list[list[str]], list[str]]:
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]
