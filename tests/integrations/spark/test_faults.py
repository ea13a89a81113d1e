"""Rows that are no text, workers that die, and what cannot be done."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bleuprint as bp
from bleuprint.errors import (
    FitError,
    InputError,
    MissingSourcesError,
    NoReferenceError,
    NotTextError,
    OptionError,
    SurrogateError,
)
from bleuprint.integrations.spark import samples, score, with_scores
from bleuprint.metrics import SelfBLEU
from tests.integrations.spark.frames import columns, cut, frame, segments

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS = segments(20, seed=5)
NO_HYPOTHESIS = (None, ["a"], "s", "A", 99)
NO_REFERENCE = ("a", [None], "s", "A", 99)


def with_bad(spark: SparkSession, *bad: tuple[Any, ...]) -> DataFrame:
    """Three partitions; the bad rows are the first of the last one, so row 25."""
    return frame(spark, [ROWS[:10], ROWS[10:25], [*bad, *ROWS[25:]]])


def test_a_bad_row_is_named_as_on_one_machine(spark: SparkSession) -> None:
    with pytest.raises(NotTextError, match=r"^hyp\[25\] must be a str, got None; use '' for an empty text"):
        score(with_bad(spark, NO_HYPOTHESIS))
    with pytest.raises(NoReferenceError, match=r"^refs\[25\] holds no reference"):
        score(with_bad(spark, NO_REFERENCE, NO_HYPOTHESIS))
    with pytest.raises(NotTextError, match=r"^hyp\[26\] must be a str, got None"):
        score(frame(spark, [[("a",)] * 26, [(None,), ("b",)]], "hyp string"), references=None, metrics="self-bleu")
    with pytest.raises(NotTextError, match=r"^hyp\[25\] must be a str"):
        samples(with_bad(spark, NO_HYPOTHESIS), by="system", key="segment")


def test_bad_rows_can_be_left_out_by_spark(spark: SparkSession) -> None:
    hypotheses, references, _ = columns(ROWS)
    bad = with_bad(spark, NO_HYPOTHESIS, NO_REFERENCE)
    kept = bad.dropna(subset=["hyp"]).filter("not exists(refs, text -> text is null)")
    assert score(kept).systems[0].scores[0].value == bp.corpus_bleu(hypotheses, references).value


def test_rows_on_their_own_name_the_partition(spark: SparkSession) -> None:
    with pytest.raises(Exception, match=r"partition 2: hyp\[0\] must be a str, got None"):
        with_scores(with_bad(spark, NO_HYPOTHESIS)).collect()


def test_bytes_that_are_no_text(spark: SparkSession) -> None:
    surrogate = spark.sql("select cast(X'61EDA080' as string) hyp, array('x') refs")
    with pytest.raises(SurrogateError, match=r"^hyp\[0\] holds a lone surrogate"):
        score(surrogate)
    inside = spark.sql("select 'a' hyp, array('x', cast(X'FF' as string)) refs")
    with pytest.raises(NotTextError, match=r"^refs\[0\]\[1\] must be valid UTF-8, got invalid bytes"):
        score(inside)


def test_wrong_columns_metrics_and_options(spark: SparkSession) -> None:
    df = frame(spark, [ROWS])
    with pytest.raises(OptionError, match=r"hypotheses must be a column of the DataFrame \(hyp, refs, src"):
        score(df, "hypothesis")
    with pytest.raises(NotTextError, match=r"segment must be a column of string, got int"):
        score(df, "segment")
    with pytest.raises(MissingSourcesError):
        score(df, metrics="ibleu")
    with pytest.raises(OptionError, match="by must be a column"):
        score(df, by="team")
    with pytest.raises(FitError, match=r"nist weights n-grams by a corpus of references.*metric\.fit"):
        score(df, metrics="nist")
    with pytest.raises(OptionError, match="metrics must be named differently from the columns"):
        with_scores(df, metrics={"src": bp.BLEU()})
    with pytest.raises(InputError, match="system A has two rows with the key A"):
        samples(df, by="system", key="system")
    with pytest.raises(InputError, match="system B has no row with the key 0, which another system has"):
        samples(frame(spark, [ROWS[:1], ROWS[2:]]), by="system", key="segment")


def test_a_worker_that_dies_is_replaced_and_the_number_is_the_same(spark: SparkSession, tmp_path: Path) -> None:
    """The tokenizer kills its process the first time it is called."""
    marker = str(tmp_path / "died")

    def deadly(text: str) -> list[str]:

        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return text.split()
        os.kill(os.getpid(), signal.SIGKILL)
        return []

    hypotheses, references, _ = columns(ROWS)
    bleu = bp.BLEU(tokenizer=deadly)
    found = score(frame(spark, cut(ROWS, 3, 1)), metrics={"bleu": bleu}).systems[0].scores[0]
    assert Path(marker).exists()
    assert found.value == bp.BLEU(tokenizer="whitespace").corpus(hypotheses, references).value
    Path(marker).unlink()
    texts = frame(spark, [[(text,) for text in part] for part in cut(hypotheses, 3, 1)], "text string")
    (pooled,) = score(texts, "text", None, metrics={"self-bleu": SelfBLEU(tokenizer=deadly)}).systems[0].scores
    assert Path(marker).exists()
    assert pooled.value == SelfBLEU(tokenizer="whitespace").corpus(hypotheses).value
