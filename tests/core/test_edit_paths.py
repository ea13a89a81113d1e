"""Edit paths against a table of all distances."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.core import _native
from bleuprint.core.edit_paths import DELETE, EQUAL, INSERT, SUBSTITUTE, edit_path, last_distances
from tests.kernels.twins import edits

words = st.lists(st.sampled_from("abcd"), max_size=12)


@given(reference=words, hypothesis=words)
def test_a_path_is_that_of_the_table(reference: list[str], hypothesis: list[str]) -> None:
    assert edit_path(reference, hypothesis) == edits.path(reference, hypothesis)


def test_letters_of_a_path() -> None:
    assert edit_path("abxd", "aycde") == EQUAL + SUBSTITUTE + SUBSTITUTE + EQUAL + INSERT
    assert edit_path("ab", "b") == DELETE + EQUAL


def test_items_of_any_kind() -> None:
    assert edit_path(["\udc80", 7, None, ()], ["\udc80", "7", None]) == "=s=d"


def test_ids_beyond_their_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="below the number of kinds"):
        _native.edit_path(array("I", [0, 1]), array("I", [2]), 2)


@given(reference=words, hypothesis=words)
def test_the_last_row_of_distances(reference: list[str], hypothesis: list[str]) -> None:
    assert last_distances(reference, hypothesis) == edits.distances(reference, hypothesis)[-1]


def test_texts_longer_than_a_machine_word() -> None:
    reference, hypothesis = list("abcde" * 60), list("bacdde" * 45)
    assert last_distances(reference, hypothesis) == edits.distances(reference, hypothesis)[-1]
    assert edit_path(reference, hypothesis) == edits.path(reference, hypothesis)


def test_rare_and_frequent_items_of_long_texts() -> None:
    """Beyond 4,096 items the places of rare ones are not kept."""
    reference = [number if number % 3 else -1 for number in range(6000)]
    hypothesis = [-1, 4, 5, 7777, -1, -1, 5999, 8]
    assert last_distances(reference, hypothesis) == edits.distances(reference, hypothesis)[-1]
    path = edit_path(reference, hypothesis)
    assert len(path) - path.count(EQUAL) == last_distances(reference, hypothesis)[-1]
