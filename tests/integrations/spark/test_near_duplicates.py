"""Near-duplicates on Spark are the pairs of brute force."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from bleuprint.errors import OptionError
from bleuprint.integrations.spark import near_duplicates
from bleuprint.metrics import NearDuplicates
from tests.kernels.twins import pool as pool_twin
from tests.kernels.twins import similar_sets as twin

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def texts() -> list[str]:
    draw = random.Random(6)
    words = [f"w{number}" for number in range(40)]
    lines = [" ".join(draw.choices(words, k=12)) for _ in range(40)]
    changed = [line.replace(line.split()[3], "new", 1) for line in lines[:20]]
    return [*lines, *changed, lines[0], "too short", ""]


@pytest.mark.parametrize(("threshold", "order"), [(0.5, 2), (0.7, 1), (1.0, 3)])
def test_pairs_are_those_of_brute_force(spark: SparkSession, threshold: float, order: int) -> None:
    lines = texts()
    df = spark.createDataFrame([(number, line) for number, line in enumerate(lines)], "id long, text string")
    metric = NearDuplicates(threshold=threshold, order=order, tokenizer="whitespace")
    found = sorted(tuple(row) for row in near_duplicates(df.repartition(3), metric=metric).collect())
    sets = [frozenset(pool_twin.ngrams(line.split(), order)) for line in lines]
    expected = [
        (one, other, shared / len(sets[one] | sets[other])) for one, other, shared in twin.similar_sets(sets, threshold)
    ]
    assert found == expected
    assert expected


def test_bad_input(spark: SparkSession) -> None:
    df = spark.createDataFrame([(1, 0.5, "a")], "id long, share double, text string")
    with pytest.raises(OptionError, match="one of the columns id, share, text"):
        near_duplicates(df, key="number")
    with pytest.raises(OptionError, match="integers or strings"):
        near_duplicates(df, key="share")
    with pytest.raises(OptionError, match="jaccard"):
        near_duplicates(df, metric=NearDuplicates(measure="rouge-l"))
