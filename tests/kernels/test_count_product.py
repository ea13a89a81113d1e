"""Products with the matrix of counts, against the dense matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.core.count_product import LANES, Bags, count_product

bags = st.lists(st.lists(st.integers(0, 9), max_size=8), max_size=9)


def as_bags(lists: list[list[int]], limit: int = 10) -> Bags:
    elements = np.array([element for row in lists for element in row], np.uint32)
    return Bags(elements, np.cumsum([0, *map(len, lists)]).astype(np.uint64), limit)


@given(bags, st.integers(1, LANES))
def test_it_is_the_product_of_the_dense_matrix(lists: list[list[int]], columns: int) -> None:
    matrix = np.array([np.bincount(row, minlength=10) for row in lists], dtype=np.float64).reshape(-1, 10)
    vectors = np.random.default_rng(columns).integers(-9, 10, size=(len(lists), columns)).astype(np.float64)
    # Sums of small integers are exact in any order.
    assert count_product(as_bags(lists), vectors).tolist() == (matrix @ (matrix.T @ vectors)).tolist()


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (Bags(np.array([3], np.uint32), np.array([0, 1], np.uint64), 3), "below the limit"),
        (Bags(np.array([3], np.uint32), np.array([0, 2], np.uint64), 4), "do not fit"),
        (Bags(np.array([3], np.uint32), np.array([0, 1, 1], np.uint64), 4), "do not fit"),
        (Bags(np.array([], np.uint32), np.array([], np.uint64), 4), "do not fit"),
    ],
)
def test_arrays_that_do_not_fit(arrays: Bags, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        count_product(arrays, np.zeros((1, 1)))


def test_offsets_must_ascend() -> None:
    arrays = Bags(np.array([1, 2], np.uint32), np.array([0, 3, 2], np.uint64), 4)
    with pytest.raises(ValueError, match="ascend"):
        count_product(arrays, np.zeros((2, LANES)))
