"""Dependent segments, equivalence, and rank ranges, against statsmodels, SciPy, and simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.api import OLS
from statsmodels.stats.weightstats import ttost_paired

import bleuprint as bp
from bleuprint.errors import InputError, LengthMismatchError, OptionError
from bleuprint.statistics.comparison import PairComparison, compare_samples
from bleuprint.statistics.intervals import Interval
from bleuprint.statistics.multiple import rank_ranges
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.settings import Settings
from tests.support.effort import examples
from tools.cluster_simulation import CLUSTERS, CORRELATIONS, false_alarms


def scores(seed: int, count: int = 60) -> tuple[Any, Any]:
    generator = np.random.default_rng(seed)
    common = generator.normal(size=count)
    return common + 0.3 + generator.normal(size=count), common + generator.normal(size=count)


def compare_columns(first: Any, second: Any, **options: Any) -> PairComparison:
    """The pair of two systems with these scores."""
    return bp.compare(columns={"score": {"A": first, "B": second}}, **options).metric("score").pairs[0]


@pytest.mark.parametrize("size", [1, 3, 5])
def test_cluster_standard_errors_are_those_of_statsmodels(size: int) -> None:
    first, second = scores(1)
    labels = [index // size for index in range(60)]
    pair = compare_columns(first, second, clusters=labels, resamples=99)
    robust = OLS(first - second, np.ones(60)).fit(cov_type="cluster", cov_kwds={"groups": np.array(labels)})
    assert pair.standard_error == pytest.approx(robust.bse[0], rel=1e-10)
    assert pair.difference.value == pytest.approx(robust.params[0], rel=1e-12)


def test_the_effect_size_is_that_of_the_paired_t_test() -> None:
    first, second = scores(2)
    pair = compare_columns(first, second, resamples=99)
    assert pair.effect_size == pytest.approx(stats.ttest_rel(first, second).statistic / math.sqrt(60), rel=1e-10)


def test_the_exact_test_swaps_whole_clusters() -> None:
    first, second = scores(3, 40)
    labels = [index // 4 for index in range(40)]
    pair = compare_columns(first, second, clusters=labels, resamples=99)
    sums = [values.reshape(10, 4).sum(axis=1) for values in (first, second)]
    expected = stats.permutation_test(
        sums, lambda one, other: one.mean() - other.mean(), permutation_type="samples", n_resamples=np.inf
    )
    assert (pair.test, pair.samples) == ("exact", 1024)
    assert pair.p_value == pytest.approx(expected.pvalue, abs=1e-12)


def test_the_bootstrap_draws_whole_clusters() -> None:
    first, _ = scores(4)
    labels = [index // 3 for index in range(60)]
    whole = bp.compare(columns={"score": {"A": first, "B": first * 0}}, clusters=labels, resamples=5000).metric("score")
    means = first.reshape(20, 3).mean(axis=1)
    expected = stats.bootstrap((means,), np.mean, n_resamples=5000, method="BCa", rng=np.random.default_rng(1))
    found = whole.system("A").score
    assert found.low == pytest.approx(expected.confidence_interval.low, abs=0.03)
    assert found.high == pytest.approx(expected.confidence_interval.high, abs=0.03)


@pytest.mark.parametrize("margin", [0.1, 0.6, 1.5])
def test_equivalence_is_that_of_statsmodels(margin: float) -> None:
    first, second = scores(5)
    pair = compare_columns(first, second, baseline="B", margin=margin, resamples=99)
    p_value, above, below = ttost_paired(first, second, -margin, margin)
    assert pair.equivalence is not None
    assert pair.equivalence.p_value == pytest.approx(p_value, rel=1e-9)
    assert pair.equivalence.non_inferiority_p_value == pytest.approx(above[1], rel=1e-9)
    expected = "equivalent" if p_value < 0.05 else "not inferior" if above[1] < 0.05 else "undecided"
    assert pair.equivalence.verdict == expected
    interval = stats.ttest_rel(first, second).confidence_interval(0.9)
    ends = pair.equivalence.interval.low, pair.equivalence.interval.high
    assert ends == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert below[1] <= 1


def test_non_inferiority_follows_the_direction() -> None:
    first, second = scores(6)
    for higher, expected in ((True, "not inferior"), (False, "inferior")):
        columns, lower = {"score": {"new": first + 3, "old": second}}, () if higher else ("score",)
        result = bp.compare(columns=columns, lower_is_better=lower, baseline="old", margin=0.5, resamples=99)
        pair = result.metric("score").pairs[0]
        assert pair.equivalence is not None
        assert pair.equivalence.verdict == expected
        assert (pair.equivalence_verdict or "").startswith("new is ")


def test_equal_scores_are_equivalent_if_they_are_enough() -> None:
    for copies, verdict in ((4, "undecided"), (400, "equivalent")):
        pair = compare_columns([1, 0] * copies, [1, 0] * copies, margin=0.01)
        assert pair.equivalence is not None
        assert pair.equivalence.verdict == verdict
        assert pair.effect_size is None


@pytest.mark.parametrize(("margin", "alpha"), [(0, 0.05), (-1, 0.05), (math.nan, 0.05), (True, 0.05), (0.1, 0.6)])
def test_bad_margins(margin: Any, alpha: float) -> None:
    with pytest.raises(OptionError):
        Settings(margin=margin, alpha=alpha)


@given(st.integers(0, 1000), st.lists(st.integers(0, 4), min_size=2, max_size=30))
@settings(max_examples=examples(30), deadline=None)
def test_clusters_keep_the_score(seed: int, labels: list[int]) -> None:
    texts = [" ".join(np.random.default_rng([seed, index]).choice(list("abcd"), 6)) for index in range(len(labels))]
    sample = bp.BLEU().sample(texts, texts[::-1])
    if len(set(labels)) < 2:
        with pytest.raises(InputError, match="at least two different labels, got 1"):
            sample.by_cluster(labels)
        return
    clustered = sample.by_cluster(labels)
    assert len(clustered) == len(set(labels))
    assert clustered.score().item() == sample.score().item()


def test_a_cluster_of_its_own_for_each_segment_changes_nothing() -> None:
    texts = [f"a b {index} c" for index in range(9)]
    outputs = {"A": texts, "B": [f"a b {index % 2} c" for index in range(9)]}
    alone = bp.compare(outputs, texts, clusters=range(9), margin=0.1, detect=0.1)
    plain = bp.compare(outputs, texts, margin=0.1, detect=0.1)
    assert alone.metric("bleu").pairs == plain.metric("bleu").pairs
    assert alone.metric("bleu").units == 9
    assert "|clusters:9|" in alone.signature
    interval = bp.confidence_interval(outputs["B"], texts, clusters=range(9))
    assert interval == bp.confidence_interval(outputs["B"], texts)
    assert bp.confidence_interval(outputs["B"], texts, clusters=[0, 0, 0, 1, 1, 1, 2, 2, 2]) != interval


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        (["a", None], InputError, "clusters[1] must be a label, got None"),
        (["a", ""], InputError, "clusters[1] must be a label, got ''"),
        ([1.0, math.nan], InputError, "clusters[1] must be a label, got nan"),
        (["a", "a"], InputError, "at least two different labels"),
        (["a", "b", "c"], LengthMismatchError, "clusters has 3"),
        ("ab", InputError, "clusters must be a list"),
    ],
)
def test_bad_clusters(labels: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        bp.compare(columns={"score": {"A": [0, 1], "B": [1, 1]}}, clusters=labels)
    assert message in str(caught.value)


def test_an_interval_is_corrected_like_its_p_value() -> None:
    """Then it excludes 0 where the corrected test is significant, and there alone."""
    generator = np.random.default_rng(2)
    places = {"A": 0.0, "B": 0.65, "C": 0.9, "D": 1.9}
    samples = {name: Sample.of_scores(generator.normal(place, size=40)) for name, place in places.items()}
    for test in ("auto", "paired-bootstrap"):
        result = compare_samples(samples, Settings(test=test))
        assert {pair.better is None for pair in result.pairs} == {True, False}
        for pair in result.pairs:
            assert pair.difference.level == pytest.approx(1 - 0.05 * pair.p_value / pair.corrected_p_value)
            assert (pair.better is not None) == (pair.difference.low > 0 or pair.difference.high < 0)
            assert not pair.crosses_zero


def test_a_verdict_says_that_its_interval_includes_0() -> None:
    interval = Interval(0.013, -0.004, 0.022, 0.0131, 0.95, "bca", 1000)
    pair = PairComparison("A", "B", interval, 0.04, 0.04, "exact", 4096, "A", 0.004, 0.012, None)
    assert pair.crosses_zero
    assert "by this test, although its interval, which covers other segments, includes 0 (p = " in pair.verdict


def test_intervals_of_systems_are_not_corrected() -> None:
    generator = np.random.default_rng(1)
    samples = {name: Sample.of_scores(generator.normal(size=30)) for name in "ABCD"}
    result = compare_samples(samples, Settings(alpha=0.06))
    assert {system.score.level for system in result.systems} == {0.94}
    two = compare_samples({name: samples[name] for name in "AB"})
    assert two.pairs[0].difference.level == 0.95


def test_many_pairs_get_more_resamples() -> None:
    assert Settings().draws(105) == 21_000
    assert Settings(resamples=50).draws(105) == 50
    assert "|resamples:1000|" in Settings().describe(1)


def test_rank_ranges_count_wins() -> None:
    """One system beats six of seven, but no two of the others differ: clusters alone would say nothing."""
    names = list("abcdefgh")
    ranges = rank_ranges(names, {("a", other) for other in "cdefgh"})
    assert ranges["a"] == (1, 2, 6)
    assert ranges["b"] == (1, 8, 0)
    assert ranges["h"] == (2, 8, 0)


def within(share: float, runs: int) -> bool:
    return abs(share - 0.05) <= 3 * math.sqrt(0.05 * 0.95 / runs)


def test_clusters_hold_the_level_that_segments_miss() -> None:
    ignorant, honest = false_alarms(20, 0.5, 300)
    assert within(honest, 300)
    assert ignorant > 0.15


@pytest.mark.slow
@pytest.mark.parametrize("correlation", CORRELATIONS)
@pytest.mark.parametrize("clusters", CLUSTERS)
def test_false_alarms_under_correlation(clusters: int, correlation: float) -> None:
    ignorant, honest = false_alarms(clusters, correlation, 2000)
    assert within(honest, 2000)
    if correlation:
        assert ignorant > 0.07
