"""Arrow columns that nobody validated: what points outside of its buffers is refused with its row, and never read."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint import corpus_bleu, sentence_bleus
from bleuprint.errors import InputError, NotTextError

DATA = b"the cat sat on the mat"
KINDS = {pa.string(): pa.int32(), pa.large_string(): pa.int64()}
REPAIR = "the column is damaged, so write it again."


def by_offsets(offsets: Sequence[int], kind: Any = None, data: bytes = DATA) -> Any:
    kind = kind or pa.string()
    buffers = [None, pa.array(offsets, KINDS[kind]).buffers()[1], pa.py_buffer(data)]
    return pa.Array.from_buffers(kind, len(offsets) - 1, buffers)


def lists(offsets: Sequence[int], items: Any, large: bool = False) -> Any:
    kind = pa.large_list(items.type) if large else pa.list_(items.type)
    ends = pa.array(offsets, pa.int64() if large else pa.int32()).buffers()[1]
    return pa.Array.from_buffers(kind, len(offsets) - 1, [None, ends], children=[items])


def by_indices(indices: Any, values: Sequence[str | None] = ("a b", "c d")) -> Any:
    return pa.DictionaryArray.from_arrays(indices, pa.array(values, pa.string()), safe=False)


def by_views(views: Sequence[tuple[int, int, int]], *texts: bytes) -> Any:
    """Each view: the length, the number of the buffer, and the offset in it."""
    packed = b"".join(struct.pack("<i4sii", length, b"the ", buffer, begin) for length, buffer, begin in views)
    return pa.Array.from_buffers(
        pa.string_view(), len(views), [None, pa.py_buffer(packed), *(pa.py_buffer(text) for text in texts)]
    )


def over_ipc(column: Any) -> Any:
    batch = pa.record_batch([column], names=["text"])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return pa.ipc.open_stream(sink.getvalue()).read_all()["text"]


def refused(column: Any, where: str) -> str:
    """The message about a column of hypotheses; its lists are those of references."""
    texts = ["a"] * len(column)
    pair = (texts, column) if where.startswith("references") else (column, texts)
    with pytest.raises(NotTextError) as caught:
        corpus_bleu(*pair)
    message = str(caught.value)
    assert message.startswith(f"{where} must be ")
    assert message.endswith(REPAIR)
    return message


HUGE = 1 << 30
DAMAGED: dict[str, tuple[Callable[[], Any], str]] = {
    "middle offset too large": (lambda: by_offsets([0, HUGE, 7]), "hypotheses[0]"),
    "middle offset a little too large": (lambda: by_offsets([0, 3, 9, 7]), "hypotheses[1]"),
    "offsets go back": (lambda: by_offsets([0, 7, 3, 11]), "hypotheses[1]"),
    "negative offset": (lambda: by_offsets([0, -5, 7]), "hypotheses[0]"),
    "large offset too large": (lambda: by_offsets([0, 1 << 60, 7], pa.large_string()), "hypotheses[0]"),
    "after a slice": (lambda: by_offsets([0, 3, 7, 99, 11])[1:], "hypotheses[1]"),
    "in the second chunk": (
        lambda: pa.chunked_array([pa.array(["a", "b"]), by_offsets([0, HUGE, 7])]),
        "hypotheses[2]",
    ),
    "dictionary entry too large": (lambda: by_indices(pa.array([0, 1, 2], pa.int8())), "hypotheses[2]"),
    "dictionary entry far away": (lambda: by_indices(pa.array([0, HUGE], pa.int32())), "hypotheses[1]"),
    "negative dictionary entry": (lambda: by_indices(pa.array([0, -1], pa.int16())), "hypotheses[1]"),
    "unsigned dictionary entry": (lambda: by_indices(pa.array([(1 << 64) - 1], pa.uint64())), "hypotheses[0]"),
    "entry of an empty dictionary": (lambda: by_indices(pa.array([0], pa.int8()), []), "hypotheses[0]"),
    "dictionary with a bad offset": (
        lambda: pa.DictionaryArray.from_arrays(pa.array([1, 0], pa.int8()), by_offsets([0, 99, 7]), safe=False),
        "hypotheses[0]",
    ),
    "view of a buffer that is not there": (lambda: by_views([(13, 0, 0), (13, 7, 0)], DATA), "hypotheses[1]"),
    "view of a negative buffer": (lambda: by_views([(13, -1, 0)], DATA), "hypotheses[0]"),
    "view behind its buffer": (lambda: by_views([(13, 0, 0), (13, 0, 10)], DATA), "hypotheses[1]"),
    "view far behind its buffer": (lambda: by_views([(13, 0, HUGE)], DATA), "hypotheses[0]"),
    "view before its buffer": (lambda: by_views([(13, 0, -1)], DATA), "hypotheses[0]"),
    "view of negative length": (lambda: by_views([(-1, 0, 0)], DATA), "hypotheses[0]"),
    "view of the shorter buffer": (lambda: by_views([(14, 0, 0), (14, 1, 0)], DATA, b"x" * 13), "hypotheses[1]"),
    "view without buffers": (lambda: by_views([(13, 0, 0)]), "hypotheses[0]"),
    "list behind its items": (lambda: lists([0, 1, 9, 2], pa.array(["a", "b"])), "references[1]"),
    "lists that go back": (lambda: lists([0, 2, 1, 2], pa.array(["a", "b"])), "references[1]"),
    "large list behind its items": (lambda: lists([0, 1 << 40, 2], pa.array(["a", "b"]), large=True), "references[0]"),
    "list of bad offsets": (lambda: lists([0, 1, 3], by_offsets([0, 3, 99, 7])), "references[1][0]"),
    "list of bad entries": (
        lambda: lists([0, 3], by_indices(pa.array([0, 1, 5], pa.int8()))),
        "references[0][2]",
    ),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_positions_outside_of_the_buffers_are_refused(case: str) -> None:
    make, where = DAMAGED[case]
    assert "must be text inside the buffers of its Arrow column, got " in refused(make(), where)


@pytest.mark.parametrize("case", [case for case in DAMAGED if "slice" not in case and "chunk" not in case])
def test_also_after_a_round_trip_through_arrow_files(case: str) -> None:
    make, where = DAMAGED[case]
    try:
        column = over_ipc(make())
    except (pa.ArrowInvalid, OverflowError):
        return  # pyarrow refuses to write some of them
    with pytest.raises(InputError, match=r"^(hypotheses|references)"):
        corpus_bleu(*((["a"] * len(column), column) if where.startswith("ref") else (column, ["a"] * len(column))))


def message_with(column: Any, before: bytes, after: bytes) -> Any:
    """The column out of an Arrow stream in which some bytes were replaced."""
    batch = pa.record_batch([column], names=["text"])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    stream = sink.getvalue().to_pybytes()
    assert stream.count(before) == 1
    return pa.ipc.open_stream(stream.replace(before, after)).read_all()["text"]


def test_a_last_offset_behind_the_end_of_the_texts() -> None:
    """The C interface carries no sizes, so pyarrow compares them: its columns still have their buffers."""
    column = message_with(
        pa.array(["the cat", "sat"]), struct.pack("<3i", 0, 7, 10), struct.pack("<3i", 0, 7, 1_000_000)
    )
    message = refused(column, "hypotheses")
    assert message.startswith("hypotheses must be a valid Arrow column, got one with an error (")
    assert refused(pd.Series(pd.arrays.ArrowExtensionArray(column)), "hypotheses") == message
    items = message_with(
        pa.array([["the cat", "sat"]]), struct.pack("<3i", 0, 7, 10), struct.pack("<3i", 0, 7, 1_000_000)
    )
    refused(items, "references")


def test_the_message() -> None:
    column = by_indices(pa.array([0, 7], pa.int8()))
    assert refused(column, "hypotheses[1]") == (
        "hypotheses[1] must be text inside the buffers of its Arrow column, got entry 7 of a dictionary of 2; " + REPAIR
    )
    assert "got bytes from 3 to 9 of 7; " in refused(by_offsets([0, 3, 9, 7]), "hypotheses[1]")


def test_what_no_row_points_to_may_be_anything() -> None:
    """Entries and views under nulls, and rows outside of a slice, are nobody's text."""
    gaps = pa.DictionaryArray.from_arrays(
        pa.Array.from_buffers(pa.int8(), 2, [pa.py_buffer(b"\x01"), pa.py_buffer(b"\x00\x7f")], 1), ["a b"], safe=False
    )
    assert sentence_bleus(["a b"], lists([0, 2], gaps)).tolist() == [1.0]
    assert sentence_bleus(by_offsets([0, 999, 0, 7])[2:], ["the cat"]).tolist() == [1.0]
    assert sentence_bleus(by_offsets([4, 7, 11]), ["cat", "sat"]).tolist() == [1.0, 1.0]  # the first may be above 0
    assert sentence_bleus(by_views([(13, 9, 9), (14, 0, 8)], DATA)[1:], ["sat on the mat"]).tolist() == [1.0]


def assert_scored_as(column: Any, texts: list[str]) -> None:
    assert sentence_bleus(column, texts).tolist() == sentence_bleus(texts, texts).tolist()


numbers = st.integers(-3, 30) | st.sampled_from([-(1 << 31), (1 << 31) - 1, HUGE])


@given(st.lists(numbers, min_size=2, max_size=6), st.integers(0, 4))
def test_offsets_are_scored_or_refused(offsets: list[int], skipped: int) -> None:
    try:
        column = by_offsets(offsets)[skipped:]
    except pa.ArrowInvalid:
        return
    ranges = list(pairwise(offsets))[skipped:]
    good = all(0 <= begin <= end <= offsets[-1] for begin, end in ranges)
    if good:
        assert_scored_as(column, [DATA[begin:end].decode() for begin, end in ranges])
    else:
        with pytest.raises(NotTextError, match=r"inside the buffers|a valid Arrow column"):
            corpus_bleu(column, ["a"] * len(column))


@given(st.lists(st.tuples(numbers, st.integers(-2, 3), numbers), min_size=1, max_size=5))
def test_views_are_scored_or_refused(views: list[tuple[int, int, int]]) -> None:
    texts = (DATA, b"a dog ran in the park, and a cat")
    column = by_views(views, *texts)
    outside = [
        not 0 <= length <= 12
        and not (0 <= buffer < 2 and begin >= 0 and length > 0 and begin + length <= len(texts[buffer]))
        for length, buffer, begin in views
    ]
    if True in outside:
        refused(column, f"hypotheses[{outside.index(True)}]")
    elif all(length > 12 for length, _, _ in views):
        assert_scored_as(column, [texts[buffer][begin : begin + length].decode() for length, buffer, begin in views])
