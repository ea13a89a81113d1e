"""Statistics of agreement: against SciPy, krippendorff and plain twins, with ties, gaps and constant columns."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations, permutations
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from bleuprint.ratings.agreement import resampling, statistics
from bleuprint.ratings.agreement.raters import ALPHA_LEVELS, krippendorff_alpha, noise_ceiling
from bleuprint.ratings.agreement.result import UNITS
from bleuprint.ratings.items import Trials

Floats = NDArray[np.float64]
NUMBERS = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e6, 1e6, width=32))
TWO_COLUMNS = st.integers(1, 40).flatmap(
    lambda count: st.tuples(*(st.lists(NUMBERS, min_size=count, max_size=count).map(np.array) for _ in range(2)))
)
SMALL = st.integers(0, 3).map(float)
ITEMS = st.lists(st.tuples(st.integers(0, 4), SMALL, SMALL), min_size=1, max_size=40)


def arrays(rows: list[tuple[int, float, float]]) -> tuple[NDArray[np.intp], Floats, Floats]:
    """The item, the score and the rating of each row."""
    items, scores, ratings = zip(*rows, strict=True)
    return np.array(items), np.array(scores), np.array(ratings)


def close(ours: float, theirs: float) -> bool:
    return math.isnan(ours) if math.isnan(theirs) else ours == pytest.approx(theirs, abs=1e-9)


def scipy_value(name: str, first: Floats, second: Floats) -> float:
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return math.nan
    return float(getattr(stats, name)(first, second).statistic)


@given(TWO_COLUMNS)
def test_correlations_are_those_of_scipy(columns: tuple[Floats, Floats]) -> None:
    first, second = columns
    if all(np.ptp(column) == 0 or np.ptp(column) > 1e-9 * np.abs(column).max() for column in columns):
        assert close(float(statistics.pearson(first, second)), scipy_value("pearsonr", first, second))
    assert close(float(statistics.spearman(first, second)), scipy_value("spearmanr", first, second))
    assert close(statistics.concordance(first, second).tau, scipy_value("kendalltau", first, second))


@pytest.mark.parametrize("factor", [1e200, 1e-200])
def test_pearson_of_very_large_and_very_small_numbers(factor: float) -> None:
    first, second = np.array([1.0, 2.0, 4.0, 3.0]), np.array([1.0, 3.0, 2.0, 5.0])
    assert float(statistics.pearson(factor * first, second)) == pytest.approx(stats.pearsonr(first, second).statistic)


@given(TWO_COLUMNS)
def test_concordance_counts_the_pairs_of_each_output(columns: tuple[Floats, Floats]) -> None:
    first, second = columns
    counted = statistics.concordance(first, second)
    signs = np.sign(first[:, None] - first) * np.sign(second[:, None] - second)
    assert counted.surplus.tolist() == signs.sum(axis=1).tolist()
    assert counted.untied_scores.tolist() == (first[:, None] != first).sum(axis=1).tolist()
    if not math.isnan(counted.tau):
        assert counted.influences().sum() == pytest.approx(0, abs=1e-9)


def by_item(rows: list[tuple[int, float, float]], name: str) -> list[float]:
    items, scores, ratings = arrays(rows)
    return [scipy_value(name, scores[items == item], ratings[items == item]) for item in range(5)]


@given(ITEMS)
def test_correlations_within_items_are_those_of_scipy(rows: list[tuple[int, float, float]]) -> None:
    items, scores, ratings = arrays(rows)
    within = statistics.item_correlations(scores, ratings, items, 5)
    assert all(map(close, within, by_item(rows, "pearsonr")))
    score_ranks, rating_ranks = (statistics.item_midranks(values, items) for values in (scores, ratings))
    ranked = statistics.item_correlations(score_ranks, rating_ranks, items, 5)
    assert all(map(close, ranked, by_item(rows, "spearmanr")))
    taus = statistics.item_kendalls(scores, ratings, statistics.pairs_within(items, 5))
    assert all(map(close, taus, by_item(rows, "kendalltau")))


def accuracy_twin(rows: list[tuple[int, float, float]], threshold: float) -> float:
    shares = []
    for item in range(5):
        own = [(x, y) for i, x, y in rows if i == item]
        right = [
            (y == v) if abs(x - u) <= threshold else (x > u and y > v) or (x < u and y < v)
            for (x, y), (u, v) in combinations(own, 2)
        ]
        if right:
            shares.append(sum(right) / len(right))
    return sum(shares) / len(shares) if shares else math.nan


@given(ITEMS)
def test_tie_calibration_finds_the_best_threshold(rows: list[tuple[int, float, float]]) -> None:
    items, scores, ratings = arrays(rows)
    within = statistics.pairs_within(items, 5)
    threshold = statistics.calibrated_threshold(scores, ratings, within)
    candidates = sorted({0.0, *(abs(x - u) for (i, x, _), (j, u, _) in combinations(rows, 2) if i == j)})
    expected = [accuracy_twin(rows, candidate) for candidate in candidates]
    if math.isnan(expected[0]):
        assert math.isnan(threshold)
        return
    first_best = next(c for c, value in zip(candidates, expected, strict=True) if value >= max(expected) - 1e-9)
    assert threshold == pytest.approx(first_best)
    accuracies = statistics.item_accuracies(scores, ratings, within, threshold)
    assert np.nanmean(accuracies) == pytest.approx(max(expected))


@given(st.integers(2, 7).flatmap(lambda n: st.tuples(*(st.lists(SMALL, min_size=n, max_size=n) for _ in range(3)))))
def test_statistics_of_systems_are_those_of_plain_loops(columns: tuple[list[float], list[float], list[float]]) -> None:
    scores, ratings, weights = map(np.array, columns)
    right = ordered = 0.0
    for i, j in combinations(range(len(scores)), 2):
        weight = weights[i] * weights[j]
        ordered += weight * (ratings[i] != ratings[j])
        right += weight * (
            ratings[i] != ratings[j] and np.sign(scores[i] - scores[j]) == np.sign(ratings[i] - ratings[j])
        )
    expected = right / ordered if ordered else math.nan
    assert close(float(statistics.pairwise_accuracy(scores, ratings, weights)), expected)
    assert close(float(statistics.system_kendall(scores, ratings)), scipy_value("kendalltau", scores, ratings))
    repeated = np.repeat(np.arange(len(scores)), weights.astype(int))
    copies = scipy_value("pearsonr", scores[repeated], ratings[repeated])
    assert close(float(statistics.pearson(scores, ratings, weights)), copies)


RATINGS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), SMALL), min_size=1, max_size=30)


@given(RATINGS, st.sampled_from(ALPHA_LEVELS))
def test_alpha_is_that_of_krippendorff(judgements: list[tuple[int, int, float]], level: str) -> None:
    table = {(rater, unit): value for unit, rater, value in judgements}
    units = np.array([unit for _, unit in table])
    values = np.array(list(table.values()))
    paired = [value for (_, unit), value in table.items() if np.count_nonzero(units == unit) > 1]
    ours = krippendorff_alpha(values, units, level)
    if len(set(paired)) < 2:
        assert math.isnan(ours)
        return
    reliability = np.full((4, 6), np.nan)
    for (rater, unit), value in table.items():
        reliability[rater, unit] = value
    # Ratings of units that nobody else rated pair with nothing, and their package counts them among possible values.
    reliability[:, np.count_nonzero(~np.isnan(reliability), axis=0) < 2] = np.nan
    theirs = krippendorff.alpha(reliability_data=reliability, level_of_measurement=level)  # type: ignore[arg-type]
    assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("raters", [2, 5])
def test_the_noise_ceiling_is_what_a_perfect_metric_reaches(raters: int) -> None:
    generator = np.random.default_rng(raters)
    truth = generator.normal(size=4000)
    units = np.repeat(np.arange(4000), raters)
    values = truth[units] + generator.normal(size=len(units))
    reached = np.corrcoef(truth, np.bincount(units, weights=values) / raters)[0, 1]
    assert noise_ceiling(values, units) == pytest.approx(reached, abs=0.02)


def test_the_noise_ceiling_where_it_is_undefined_or_nothing() -> None:
    assert math.isnan(noise_ceiling(np.array([1.0, 2.0]), np.array([0, 1])))
    assert noise_ceiling(np.array([1.0, 2.0, 2.0, 1.0]), np.array([0, 0, 1, 1])) == 0


def data(scores: Any, ratings: Any, item: Any = None, system: Any = None) -> resampling.Outputs:
    scores, ratings = np.atleast_2d(np.asarray(scores, float)), np.asarray(ratings, float)
    item = np.arange(len(ratings)) if item is None else np.asarray(item)
    system = np.zeros(len(ratings), dtype=int) if system is None else np.asarray(system)
    return resampling.Outputs(scores, ratings, item, system, int(item.max()) + 1, int(system.max()) + 1)


@given(ITEMS, st.integers(0, 100), st.sampled_from(UNITS))
def test_resampled_correlations_are_those_of_the_drawn_outputs(
    rows: list[tuple[int, float, float]], seed: int, units: str
) -> None:
    items, scores, ratings = arrays(rows)
    outputs = data([scores, -scores], ratings, items, np.arange(len(rows)) % 3)
    (draw,) = resampling.draws(outputs, units, Trials(3, seed))
    weights = draw.weights(outputs)
    if units == "items":
        assert draw.items.sum(axis=1).tolist() == [outputs.items] * 3
    r, rho = resampling.resampled_pearson(outputs, weights), resampling.resampled_spearman(outputs, weights)
    for trial in range(3):
        drawn = np.repeat(np.arange(len(rows)), weights[trial].astype(int))
        for metric in range(2):
            columns = outputs.scores[metric, drawn], outputs.ratings[drawn]
            assert close(r[trial, metric], scipy_value("pearsonr", *columns))
            assert close(rho[trial, metric], scipy_value("spearmanr", *columns))


def simulated(
    seed: int, *, gain: float = 0.0, items: int = 40, systems: int = 4, shared: float = 0.0
) -> resampling.Outputs:
    """Two metrics of the same kind that see the truth through noise; the second sees `gain` more of it.

    Of the noise of each metric, `shared` is the same for all outputs of an item.
    """
    generator = np.random.default_rng(seed)
    item, system = np.repeat(np.arange(items), systems), np.tile(np.arange(systems), items)
    truth = generator.normal(size=items)[item] + generator.normal(size=systems)[system]
    noisy = [truth * strength + generator.normal(size=len(item)) for strength in (0.4, 0.4 + gain)]
    ratings = truth + generator.normal(size=len(item))
    return data(noisy + shared * generator.normal(size=(2, items))[:, item], ratings, item, system)


TESTS = {
    "pearson": lambda outputs, trials: resampling.correlation_p_values(outputs, trials),
    "spearman": lambda outputs, trials: resampling.correlation_p_values(outputs, trials, ranks=True),
    "items": lambda outputs, trials: resampling.mean_p_values(
        np.array(
            [
                statistics.item_correlations(scores, outputs.ratings, outputs.item, outputs.items)
                for scores in outputs.scores
            ]
        ),
        trials,
    ),
    "systems": lambda outputs, trials: resampling.system_p_values(outputs, "pearson", trials)[0],
    "accuracy": lambda outputs, trials: resampling.system_p_values(outputs, "pairwise-accuracy", trials)[0],
    "kendall": lambda outputs, trials: resampling.system_p_values(outputs, "kendall", trials)[0],
}


def rejections(test: str, worlds: int, **options: Any) -> float:
    found = [TESTS[test](simulated(seed, **options), Trials(99, 3))[0, 1] <= 0.05 for seed in range(worlds)]
    return float(np.mean(found))


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("shared", [0.0, 2.0])
@pytest.mark.parametrize("worlds", [60, pytest.param(2000, marks=pytest.mark.slow)])
def test_permutation_tests_keep_their_level(test: str, shared: float, worlds: int) -> None:
    """So many rejections have a chance below 0.1 % if the level is kept."""
    assert rejections(test, worlds, systems=8, shared=shared) <= stats.binom.isf(0.001, worlds, 0.05) / worlds


def test_noise_that_all_outputs_of_an_item_share_does_not_hide_a_better_metric_of_systems() -> None:
    assert rejections("systems", 20, gain=2.0, systems=8, shared=2.0) >= 0.5


@pytest.mark.parametrize("test", ["pearson", "spearman", "items"])
def test_permutation_tests_find_a_better_metric(test: str) -> None:
    assert rejections(test, 20, gain=1.0) >= 0.8


def test_swaps_are_those_of_plain_loops() -> None:
    """The same coins, and every statistic from scratch."""
    outputs = simulated(5, items=6, systems=3)
    trials = Trials(50, 3)
    scores = statistics.standardize(outputs.scores)
    coins = np.concatenate(list(resampling._coins(outputs.items, 7, trials))) == 1
    again = np.concatenate(list(resampling._coins(outputs.items, 1000, trials))) == 1
    assert coins.shape == again.shape == (50, outputs.items)

    def at_systems(values: Floats, statistic: Any) -> float:
        means = [
            [column[outputs.system == system].mean() for system in range(3)] for column in (values, outputs.ratings)
        ]
        return float(statistic(*map(np.array, means)))

    from_scratch: dict[str, Callable[[Floats], float]] = {
        "pearson": lambda values: stats.pearsonr(values, outputs.ratings).statistic,
        "systems": lambda values: at_systems(values, statistics.pearson),
        "accuracy": lambda values: at_systems(values, statistics.pairwise_accuracy),
    }
    for name, statistic in from_scratch.items():
        flips = (np.concatenate(list(resampling._coins(outputs.items, 50, trials))) == 1)[:, outputs.item]
        observed = statistic(scores[0]) - statistic(scores[1])
        larger = 0
        for flip in flips:
            first, second = np.where(flip, scores[1], scores[0]), np.where(flip, scores[0], scores[1])
            larger += abs(statistic(first) - statistic(second)) >= abs(observed) - 1e-9
        assert TESTS[name](outputs, trials)[0, 1] == pytest.approx((1 + larger) / 51)


@pytest.mark.parametrize("units", UNITS)
def test_the_interval_of_kendall_covers_as_the_bootstrap_does(units: str) -> None:
    outputs = simulated(8, gain=0.5, items=60, systems=6)
    tau, interval = resampling.kendall_interval(outputs.scores[1], outputs, units, 0.95)
    assert interval is not None
    assert interval[0] < tau < interval[1]
    taus = []
    for draw in resampling.draws(outputs, units, Trials(200, 4)):
        for weights in draw.weights(outputs):
            drawn = np.repeat(np.arange(len(outputs)), weights.astype(int))
            taus.append(stats.kendalltau(outputs.scores[1, drawn], outputs.ratings[drawn]).statistic)
    low, high = np.quantile(taus, [0.025, 0.975])
    assert 0.6 < (interval[1] - interval[0]) / (high - low) < 1.6


def test_reasons() -> None:
    three = np.array([1.0, 2.0, 3.0])
    assert statistics.why_undefined(three, three, "systems") is None
    assert statistics.why_undefined(three[:2], three[:2], "systems") == "it needs at least 3 systems, got 2"
    assert statistics.why_undefined(three * 0, three, "systems") == "all of its scores are equal"
    assert statistics.why_undefined(three, three * 0, "systems") == "all ratings are equal"
    assert statistics.why_undefined(three * math.nan, three, "outputs") == "some outputs have no score"


def test_a_metric_without_variance_is_not_tested() -> None:
    outputs = data([[1, 1, 1, 1], [1, 2, 3, 4], [4, 2, 3, 1]], [1, 2, 3, 5], [0, 0, 1, 1], [0, 1, 0, 1])
    p_values = resampling.correlation_p_values(outputs, Trials(20, 1))
    assert np.isnan(p_values[0, 1:]).all()
    assert not np.isnan(p_values[1, 2])
    assert resampling.quantile_interval(np.array([math.nan] * 5 + [1.0] * 5), 0.95) is None
    assert math.isnan(resampling.kendall_interval(outputs.scores[0], outputs, "items", 0.95)[0])


def test_agreement_of_systems_by_chance_is_that_of_all_orders() -> None:
    scores, ratings = np.array([[1.0, 2.0, 3.0, 4.0], [4.0, 1.0, 3.0, 2.0], [1.0, 1.0, 1.0, 1.0]]), np.arange(4.0)
    found = resampling.shuffle_systems(scores, ratings, "pearson", 1)
    best = [
        max(stats.pearsonr(scores[metric], order).statistic for metric in range(2)) for order in permutations(ratings)
    ]
    for metric in range(2):
        exact = np.mean(np.array(best) >= stats.pearsonr(scores[metric], ratings).statistic - 1e-9)
        assert found[metric] == pytest.approx(exact, abs=0.02)
    assert math.isnan(found[2])


def test_agreement_by_chance_has_uniform_p_values() -> None:
    """A metric that knows nothing is shown to agree about as often as the level allows."""
    generator = np.random.default_rng(2)
    p_values = []
    for seed in range(150):
        outputs = data([generator.normal(size=80)], generator.normal(size=80), np.repeat(np.arange(20), 4))
        drawn = [
            resampling.resampled_pearson(outputs, d.weights(outputs))
            for d in resampling.draws(outputs, "items", Trials(60, seed))
        ]
        value = float(statistics.pearson(outputs.scores[0], outputs.ratings))
        p_values.append(resampling.normal_p_value(value, 0.0, np.concatenate(drawn)[:, 0]))
    assert np.mean(np.array(p_values) < 0.1) <= stats.binom.isf(0.001, 150, 0.1) / 150
    assert math.isnan(resampling.normal_p_value(0.5, 0.0, np.array([math.nan, 0.5])))
    assert resampling.normal_p_value(1.0, 0.0, np.ones(5)) == 0
    assert resampling.normal_p_value(0.4, 0.4, np.full(5, 0.4)) == 1


def world(seed: int, items: int) -> resampling.Outputs:
    """Items at random, each with four outputs that have its difficulty in common."""
    generator = np.random.default_rng(seed)
    item = np.repeat(np.arange(items), 4)
    truth = generator.normal(size=items)[item] + generator.normal(size=len(item))
    return data([truth + generator.normal(size=len(item))], truth + 2 * generator.normal(size=len(item)), item)


def covered(worlds: int, statistic: str) -> float:
    """The share of intervals that hold the statistic of a population."""
    population = world(10**6, 20_000)
    functions: dict[str, Callable[[Floats, Floats], Any]] = {
        "pearson": statistics.pearson,
        "spearman": statistics.spearman,
        "kendall": lambda scores, ratings: statistics.concordance(scores, ratings).tau,
    }
    expected = float(functions[statistic](population.scores[0], population.ratings))
    hits = 0
    for seed in range(worlds):
        outputs = world(seed, 60)
        if statistic == "kendall":
            interval = resampling.kendall_interval(outputs.scores[0], outputs, "items", 0.95)[1]
        else:
            resampled = {"pearson": resampling.resampled_pearson, "spearman": resampling.resampled_spearman}[statistic]
            drawn = [
                resampled(outputs, draw.weights(outputs))
                for draw in resampling.draws(outputs, "items", Trials(200, seed))
            ]
            interval = resampling.quantile_interval(np.concatenate(drawn)[:, 0], 0.95)
        assert interval is not None
        hits += interval[0] <= expected <= interval[1]
    return hits / worlds


@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize(
    ("worlds", "least", "most"), [(40, 0.8, 1.0), pytest.param(1000, 0.91, 0.975, marks=pytest.mark.slow)]
)
def test_intervals_cover(statistic: str, worlds: int, least: float, most: float) -> None:
    """Percentile intervals of 60 items are a little too narrow."""
    assert least <= covered(worlds, statistic) <= most
