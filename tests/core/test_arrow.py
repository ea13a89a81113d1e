"""Columns that speak Arrow score as lists do, without a copy of their texts."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint import BLEU, corpus_bleu, sentence_bleus
from bleuprint.core import counts
from bleuprint.errors import LengthMismatchError, NoReferenceError, NoSegmentsError, NotTextError, SurrogateError

# Short and long texts: a string view keeps up to twelve bytes inside the column and points to the others.
HYPOTHESES = [
    "a b c d",
    "",
    "the cat sat on the mat today",
    "漢字 かな é",
    "nul \0 inside",
    "x" * 13,
    "x" * 12,
]
REFERENCES = [text.replace("cat", "dog").replace("b", "c") for text in HYPOTHESES]
GROUPS = [[text, "the cat sat on a mat", ""][: 1 + at % 3] for at, text in enumerate(REFERENCES)]


def rows(hypotheses: Any, references: Any) -> list[list[int]]:
    return [list(map(int, row)) for row in BLEU(tokenizer="whitespace").statistics(hypotheses, references).rows]


FLAT = rows(HYPOTHESES, REFERENCES)
GROUPED = rows(HYPOTHESES, GROUPS)


def text_types() -> list[Any]:
    types = [pa.string(), pa.large_string(), pa.string_view()]
    indices = [
        pa.int8(),
        pa.uint8(),
        pa.int16(),
        pa.uint16(),
        pa.int32(),
        pa.uint32(),
        pa.int64(),
        pa.uint64(),
    ]
    return [*types, *(pa.dictionary(index, pa.string()) for index in indices)]


def column(items: list[Any], kind: Any, shape: str) -> Any:
    """The same items as one array, a slice out of a longer one, or chunks of which some are empty."""
    if shape == "array":
        return cast(items, kind)
    if shape == "slice":
        return cast([*items[:3], *items, *items[:2]], kind)[3:-2]
    chunks = [cast(part, kind) for part in (items[:2], [], items[2:3], items[3:])]
    return pa.chunked_array(chunks, type=kind)


def cast(items: list[Any], kind: Any) -> Any:
    if pa.types.is_dictionary(kind):
        return pa.array(items, pa.string()).dictionary_encode().cast(kind)
    return pa.array(items, kind)


shapes = pytest.mark.parametrize("shape", ["array", "slice", "chunks"])


@shapes
@pytest.mark.parametrize("kind", text_types(), ids=str)
def test_columns_of_texts(kind: Any, shape: str) -> None:
    hypotheses, references = column(HYPOTHESES, kind, shape), column(REFERENCES, kind, shape)
    assert rows(hypotheses, references) == FLAT
    assert rows(HYPOTHESES, references) == FLAT
    assert rows(hypotheses, REFERENCES) == FLAT
    assert corpus_bleu(hypotheses, references).signature == corpus_bleu(HYPOTHESES, REFERENCES).signature


def list_types() -> list[Any]:
    return [
        make(kind) for make in (pa.list_, pa.large_list) for kind in (pa.string(), pa.large_string(), pa.string_view())
    ]


@shapes
@pytest.mark.parametrize("kind", list_types(), ids=str)
def test_columns_of_lists(kind: Any, shape: str) -> None:
    assert rows(column(HYPOTHESES, pa.string(), shape), column(GROUPS, kind, shape)) == GROUPED
    assert rows(HYPOTHESES, column(GROUPS, kind, shape)) == GROUPED


@shapes
def test_nulls_inside_lists_are_skipped(shape: str) -> None:
    gaps = [[None, *group, None] for group in GROUPS]
    assert rows(HYPOTHESES, column(gaps, pa.list_(pa.string()), shape)) == GROUPED


def test_lists_of_a_dictionary() -> None:
    encoded = pa.array([text for group in GROUPS for text in group]).dictionary_encode()
    ends = [sum(len(group) for group in GROUPS[:count]) for count in range(len(GROUPS) + 1)]
    assert rows(HYPOTHESES, pa.ListArray.from_arrays(pa.array(ends, pa.int32()), encoded)) == GROUPED


@given(
    st.lists(
        st.tuples(st.text("ab 漢", max_size=20), st.lists(st.text("ab 漢", max_size=20), min_size=1)),
        max_size=8,
    ),
    st.integers(0, 8),
    st.integers(0, 8),
)
def test_any_slice(corpus: list[tuple[str, list[str]]], begin: int, end: int) -> None:
    hypotheses, groups = [text for text, _ in corpus], [group for _, group in corpus]
    sliced = pa.array(hypotheses, pa.string())[begin:end], pa.array(groups, pa.list_(pa.string()))[begin:end]
    assert rows(*sliced) == rows(hypotheses[begin:end], groups[begin:end])
    views = (
        pa.array(hypotheses, pa.string_view())[begin:end],
        pa.array(groups, pa.large_list(pa.string()))[begin:end],
    )
    assert rows(*views) == rows(hypotheses[begin:end], groups[begin:end])


def test_slices_of_slices_and_plugins() -> None:
    column_ = pa.array(["x", *HYPOTHESES, "x"])[1:][:-1]
    metric = BLEU(tokenizer=str.split)
    assert metric.statistics(column_, REFERENCES).rows.tolist() == FLAT


@pytest.mark.parametrize(
    "empty", [pa.array([], pa.string()), pa.chunked_array([], pa.string())], ids=["array", "chunked"]
)
def test_columns_of_nothing(empty: Any) -> None:
    with pytest.raises(NoSegmentsError, match="bleu has no segments"):
        corpus_bleu(empty, empty)
    assert sentence_bleus(empty, empty).shape == (0,)


NOT_A_TEXT = "must be a column of strings, got Arrow format"


@pytest.mark.parametrize(
    ("error", "hypotheses", "references", "message"),
    [
        (
            *(NotTextError, pa.array(["a", None]), ["a", "b"]),
            "hypotheses[1] must be a str, got None; use '' for an empty text, or drop the segment.",
        ),
        (NotTextError, pa.array(["x", "a", None])[1:], ["a", "b"], "hypotheses[1] must be a str, got None"),
        (
            NotTextError,
            pa.chunked_array([["a"], ["b", None]]),
            ["a"] * 3,
            "hypotheses[2] must be a str, got None",
        ),
        (
            NotTextError,
            pa.array(["a", None]).dictionary_encode(),
            ["a"] * 2,
            "hypotheses[1] must be a str, got None",
        ),
        (
            NotTextError,
            ["a"] * 2,
            pa.array(["a", None]),
            "references[1] must be a str or a list of them, got None",
        ),
        (NoReferenceError, ["a"] * 2, pa.array([["a"], []]), "references[1] holds no reference"),
        (NoReferenceError, ["a"] * 2, pa.array([["a"], None]), "references[1] holds no reference"),
        (NoReferenceError, ["a"] * 2, pa.array([["a"], [None]]), "references[1] holds no reference"),
        (
            *(NotTextError, pa.array([1, 2]), ["a", "b"]),
            "hypotheses must be a column of strings, got Arrow format 'l'; select a text column or cast this one.",
        ),
        (NotTextError, pa.array([b"a"]), ["a"], f"hypotheses {NOT_A_TEXT} 'z'"),
        (NotTextError, pa.array([1.5]), ["a"], f"hypotheses {NOT_A_TEXT} 'g'"),
        (NotTextError, pa.array([None]), ["a"], f"hypotheses {NOT_A_TEXT} 'n'"),
        (NotTextError, pa.array([{"a": "b"}]), ["a"], f"hypotheses {NOT_A_TEXT} '+s'"),
        # The first text of each list would be scored in silence.
        (NotTextError, pa.array([["a", "b"]]), ["a"], f"hypotheses {NOT_A_TEXT} '+l'"),
        (
            *(NotTextError, ["a"], pa.array([1])),
            "references must be a column of strings or of lists of strings, got Arrow format 'l'",
        ),
        (
            NotTextError,
            ["a"],
            pa.array([[1]]),
            "references must be a column of strings or of lists of strings",
        ),
        (
            *(NotTextError, pa.table({"text": ["a"]}), ["a"]),
            "hypotheses must be a list of texts, got Table; select one column.",
        ),
        (
            *(NotTextError, [["a", "b"]], pa.array([["a", "b"]])),
            "references must be a list of token lists, like the other texts, got ListArray; tokenize these",
        ),
        (
            LengthMismatchError,
            pa.array(["a"]),
            pa.array(["a", "b"]),
            "hypotheses has 1 segments but references has 2",
        ),
    ],
)
def test_bad_columns(error: type[Exception], hypotheses: Any, references: Any, message: str) -> None:
    with pytest.raises(error) as caught:
        corpus_bleu(hypotheses, references)
    assert str(caught.value).startswith(message)


def raw(items: Sequence[bytes | None], kind: Any) -> Any:
    """A column of texts out of any bytes, as a faulty writer leaves it."""
    if pa.types.is_string_view(kind):
        return pa.array(items, pa.binary_view()).view(kind)
    binary = pa.large_binary() if pa.types.is_large_string(kind) else pa.binary()
    array = pa.array(items, binary)
    return pa.Array.from_buffers(kind, len(array), array.buffers(), array.null_count)


def first_bad(items: list[bytes]) -> int | None:
    for index, item in enumerate(items):
        try:
            item.decode()
        except UnicodeDecodeError:
            return index
    return None


PIECES = ["a", "é", "漢", "😀", "the cat sat on a mat, ", "Fußgängerübergänge ", "猫は敷物の上に座った", "\0", "\x7f"]
good_text = st.lists(st.sampled_from(PIECES), max_size=12).map(lambda pieces: "".join(pieces).encode())
cut_text = st.builds(lambda text, begin, end: text[begin : len(text) - end], good_text, *[st.integers(0, 3)] * 2)
any_text = (
    good_text
    | cut_text
    | st.binary(max_size=4)
    | st.builds(lambda a, b, c: a + b + c, good_text, st.binary(max_size=3), good_text)
)
TEXT_KINDS = [pa.string(), pa.large_string(), pa.string_view()]


@given(st.lists(any_text, min_size=1, max_size=6), st.sampled_from(TEXT_KINDS), st.integers(0, 3))
def test_bytes_that_are_no_text_are_refused_with_their_row(items: list[bytes], kind: Any, skipped: int) -> None:
    """Also where the texts around would complete them: the bytes lie one after the other."""
    column_, items = raw(items, kind)[skipped:], items[skipped:]
    bad = first_bad(items)
    if bad is None:
        assert sentence_bleus(column_, [item.decode() for item in items]).shape == (len(items),)
        return
    with pytest.raises(
        (NotTextError, SurrogateError), match=rf"^hypotheses\[{bad}\] (must be valid UTF-8|holds a lone surr)"
    ):
        corpus_bleu(column_, ["a"] * len(items))
    ends = pa.array(range(len(items) + 1), pa.int32())
    with pytest.raises(
        (NotTextError, SurrogateError), match=rf"^references\[{bad}\]\[0\] (must be valid UTF-8|holds a lone)"
    ):
        corpus_bleu(["a"] * len(items), pa.ListArray.from_arrays(ends, column_))


@pytest.mark.parametrize("kind", TEXT_KINDS, ids=str)
def test_what_no_row_holds_may_be_anything(kind: Any) -> None:
    """Bytes under a null, outside a slice, or in a dictionary's unused entry are nobody's text."""
    assert sentence_bleus(raw([b"\xff", b"a b", b"\xe6\xbc"], kind)[1:2], ["a b"]).tolist() == [1.0]
    texts = raw([b"a b", b"\xff"], kind)
    listed = pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), texts)
    assert sentence_bleus(["a b"], listed).tolist() == [1.0]
    if not pa.types.is_string_view(kind):
        encoded = pa.DictionaryArray.from_arrays(pa.array([0, 0], pa.int8()), texts)
        assert sentence_bleus(encoded, ["a b", "a b"]).tolist() == [1.0, 1.0]
        with pytest.raises(
            NotTextError, match=r"^hypotheses\[1\] must be valid UTF-8, got invalid bytes; decode the orig"
        ):
            corpus_bleu(pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), texts), ["a", "b"])
    valid = pa.py_buffer(b"\x05")
    if kind == pa.string():
        gaps = pa.Array.from_buffers(kind, 3, [valid, *raw([b"a b", b"\xff", b"a b"], kind).buffers()[1:]], 1)
        three = pa.ListArray.from_arrays(pa.array([0, 3], pa.int32()), gaps)
        assert sentence_bleus(["a b"], three).tolist() == [1.0]


def test_polars() -> None:
    assert rows(pl.Series(HYPOTHESES), pl.Series(REFERENCES)) == FLAT
    assert rows(pl.Series(HYPOTHESES), pl.Series(GROUPS)) == GROUPED
    assert rows(pl.Series(["x", *HYPOTHESES])[1:], pl.concat([pl.Series(GROUPS[:2]), pl.Series(GROUPS[2:])])) == GROUPED
    assert rows(pl.Series(HYPOTHESES, dtype=pl.Categorical), pl.Series(REFERENCES)) == FLAT
    with pytest.raises(NotTextError, match=r"^hypotheses must be a list of texts, got DataFrame; select one column"):
        rows(pl.DataFrame({"text": HYPOTHESES}), REFERENCES)
    with pytest.raises(NotTextError, match=r"^hypotheses\[1\] must be a str, got None"):
        corpus_bleu(pl.Series(["a", None]), ["a", "b"])


def test_pandas() -> None:
    for dtype in (object, "string", pd.ArrowDtype(pa.string()), "category"):
        assert rows(pd.Series(HYPOTHESES, dtype=dtype), pd.Series(REFERENCES, dtype=dtype)) == FLAT
    frame = pd.DataFrame({"text": HYPOTHESES, "references": GROUPS}, index=range(7, 0, -1))
    assert rows(frame["text"], frame["references"]) == GROUPED
    arrays = pd.Series([np.array(group, dtype=object) for group in GROUPS])  # as parquet files give lists
    assert rows(HYPOTHESES, arrays) == rows(HYPOTHESES, arrays.array) == GROUPED
    mixed = pd.Series([group[0] if len(group) == 1 else group for group in GROUPS])
    assert rows(HYPOTHESES, mixed) == GROUPED
    words, groups = (
        [text.split() for text in HYPOTHESES],
        [[text.split() for text in group] for group in GROUPS],
    )
    assert rows(pd.Series(words), pd.Series(groups)) == GROUPED
    with pytest.raises(NotTextError, match=r"^hypotheses must be a list of texts, got DataFrame; select one column"):
        corpus_bleu(frame, REFERENCES)
    with pytest.raises(NotTextError, match=r"^hypotheses\[1\] must be a str, got"):
        corpus_bleu(pd.Series(["a", None], dtype="string"), ["a", "b"])


class WithoutPyarrow:
    """As a pandas Series on a machine without pyarrow: it offers the interface and cannot serve it."""

    def __init__(self, items: list[Any]) -> None:
        self._items = items

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise ImportError("Missing optional dependency 'pyarrow'")

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)


def test_a_column_that_cannot_speak_arrow_after_all() -> None:
    assert rows(WithoutPyarrow(HYPOTHESES), WithoutPyarrow(GROUPS)) == GROUPED


def test_a_stream_of_tables_is_refused() -> None:
    reader = pa.table({"text": ["a"]}).to_reader()
    with pytest.raises(NotTextError, match=r"^hypotheses must be a column of strings, got Arrow format '\+s'"):
        corpus_bleu(reader, ["a"])


_MEMORY = """
import resource, sys
import pyarrow as pa
from bleuprint import BLEU

line = "the quick brown fox jumps over the lazy dog and runs on " * 80
column = pa.array([line] * 20_000, pa.{kind}())
megabytes = column.nbytes / 2**20
BLEU().corpus(column[:2], column[:2])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
score = BLEU().corpus(column, column, threads=2)
assert score.value == 1.0
print(megabytes, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**10)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is measured in KiB on Linux only")
@pytest.mark.parametrize("kind", ["string", pytest.param("large_string", marks=pytest.mark.slow)])
def test_texts_are_not_copied(kind: str) -> None:
    """The peak grows by the views, 16 bytes a text, not by the texts."""
    code = textwrap.dedent(_MEMORY.format(kind=kind))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    texts, grown = map(float, done.stdout.split())
    assert texts > 80
    assert grown < texts / 8


def test_streams_of_very_short_arrays() -> None:
    texts = [f"the cat {place}" for place in range(20_000)]
    short = pa.chunked_array([pa.array([text]) for text in texts])
    assert counts.column_strings(counts.arrow_column(short, groups=False)) == texts
