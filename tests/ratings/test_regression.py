"""Ridge and partial least squares against scikit-learn, on generated data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.cross_decomposition import PLSRegression
from sklearn.linear_model import Ridge

from bleuprint.ratings.fitting import METHODS
from bleuprint.ratings.regression import Moments, fit_lines, tunings
from tests.support.effort import examples

Numbers = NDArray[np.float64]


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
@given(**shapes, penalty=st.sampled_from(tunings("ridge", 1)), groups=st.integers(1, 12))
def test_ridge_is_that_of_scikit_learn(seed: int, rows: int, predictors: int, penalty: float, groups: int) -> None:
    x, y = drawn(seed, rows, predictors)
    standardized = (x - x.mean(axis=0)) / x.std(axis=0)
    peer = Ridge(alpha=penalty * rows).fit(standardized, y)
    (line,) = fit_lines("ridge", moments_of(x, y, groups), [penalty])
    assert line.weights == pytest.approx(peer.coef_, rel=1e-7, abs=1e-9)
    assert line.at(x) == pytest.approx(peer.predict(standardized), rel=1e-8, abs=1e-8)


@settings(max_examples=examples(200))
@given(**shapes, groups=st.integers(1, 12))
def test_partial_least_squares_is_that_of_scikit_learn(seed: int, rows: int, predictors: int, groups: int) -> None:
    x, y = drawn(seed, rows, predictors)
    lines = fit_lines("pls", moments_of(x, y, groups), tunings("pls", predictors))
    for components, line in enumerate(lines, start=1):
        peer = PLSRegression(components).fit(x, y)
        assert line.at(x) == pytest.approx(peer.predict(x).ravel(), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_left_out_groups_are_as_if_they_had_never_been(method: str) -> None:
    x, y = drawn(1, 40, 3)
    groups = np.arange(40) % 8
    left = groups != 5
    without = Moments.by_group(x, y, groups).weigh((np.arange(8) != 5).astype(float))
    for tuning in tunings(method, 3):
        (line,), (expected,) = (fit_lines(method, sums, [tuning]) for sums in (without, moments_of(x[left], y[left])))
        assert line.at(x) == pytest.approx(expected.at(x), rel=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_many_sets_of_weights_are_fitted_as_each_alone(method: str) -> None:
    x, y = drawn(2, 40, 4)
    moments = Moments.by_group(x, y, np.arange(40) % 10)
    weights = np.random.default_rng(0).integers(1, 4, size=(5, 10)).astype(float)
    tuning = tunings(method, 4)[1]
    (together,) = fit_lines(method, moments.weigh(weights), [tuning])
    for place, row in enumerate(weights):
        (alone,) = fit_lines(method, moments.weigh(row), [tuning])
        assert together.weights[place] == pytest.approx(alone.weights, rel=1e-9)
        assert together.intercept[place] == pytest.approx(alone.intercept)


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_predictor_has_no_weight(method: str) -> None:
    x, y = drawn(3, 30, 2)
    x = np.column_stack([x, np.full(30, 0.1)])
    for line in fit_lines(method, moments_of(x, y), tunings(method, 3)):
        assert line.weights[2] == 0
        assert np.isfinite(line.at(x)).all()


def test_equal_predictors_share_the_weight() -> None:
    x, y = drawn(4, 30, 1)
    twice = np.hstack([x, x])
    for method in METHODS:
        for line in fit_lines(method, moments_of(twice, y), tunings(method, 2)):
            assert line.weights[0] == pytest.approx(line.weights[1])
    (once,), (both,) = (fit_lines("pls", moments_of(columns, y), [1]) for columns in (x, twice))
    assert both.at(twice) == pytest.approx(once.at(x))


@pytest.mark.parametrize("method", METHODS)
def test_ratings_that_never_differ_give_no_weights(method: str) -> None:
    x, _ = drawn(5, 30, 3)
    for line in fit_lines(method, moments_of(x, np.full(30, 2.5)), tunings(method, 3)):
        assert line.weights == pytest.approx(np.zeros(3), abs=1e-12)
        assert line.at(x) == pytest.approx(np.full(30, 2.5))
