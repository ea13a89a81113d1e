"""Edit paths against a table of all distances."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bleuprint.core.edit_paths import DELETE, EQUAL, INSERT, SUBSTITUTE, edit_path, last_distances
from tests.kernels.twins import edits

words = st.lists(st.sampled_from("abcd"), max_size=12)


@given(reference=words, hypothesis=words)
def test_a_path_has_the_operations_that_the_core_counts(reference: list[str], hypothesis: list[str]) -> None:
    path = edit_path(reference, hypothesis)
    assert tuple(path.count(kind) for kind in (EQUAL, SUBSTITUTE, DELETE, INSERT)) == tuple(
        edits.operations(reference, hypothesis)
    )


@given(reference=words, hypothesis=words)
def test_a_path_leads_from_the_reference_to_the_hypothesis(reference: list[str], hypothesis: list[str]) -> None:
    theirs, ours = iter(reference), iter(hypothesis)
    for step in edit_path(reference, hypothesis):
        one = next(theirs) if step != INSERT else None
        two = next(ours) if step != DELETE else None
        assert (one == two) == (step == EQUAL)
    assert (list(theirs), list(ours)) == ([], [])


@given(reference=words, hypothesis=words)
def test_the_last_row_of_distances(reference: list[str], hypothesis: list[str]) -> None:
    assert last_distances(reference, hypothesis) == edits.distances(reference, hypothesis)[-1]


def test_texts_longer_than_a_machine_word() -> None:
    reference, hypothesis = list("abcde" * 60), list("bacdde" * 45)
    assert last_distances(reference, hypothesis) == edits.distances(reference, hypothesis)[-1]
    path = edit_path(reference, hypothesis)
    assert tuple(path.count(kind) for kind in (EQUAL, SUBSTITUTE, DELETE, INSERT)) == tuple(
        edits.operations(reference, hypothesis)
    )


def test_rare_and_frequent_items_of_long_texts() -> None:
    """Beyond 4,096 items the places of rare ones are not kept."""
    reference = [number if number % 3 else -1 for number in range(6000)]
    hypothesis = [-1, 4, 5, 7777, -1, -1, 5999, 8]
    assert last_distances(reference, hypothesis) == edits.distances(reference, hypothesis)[-1]
    path = edit_path(reference, hypothesis)
    assert len(path) - path.count(EQUAL) == last_distances(reference, hypothesis)[-1]
