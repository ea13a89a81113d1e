"""Ridge regression against scikit-learn, and cross-validation by item.

No prediction knows its own item, and correlations with ratings are not biased.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.linear_model import Ridge

from bleuprint.errors import OptionError
from bleuprint.ratings.items import Trials, correlation_sample, difference_sample, fold_numbers
from bleuprint.ratings.regression import PENALTIES, Moments, Regression, center, fit_lines, standardize
from tests.support.effort import examples

Numbers = NDArray[np.float64]
Items = NDArray[np.intp]


def drawn(seed: int, rows: int, predictors: int, *, scale: float = 1.0) -> tuple[Numbers, Numbers]:
    """Correlated predictors of different sizes and places, and a rating that some of them predict."""
    generator = np.random.default_rng(seed)
    mixing = generator.normal(size=(predictors, predictors))
    sizes = scale * 10.0 ** generator.uniform(-2, 2, predictors)
    x = (generator.normal(size=(rows, predictors)) @ mixing) * sizes + generator.normal(size=predictors) * sizes * 10
    y = (x - x.mean(axis=0)) / x.std(axis=0) @ generator.normal(size=predictors) + generator.normal(size=rows) + 5
    return x, y


def moments_of(x: Numbers, y: Numbers, groups: int = 1) -> Moments:
    moments = Moments.by_group(x, y, np.arange(len(y)) % groups)
    return moments.weigh(np.ones(len(moments.count)))


shapes = {"seed": st.integers(0, 10_000), "rows": st.integers(12, 60), "predictors": st.integers(1, 6)}


@settings(max_examples=examples(200))
@given(**shapes, penalty=st.sampled_from(PENALTIES), groups=st.integers(1, 12))
def test_ridge_is_that_of_scikit_learn(seed: int, rows: int, predictors: int, penalty: float, groups: int) -> None:
    x, y = drawn(seed, rows, predictors)
    standardized = (x - x.mean(axis=0)) / x.std(axis=0)
    peer = Ridge(alpha=penalty * rows).fit(standardized, y)
    (line,) = fit_lines(moments_of(x, y, groups), [penalty])
    assert line.weights == pytest.approx(peer.coef_, rel=1e-7, abs=1e-9)
    assert line.at(x) == pytest.approx(peer.predict(standardized), rel=1e-8, abs=1e-8)


def test_left_out_groups_are_as_if_they_had_never_been() -> None:
    x, y = drawn(1, 40, 3)
    groups = np.arange(40) % 8
    left = groups != 5
    without = Moments.by_group(x, y, groups).weigh((np.arange(8) != 5).astype(float))
    for penalty in PENALTIES:
        (line,), (expected,) = (fit_lines(sums, [penalty]) for sums in (without, moments_of(x[left], y[left])))
        assert line.at(x) == pytest.approx(expected.at(x), rel=1e-9)


def test_many_sets_of_weights_are_fitted_as_each_alone() -> None:
    x, y = drawn(2, 40, 4)
    moments = Moments.by_group(x, y, np.arange(40) % 10)
    weights = np.random.default_rng(0).integers(1, 4, size=(5, 10)).astype(float)
    (together,) = fit_lines(moments.weigh(weights), [0.1])
    for place, row in enumerate(weights):
        (alone,) = fit_lines(moments.weigh(row), [0.1])
        assert together.weights[place] == pytest.approx(alone.weights, rel=1e-9)
        assert together.intercept[place] == pytest.approx(alone.intercept)


def test_a_constant_predictor_has_no_weight() -> None:
    x, y = drawn(3, 30, 2)
    x = np.column_stack([x, np.full(30, 0.1)])
    for line in fit_lines(moments_of(x, y), PENALTIES):
        assert line.weights[2] == 0
        assert np.isfinite(line.at(x)).all()


def test_equal_predictors_share_the_weight() -> None:
    x, y = drawn(4, 30, 1)
    twice = np.hstack([x, x])
    for line in fit_lines(moments_of(twice, y), PENALTIES):
        assert line.weights[0] == pytest.approx(line.weights[1])


def test_ratings_that_never_differ_give_no_weights() -> None:
    x, _ = drawn(5, 30, 3)
    for line in fit_lines(moments_of(x, np.full(30, 2.5)), PENALTIES):
        assert line.weights == pytest.approx(np.zeros(3), abs=1e-12)
        assert line.at(x) == pytest.approx(np.full(30, 2.5))


def rated(seed: int, items: int, rows: int, predictors: int, signal: float) -> tuple[Numbers, Numbers, Items]:
    """Ratings with an effect of the item; the first predictor knows something about them."""
    generator = np.random.default_rng(seed)
    of_row = np.repeat(np.arange(items), rows)
    x = generator.normal(size=(items * rows, predictors))
    y = signal * x[:, 0] + generator.normal(size=items * rows) + generator.normal(size=items)[of_row]
    return x, y, of_row


def leaky(seed: int) -> tuple[Numbers, Numbers, Items]:
    """60 items with 20 rows each. The predictors tell items apart, and nothing else predicts a rating."""
    generator = np.random.default_rng(seed)
    of_row = np.repeat(np.arange(60), 20)
    fingerprints = generator.normal(size=(60, 40))
    x = fingerprints[of_row] + 0.05 * generator.normal(size=(1200, 40))
    y = generator.normal(size=60)[of_row] + 0.3 * generator.normal(size=1200)
    return x, y, of_row


def held_out_correlation(held_out: tuple[Numbers, Items], y: Numbers) -> float:
    predictions, folds = held_out
    return float(np.corrcoef(standardize(predictions, folds), center(y, folds))[0, 1])


def test_folds_by_item_do_not_learn_the_items_by_heart() -> None:
    x, y, items = leaky(1)
    by_item = Regression(x, y, items, 5, 1).cross_validate()
    by_row = Regression(x, y, np.arange(len(y)), 5, 1).cross_validate()
    assert held_out_correlation(by_row, y) > 0.7  # what folds over rows would report
    assert abs(held_out_correlation(by_item, y)) < 0.25  # new items cannot be predicted


def test_no_prediction_depends_on_the_ratings_of_its_item() -> None:
    x, y, items = rated(2, 20, 3, 4, 0.5)
    before, folds = Regression(x, y, items, 5, 7).cross_validate()
    for item in (0, 7, 19):
        changed = np.where(items == item, y + 1000.0 * (1 + np.arange(len(y)) % 2), y)
        after, _ = Regression(x, changed, items, 5, 7).cross_validate()
        own = folds == folds[items == item][0]
        assert after[own] == pytest.approx(before[own], rel=1e-6)


@settings(max_examples=examples(50))
@given(items=st.integers(4, 80), folds=st.integers(2, 12), seed=st.integers(0, 2**32))
def test_every_item_is_in_one_fold_and_folds_are_of_equal_size(items: int, folds: int, seed: int) -> None:
    if folds > items // 2:
        with pytest.raises(OptionError, match=f"folds must be an integer from 2 to {items // 2}"):
            fold_numbers(items, folds, seed)
        return
    numbers = fold_numbers(items, folds, seed)
    sizes = np.bincount(numbers, minlength=folds)
    assert len(numbers) == items
    assert sizes.max() - sizes.min() <= 1
    assert (numbers == fold_numbers(items, folds, seed)).all()


def test_predictions_are_better_than_nothing_where_there_is_something() -> None:
    x, y, items = rated(3, 60, 4, 3, 1.0)
    assert held_out_correlation(Regression(x, y, items, 10, 1).cross_validate(), y) > 0.4


def mean_of_nothing(simulations: int) -> tuple[float, float]:
    """The mean held-out correlation where there is nothing to predict: as we compute it, and of bare predictions."""
    ours, bare = [], []
    for seed in range(simulations):
        x, y, items = rated(seed, 60, 3, 3, 0.0)
        held_out = Regression(x, y, items, 10, seed).cross_validate()
        ours.append(held_out_correlation(held_out, y))
        bare.append(float(np.corrcoef(held_out[0], y)[0, 1]))
    return float(np.mean(ours)), float(np.mean(bare))


@pytest.mark.parametrize(
    ("simulations", "most", "low", "high"),
    [(40, 0.06, -1.0, -0.15), pytest.param(1000, 0.012, -0.30, -0.20, marks=pytest.mark.slow)],
)
def test_held_out_correlations_are_not_biased(simulations: int, most: float, low: float, high: float) -> None:
    ours, bare = mean_of_nothing(simulations)
    assert abs(ours) < most  # a single one has a standard deviation of 0.1
    assert low < bare < high


@settings(max_examples=examples(100))
@given(
    pairs=st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50), st.integers(0, 5)), min_size=3, max_size=40)
)
def test_correlations_are_those_of_numpy(pairs: list[tuple[int, int, int]]) -> None:
    x, y = (np.array([pair[side] for pair in pairs], dtype=np.float64) for side in (0, 1))
    items = np.unique([pair[2] for pair in pairs], return_inverse=True)[1]
    value = correlation_sample(x, y, items).score().item()
    expected = 0.0 if np.ptp(x) == 0 or np.ptp(y) == 0 else float(np.corrcoef(x, y)[0, 1])
    assert value == pytest.approx(expected, abs=1e-9)


def test_an_interval_of_a_correlation_resamples_items() -> None:
    generator = np.random.default_rng(4)
    items = np.repeat(np.arange(40), 25)
    x = generator.normal(size=40)[items] + 0.1 * generator.normal(size=1000)
    y = generator.normal(size=40)[items] + 0.1 * generator.normal(size=1000)
    by_item, by_row = (Trials().interval(correlation_sample(x, y, of)) for of in (items, np.arange(1000)))
    assert by_item.margin > 2.5 * by_row.margin
    assert by_item.low < 0 < by_item.high


def test_a_difference_of_correlations() -> None:
    x, y, items = rated(5, 50, 2, 2, 1.0)
    sample = difference_sample(x[:, 0], x[:, 1], y, items)
    expected = np.corrcoef(x[:, 0], y)[0, 1] - np.corrcoef(x[:, 1], y)[0, 1]
    assert sample.score().item() == pytest.approx(expected)
    assert len(sample) == 50


def test_intervals_of_weights_hold_the_weights() -> None:
    x, y, items = rated(6, 80, 3, 3, 0.8)
    regression = Regression(x, y, items, seed=1)
    line, penalty = regression.tune()
    intervals = regression.weight_intervals(line, penalty, Trials(400, 1))
    for weight, interval in zip(line.weights, intervals, strict=True):
        assert interval.value == pytest.approx(weight)
        assert interval.low < weight < interval.high
    assert intervals[0].low > 0.4  # the predictor that knows something
    assert intervals[1].low < 0 < intervals[1].high
