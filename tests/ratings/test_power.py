"""The power curve predicts what happens with fresh data of that size."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray

from bleuprint.errors import OptionError
from bleuprint.ratings.items import Trials
from bleuprint.ratings.power import RatingPower, estimate_power
from bleuprint.ratings.scoring import RatedScores

Numbers = NDArray[np.float64]


def rated(seed: int, items: int, rows: int = 3) -> tuple[dict[str, Numbers], Numbers, NDArray[np.intp]]:
    generator = np.random.default_rng(seed)
    of_row = np.repeat(np.arange(items), rows)
    y = generator.normal(size=items * rows) + generator.normal(size=items)[of_row]
    noise = {"good": 2.0, "fair": 3.0, "poor": 8.0}
    return {name: y + size * generator.normal(size=len(y)) for name, size in noise.items()}, y, of_row


def power_of(
    predictors: dict[str, Numbers], y: Numbers, items: NDArray[np.intp], sizes: list[int] | None, trials: Trials
) -> RatingPower:
    signs = dict.fromkeys(predictors, 1.0)
    scored = RatedScores("the table", "y", False, {}, y, items, predictors, signs, ())
    return estimate_power(scored, sizes, trials)


def test_more_items_are_more_precise() -> None:
    curve = power_of(*rated(1, 300), [20, 80, 320, 1280], Trials(400))
    assert curve.best == "good"
    sizes = [point.items for point in curve.points]
    assert sizes == [20, 80, 300, 320, 1280]
    margins = [point.margins["good"] for point in curve.points]
    assert margins == sorted(margins, reverse=True)
    # Four times as many items halve an interval.
    assert margins[0] / margins[1] == pytest.approx(2, rel=0.25)
    assert margins[3] / margins[4] == pytest.approx(2, rel=0.25)
    chances = [point.told_apart["fair"] for point in curve.points]
    assert chances == sorted(chances)
    assert [point.extrapolated for point in curve.points] == [False, False, False, True, True]
    assert set(curve.points[0].detectable) == {"fair", "poor"}


def test_memory_does_not_grow_with_trials() -> None:
    tracemalloc.start()
    try:
        power_of(*rated(1, 300), [20], Trials(10_000))  # 24 MB of draws for each size, as integers and as numbers
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10e6


def test_sizes_by_default() -> None:
    curve = power_of(*rated(2, 120), None, Trials(50))
    assert [point.items for point in curve.points] == [10, 20, 50, 100, 120, 240, 480]


def test_items_needed() -> None:
    curve = power_of(*rated(3, 200), None, Trials(400))
    few, many = curve.needed["poor"], curve.needed["fair"]
    assert few is not None
    assert many is not None
    assert few < many
    assert "good" not in curve.needed


@pytest.mark.parametrize("gain", [0.0, 1e-9])
def test_equal_metrics_are_told_apart_by_no_number_of_items(gain: float) -> None:
    """Each is as noisy on one half of the items as the other one on the other half."""
    generator = np.random.default_rng(3)
    half, low, high = generator.normal(size=100), generator.normal(size=100), 2 * generator.normal(size=100)
    y = np.concatenate([half, half])
    noises = {"one": np.concatenate([low, high]), "other": np.concatenate([high, low]) * (1 - gain)}
    curve = power_of({name: y + noise for name, noise in noises.items()}, y, np.arange(200), None, Trials(50))
    assert list(curve.needed.values()) == [None]
    assert curve.verdict.endswith("correlates just as well: no number of items would tell them apart.")


def test_a_metric_and_its_copy_are_never_told_apart() -> None:
    predictors, y, items = rated(3, 200)
    curve = power_of({"one": predictors["good"], "other": 0.1 - predictors["good"] / -3}, y, items, None, Trials(50))
    assert list(curve.needed.values()) == [None]
    assert all(chance < 0.06 for point in curve.points for chance in point.told_apart.values())


def spread_of_fresh_data(items: int, simulations: int) -> float:
    """The spread of the difference between two correlations, over data sets of this size."""
    values = []
    for seed in range(simulations):
        predictors, y, _ = rated(1000 + seed, items)
        good, fair = (np.corrcoef(predictors[name], y)[0, 1] for name in ("good", "fair"))
        values.append(good - fair)
    return float(np.std(values))


def test_the_curve_predicts_the_spread_of_fresh_data() -> None:
    curve = power_of(*rated(4, 400), [50], Trials(500))
    predicted = curve.points[0].detectable["fair"] / 2.8016
    assert predicted == pytest.approx(spread_of_fresh_data(50, 300), rel=0.25)


@pytest.mark.slow
def test_extrapolations_predict_the_spread_of_fresh_data() -> None:
    errors = []
    for seed in range(30):
        curve = power_of(*rated(seed, 60), [480], Trials(500))
        errors.append(curve.points[-1].detectable["fair" if curve.best == "good" else "good"] / 2.8016)
    assert np.mean(errors) == pytest.approx(spread_of_fresh_data(480, 1000), rel=0.1)


def test_sizes_are_checked() -> None:
    for wrong in ([3], [10.0], [True], [10**9]):
        with pytest.raises(OptionError, match="sizes must be integers from 10"):
            power_of(*rated(1, 30), wrong, Trials())  # type: ignore[arg-type]
