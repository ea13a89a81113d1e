"""Folds over items, and correlations whose intervals resample items."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint.errors import OptionError
from bleuprint.ratings.items import Trials, correlation_sample, fold_numbers
from tests.support.effort import examples


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
