"""Native n-gram indexes: building, merging, and counting against one."""

from __future__ import annotations

from bleuprint.core import _native, counts
from bleuprint.core._native import IndexBuilder as IndexBuilder
from bleuprint.core._native import IndexFault as IndexFault
from bleuprint.core._native import NgramIndex as NgramIndex
from bleuprint.core._native import merge_indexes as merge_indexes
from bleuprint.core.unicode import prepare as prepare

LARGEST_INDEX_ORDER = _native.LARGEST_INDEX_ORDER


def seen_ngrams(
    index: NgramIndex, scheme: str, lowercase: bool, orders: tuple[int, ...], *, whole: bool
) -> counts.Counts:
    """Words of each hypothesis; per order its n-grams, those in the index, and the words inside of these.

    With `whole`, a text shorter than the order is one n-gram.
    """
    prepare(scheme, lowercase)
    kinds = ("ngrams", "seen", "inside")
    names = ("tokens", *(f"{kind}_{order}" for order in orders for kind in kinds))
    at_most = [(f"seen_{order}", f"ngrams_{order}") for order in orders]
    at_most += [(f"inside_{order}", "tokens") for order in orders]
    return counts.Counts(index.plan(scheme, lowercase, list(orders), whole), names, at_most)
