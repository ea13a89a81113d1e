"""Scores on Spark are those of one machine, bit for bit, however the rows are split."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.core import piece_models
from bleuprint.errors import NoSegmentsError, NotTextError, TokenizerWarning
from bleuprint.integrations.spark import samples, score, with_scores
from bleuprint.metrics import PlainMetric
from bleuprint.metrics.base.metric import Metric
from bleuprint.results import SystemResult
from bleuprint.statistics.comparison import compare_samples
from tests.integrations.spark.frames import SCHEMA, columns, cut, frame, segments
from tests.support import sentencepiece_models, text_strategies
from tests.support.tables import POOL_TABLE, TABLE
from tests.support.wmt22 import Wmt22

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EVERY = sorted(TABLE)
ROWS = segments(120, seed=1)


def assert_same(found: SystemResult, expected: SystemResult) -> None:
    assert len(found.scores) == len(expected.scores)
    for mine, theirs in zip(found.scores, expected.scores, strict=True):
        assert mine.metric == theirs.metric
        assert (mine.value, mine.parts) == (theirs.value, theirs.parts), mine.metric
        assert (mine.signature, mine.segment_signature) == (theirs.signature, theirs.segment_signature)
        assert (mine.higher_is_better, mine.unit) == (theirs.higher_is_better, theirs.unit)


def on_one_machine(rows: Any, metrics: Any) -> SystemResult:
    hypotheses, references, sources = columns(rows)
    return bp.evaluate(hypotheses, references, sources=sources, metrics=metrics).systems[0]


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_every_metric_for_any_number_of_partitions(spark: SparkSession, partitions: int) -> None:
    found = score(frame(spark, cut(ROWS, partitions, partitions)), sources="src", metrics=EVERY)
    assert found.size == len(ROWS)
    assert not found.notes
    assert_same(found.systems[0], on_one_machine(ROWS, EVERY))


def test_the_driver_warns_once_of_a_script_that_the_tokenizer_cannot_read(spark: SparkSession) -> None:
    texts = ["今天天气很好我们去公园散步", "他们昨天在图书馆里看了很多书"] * 3
    df = spark.createDataFrame([(text, text) for text in texts], "hyp string, refs string").repartition(3)
    with pytest.warns(TokenizerWarning, match="^bleu: the tokenizer 13a does not split Chinese text") as caught:
        found = score(df, metrics=["bleu", "chrf"])
    ours = [str(warning.message) for warning in caught if warning.category is TokenizerWarning]
    assert len(ours) == 1
    assert list(found.notes) == ours


def test_metrics_of_pools_are_those_of_one_machine(spark: SparkSession) -> None:
    rows = ROWS[:60]
    names = sorted(POOL_TABLE)
    found = score(frame(spark, cut(rows, 3, 2)), metrics=[*names, "bleu"], by="system")
    for system in "AB":
        hypotheses, references, _ = columns([row for row in rows if row[3] == system])
        expected = bp.evaluate(hypotheses, references, metrics=[*names, "bleu"]).systems[0]
        assert_same(found.system(system), expected)
    texts = spark.createDataFrame([("a b",), ("a c",)], "text string")
    alone = score(texts, "text", None, metrics=["distinct", "self-bleu"]).systems[0]
    assert_same(alone, bp.evaluate(["a b", "a c"], metrics=["distinct", "self-bleu"]).systems[0])
    with pytest.raises(NotTextError, match="cross-bleu compares with references"):
        score(texts, "text", None, metrics="cross-bleu")


texts = st.lists(st.sampled_from(["a", "b", "the", "mat.", "é", "\0", "日本"]), max_size=6).map(" ".join)
pairs = st.tuples(
    texts | text_strategies.nasty_text(), st.lists(texts, min_size=1, max_size=2), texts, st.just("A"), st.just(0)
)


@settings(max_examples=6, deadline=None)
@given(partitions=st.lists(st.lists(pairs, max_size=5), min_size=1, max_size=4).filter(any))
def test_any_text_in_any_partition(spark: SparkSession, partitions: list[list[tuple[Any, ...]]]) -> None:
    metrics = ["bleu", "chrf", "rouge", "sari", "ter", "wer"]
    found = score(frame(spark, partitions), sources="src", metrics=metrics)
    assert_same(found.systems[0], on_one_machine([row for part in partitions for row in part], metrics))


def options() -> dict[str, Metric[Any]]:
    def pieces(text: str) -> list[str]:  # defined here, so that it is sent with its code
        return text.split("a")

    return {
        "own": bp.BLEU(tokenizer=pieces, max_order=2),
        "lower": bp.BLEU(lowercase=True, tokenizer="intl", smoothing="floor(0.25)"),
        "last": bp.BLEU(profile="nltk", smoothing="method5"),
        "plus": bp.CHRF(profile="chrf++"),
        "stems": bp.ROUGE(types=("rouge1", "rougeL"), stemmer=True),
    }


TRAVELLERS: dict[str, Callable[[], dict[str, Metric[Any]]]] = {
    "options and a tokenizer of one's own": options,
    "weights of a corpus": lambda: {
        "nist": bp.NIST().fit(columns(ROWS)[1]),
        "cider": bp.CIDEr().fit(columns(ROWS)[1][:60]),
    },
}


@pytest.mark.parametrize("what", TRAVELLERS)
def test_metrics_travel(spark: SparkSession, what: str) -> None:
    chosen = TRAVELLERS[what]()
    found = score(frame(spark, cut(ROWS, 3, 1)), sources="src", metrics=chosen)
    assert_same(found.systems[0], on_one_machine(ROWS, chosen))


def test_sentencepiece_models_travel_by_path_and_by_name(spark: SparkSession, tmp_path: Path) -> None:
    """Workers find the added model by its digest in the data folder, which is that of the session."""
    model = sentencepiece_models.trained(tmp_path)
    piece_models.add("flores200", model)
    chosen: dict[str, Metric[Any]] = {
        "path": bp.BLEU(tokenizer=f"spm:{model}"),
        "name": bp.ROUGE(tokenizer="flores200", types="rouge1"),
    }
    assert_same(score(frame(spark, cut(ROWS, 3, 5)), metrics=chosen).systems[0], on_one_machine(ROWS, chosen))
    piece_models.remove("flores200")


def test_custom_metrics_with_real_rows_travel(spark: SparkSession) -> None:
    class Tenths(PlainMetric):  # defined here, so that it is sent with its code
        name = "tenths"
        names = ("tenths", "segments")

        def row(self, hypothesis: str, references: list[str], source: str | None) -> tuple[float, int]:
            return 0.1 * len(hypothesis), 1

        def formula(self, columns: Any, *, sentence: bool = False) -> Any:
            return columns[0] / columns[1]

    df = frame(spark, cut(ROWS, 3, 4))
    assert_same(score(df, metrics=[Tenths()]).systems[0], on_one_machine(ROWS, [Tenths()]))
    found = samples(df, metrics=[Tenths()], by="system", key="segment")["tenths"]
    expected = {}
    for system in "AB":
        in_order = sorted((row for row in ROWS if row[3] == system), key=lambda row: str(row[4]))
        hypotheses, references, _ = columns(in_order)
        expected[system] = Tenths().sample(hypotheses, references)
    assert compare_samples(found) == compare_samples(expected)


def test_groups_are_systems(spark: SparkSession) -> None:
    rows = [*ROWS, *((*row[:3], None, 0) for row in ROWS[:7])]
    found = score(frame(spark, cut(rows, 4, 2)), sources="src", metrics=["bleu", "meteor", "gec-gleu"], by="system")
    assert [system.name for system in found.systems] == ["(null)", "A", "B"]
    assert found.notes == ("(null): 7 segments", "A: 120 segments", "B: 120 segments")
    for name, key in (("A", "A"), ("B", "B"), ("(null)", None)):
        mine = [row for row in rows if row[3] == key]
        assert_same(found.system(name), on_one_machine(mine, ["bleu", "meteor", "gec-gleu"]))


def test_columns_of_any_name_and_several_of_references(spark: SparkSession) -> None:
    rows = [("a b c", "a b", None), ("d", None, "d e")]
    found = score(frame(spark, [rows], "`my.hyp` string, `r 1` string, r2 string"), "my.hyp", ["r 1", "r2"])
    assert_same(found.systems[0], bp.evaluate(["a b c", "d"], [["a b"], ["d e"]]).systems[0])


def test_no_rows_at_all(spark: SparkSession) -> None:
    with pytest.raises(NoSegmentsError):
        score(frame(spark, [[], []]), metrics=["bleu", "rouge"])


def test_scores_of_rows_stand_beside_them(spark: SparkSession) -> None:
    metrics = ["bleu", "chrf", "meteor", "sari", "gec-gleu"]
    df = frame(spark, cut(ROWS, 3, 5))
    rows = with_scores(df, sources="src", metrics=metrics).collect()
    assert [tuple(row[:5]) for row in rows] == [(*row[:1], row[1], *row[2:]) for row in ROWS]
    hypotheses, references, sources = columns(ROWS)
    whole = bp.evaluate(hypotheses, references, sources=sources, metrics=metrics).systems[0]
    for label in metrics:
        assert [row[label] for row in rows] == list(whole.score(label).segments)


def test_samples_give_the_significance_of_one_machine(spark: SparkSession) -> None:
    shuffled = random.Random(3).sample(ROWS, len(ROWS))
    found = samples(frame(spark, cut(shuffled, 3, 5)), metrics=["bleu", "rouge"], by="system", key="segment")
    in_order = sorted(ROWS, key=lambda row: str(row[4]))
    for label, metric in (("bleu", bp.BLEU()), ("rouge", bp.ROUGE())):
        expected = {}
        for system in "AB":
            hypotheses, references, _ = columns([row for row in in_order if row[3] == system])
            expected[system] = metric.sample(hypotheses, references)
            assert np.array_equal(found[label][system].rows, expected[system].rows)
        assert compare_samples(found[label]) == compare_samples(expected)


def test_wmt22(spark: SparkSession, wmt22_data: Wmt22) -> None:
    pair = "cs-en"
    references = [list(group) for group in zip(*wmt22_data.references(pair), strict=True)]
    systems = wmt22_data.systems(pair)[:3]
    rows = [
        (text, group, "", system, 0)
        for system in systems
        for text, group in zip(wmt22_data.output(pair, system), references, strict=True)
    ]
    metrics = ["bleu", "chrf", "gleu", "rouge", "wer"]
    expected = bp.evaluate({name: wmt22_data.output(pair, name) for name in systems}, references, metrics=metrics)
    for partitions in (2, 7):
        found = score(frame(spark, cut(rows, partitions, partitions), SCHEMA), metrics=metrics, by="system")
        assert not found.notes
        for name in systems:
            assert_same(found.system(name), expected.system(name))
