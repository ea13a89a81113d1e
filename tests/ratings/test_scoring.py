"""Rated outputs, scored: thresholds from ratings, and how many ratings are enough."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.errors import DataFileError, InputError, OptionError
from bleuprint.ratings import Ratings
from tests.support.rated import rows_with_mistakes

ROWS = rows_with_mistakes()
QUALITY, OK = Ratings.read(ROWS, "quality"), Ratings.read(ROWS, "ok")


def test_groups_are_the_items() -> None:
    rows = rows_with_mistakes(240)
    assert Ratings.read(rows, "quality", group="document").power(["bleu"], resamples=20).items == 60
    with pytest.raises(DataFileError, match="no column 'topic'"):
        Ratings.read(ROWS, "quality", group="topic")
    two = Ratings.read(ROWS, "quality", group=["document", "source"])
    with pytest.raises(OptionError, match="items by one group only, but these ratings have document, source; read"):
        two.power()


def test_one_column_of_ratings_is_learned_from() -> None:
    two = Ratings.read(ROWS, ["quality", "ok"])
    assert two.power(["bleu"], human="quality", resamples=20) == QUALITY.power(["bleu"], resamples=20)
    for call in (two.threshold, two.power):
        with pytest.raises(OptionError, match="several columns, quality, ok; pass one of them as human"):
            call()
        with pytest.raises(OptionError, match=r"human must be a column of these ratings \(quality, ok\), got \["):
            call(human=["quality"])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"human must be a column of these ratings \(quality\), got 'ok'"):
        QUALITY.power(human="ok")


def test_gaps_in_scores_that_are_not_used_leave_nothing_out() -> None:
    rows = [{**row, "comet": None if place < 40 else row["quality"]} for place, row in enumerate(ROWS)]
    ratings = Ratings.read(rows, "quality", scores="comet")
    assert ratings.threshold("bleu", cut=5, resamples=20).found.rows == 120
    assert ratings.power(["bleu"], resamples=20).items == 40


def test_ratings_in_which_lower_is_better() -> None:
    errors = [{**row, "errors": -row["quality"]} for row in ROWS]
    power = Ratings.read(errors, "errors", lower_is_better=["errors"]).power(["bleu", "ter"], resamples=20)
    assert power.points == QUALITY.power(["bleu", "ter"], resamples=20).points
    with pytest.raises(OptionError, match="lower_is_better must be names of columns"):
        Ratings.read(ROWS, "quality", lower_is_better=["quantity"])


def test_gaps_are_left_out() -> None:
    rows = [{**row, "quality": None if place % 3 == 0 else row["quality"]} for place, row in enumerate(ROWS)]
    assert Ratings.read(rows, "quality").threshold("bleu", cut=5, resamples=20).found.rows == 80


def test_sources_and_models_reach_the_metrics_that_read_them() -> None:
    model = bp.LanguageModel.train([row["reference"] for row in ROWS], order=2, discount_fallback=True)
    power = QUALITY.power(["sari", "ibleu", "perplexity"], models={"perplexity": model}, resamples=20)
    assert set(power.points[0].margins) == {"sari", "ibleu", "perplexity"}


@pytest.mark.parametrize(
    ("options", "error", "problem"),
    [
        ({"human": "none"}, DataFileError, "no column 'none'"),
        ({"human": "hypothesis"}, DataFileError, "must be a number"),
        ({"folds": 1}, OptionError, "folds must be an integer from 2 to 30"),
        ({"folds": 31}, OptionError, "half the number of items"),
        ({"resamples": 0}, OptionError, "resamples must be"),
        ({"seed": -1}, OptionError, "seed must be"),
    ],
)
def test_bad_input_is_refused(options: dict[str, Any], error: type[Exception], problem: str) -> None:
    with pytest.raises(error, match=problem):
        Ratings.read(ROWS, options.pop("human", "ok")).threshold("bleu", **options)


def test_a_table_without_references() -> None:
    rows = [{name: value for name, value in row.items() if name != "reference"} for row in ROWS]
    with pytest.raises(InputError, match="bleu needs references, but no column"):
        Ratings.read(rows, "quality").power()


# Thresholds


def test_a_threshold_for_ratings_of_pass_and_fail() -> None:
    threshold = OK.threshold("item-bleu", resamples=200)
    assert threshold.separates
    assert threshold.value is not None
    assert threshold.code == f"bp.SentenceBleu(threshold={threshold.value!r})"
    metric = eval(threshold.code, {"bp": bp})
    assert metric.threshold == threshold.value
    items = [bp.dataset.DatasetItem(row["hypothesis"], row["reference"]) for row in ROWS]
    verdicts = [metric.score(item).passed for item in items]
    assert np.mean(verdicts) == threshold.predicted
    right = [verdict == row["ok"] for verdict, row in zip(verdicts, ROWS, strict=True)]
    assert np.mean(right) > 0.75
    assert threshold.verdict in threshold.pretty()
    assert json.loads(threshold.to_json())["value"] == threshold.value


def test_lower_is_better_for_metrics_and_ratings() -> None:
    rows = [{**row, "errors": 10 - row["quality"]} for row in ROWS]
    threshold = Ratings.read(rows, "errors", lower_is_better=["errors"]).threshold("ter", cut=5, resamples=200)
    assert threshold.value is not None
    assert threshold.low is not None
    assert threshold.high is not None
    assert threshold.low <= threshold.value <= threshold.high
    assert not threshold.higher_is_better
    assert "ter ≤ " in threshold.verdict
    assert threshold.passing == "errors ≤ 5"
    ters = bp.sentence_ters([row["hypothesis"] for row in rows], [row["reference"] for row in rows])
    meets = ters <= threshold.value
    passes = np.array([row["errors"] <= 5 for row in rows])
    assert passes[meets].mean() > 0.7


def test_the_line_of_a_gate_runs(tmp_path: Path) -> None:
    threshold = OK.threshold("chrf", resamples=200)
    assert threshold.value is not None
    result = bp.evaluate([row["hypothesis"] for row in ROWS], [row["reference"] for row in ROWS], metrics=["chrf"])
    words = threshold.command.split()
    rate = float(words[words.index("--min-pass-rate") + 1].removeprefix("chrf="))
    assert bp.gate(result, min_pass_rate={"chrf": rate}, thresholds={"chrf": threshold.value}).passed


def test_columns_of_scores_have_thresholds_too() -> None:
    rows = [{**row, "comet": row["quality"] / 10} for row in ROWS]
    ratings = Ratings.read(rows, "ok", scores="comet")
    threshold = ratings.threshold("comet", resamples=100)
    assert threshold.metric == "comet"
    assert ratings.threshold(resamples=100) == threshold  # the only column of scores
    assert ratings.threshold("bleu", resamples=100).metric == "bleu"
    with pytest.raises(OptionError, match="There is no metric"):
        ratings.threshold("bleurt")
    assert threshold.value == pytest.approx(0.5, abs=0.1)
    assert threshold.code == ""


def test_no_threshold_where_ratings_have_nothing_to_do_with_scores() -> None:
    chance = random.Random(5)
    rows = [{**row, "ok": chance.random() < 0.5} for row in ROWS]
    threshold = Ratings.read(rows, "ok").threshold("bleu", resamples=200)
    assert not threshold.separates
    assert threshold.code == threshold.command == ""
    assert threshold.verdict.startswith(
        "No threshold of bleu separates outputs that pass from outputs that fail: the in"
    )


def test_a_precision_can_be_required() -> None:
    loose = OK.threshold("chrf", resamples=100)
    strict = OK.threshold("chrf", precision=0.95, resamples=100)
    assert loose.value is not None
    assert strict.value is not None
    assert strict.value > loose.value
    assert "the largest recall with a precision of at least 0.95" in strict.pretty()


@pytest.mark.parametrize(
    ("options", "error", "problem"),
    [
        (
            {"human": "quality"},
            OptionError,
            "pass cut: ratings in 'quality' range from .* so it is unclear which pass",
        ),
        ({"human": "quality", "cut": True}, OptionError, "cut must be a rating"),
        ({"human": "quality", "cut": 100.0}, InputError, "0 outputs pass and 120 fail"),
        ({"precision": 2.0}, OptionError, "precision must be"),
        ({"precision": 0.5, "recall": 0.5}, OptionError, "one of the two"),
        ({"metric": "nothing"}, OptionError, "There is no metric"),
        ({"scores": "nothing"}, DataFileError, "no column 'nothing'"),
    ],
)
def test_bad_thresholds_are_refused(options: dict[str, Any], error: type[Exception], problem: str) -> None:
    with pytest.raises(error, match=problem):
        Ratings.read(ROWS, options.pop("human", "ok"), scores=options.pop("scores", ())).threshold(**options)


# How many ratings are enough


def test_power_of_ratings() -> None:
    power = QUALITY.power(["bleu", "ter"], resamples=200)
    assert power.items == 60
    assert [point.items for point in power.points] == [10, 20, 50, 60, 120, 240]
    assert power.closest is not None
    assert power.verdict in power.pretty()
    assert "240*" in power.pretty()
    assert json.loads(power.to_json())["items"] == 60
    assert power.display()[0].rows[0][1].value == 20  # two outputs for each item


def test_power_with_one_metric_and_with_columns() -> None:
    rows = [{**row, "comet": row["quality"] / 10, "noise": place % 7} for place, row in enumerate(ROWS)]
    alone = Ratings.read(rows, "quality").power(["bleu"], resamples=50)
    assert alone.closest is None
    assert "detectable" not in alone.pretty()
    columns = Ratings.read(rows, "quality", scores=["comet", "noise"]).power([], resamples=50)
    assert columns.best == "comet"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"metrics": []}, "nothing to correlate with"),
        ({"metrics": ["exact-match"]}, "all values of exact-match are 0"),
        ({"sizes": [5]}, "sizes must be integers from 10"),
    ],
)
def test_bad_power_is_refused(options: dict[str, Any], problem: str) -> None:
    rows = [{**row, "hypothesis": f"{row['hypothesis']} x"} for row in ROWS]
    with pytest.raises((InputError, OptionError), match=problem):
        Ratings.read(rows, "quality").power(**options)
    with pytest.raises(InputError, match=r"5 items .* at least 10"):
        Ratings.read(rows_with_mistakes(5), "quality").power()
