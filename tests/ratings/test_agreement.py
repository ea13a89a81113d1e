"""Which metric agrees with people, on ratings that are made up."""

from __future__ import annotations

import json
import math
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import bleuprint as bp
from bleuprint.errors import BleuprintError, InputError, OptionError
from bleuprint.ratings.agreement.measuring import _enough_permutations
from bleuprint.ratings.agreement.result import (
    LABELS,
    Agreement,
    Estimate,
    LevelAgreement,
    MetricAgreement,
    Settings,
    _level_notes,
)
from tests.support.rated import rated_rows

QUICK: dict[str, Any] = {"resamples": 50, "permutations": 99}
ROWS = rated_rows()
READ = bp.Ratings.read(ROWS, "rating")


def columns_of(rows: list[dict[str, Any]], *names: str) -> list[list[Any]]:
    return [[row[name] for row in rows] for name in names]


@pytest.fixture(scope="module")
def result() -> Agreement:
    return bp.Ratings.read(ROWS, "rating", group="document").agreement(["bleu", "chrf", "ter"], **QUICK)


def test_segment_correlations_are_those_of_scipy(result: Agreement) -> None:
    hypotheses, references, ratings = columns_of(ROWS, "hypothesis", "reference", "rating")
    for name, sign, scores in (
        ("bleu", 1, bp.sentence_bleus(hypotheses, references, context="corpus")),
        ("chrf", 1, bp.sentence_chrfs(hypotheses, references)),
        ("ter", -1, bp.sentence_ters(hypotheses, references)),
    ):
        found = result.level("rating", "segment").metric(name).statistics
        assert found["pearson"].value == pytest.approx(stats.pearsonr(sign * scores, ratings).statistic)
        assert found["spearman"].value == pytest.approx(stats.spearmanr(sign * scores, ratings).statistic)
        assert found["kendall"].value == pytest.approx(stats.kendalltau(sign * scores, ratings).statistic)
        for statistic in ("pearson", "spearman", "kendall"):
            estimate = found[statistic]
            assert estimate.low is not None
            assert estimate.high is not None
            assert estimate.value is not None
            assert estimate.low < estimate.value < estimate.high


def test_systems_are_scored_as_corpora(result: Agreement) -> None:
    for system, score in result.scores["bleu"].items():
        own = [row for row in ROWS if row["system"] == system]
        hypotheses, references, ratings = columns_of(own, "hypothesis", "reference", "rating")
        assert score == bp.corpus_bleu(hypotheses, references).value
        assert result.ratings["rating"][system] == pytest.approx(np.mean(ratings))
    scores, ratings = (list(by_system.values()) for by_system in (result.scores["ter"], result.ratings["rating"]))
    found = result.level("rating", "system").metric("ter").statistics
    assert found["pearson"].value == pytest.approx(-stats.pearsonr(scores, ratings).statistic)
    assert found["kendall"].value == pytest.approx(-stats.kendalltau(scores, ratings).statistic)
    assert found["pairwise-accuracy"].value == 1
    assert "ter" in result.lower_is_better


def test_a_group_has_the_correlation_of_its_outputs(result: Agreement) -> None:
    groups = result.level("rating", "segment").groups["document"]
    assert list(groups) == ["d0", "d1", "d2"]
    own = [row for row in ROWS if row["document"] == "d1"]
    hypotheses, references, ratings = columns_of(own, "hypothesis", "reference", "rating")
    expected = stats.pearsonr(bp.sentence_chrfs(hypotheses, references), ratings).statistic
    assert groups["d1"]["chrf"].value == pytest.approx(expected)


def test_every_number_is_in_the_json(result: Agreement) -> None:
    content = json.loads(result.to_json())
    assert [level["level"] for level in content["levels"]] == ["system", "segment"]
    assert content["levels"][1]["verdict"] == result.level("rating").verdict
    assert set(content["levels"][1]["metrics"][0]["statistics"]) == set(LABELS["segment"])
    assert content["signature"].startswith("agreement|outputs:80|statistic:pearson|resample:items|resamples:50")
    again = bp.Ratings.read(ROWS, "rating", group="document").agreement(["bleu", "chrf", "ter"], **QUICK)
    assert again.to_json() == result.to_json()


def test_tables(result: Agreement) -> None:
    text = result.pretty()
    assert "Pearson  95 % from" in text
    assert "agrees best with rating at segment level" in text
    assert result.to_markdown().count("| metric |") == 2
    assert "\\begin{tabular}" in result.to_latex()
    assert repr(result) == "<Agreement of 3 metrics on 80 outputs: rating>"


def test_without_names_all_metrics_that_the_columns_allow_are_measured() -> None:
    every = READ.agreement(level="segment", **QUICK)
    assert {"bleu", "chrf", "sari", "ibleu", "wer", "exact-match"} <= set(every.signatures)
    without_source = [{name: value for name, value in row.items() if name != "source"} for row in ROWS]
    some = bp.Ratings.read(without_source, "rating").agreement(level="segment", **QUICK)
    assert set(every.signatures) - set(some.signatures) == {"sari", "ibleu", "gec-gleu", "coverage", "density"}
    constant = every.level("rating").metric("contains-match").statistics["pearson"]
    if constant.value is None:
        assert constant.reason == "all of its scores are equal"


def test_where_nothing_varies_the_reason_is_given() -> None:
    zeros = [0.0] * len(ROWS)
    result = bp.Ratings.read(ROWS, "rating", scores={"nothing": zeros}).agreement(["bleu"], **QUICK)
    for level in result.levels:
        entry = level.metric("nothing")
        assert entry.statistics["pearson"].value is None
        assert entry.statistics["pearson"].reason == "all of its scores are equal"
        assert not entry.agrees
        assert entry.rank == "–"
        assert level.metrics[-1] is entry
    assert "nothing: Pearson is missing: all of its scores are equal." in result.pretty()
    assert "NaN" not in result.to_json()


def test_own_columns_compete_with_their_direction() -> None:
    ratings = [row["rating"] for row in ROWS]
    errors = [-rating for rating in ratings]
    read = bp.Ratings.read(ROWS, "rating", scores={"oracle": ratings, "errors": errors}, lower_is_better=["errors"])
    result = read.agreement(["bleu"], **QUICK)
    segment = result.level("rating")
    assert segment.metric("oracle").statistics["pearson"].value == pytest.approx(1)
    assert segment.metric("errors").statistics["pearson"].value == pytest.approx(1)
    assert [set(cluster) for cluster in segment.clusters] == [{"errors", "oracle"}, {"bleu"}]
    assert segment.metric("oracle").agrees
    flipped = bp.Ratings.read(ROWS, "rating", lower_is_better="rating").agreement(["bleu"], level="segment", **QUICK)
    before = segment.metric("bleu").statistics["pearson"].value
    assert before is not None
    assert flipped.level("rating").metric("bleu").statistics["pearson"].value == pytest.approx(-before)


def test_a_better_metric_is_found_better() -> None:
    generator = np.random.default_rng(4)
    ratings = np.array([row["rating"] for row in ROWS])
    columns = {
        "good": (ratings + 0.1 * generator.normal(size=len(ratings))).tolist(),
        "bad": (ratings + 3.0 * generator.normal(size=len(ratings))).tolist(),
    }
    for statistic in ("pearson", "spearman", "kendall", "accuracy"):
        result = bp.Ratings.read(ROWS, "rating", scores=columns).agreement((), statistic=statistic, **QUICK)
        level = result.level("rating")
        assert level.metrics[0].metric == "good"
        assert level.differences[0].better == "good"
        assert level.differences[0].corrected_p_value < 0.05
        assert level.clusters == (("good",), ("bad",))
        assert level.verdict.startswith("good agrees best with rating at segment level, significantly better")


def test_noise_is_called_noise() -> None:
    noisy = rated_rows(60, 4, noise=math.inf, seed=3)
    result = bp.Ratings.read(noisy, "rating").agreement(["bleu", "chrf", "ter", "rouge"], **QUICK)
    assert result.level("rating").verdict == "No metric is shown to agree with rating at segment level."
    assert not any(entry.agrees for entry in result.level("rating").metrics)
    assert "†: not shown to agree at all" in result.pretty()


def test_gaps_are_left_out_and_said() -> None:
    rows = [dict(row) for row in ROWS]
    rows[0]["rating"] = None
    scores = [None if place < 4 else row["rating"] for place, row in enumerate(ROWS)]
    result = bp.Ratings.read(rows, "rating", scores={"sparse": scores}).agreement(["bleu"], **QUICK)
    assert result.level("rating").outputs == 76
    (note,) = [note for note in result.notes if "left out" in note]
    assert note == "3 of 79 outputs rated in 'rating' have no score under sparse, so they are left out at segment level"


def test_raters_and_the_noise_ceiling() -> None:
    rows = rated_rows(30, 3, raters=3)
    result = bp.Ratings.read(rows, "rating").agreement(["chrf"], **QUICK)
    (raters,) = result.raters
    assert (raters.ratings, raters.outputs, raters.repeated) == (270, 90, 90)
    assert raters.alpha["interval"].value is not None
    assert raters.ceiling.value is not None
    assert 0 < raters.ceiling.value < 1
    once = READ.agreement(["chrf"], **QUICK).raters[0]
    assert once.ceiling.value is None
    assert once.ceiling.reason == "no output was rated twice"


@pytest.mark.parametrize("units", ["systems", "both"])
def test_systems_can_be_resampled(units: str) -> None:
    result = READ.agreement(["bleu", "chrf"], resample=units, **QUICK)
    for level in result.levels:
        estimate = level.metric("bleu").statistics["pearson"]
        assert estimate.value is not None
        assert (estimate.low is None) == (estimate.reason is not None)
    by_item = result.level("rating").metric("bleu").statistics["kendall-by-item"]
    assert by_item.value is not None
    assert by_item.reason == "means over segments are resampled over items only"


def test_disagreements_name_the_outputs_that_are_ranked_most_differently(result: Agreement) -> None:
    entries = [entry for entry in result.disagreements if entry.metric == "chrf"]
    gaps = [abs(entry.score_rank - entry.rating_rank) for entry in entries]
    assert gaps == sorted(gaps, reverse=True)
    row = next(row for row in ROWS if (row["segment"], row["system"]) == (entries[0].segment, entries[0].system))
    assert entries[0].hypothesis == row["hypothesis"]
    assert entries[0].rating == row["rating"]
    assert entries[0].score == pytest.approx(bp.sentence_chrf(row["hypothesis"], [row["reference"]]).value)


def test_ratings_can_be_read_once() -> None:
    ratings = bp.Ratings.read([{**row, "mqm": -row["rating"]} for row in ROWS], ["rating", "mqm"])
    both = ratings.agreement(["bleu"], level="segment", **QUICK)
    assert [level.human for level in both.levels] == ["rating", "mqm"]
    one = ratings.agreement(["bleu"], human="rating", **QUICK)
    assert one.outputs == 80
    assert one.to_json() == READ.agreement(["bleu"], **QUICK).to_json()
    with pytest.raises(OptionError, match="human must be columns of these ratings"):
        ratings.agreement(human="fluency")


def test_without_systems_only_segments_are_compared() -> None:
    rows = [
        {name: value for name, value in row.items() if name not in {"system", "segment"}}
        for row in ROWS
        if row["system"] == "system-1"
    ]
    result = bp.Ratings.read(rows, "rating").agreement(["bleu", "chrf"], **QUICK)
    assert [level.level for level in result.levels] == ["segment"]
    by_item = result.level("rating").metric("bleu").statistics["accuracy"]
    assert by_item.reason == "no segment has outputs of several systems"
    assert result.scores == {}
    with pytest.raises(OptionError, match="statistic must be pearson or spearman if no segment has outputs of several"):
        bp.Ratings.read(rows, "rating").agreement(["bleu"], statistic="accuracy", **QUICK)


def test_two_systems_have_an_accuracy_but_no_correlation() -> None:
    rows = [row for row in ROWS if row["system"] in {"system-0", "system-3"}]
    statistics = (
        bp.Ratings.read(rows, "rating").agreement(["bleu", "ter"], **QUICK).level("rating", "system").metric("bleu")
    )
    assert statistics.statistics["pearson"].reason == "it needs at least 3 systems, got 2"
    assert statistics.statistics["pairwise-accuracy"].value == 1


def read(rows: Any, human: Any, **options: Any) -> Agreement:
    columns = {name: options.pop(name) for name in ("scores", "lower_is_better", "group") if name in options}
    return bp.Ratings.read(rows, human, **columns).agreement(**options)


def refusal(kind: type[BleuprintError], rows: Any = ROWS, human: Any = "rating", **options: Any) -> str:
    with pytest.raises(kind) as caught:
        read(rows, human, **options)
    return str(caught.value)


def test_one_system_only_is_refused() -> None:
    rows = [row for row in ROWS if row["system"] == "system-1"]
    message = refusal(InputError, rows)
    assert message.startswith("the table has one system only, 'system-1', but agreement at system level needs several;")
    assert "--level segment" in message
    assert bp.Ratings.read(rows, "rating").agreement(["bleu"], level="segment", **QUICK).levels
    assert "has no column of systems" in refusal(InputError, [{"a": 1}, {"a": 2}, {"a": 3}], "a", level="system")


def test_bad_options_are_refused() -> None:
    assert "statistic must be one of pearson, spearman, kendall, accuracy" in refusal(OptionError, statistic="r")
    assert "resample must be one of items, systems, both" in refusal(OptionError, resample="rows")
    assert "level must be system or segment" in refusal(OptionError, level="document")
    assert "lower_is_better must be names of columns" in refusal(OptionError, lower_is_better="x")
    assert "alpha" in refusal(OptionError, alpha=1)
    assert "resamples" in refusal(OptionError, resamples=0)
    assert "permutations" in refusal(OptionError, permutations=0)
    assert "seed" in refusal(OptionError, seed=-1)
    assert "not named like a metric" in refusal(OptionError, metrics=["bleu"], scores={"bleu": [1.0] * len(ROWS)})
    no_reference = [{name: value for name, value in row.items() if name != "reference"} for row in ROWS]
    message = refusal(InputError, no_reference, metrics=["bleu"])
    assert message.startswith("bleu needs references, but no column of the table is recognized as such; name it:")
    only = [{"segment": row["segment"], "system": row["system"], "rating": row["rating"]} for row in ROWS]
    assert "allows no metric" in refusal(InputError, only)


def test_memory_does_not_grow_with_permutations() -> None:
    def peak(permutations: int) -> int:
        tracemalloc.start()
        READ.agreement(["bleu", "chrf", "ter"], resamples=20, permutations=permutations)
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    peak(10)
    assert peak(60_000) < 1.1 * peak(20_000)


def test_progress_reaches_the_end() -> None:
    shares: list[float] = []
    READ.agreement(["bleu", "chrf"], progress=shares.append, **QUICK)
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_three_systems_show_nothing() -> None:
    """Chance orders three systems right once in six times."""
    rows = [row for row in ROWS if row["system"] != "system-3"]
    level = bp.Ratings.read(rows, "rating").agreement(["bleu"], **QUICK).level("rating", "system")
    assert level.metric("bleu").statistics["pairwise-accuracy"].value == 1
    assert level.verdict == "No metric is shown to agree with rating at system level."


CELL = st.one_of(st.none(), st.integers(-2, 2), st.sampled_from([1e300, -1e300, 1e-300, 0.5]))
CELLS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2), CELL, CELL, CELL, st.sampled_from("xy")),
    min_size=1,
    max_size=30,
)


@given(
    CELLS,
    st.sampled_from(["pearson", "spearman", "kendall", "accuracy"]),
    st.sampled_from(["items", "systems", "both"]),
)
def test_any_table_gives_numbers_or_reasons(cells: list[Any], statistic: str, units: str) -> None:
    """Ties, gaps, constant columns, few systems, huge numbers: an error of ours, or a result that can be stored."""
    first: dict[tuple[int, int], tuple[Any, ...]] = {}
    rows = [
        {
            "id": item,
            "system": f"s{system}",
            "rater": f"r{rater}",
            "human": human,
            "one": own[0],
            "two": own[1],
            "g": own[2],
        }
        for item, system, rater, human, *rest in cells
        for own in [first.setdefault((item, system), tuple(rest))]
    ]
    try:
        ratings = bp.Ratings.read(rows, "human", scores=["one", "two"], group="g")
        result = ratings.agreement((), statistic=statistic, resample=units, resamples=9, permutations=9)
    except BleuprintError:
        return
    assert "NaN" not in result.to_json()
    content = json.loads(result.to_json())
    for level in content["levels"]:
        for metric in level["metrics"]:
            for estimate in metric["statistics"].values():
                assert (estimate["value"] is None) <= (estimate["reason"] is not None)
    assert result.pretty()
    assert result.to_html()


@pytest.mark.parametrize(("metrics", "expected"), [(1, 1000), (20, 19_000), (2000, 100_000)])
def test_many_metrics_get_more_permutations(metrics: int, expected: int) -> None:
    assert _enough_permutations(metrics * (metrics - 1) // 2, 0.05) == expected
    assert _enough_permutations(metrics, 1e-320) == 100_000


@pytest.mark.parametrize(
    ("level", "low", "resample", "explained"),
    [
        ("system", 0.3, "items", True),
        ("system", -0.1, "items", False),
        ("system", 0.3, "both", False),
        ("segment", 0.3, "items", False),
    ],
)
def test_an_interval_that_excludes_zero_beside_a_mark_is_explained(
    level: str, low: float, resample: str, explained: bool
) -> None:
    metric = MetricAgreement("bleu", {"pearson": Estimate(0.5, low, 0.7)}, 1, 1, 0.08, agrees=False)
    entry = LevelAgreement("mqm", level, "pearson", 60, 20, 3, (metric,), (), (("bleu",),))
    notes = _level_notes(entry, Settings(resample=resample))
    assert notes[0].startswith("†: not shown to agree")
    assert any("The interval covers other segments" in note for note in notes) == explained
