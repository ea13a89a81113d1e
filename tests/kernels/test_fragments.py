"""Fragments of a text in its source, against the definition."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bleuprint.core import counts
from bleuprint.core.columns import Corpus
from tests.kernels.twins import fragments as twin

words = st.lists(st.sampled_from([*"aab", "a-word-that-is-longer-than-sixteen-bytes"]), max_size=14)


@given(st.lists(st.tuples(words, words), min_size=1, max_size=6), st.integers(1, 4))
def test_fragments_equal_the_definition(pairs: list[tuple[list[str], list[str]]], max_order: int) -> None:
    corpus = Corpus.alone([summary for summary, _ in pairs], [article for _, article in pairs])
    rows = counts.fragments("none", False, max_order).rows(corpus.hypotheses, corpus.references, corpus.sources, 1)
    assert rows.tolist() == [twin.row(article, summary, max_order) for summary, article in pairs]


def test_the_walk_through_the_source_goes_on_behind_a_run() -> None:
    """The figure moves j behind every match, so the longer run that begins inside one is not found."""
    assert twin.fragments(["a", "a", "a", "b"], ["a", "a", "b"]) == [2, 1]
