"""Metrics with an index on Spark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bleuprint as bp
from bleuprint import corpora
from bleuprint.errors import InputError
from bleuprint.integrations.spark import score, search_corpus
from tests.support.cli import lines, sample

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FILES = [sample(name) for name in ("system-a", "ref-2", "system-b")]


@pytest.mark.parametrize("name", ["novelty", "contamination"])
def test_metrics_with_an_index_equal_the_local_ones(spark: SparkSession, tmp_path: Path, name: str) -> None:
    corpora.build_index(FILES[:1], tmp_path / "a.bpi")
    index = bp.NgramIndex.open(tmp_path / "a.bpi")
    metric = bp.metrics.Novelty(index) if name == "novelty" else bp.metrics.Contamination(index, order=5)
    texts, references = lines("ref-1"), lines("ref-2")
    frame = spark.createDataFrame(list(zip(texts, references, strict=True)), "hyp string, ref string")
    result = score(frame, hypotheses="hyp", references="ref", metrics={name: metric})
    assert result.systems[0].score(name).value == metric.corpus(texts).value


def test_a_search_of_a_corpus_equals_the_local_one(spark: SparkSession, tmp_path: Path) -> None:
    search = corpora.CorpusSearch(lines("ref-1"), answers=lines("system-b"), rule="palm", lowercase=True)
    local = search.run(FILES)
    assert search_corpus(spark, search, FILES, journal=tmp_path / "x.seen") == local
    assert search.merge([tmp_path / "x.seen"]) == local
    broken = tmp_path / "broken.txt"
    broken.write_bytes(b"some \xff words\n")
    with pytest.raises(InputError, match=r"broken\.txt, line 1: byte 6 \(0xFF\) is not valid UTF-8"):
        search_corpus(spark, search, [*FILES, broken])
