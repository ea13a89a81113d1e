"""Intervals, p-values, corrections and verdicts, against plain twins and brute force."""

from __future__ import annotations

import itertools
import math
import random
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import InputError, OptionError
from bleuprint.statistics.chance import Chance, draw_scores
from bleuprint.statistics.comparison import compare_samples
from bleuprint.statistics.intervals import bootstrap_intervals, jackknife, standard_error
from bleuprint.statistics.multiple import holm, rank_clusters
from bleuprint.statistics.paired import exact_p_value, randomization_p_values
from bleuprint.statistics.power import detectable_difference, segments_needed
from bleuprint.statistics.rows import Sample
from bleuprint.statistics.settings import Settings
from tests.support.effort import examples

WORDS = "the cat dog sat on a mat house tree ran fast slow".split()  # noqa: SIM905


def texts(seed: int, count: int, noise: float, length: int = 8) -> tuple[list[str], list[str]]:
    """References, and outputs in which so large a part of the words is another."""
    chooser = random.Random(seed)
    references = [chooser.choices(WORDS, k=length) for _ in range(count)]
    outputs = [[chooser.choice(WORDS) if chooser.random() < noise else word for word in line] for line in references]
    return [" ".join(line) for line in outputs], [" ".join(line) for line in references]


def sample_of(seed: int, count: int, noise: float, metric: Any = None) -> Sample:
    outputs, references = texts(seed, count, noise)
    return (metric or bp.BLEU()).sample(outputs, references)


def mean_sample(values: list[float]) -> Sample:
    """Segments whose score is a mean."""
    return Sample(np.array([[value, 1.0] for value in values]), lambda columns: columns[0] / columns[1])


def test_jackknife_is_leaving_out() -> None:
    outputs, references = texts(1, 12, 0.3)
    for metric in (bp.BLEU(), bp.CHRF(), bp.TER()):
        without = jackknife(metric.sample(outputs, references))
        for index in range(12):
            rest = [i for i in range(12) if i != index]
            score = metric.corpus([outputs[i] for i in rest], [references[i] for i in rest]).value
            assert without[index] == pytest.approx(score, abs=1e-12)


def test_the_standard_error_of_a_mean_is_the_known_one() -> None:
    values = np.random.default_rng(1).normal(size=50)
    found = standard_error(jackknife(mean_sample(values.tolist())))
    assert found == pytest.approx(values.std(ddof=1) / math.sqrt(50), rel=1e-9)


def plain_bca(value: float, scores: list[float], without: list[float], level: float) -> tuple[float, float]:
    """Efron (1987) word by word."""
    normal, ordered = NormalDist(), sorted(scores)
    bias = normal.inv_cdf(sum((score < value) + (score <= value) for score in scores) / (2 * len(scores)))
    mean = sum(without) / len(without)
    cubes, squares = sum((mean - w) ** 3 for w in without), sum((mean - w) ** 2 for w in without)
    acceleration = cubes / (6 * squares**1.5)
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = bias + normal.inv_cdf(tail)
        place = normal.cdf(bias + z / (1 - acceleration * z)) * (len(ordered) - 1)
        below = math.floor(place)
        above = min(below + 1, len(ordered) - 1)
        ends.append(ordered[below] + (place - below) * (ordered[above] - ordered[below]))
    return ends[0], ends[1]


@pytest.mark.parametrize("metric", [bp.BLEU, bp.CHRF, bp.TER, bp.ROUGE])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_bca(metric: Any, level: float) -> None:
    sample = sample_of(3, 60, 0.4, metric())
    interval = bootstrap_intervals([sample], level=level, resamples=500)[0]
    scores = draw_scores([sample], 500, Chance())[0].tolist()
    expected = plain_bca(sample.score().item(), scores, jackknife(sample).tolist(), level)
    assert interval.method == "bca"
    assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-12)
    plain = bootstrap_intervals([sample], level=level, resamples=500, method="percentile")[0]
    assert (plain.low, plain.high) == tuple(np.quantile(scores, [(1 - level) / 2, (1 + level) / 2]))


def test_an_interval_of_scores_that_never_vary() -> None:
    interval = bootstrap_intervals([mean_sample([0.5] * 20)])[0]
    assert (interval.low, interval.value, interval.high) == (0.5, 0.5, 0.5)
    extreme = bootstrap_intervals([mean_sample([0.0, 1e-300])], resamples=3)[0]
    assert extreme.low <= extreme.high
    assert bootstrap_intervals([mean_sample([0.25])])[0].high == 0.25


@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize("metric", [bp.BLEU(), bp.TER(), bp.METEOR()], ids=lambda metric: metric.name)
def test_intervals_of_several_samples_are_those_of_each(metric: Any, method: str) -> None:
    """Also where samples have different formulas, which are not called for all of them at once."""
    references = ["the cat sat on the mat", "a dog barked at the cat", "the mat is red", "who sat there", "on a mat"]
    outputs = [references[1:] + references[:1], [*references[:3], "who sits there", "the mat"], references]
    samples = [metric.sample(texts, references) for texts in outputs]
    samples.append(bp.CHRF().sample(outputs[0], references))
    for several in (samples[:3], samples):
        together = bootstrap_intervals(several, method=method, resamples=200)
        assert together == [bootstrap_intervals([sample], method=method, resamples=200)[0] for sample in several]


def brute_force(first: Sample, second: Sample) -> float:
    """The share of all assignments of rows to two systems with as large a difference."""
    observed = abs(first.score().item() - second.score().item())
    larger = 0
    for swapped in itertools.product([False, True], repeat=len(first)):
        mask = np.array(swapped)[:, None]
        one, other = np.where(mask, second.rows, first.rows), np.where(mask, first.rows, second.rows)
        difference = first.score(one.sum(axis=0, keepdims=True)) - second.score(other.sum(axis=0, keepdims=True))
        larger += int(abs(difference.item()) >= observed * (1 - 1e-12))
    return float(larger / 2 ** len(first))


@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from([bp.BLEU, bp.TER, bp.ROUGE]))
@settings(max_examples=examples(30))
def test_the_exact_test_tries_all_swaps(seed: int, count: int, metric: Any) -> None:
    outputs, references = texts(seed, count, 0.4)
    others = [text if index % 3 else f"{text} cat" for index, text in enumerate(references)]
    first, second = metric().sample(outputs, references), metric().sample(others, references)
    assert exact_p_value(first, second)[0] == pytest.approx(brute_force(first, second), abs=1e-12)


def test_the_exact_test_beyond_one_table() -> None:
    outputs, references = texts(6, 14, 0.3)
    others, _ = texts(7, 14, 0.5)
    first, second = (bp.BLEU(max_order=1).sample(lines, references) for lines in (outputs, others))
    p_value, swaps = exact_p_value(first, second)
    assert swaps == 2 ** int((first.rows != second.rows).any(axis=1).sum()) > 2**13
    assert p_value == pytest.approx(brute_force(first, second), abs=1e-12)


def test_random_swaps_come_near_the_exact_test() -> None:
    first, second = sample_of(1, 14, 0.3), sample_of(1, 14, 0.45)
    exact, _ = exact_p_value(first, second)
    (near,) = randomization_p_values([first, second], [(0, 1)], 40_000, Chance())
    assert near == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 40_000))


def test_too_many_segments_for_the_exact_test() -> None:
    first, second = sample_of(1, 40, 0.3), sample_of(1, 40, 0.6)
    with pytest.raises(
        InputError, match=r"at most 20 segments \(or clusters\) in which two systems differ, got \d\d; use test"
    ):
        compare_samples({"a": first, "b": second}, Settings(test="exact"))
    assert compare_samples({"a": first, "b": second}).pairs[0].test == "approximate-randomization"


@pytest.mark.parametrize("test", ["auto", "paired-bootstrap", "approximate-randomization", "exact"])
def test_a_system_and_itself(test: str) -> None:
    sample = sample_of(1, 100, 0.3)
    result = compare_samples({"a": sample, "b": sample}, Settings(test=test, resamples=200))
    assert result.pairs[0].p_value == 1.0
    assert result.pairs[0].better is None
    assert result.clusters == (("a", "b"),)
    assert "cannot be told apart" in result.pairs[0].verdict


@pytest.mark.parametrize("mode", ["bleuprint", "sacrebleu"])
@pytest.mark.parametrize("test", ["paired-bootstrap", "approximate-randomization"])
def test_the_number_of_threads_makes_no_difference(test: str, mode: str) -> None:
    for metric in (bp.BLEU(), bp.ROUGE()):
        samples = {name: sample_of(9, 700, noise, metric) for name, noise in (("a", 0.3), ("b", 0.32), ("c", 0.31))}
        plan = Settings(test=test, mode=mode, resamples=300)
        results = [compare_samples(samples, plan, threads=threads).to_dict() for threads in (1, 2, 3)]
        assert results[0] == results[1] == results[2]
        other = compare_samples(samples, Settings(test=test, mode=mode, resamples=300, seed=1)).to_dict()
        assert other["pairs"] != results[0]["pairs"]


def test_lower_is_better_for_errors() -> None:
    samples = {name: sample_of(2, 60, noise, bp.TER()) for name, noise in (("bad", 0.6), ("good", 0.1))}
    result = compare_samples(samples)
    assert [system.name for system in result.systems] == ["good", "bad"]
    assert result.pairs[0].better == "good"
    assert result.pairs[0].difference.value < 0
    assert result.clusters == (("good",), ("bad",))


def test_a_baseline_is_compared_with_all_others() -> None:
    samples = {name: sample_of(2, 60, noise) for name, noise in (("a", 0.6), ("b", 0.1), ("c", 0.3))}
    result = compare_samples(samples, baseline="a")
    assert [(pair.first, pair.second, pair.better) for pair in result.pairs] == [("b", "a", "b"), ("c", "a", "c")]
    assert result.clusters == ()
    assert result.pair("a", "c") is result.pairs[1]


def test_holm() -> None:
    assert holm([]) == []
    assert holm([0.02]) == [0.02]
    assert holm([0.5, 0.01, 0.02]) == [0.5, 0.03, 0.04]
    assert holm([0.6, 0.7]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_is_the_step_down_test(p_values: list[float]) -> None:
    for alpha in (0.01, 0.05, 0.3):
        rejected: set[int] = set()
        for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
            if (len(p_values) - rank) * p_values[index] >= alpha:
                break
            rejected.add(index)
        assert {index for index, value in enumerate(holm(p_values)) if value < alpha} == rejected


@given(st.integers(0, 6), st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))))
def test_clusters_part_only_what_can_be_told_apart(count: int, told: set[tuple[int, int]]) -> None:
    names = [str(number) for number in range(count)]
    better = {(str(upper), str(lower)) for upper, lower in told}
    clusters = rank_clusters(names, better)
    assert [name for cluster in clusters for name in cluster] == names
    for index, cluster in enumerate(clusters):
        lower = [name for other in clusters[index + 1 :] for name in other]
        assert all((upper, name) in better for upper in cluster for name in lower)
        for cut in range(1, len(cluster)):
            above, below = names[: names.index(cluster[cut])], names[names.index(cluster[cut]) :]
            assert not all((upper, name) in better for upper in above for name in below)


def test_power_is_what_the_formula_says() -> None:
    # (1.959964 + 0.841621)² = 7.848880
    assert detectable_difference(1.0) ** 2 == pytest.approx(7.848880, abs=1e-5)
    assert segments_needed(0.5, 100, 0.5) == 785
    sample, other = sample_of(1, 200, 0.3), sample_of(2, 200, 0.3)
    pair = compare_samples({"a": sample, "b": other}, Settings(detect=0.01)).pairs[0]
    assert pair.segments_needed is not None
    assert segments_needed(pair.standard_error, 200, pair.detectable) in (200, 201)
    assert pair.segments_needed == math.ceil(200 * (pair.detectable / 0.01) ** 2)


def test_enough_samples_for_many_pairs() -> None:
    """A thousand resamples of 105 pairs could never show anything: 105 / 1001 is more than 0.05."""
    samples = {f"s{number}": sample_of(number, 60, 0.04 * number) for number in range(15)}
    plan = Settings(test="paired-bootstrap")
    result = compare_samples(samples, plan)
    assert result.pairs[0].samples == 10_500
    assert result.notes == ()
    assert result.pair("s0", "s14").better == "s0"
    few = compare_samples(samples, Settings(test="paired-bootstrap", resamples=1000))
    assert few.pair("s0", "s14").better is None
    assert few.notes == (
        "with 1,000 resamples, no p-value of 105 pairs can fall below 0.05 after correction; use at least 2,100",
    )
    assert Settings(test="paired-bootstrap", mode="sacrebleu").trials(105) == 1000
    assert Settings(alpha=1e-12).trials(1) == 1_000_000


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"test": "t"}, "test must be one of auto, paired-bootstrap, approximate-randomization, exact, got 't'"),
    ({"resamples": 0}, "resamples must be an integer from 1"),
    ({"resamples": True}, "resamples must be an integer from 1"),
    ({"resamples": 1.5}, "samples must be an integer from 1"),
    ({"alpha": 1}, "alpha must be a number between 0 and 1, got 1"),
    ({"alpha": math.nan}, "alpha must be a number between 0 and 1"),
    ({"seed": -1}, "seed must be an integer from 0"),
    ({"seed": "12345"}, "seed must be an integer from 0"),
    ({"mode": "moses"}, "mode must be bleuprint or sacrebleu, got 'moses'"),
    ({"mode": "sacrebleu"}, "test must be paired-bootstrap or approximate-randomization in mode sacrebleu"),
    ({"interval": "normal"}, "interval must be bca or percentile"),
    ({"detect": 0}, "detect must be a difference on the scale of the scores"),
    ({"power": 0}, "power must be a number between 0 and 1"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_settings(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        Settings(**options)
    assert message in str(caught.value)


def test_samples_that_cannot_be_compared() -> None:
    sample = sample_of(1, 5, 0.2)
    with pytest.raises(InputError, match="at least two systems, got 1"):
        compare_samples({"a": sample})
    with pytest.raises(InputError, match="must have the same number of segments"):
        compare_samples({"a": sample, "b": sample_of(1, 6, 0.2)})
    with pytest.raises(InputError, match="there are no segments"):
        compare_samples({"a": bp.BLEU().sample([], []), "b": bp.BLEU().sample([], [])})
    with pytest.raises(OptionError, match=r"baseline must be one of 'a', 'b', got 'c'"):
        compare_samples({"a": sample, "b": sample}, baseline="c")


def test_progress_ends_at_the_whole() -> None:
    shares: list[float] = []
    samples = {"a": sample_of(1, 50, 0.2), "b": sample_of(1, 50, 0.4)}
    compare_samples(samples, Settings(test="approximate-randomization"), report=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
