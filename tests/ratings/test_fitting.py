"""Fitting a metric to ratings, thresholds from ratings, and how many ratings are enough."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold

import bleuprint as bp
from bleuprint.errors import DataFileError, InputError, ModelFileError, OptionError
from bleuprint.ratings import Ratings
from tests.support.blends import rated_rows

ROWS = rated_rows()
QUALITY, OK = Ratings.read(ROWS, "quality"), Ratings.read(ROWS, "ok")
QUICK: dict[str, Any] = {"resamples": 100, "folds": 5}


def test_a_fit_predicts_ratings_and_gives_a_metric() -> None:
    fitted = QUALITY.fit(["bleu", "chrf", "ter"], **QUICK)
    assert fitted.held_out.value > 0.7
    assert fitted.held_out.low < fitted.held_out.value < fitted.held_out.high
    assert [part.metric for part in fitted.weights] == ["bleu", "chrf", "ter"]
    assert (fitted.outputs, fitted.items) == (120, 60)
    scores = fitted.metric.sentences([row["hypothesis"] for row in ROWS], [row["reference"] for row in ROWS])
    ratings = [row["quality"] for row in ROWS]
    assert np.mean(scores) == pytest.approx(np.mean(ratings))  # a regression goes through the means
    assert np.corrcoef(scores, ratings)[0, 1] > 0.75
    assert fitted.verdict in fitted.pretty()
    assert json.loads(fitted.to_json())["signature"] == fitted.metric.signature


def test_a_fit_is_that_of_scikit_learn() -> None:
    fitted = QUALITY.fit(["bleu", "ter"], **QUICK)
    outputs, references = [row["hypothesis"] for row in ROWS], [row["reference"] for row in ROWS]
    x = np.column_stack([bp.sentence_bleus(outputs, references), bp.sentence_ters(outputs, references)])
    y, items = np.array([row["quality"] for row in ROWS]), np.array([row["segment"] for row in ROWS])
    peer = Ridge(alpha=fitted.penalty * len(ROWS)).fit((x - x.mean(axis=0)) / x.std(axis=0), y)
    assert [part.weight.value for part in fitted.weights] == pytest.approx(peer.coef_.tolist())
    assert fitted.blend.intercept == pytest.approx(peer.intercept_)
    values = []
    for training, test in GroupKFold(5).split(x, y, items):
        predictions = Ridge(alpha=fitted.penalty).fit(x[training], y[training]).predict(x[test])
        values.append(np.corrcoef(predictions, y[test])[0, 1])
    assert fitted.held_out.value == pytest.approx(np.mean(values), abs=0.03)


def leaky_rows() -> list[dict[str, Any]]:
    """Each item has its own words and a rating by chance, whatever the output is; there are 25 rows for each."""
    chance = random.Random(3)
    rows = []
    for item in range(90):
        rating = chance.gauss(0, 1)
        length, shared = chance.randrange(5, 40), chance.random()
        reference = [f"w{chance.randrange(30)}" for _ in range(length)]
        kept = [word if chance.random() < shared else f"x{item}" for word in reference]
        for row in range(25):
            output = [*kept, *["y"] * chance.randrange(2)]
            rows.append(
                {
                    "segment": item,
                    "system": row,
                    "row": f"{item}-{row}",
                    "output": " ".join(output),
                    "reference": " ".join(reference),
                    "rating": rating + chance.gauss(0, 0.1),
                }
            )
    return rows


def test_a_fitted_metric_never_sees_its_test_items() -> None:
    rows = leaky_rows()
    metrics = ("bleu", "chrf", "ter", "wer", "cer", "gleu", "meteor", "levenshtein-ratio", "mer")
    by_item = Ratings.read(rows, "rating").fit(metrics, resamples=50, folds=5)
    # What folds over rows would report.
    by_row = Ratings.read(rows, "rating", group="row").fit(metrics, resamples=50, folds=5)
    assert by_row.held_out.low > 0.15
    assert by_item.held_out.low < 0.05
    assert by_row.held_out.value > by_item.held_out.value + 0.15
    assert by_item.gain.low <= 0


def test_groups_are_the_items() -> None:
    fitted = Ratings.read(rated_rows(240), "quality", group="document").fit(["bleu"], **QUICK)
    assert fitted.items == 60
    with pytest.raises(DataFileError, match="no column 'topic'"):
        Ratings.read(ROWS, "quality", group="topic")
    two = Ratings.read(ROWS, "quality", group=["document", "source"])
    with pytest.raises(OptionError, match="items by one group only, but these ratings have document, source; read"):
        two.fit()


def test_one_column_of_ratings_is_fitted_to() -> None:
    two = Ratings.read(ROWS, ["quality", "ok"])
    fitted, direct = two.fit(["bleu"], human="quality", **QUICK), QUALITY.fit(["bleu"], **QUICK)
    assert fitted.metric.signature == direct.metric.signature
    for call in (two.fit, two.threshold, two.power):
        with pytest.raises(OptionError, match="several columns, quality, ok; pass one of them as human"):
            call()
        with pytest.raises(OptionError, match=r"human must be a column of these ratings \(quality, ok\), got \["):
            call(human=["quality"])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"human must be a column of these ratings \(quality\), got 'ok'"):
        QUALITY.fit(human="ok")


def test_gaps_in_scores_that_are_not_used_leave_nothing_out() -> None:
    rows = [{**row, "comet": None if place < 40 else row["quality"]} for place, row in enumerate(ROWS)]
    ratings = Ratings.read(rows, "quality", scores="comet")
    assert ratings.fit(["bleu"], **QUICK).outputs == 120
    assert ratings.power(["bleu"], resamples=20).items == 40


def test_ratings_in_which_lower_is_better() -> None:
    errors = [{**row, "errors": -row["quality"]} for row in ROWS]
    fitted = Ratings.read(errors, "errors", lower_is_better=["errors"]).fit(["bleu"], **QUICK)
    assert fitted.metric.signature == QUALITY.fit(["bleu"], **QUICK).metric.signature
    assert "predicts its negative" in fitted.pretty()
    with pytest.raises(OptionError, match="lower_is_better must be names of columns"):
        Ratings.read(ROWS, "quality", lower_is_better=["quantity"])


def test_gaps_are_left_out() -> None:
    rows = [{**row, "quality": None if place % 3 == 0 else row["quality"]} for place, row in enumerate(ROWS)]
    assert Ratings.read(rows, "quality").fit(["bleu"], **QUICK).outputs == 80


def test_sources_reach_the_metrics_that_read_them(tmp_path: Path) -> None:
    fitted = QUALITY.fit(["sari", "ibleu"], **QUICK)
    assert fitted.metric.needs_sources
    fitted.save(tmp_path / "mine.json")
    assert bp.metrics.Blend(tmp_path / "mine.json").needs_sources


def test_a_component_with_a_model(tmp_path: Path) -> None:
    model = bp.LanguageModel.train([row["reference"] for row in ROWS], order=2, discount_fallback=True)
    fitted = QUALITY.fit(["bleu", "perplexity"], models={"perplexity": model}, **QUICK)
    score = fitted.metric.sentence("word1 word2", "word1 word2 word3").value
    assert json.loads(fitted.to_json())["signature"] == fitted.metric.signature
    fitted.save(tmp_path / "mine.json")
    again = bp.metrics.Blend.load(tmp_path / "mine.json", metrics=[bp.Perplexity(model)])
    assert again.sentence("word1 word2", "word1 word2 word3").value == score
    with pytest.raises(ModelFileError, match=r"mine.json: .*only names its model.* pass this metric to Blend.load"):
        bp.metrics.Blend(tmp_path / "mine.json")


def test_too_few_ratings_are_refused() -> None:
    for items, metrics, problem in (
        (29, ["bleu"], "29 items in 'quality', but fitting 1 metrics needs at least 30: 10 for each"),
        (35, ["bleu", "chrf", "ter", "wer"], "35 items .* 4 metrics needs at least 40"),
    ):
        with pytest.raises(InputError, match=problem):
            Ratings.read(rated_rows(items), "quality").fit(metrics)


@pytest.mark.parametrize(
    ("options", "error", "problem"),
    [
        ({"human": "none"}, DataFileError, "no column 'none'"),
        ({"human": "hypothesis"}, DataFileError, "must be a number"),
        ({"folds": 1}, OptionError, "folds must be an integer from 2 to 30"),
        ({"folds": 31}, OptionError, "half the number of items"),
        ({"metrics": []}, InputError, "nothing to fit"),
        ({"metrics": ["exact-match"]}, InputError, "exact-match gives all rated outputs the same score, 0"),
        ({"metrics": ["cider"]}, OptionError, "component cider must be fitted"),
        ({"metrics": ["gec-gleu"]}, OptionError, "one row of integers"),
        ({"resamples": 0}, OptionError, "resamples must be"),
        ({"seed": -1}, OptionError, "seed must be"),
    ],
)
def test_bad_input_is_refused(options: dict[str, Any], error: type[Exception], problem: str) -> None:
    rows = [{**row, "hypothesis": f"{row['hypothesis']} x"} for row in ROWS]
    with pytest.raises(error, match=problem):
        Ratings.read(rows, options.pop("human", "quality")).fit(**{"metrics": ["bleu"], **options})


def test_a_table_without_references() -> None:
    rows = [{name: value for name, value in row.items() if name != "reference"} for row in ROWS]
    with pytest.raises(InputError, match="bleu needs references, but no column"):
        Ratings.read(rows, "quality").fit()


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
        Ratings.read(rated_rows(5), "quality").power()
