"""Products of vectors with the matrix of how often texts have elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bleuprint.core import _native
from bleuprint.core.arrays import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LANES = _native.product_lanes  # vectors that are multiplied at a time


class Bags(NamedTuple):
    """The elements of each text, each as often as it has it."""

    elements: NDArray[np.uint32]
    offsets: NDArray[np.uint64]
    element_limit: int


def count_product(bags: Bags, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """C·Cᵀ times each of up to `LANES` columns, where C(text, element) says how often a text has an element."""
    missing = LANES - vectors.shape[1]
    padded = np.pad(vectors, ((0, 0), (0, missing))) if missing else np.ascontiguousarray(vectors)
    products = np.empty_like(padded)
    _native.count_product(*bags, padded, products)
    return products[:, : vectors.shape[1]]
