"""Edit paths against a table of all distances."""

from __future__ import annotations

import random
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.core import _native
from bleuprint.core.edit_paths import DELETE, EQUAL, INSERT, SUBSTITUTE, edit_path
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


def test_texts_longer_than_a_machine_word() -> None:
    reference, hypothesis = list("abcde" * 60), list("bacdde" * 45)
    assert edit_path(reference, hypothesis) == edits.path(reference, hypothesis)
    assert edit_path(reference, hypothesis, divides=True) == edits.path(reference, hypothesis), "too short to divide"


def test_a_divided_path_is_as_short() -> None:
    chance = random.Random(1)
    reference, hypothesis = ([chance.randrange(4) for _ in range(length)] for length in (3800, 4900))
    divided, whole = edit_path(reference, hypothesis, divides=True), edit_path(reference, hypothesis)
    assert divided != whole
    assert len(divided) - divided.count(EQUAL) == len(whole) - whole.count(EQUAL)
    assert len(divided) - divided.count(INSERT) == len(reference)
    assert len(divided) - divided.count(DELETE) == len(hypothesis)
