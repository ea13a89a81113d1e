"""N-grams that are sought, and what a stream of texts holds of them."""

from __future__ import annotations

from bleuprint.core import counts
from bleuprint.core._native import NgramMatches as NgramMatches
from bleuprint.core._native import SoughtNgrams as SoughtNgrams
from bleuprint.core.arrays import Integers, np
from bleuprint.core.unicode import prepare


def seek_ngrams(column: counts.Column, scheme: str, lowercase: bool, order: int, *, whole: bool) -> SoughtNgrams:
    """The n-grams of texts, to be found in others; with `whole`, a text shorter than the order is one n-gram."""
    prepare(scheme, lowercase)
    return SoughtNgrams(column, scheme, lowercase, order, whole)


def rows_of_matches(matches: NgramMatches, sought: SoughtNgrams) -> Integers:
    """Per sought text its words, its n-grams, those that were found, and the words inside of these."""
    return np.frombuffer(matches.rows(sought), dtype=np.int64).reshape(-1, 4)
