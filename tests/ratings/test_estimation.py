"""Mean ratings from a metric and few ratings: against the papers' formulas, and where ratings hardly tell anything."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from bleuprint.errors import InputError, OptionError
from bleuprint.ratings import Ratings
from bleuprint.ratings.agreement.result import Estimate
from bleuprint.ratings.estimation import RatingEstimate

Numbers = NDArray[np.float64]


def rows_of(ratings: Any, scores: Any, **columns: Any) -> list[dict[str, Any]]:
    """Rows of one system; NaN is the rating of an output that nobody rated."""
    listed = enumerate(zip(ratings, scores, strict=True))
    others = {name: list(values) for name, values in columns.items()}
    return [
        {"id": n, "rating": rating, "judge": score, **{name: values[n] for name, values in others.items()}}
        for n, (rating, score) in listed
    ]


def estimate(rows: list[dict[str, Any]], *, group: str | None = None, **options: Any) -> RatingEstimate:
    given = {} if group is None else {"group": group}
    return Ratings.read(rows, "rating", scores="judge", **given).estimate(resamples=50, **options)


def sample(seed: int, outputs: int, rated: int, noise: float = 0.5) -> tuple[Numbers, Numbers]:
    generator = np.random.default_rng(seed)
    truth = generator.normal(50, 10, outputs)
    ratings = np.where(generator.permutation(outputs) < rated, truth, np.nan)
    return ratings, 2 * truth + 20 * noise * generator.normal(size=outputs) + 7


def ppi(ratings: Numbers, scores: Numbers, weight: float) -> tuple[float, float]:
    """The estimate and its standard error (Angelopoulos et al. 2023, PPI++, example of the mean)."""
    rated = ~np.isnan(ratings)
    left = ratings[rated] - weight * scores[rated]
    value = weight * scores[~rated].mean() + left.mean()
    variance = weight**2 * scores[~rated].var(ddof=1) / (~rated).sum() + left.var(ddof=1) / rated.sum()
    return float(value), float(variance**0.5)


def best_weight(ratings: Numbers, scores: Numbers) -> float:
    """The weight of PPI++ with the smallest variance."""
    rated = ~np.isnan(ratings)
    share = rated.sum() / (~rated).sum()
    covariance = np.cov(ratings[rated], scores[rated])[0, 1]
    return float(covariance / ((1 + share) * scores.var(ddof=1)))


def known(found: Estimate) -> tuple[float, float, float]:
    assert found.value is not None
    assert found.ends is not None
    return found.value, *found.ends


@pytest.mark.parametrize("noise", [0.1, 1.0, 20.0])
def test_an_estimate_is_that_of_the_papers(noise: float) -> None:
    ratings, scores = sample(1, 1000, 250, noise)
    (found,) = estimate(rows_of(ratings, scores)).systems
    value, low, high = known(found.estimate)
    # The papers take the mean of the other outputs, we that of all: the same with a weight that is smaller by a share.
    assert value == pytest.approx(ppi(ratings, scores, found.weight * 0.75)[0], abs=1e-9)
    weight = best_weight(ratings, scores)
    assert found.weight * 0.75 == pytest.approx(weight, rel=0.1, abs=0.003)
    tuned, error = ppi(ratings, scores, weight)
    assert value == pytest.approx(tuned, abs=0.1 * error)
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.03)
    alone, low, high = known(found.alone)
    rated = ratings[~np.isnan(ratings)]
    interval = stats.t.interval(0.95, len(rated) - 1, rated.mean(), stats.sem(rated))
    assert (alone, low, high) == pytest.approx((rated.mean(), *interval))


def test_a_useless_judge_costs_little_and_has_little_weight() -> None:
    ratings, scores = sample(2, 500, 100, noise=1e6)
    found = estimate(rows_of(ratings, scores))
    assert found.narrowing == pytest.approx(1, abs=0.03)
    assert "judge adds nothing to the ratings" in found.verdict


@given(st.floats(-5, 5), st.floats(0.1, 5), st.floats(-3, 3))
def test_neither_bias_nor_scale_of_a_judge_matters(shift: float, factor: float, origin: float) -> None:
    ratings, scores = sample(3, 200, 40)
    (usual,) = estimate(rows_of(ratings, scores)).systems
    (moved,) = estimate(rows_of(ratings + origin, factor * scores + shift)).systems
    assert known(moved.estimate) == pytest.approx([number + origin for number in known(usual.estimate)], rel=1e-6)
    (turned,) = estimate(rows_of(ratings, -scores)).systems
    assert known(turned.estimate) == pytest.approx(known(usual.estimate))


def test_two_systems_and_their_difference() -> None:
    generator = np.random.default_rng(4)
    hard = generator.normal(size=400)
    rated = generator.permutation(400) < 80
    rows, columns = [], []
    for name, better in (("B", 0.0), ("A", 0.6)):
        truth = hard + better + 0.5 * generator.normal(size=400)
        scores = truth + generator.normal(size=400) * 0.5
        columns.append((np.where(rated, truth, np.nan), scores))
        rows += [row | {"system": name} for row in rows_of(columns[-1][0], scores)]
    found = estimate(rows)
    assert [system.name for system in found.systems] == ["A", "B"]
    (difference,) = found.differences
    assert difference.name == "A − B"
    one = estimate(rows_of(columns[1][0] - columns[0][0], columns[1][1] - columns[0][1])).systems[0]
    assert known(difference.estimate) == pytest.approx(known(one.estimate)), "rated on the same items"
    assert difference.estimate.width < 0.7 * math.hypot(*(system.estimate.width for system in found.systems))
    assert found.verdict.startswith("People would rate A 0.")
    assert "better than all others" in found.verdict
    rows += [row | {"system": "C", "rating": None} for row in rows[:400]]
    assert estimate(rows).notes[-1] == "C has no ratings, so it is left out"


def test_lower_ratings_can_be_better() -> None:
    rows = [
        {"id": n, "system": s, "judge": n % 7, "rating": n % 7 + n % 3 + (s == "A")} for n in range(60) for s in "AB"
    ]
    found = Ratings.read(rows, "rating", scores="judge", lower_is_better="rating").estimate()
    assert [system.name for system in found.systems] == ["B", "A"]
    assert found.differences[0].estimate.value == pytest.approx(-1)


def test_items_that_resemble_each_other_widen_the_interval() -> None:
    generator = np.random.default_rng(5)
    document = np.repeat(np.arange(60), 5)
    truth = generator.normal(size=60)[document] + 0.3 * generator.normal(size=300)
    ratings, scores = np.where(document < 20, truth, np.nan), generator.normal(size=300)
    rows = rows_of(ratings, scores, document=document)
    alone, wide = (estimate(rows, group=group) for group in (None, "document"))
    assert (alone.items, alone.rated_items, wide.items, wide.rated_items) == (300, 100, 60, 20)
    assert wide.systems[0].estimate.width > 1.8 * alone.systems[0].estimate.width
    means = np.array([truth[document == number].mean() for number in range(20)])
    expected = stats.t.interval(0.95, 19, means.mean(), stats.sem(means))
    assert wide.systems[0].alone.ends == pytest.approx(expected)


def test_several_raters_of_an_output_are_one_item() -> None:
    rows = rows_of([n % 4 for n in range(20)] + [None] * 80, [n % 5 for n in range(100)])
    twice = rows + [row for row in rows if row["rating"] is not None]
    for found in (estimate(twice), estimate(rows)):
        assert found.systems[0].outputs == 20
        assert found.systems[0].alone == estimate(rows).systems[0].alone


def exact(hits: int, trials: int) -> tuple[float, float]:
    interval = stats.binomtest(hits, trials).proportion_ci(0.95, method="exact")
    return interval.low, interval.high


@pytest.mark.parametrize(("hits", "trials"), [(12, 12), (0, 30), (1, 1), (0, 1), (28, 30), (3, 9)])
def test_few_passes_or_fails_have_the_exact_interval(hits: int, trials: int) -> None:
    ratings = [1.0] * hits + [0.0] * (trials - hits) + [math.nan] * 70
    (found,) = estimate(rows_of(ratings, [n % 2 for n in range(len(ratings))])).systems
    assert found.weight == 0
    assert found.estimate == found.alone
    assert known(found.estimate) == pytest.approx((hits / trials, *exact(hits, trials)), abs=1e-6)


def test_a_judge_that_never_erred_may_err_where_nobody_looked() -> None:
    ratings = [n % 2 for n in range(40)] + [None] * 400
    scores = [n % 2 for n in range(40)] + [n % 4 > 0 for n in range(400)]
    (found,) = estimate(rows_of(ratings, scores)).systems
    value, low, high = known(found.estimate)
    assert value == pytest.approx((20 + 300) / 440)
    assert found.weight == 1
    unseen = exact(0, 40)[1]
    assert min(value - low, high - value) > 0.9 * unseen
    assert high - low < found.alone.width


def test_equal_ratings_take_a_scale() -> None:
    rows = rows_of([4.0] * 12 + [math.nan] * 50, range(62))
    (found,) = estimate(rows).systems
    reason = "Ratings of the outputs hardly vary; give the ends of their scale for an interval."
    assert found.estimate == Estimate(4.0, reason=reason)
    assert reason in estimate(rows).display()[0].notes
    (found,) = estimate(rows, scale=(1, 5)).systems
    value, low, high = known(found.estimate)
    assert (value, low, high) == pytest.approx((4, 4 - 3 * exact(0, 12)[1], 4 + exact(0, 12)[1]), abs=1e-6)


@pytest.mark.parametrize("scale", [None, (0, 10)])
@pytest.mark.parametrize("ratings", [[3.0], [3.0, 4.0], [3.0, 3.0, 4.0], [0.0, 10.0, 0.0], [5.0] * 30 + [6.0]])
def test_no_interval_is_without_width_or_off_the_scale(ratings: list[float], scale: tuple[float, float] | None) -> None:
    found = estimate(rows_of([*ratings, *[math.nan] * 30], range(len(ratings) + 30)), scale=scale)
    ends = found.systems[0].estimate.ends
    assert ends is None or ends[0] < ends[1]
    if scale is not None:
        assert ends is not None
        assert 0 <= ends[0] < ends[1] <= 10
    measures = {} if found.judge is None else found.judge.measures
    assert all(measure.ends is None or measure.width > 0 for measure in measures.values())


@pytest.mark.parametrize("rating", [1e-200, 1e99])
def test_ratings_of_any_size(rating: float) -> None:
    ratings = [rating * (n % 7 + n % 3) for n in range(40)] + [math.nan] * 100
    (found,) = estimate(rows_of(ratings, [n % 7 for n in range(140)])).systems
    (usual,) = estimate(rows_of([value / rating for value in ratings], [n % 7 for n in range(140)])).systems
    assert [number / rating for number in known(found.estimate)] == pytest.approx(known(usual.estimate))


@pytest.mark.parametrize("judge", [[5.0] * 100, [0.1] * 100])
def test_a_judge_that_never_differs_has_no_weight(judge: list[float]) -> None:
    ratings, _ = sample(6, 100, 30)
    found = estimate(rows_of(ratings, judge))
    assert found.systems[0].weight == 0
    assert found.systems[0].estimate == found.systems[0].alone
    assert "judge adds nothing to the ratings" in found.verdict
    everything = estimate(rows_of(np.arange(100.0) % 7, np.arange(100.0)))
    assert everything.systems[0].weight == 0, "where all outputs are rated, it cannot add anything"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": (0, 2)}, "scale must be two numbers, the lowest and the highest possible rating; there are ratings"),
        ({"scale": (5, 5)}, "scale must be two numbers"),
        ({"scale": (0, 5, 9)}, "scale must be two numbers"),
        ({"scale": (0, math.nan)}, "scale must be a number"),
        ({"scale": 3}, "scale must be two numbers"),
        ({"width": 0}, "width must be a number above 0"),
        ({"rate_next": -1}, "rate_next must be an integer of at least 0"),
        ({"alpha": 1}, "alpha must be"),
        ({"human": "other"}, r"human must be a column of these ratings \(rating\)"),
        ({"earlier": "other"}, r"earlier must be a column of these ratings \(rating\)"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        estimate(rows_of([1, 2, 3, None], [1, 2, 3, 4]), **options)


def test_every_output_needs_a_score() -> None:
    with pytest.raises(InputError, match="judge has no score for output 3 of the table; it needs one for each"):
        estimate(rows_of([1, 2, 3, None], [1, 2, None, 4]))


def test_the_number_of_ratings_that_is_needed_gives_the_width() -> None:
    scores = sample(7, 3000, 60)[1]
    truth = sample(7, 3000, 3000)[0]
    chance = np.random.default_rng(1).permutation(3000)
    now = estimate(rows_of(np.where(chance < 60, truth, np.nan), scores), width=1.5).systems[0]
    assert now.needed is not None
    assert now.needed > 60
    later = estimate(rows_of(np.where(chance < now.needed, truth, np.nan), scores), width=1.5).systems[0]
    assert later.estimate.width == pytest.approx(1.5, rel=0.1)
    rows = rows_of(np.where(chance < 60, truth, np.nan), scores)
    assert estimate(rows, width=1e-3).systems[0].needed is None, "all are too few"
    assert estimate(rows, width=100).systems[0].needed == 60, "there are enough"
    assert "items for 0.001" in estimate(rows, width=1e-3).display()[0].header


def test_each_segment_has_the_same_chance_to_be_rated_next() -> None:
    """Drawn segments are spread over scores and documents, have no ratings, and are as likely as all others."""
    generator = np.random.default_rng(8)
    ratings, scores = sample(8, 90, 30)
    ratings[::3], ratings[1::3], ratings[2::3] = generator.normal(size=30), math.nan, math.nan
    rows = rows_of(ratings, scores, document=[n // 9 for n in range(90)])
    free = {str(n) for n in range(90) if n % 3}
    counts = Counter(estimate(rows, group="document", rate_next=10, seed=seed).rate_next for seed in range(300))
    for drawn in counts:
        assert len(set(drawn) & free) == 10
        assert len({int(name) // 9 for name in drawn}) == 10, "one of each document"
    assert sorted(name for drawn in counts for name in drawn) == sorted(free), "each is in one of the six samples"
    assert stats.chisquare(list(counts.values())).pvalue > 1e-3
    assert len(estimate(rows, rate_next=1000).rate_next) == 60


def test_drift_between_rounds() -> None:
    generator = np.random.default_rng(9)
    truth = generator.normal(size=200)
    now, before = (truth + shift + 0.3 * generator.normal(size=200) for shift in (0.5, 0.0))
    hidden = np.arange(200) >= 50
    rows = rows_of(np.where(hidden, np.nan, now), truth, before=np.where(hidden, np.nan, before))
    found = Ratings.read(rows, ["rating", "before"], scores="judge").estimate(human="rating", earlier="before")
    (drift,) = found.drift
    assert drift.name == "rating − before"
    gaps = (now - before)[:50]
    assert known(drift.alone) == pytest.approx((gaps.mean(), *stats.t.interval(0.95, 49, gaps.mean(), stats.sem(gaps))))
    assert drift.estimate.excludes_zero
    equal = rows_of(np.where(hidden, np.nan, now), truth, before=np.where(hidden, np.nan, now))
    same = Ratings.read(equal, ["rating", "before"], scores="judge").estimate(human="rating", earlier="before").drift[0]
    assert same.estimate.value == pytest.approx(0)
    assert same.estimate.width > 0


def test_few_changes_between_rounds_have_the_interval_of_pairs() -> None:
    """Of 60 ratings, three changed; that of two independent rounds would be three times as wide."""
    rows = rows_of([n % 3 > 0 for n in range(60)], range(60), before=[n % 3 > 0 or n < 9 for n in range(60)])
    found = Ratings.read(rows, ["rating", "before"], scores="judge").estimate(human="rating", earlier="before")
    value, low, high = known(found.drift[0].estimate)
    assert value == pytest.approx(-3 / 60)
    share = exact(3, 60)
    assert low == pytest.approx(-share[1], abs=0.02)
    assert 0 < high < 0.06


def test_metrics_are_scored_like_columns() -> None:
    words = ["the", "old", "cat", "sat", "on", "a", "red", "mat", "near", "the", "big", "door"]
    rows = [
        {"id": n, "output": " ".join(words[: 4 + n % 9]), "reference": " ".join(words), "rating": n % 9 + n % 2}
        for n in range(90)
    ]
    for row in rows[40:]:
        row["rating"] = math.nan
    ratings = Ratings.read(rows, "rating")
    found = ratings.estimate("chrf")
    assert found.metric == "chrf"
    assert found.signature.startswith("chrf")
    assert found.judge is None
    assert found.narrowing is not None
    assert found.narrowing < 0.7
    assert ratings.estimate().metric == "bleu"
    content = json.loads(found.to_json())
    assert content["systems"][0]["estimate"]["low"] == found.systems[0].estimate.low
