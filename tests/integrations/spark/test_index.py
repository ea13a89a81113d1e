"""Indexes built on Spark, and metrics with an index."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bleuprint as bp
from bleuprint import corpora
from bleuprint.errors import InputError, OptionError, OutputError
from bleuprint.integrations.spark import build_index, score
from tests.support.cli import lines, sample

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FILES = [sample(name) for name in ("system-a", "ref-2", "system-b")]


def test_the_file_equals_the_local_one(spark: SparkSession, tmp_path: Path) -> None:
    index = build_index(spark, FILES, tmp_path / "spark.bpi", lowercase=True)
    corpora.build_index(FILES, tmp_path / "local.bpi", lowercase=True)
    assert (tmp_path / "spark.bpi").read_bytes() == (tmp_path / "local.bpi").read_bytes()
    assert index.texts == 144
    assert sorted(path.name for path in tmp_path.iterdir()) == ["local.bpi", "spark.bpi"]


def test_files_that_cannot_be_read_are_named(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no-such\.txt cannot be indexed on a worker: .* no such file"):
        build_index(spark, [FILES[0], str(tmp_path / "no-such.txt")], tmp_path / "x.bpi")
    assert not (tmp_path / "x.bpi").exists()
    with pytest.raises(OptionError, match="paths"):
        build_index(spark, [], tmp_path / "x.bpi")
    (tmp_path / "y.bpi").write_bytes(b"mine")
    with pytest.raises(OutputError, match="already exists"):
        build_index(spark, FILES, tmp_path / "y.bpi")


@pytest.mark.parametrize("name", ["novelty", "contamination"])
def test_metrics_with_an_index_equal_the_local_ones(spark: SparkSession, tmp_path: Path, name: str) -> None:
    corpora.build_index(FILES[:1], tmp_path / "a.bpi")
    index = bp.NgramIndex.open(tmp_path / "a.bpi")
    metric = bp.metrics.Novelty(index) if name == "novelty" else bp.metrics.Contamination(index, order=5)
    texts, references = lines("ref-1"), lines("ref-2")
    frame = spark.createDataFrame(list(zip(texts, references, strict=True)), "hyp string, ref string")
    result = score(frame, hypothesis="hyp", references="ref", metrics={name: metric})
    assert result.systems[0].score(name).value == metric.corpus(texts).value
