"""Errors of a judge, and kappas against scikit-learn, statsmodels and published numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score, confusion_matrix
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from bleuprint.ratings import Ratings
from bleuprint.ratings.agreement.raters import kappa, kappa_rows
from bleuprint.ratings.judge import JudgeErrors

CATEGORIES = st.integers(0, 3)


def errors(rows: list[dict[str, Any]], **options: Any) -> JudgeErrors:
    found = Ratings.read(rows, "rating", scores="judge", **options).estimate(resamples=200).judge
    assert found is not None
    return found


def rows_of(pairs: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """One row for each pair of ratings by the judge and by people."""
    return [{"id": n, "judge": judge, "rating": rating} for n, (judge, rating) in enumerate(pairs)]


@given(st.lists(st.tuples(CATEGORIES, CATEGORIES), min_size=4, max_size=30))
def test_kappa_of_two_raters_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    pairs += [(0, 3), (3, 0)]
    found = errors(rows_of(pairs))
    judge, people = zip(*pairs, strict=True)
    assert found.measures["Cohen's kappa, judge and people"].value == pytest.approx(cohen_kappa_score(judge, people))
    assert [list(row) for row in found.counts] == confusion_matrix(judge, people).tolist()


@given(st.lists(st.lists(CATEGORIES, min_size=3, max_size=3), min_size=3, max_size=20))
def test_kappa_of_several_raters_is_that_of_statsmodels(units: list[list[int]]) -> None:
    values, places = np.array(units).reshape(-1), np.repeat(np.arange(len(units)), 3)
    expected = fleiss_kappa(aggregate_raters(np.array(units))[0]) if np.ptp(values) else math.nan
    rows = kappa_rows(values.astype(np.intp), places)[1]
    assert kappa(rows.sum(axis=0), "Fleiss' kappa") == pytest.approx(expected, nan_ok=True)


def test_published_kappas() -> None:
    """Four raters, twelve units and gaps: the example of Gwet, Handbook of Inter-Rater Reliability (2014)."""
    raters = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ]
    given = [(value - 1, unit) for row in raters for unit, value in enumerate(row) if value]
    values, units = (np.array(column, dtype=np.intp) for column in zip(*given, strict=True))
    sums = kappa_rows(values, units)[1].sum(axis=0)
    assert kappa(sums, "Gwet's AC1") == pytest.approx(0.77544, abs=5e-6)
    assert kappa(sums, "Fleiss' kappa") == pytest.approx(0.76117, abs=5e-6)


def test_errors_of_a_judge() -> None:
    pairs = [(1, 1)] * 40 + [(1, 0)] * 6 + [(0, 1)] * 2 + [(0, 0)] * 14
    found = errors(rows_of(pairs))
    assert (found.categories, found.counts) == ((0, 1), ((14, 2), (6, 40)))
    for name, hits, trials in (("false passes", 6, 20), ("false fails", 2, 42)):
        measure = found.measures[name]
        exact = stats.binomtest(hits, trials).proportion_ci(0.95, method="exact")
        assert (measure.value, measure.low, measure.high) == pytest.approx((hits / trials, exact.low, exact.high))
    cohen = found.measures["Cohen's kappa, judge and people"]
    assert cohen.low is not None
    assert cohen.high is not None
    assert cohen.low < cohen_kappa_score(*zip(*pairs, strict=True)) < cohen.high
    # Where 1 is an error, the judge passes what it rates 0.
    turned = errors(rows_of(pairs), lower_is_better=["rating", "judge"]).measures
    assert list(turned)[:2] == ["false fails", "false passes"]
    assert turned["false passes"] == found.measures["false fails"]


def test_errors_on_a_longer_scale() -> None:
    found = errors(rows_of([(1, 1), (3, 2), (3, 3), (2, 1), (1, 2)]))
    high, low = found.measures["too high"], found.measures["too low"]
    assert (high.value, low.value) == (2 / 4, 1 / 3)


def test_ratings_of_one_item_count_once() -> None:
    rows = [
        row | {"system": system} for row in rows_of([(1, 0), (0, 1), (1, 1), (0, 0), (0, 0)] * 4) for system in "AB"
    ]
    found = errors(rows).measures["false passes"]
    exact = stats.binomtest(4, 12).proportion_ci(0.95, method="exact")
    assert found.ends == pytest.approx((exact.low, exact.high))


def test_people_among_themselves() -> None:
    rows = [{"id": n, "judge": n % 2, "rating": int((n + rater) % 5 > 1)} for n in range(30) for rater in range(3)]
    found = errors(rows)
    ratings = np.array([row["rating"] for row in rows]).reshape(30, 3)
    fleiss = found.measures["Fleiss' kappa, people"]
    assert fleiss.value == pytest.approx(fleiss_kappa(aggregate_raters(ratings)[0]))
    assert fleiss.width > 0
    assert sum(map(sum, found.counts)) == 90


def test_a_judge_without_errors_has_no_interval_without_width() -> None:
    found = errors(rows_of([(n % 2, n % 2) for n in range(20)])).measures
    assert found["Cohen's kappa, judge and people"].value == 1
    assert found["Cohen's kappa, judge and people"].reason == "too few ratings differ"
    assert found["false passes"].width > 0
    passing = errors(rows_of([(n % 2, 1) for n in range(20)])).measures
    assert passing["false passes"].reason == "people gave no such rating"


@pytest.mark.parametrize("scores", [[0.5, 1, 0, 1], [0, 1, 2, 1], [-1, 0, 1, 1]])
def test_scores_that_are_no_ratings_are_no_judge(scores: list[float]) -> None:
    rows = [{"id": n, "judge": score, "rating": n % 2} for n, score in enumerate(scores)]
    assert Ratings.read(rows, "rating", scores="judge").estimate(resamples=50).judge is None
