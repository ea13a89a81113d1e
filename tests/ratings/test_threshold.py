"""Thresholds from outcomes: the best by their criterion, judged on held-out items, and none where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import f1_score, roc_auc_score

from bleuprint.errors import OptionError
from bleuprint.ratings.items import Trials
from bleuprint.ratings.threshold import Criterion, best_threshold, separate
from tests.support.effort import examples

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

outcomes = st.lists(st.tuples(st.integers(-8, 8), st.booleans(), st.integers(0, 9)), min_size=1, max_size=40)


def columns(rows: list[tuple[int, bool, int]]) -> tuple[Numbers, Flags]:
    return np.array([row[0] / 7 for row in rows]), np.array([row[1] for row in rows])


def counted(scores: Numbers, passes: Flags, threshold: float) -> tuple[float, float, float]:
    """Precision, recall and F1, by counting."""
    predicted = scores >= threshold
    right = int((predicted & passes).sum())
    precision = right / predicted.sum() if predicted.any() else 0.0
    recall = right / passes.sum() if passes.any() else 0.0
    return precision, recall, 2 * right / max(1, predicted.sum() + passes.sum())


@settings(max_examples=examples(200))
@given(rows=outcomes)
def test_no_other_threshold_has_a_larger_f1(rows: list[tuple[int, bool, int]]) -> None:
    scores, passes = columns(rows)
    threshold = best_threshold(scores, passes, Criterion())
    if threshold is None:
        assert not passes.any()
        return
    best = max(counted(scores, passes, level)[2] for level in scores)
    assert counted(scores, passes, threshold)[2] == pytest.approx(best)
    assert f1_score(passes, scores >= threshold) == pytest.approx(best)


@settings(max_examples=examples(200))
@given(rows=outcomes, bound=st.sampled_from([0.25, 0.5, 0.8, 1.0]))
def test_the_other_of_precision_and_recall_is_as_large_as_it_can_be(
    rows: list[tuple[int, bool, int]], bound: float
) -> None:
    scores, passes = columns(rows)
    for criterion, side in ((Criterion(precision=bound), 0), (Criterion(recall=bound), 1)):
        every = [counted(scores, passes, level) for level in scores]
        allowed = [shares[1 - side] for shares in every if shares[side] >= bound]
        threshold = best_threshold(scores, passes, criterion)
        if threshold is None:
            assert not allowed or max(allowed) == 0
            continue
        shares = counted(scores, passes, threshold)
        assert shares[side] >= bound
        assert shares[1 - side] == pytest.approx(max(allowed))


@settings(max_examples=examples(100))
@given(rows=outcomes)
def test_the_area_is_that_of_scikit_learn(rows: list[tuple[int, bool, int]]) -> None:
    scores, passes = columns([*rows, (0, True, 0), (0, False, 1), (0, True, 2)])
    items = np.arange(len(scores))
    found = separate(scores, passes, items, Criterion(), 2, Trials(2))
    assert found.area.value == pytest.approx(roc_auc_score(passes, scores))


def rated(
    seed: int, items: int, rows: int, signal: float, share: float = 0.5
) -> tuple[Numbers, Flags, NDArray[np.intp]]:
    generator = np.random.default_rng(seed)
    of_row = np.repeat(np.arange(items), rows)
    scores, ratings = (generator.normal(size=items * rows) + generator.normal(size=items)[of_row] for _ in range(2))
    ratings = ratings + signal * scores
    return scores, ratings > np.quantile(ratings, 1 - share), of_row


def test_a_threshold_that_separates_comes_with_held_out_precision_and_recall() -> None:
    found = separate(*rated(1, 100, 3, 2.0), Criterion(), 10, Trials())
    assert found.threshold is not None
    assert found.precision is not None
    assert found.recall is not None
    assert found.threshold.low <= found.threshold.value <= found.threshold.high
    assert 0.75 < found.precision.value < 0.95
    assert found.precision.low < found.precision.value < found.precision.high
    assert found.area.low > 0.8


def test_the_interval_of_a_threshold_holds_it() -> None:
    found = [separate(*rated(seed, 30, 1, 2.0), Criterion(), 5, Trials(60)).threshold for seed in range(60)]
    intervals = [interval for interval in found if interval is not None]
    assert len(intervals) > 30
    assert all(interval.low <= interval.value <= interval.high for interval in intervals)


def test_held_out_precision_keeps_its_bound_on_average() -> None:
    values = []
    for seed in range(10):
        found = separate(*rated(seed, 80, 2, 1.5), Criterion(precision=0.8), 10, Trials(50))
        assert found.precision is not None
        values.append(found.precision.value)
    assert 0.72 < np.mean(values) < 0.88


@pytest.mark.parametrize("signal", [0.0, -1.0])
def test_no_threshold_separates_by_a_score_that_is_no_better_than_chance(signal: float) -> None:
    found = separate(*rated(3, 60, 2, signal), Criterion(), 10, Trials(300))
    assert found.area.low <= 0.5
    assert found.threshold is found.precision is found.recall is found.f1 is None


def test_a_criterion_that_no_threshold_meets() -> None:
    scores = np.arange(60.0)
    passes = (scores >= 20) & (scores < 59)  # the highest score fails
    found = separate(scores, passes, np.arange(60), Criterion(precision=0.999), 10, Trials(200))
    assert found.area.low > 0.5
    assert found.threshold is None
    assert found.reason == "no threshold has the largest recall with a precision of at least 0.999"


def test_a_threshold_that_lets_everything_pass_separates_nothing() -> None:
    scores, passes, items = rated(8, 300, 2, 0.2, share=0.9)
    found = separate(scores, passes, items, Criterion(), 10, Trials(300))
    assert found.area.low > 0.5
    assert best_threshold(scores, passes, Criterion()) == pytest.approx(scores.min(), abs=1.0)
    assert found.threshold is None
    assert found.reason.startswith(
        "with the largest F1, 599 of 600 held-out outputs meet the threshold, and of these 90.2 % pass"
    )


MANY = [(40, 1, 0.5), (40, 3, 0.5), (100, 1, 0.1), (60, 5, 0.3)]


@pytest.mark.parametrize(
    ("world", "simulations", "least", "most"),
    [((40, 2, 0.5), 60, 0.0, 0.1), *(pytest.param(world, 1000, 0.01, 0.045, marks=pytest.mark.slow) for world in MANY)],
)
def test_separation_is_found_in_one_of_forty_data_sets_without_any(
    world: tuple[int, int, float], simulations: int, least: float, most: float
) -> None:
    items, rows, share = world
    data = (rated(seed, items, rows, 0.0, share) for seed in range(simulations))
    hits = sum(separate(*columns, Criterion(), 10, Trials(300)).area.low > 0.5 for columns in data)
    assert least <= hits / simulations <= most


def test_options_are_checked() -> None:
    for wrong in ({"precision": 0.0}, {"recall": 1.5}, {"precision": 0.5, "recall": 0.5}, {"recall": True}):
        with pytest.raises(OptionError, match=r"precision|recall"):
            Criterion(**wrong)


def test_the_criterion_in_words() -> None:
    assert str(Criterion()) == "the largest F1"
    assert str(Criterion(precision=0.9)) == "the largest recall with a precision of at least 0.9"
    assert str(Criterion(recall=0.5)) == "the largest precision with a recall of at least 0.5"
