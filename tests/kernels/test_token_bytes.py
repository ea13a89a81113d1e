"""Columns of tokens: strings, integers, and matrices of ids score like the same tokens in Python lists."""

from __future__ import annotations

import sysconfig
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.core import counts
from bleuprint.errors import BleuprintError, NoReferenceError, NotTextError, OptionError
from tests.support.effort import examples

tokens = st.one_of(
    st.integers(-(2**70), 2**70),
    st.sampled_from([0, -1, 2**63 - 1, -(2**63), 2**63, 15, 16, 255, 256]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)
ids = st.integers(0, 9)


def unpacked(lists: list[Any]) -> list[Any]:
    return [group[0] for group in counts.column(lists, groups=False, tokenized=True).unpack()]


@settings(max_examples=examples(600), deadline=None)
@given(lists=st.lists(st.lists(tokens, max_size=6), max_size=6))
def test_tokens_come_back_as_they_were(lists: list[list[Any]]) -> None:
    assert unpacked(lists) == lists


def test_tokens_of_every_length_one_after_another() -> None:
    """Short ASCII is copied by whole words, which must not leave anything of its neighbors."""
    ascii_tokens = ["abcdefghijklmnopqrst"[:length] for length in range(21)]
    other_tokens = [token[:-1] + "é" for token in ascii_tokens[1:]]
    lists: list[list[Any]] = [ascii_tokens, ascii_tokens[::-1], other_tokens, ascii_tokens + other_tokens[::-1]]
    assert unpacked(lists) == lists
    assert unpacked([tuple(tokens) for tokens in lists]) == lists


def test_tokens_longer_than_a_block_and_many_blocks() -> None:
    lists: list[list[Any]] = [["a" * 70_000, "", "b"], [str(number) * 5 for number in range(30_000)], [16**20]]
    assert unpacked(lists) == lists


def test_numbers_and_their_digits_are_different_tokens() -> None:
    assert bp.sentence_bleu([7, 31], [["7", "31"]]).value == 0
    numbers: list[Any] = [np.int64(7), np.uint8(31)]
    assert bp.sentence_bleu([7, 31], [numbers]).value == 1


@st.composite
def padded(draw: st.DrawFn, pad: int = 0) -> tuple[Any, list[list[int]]]:
    """A matrix with `pad` after its texts, or between their tokens, and the texts."""
    rows = draw(st.lists(st.lists(st.integers(1, 6), max_size=8), min_size=1, max_size=6))
    width = max(map(len, rows)) + draw(st.integers(0, 3))
    matrix = np.full((len(rows), width), pad, dtype=draw(st.sampled_from([np.int8, np.uint16, np.int32, np.int64])))
    for number, row in enumerate(rows):
        begin = draw(st.integers(0, width - len(row)))
        matrix[number, begin : begin + len(row)] = row
    layout = draw(st.sampled_from(["C", "F", "reversed"]))
    if layout == "reversed":
        matrix = np.ascontiguousarray(matrix[:, ::-1])[:, ::-1]
    return (np.asfortranarray(matrix) if layout == "F" else matrix), rows


@settings(max_examples=examples(400), deadline=None)
@given(hypotheses=padded(), data=st.data())
def test_matrices_with_a_pad_score_like_lists(hypotheses: tuple[Any, list[list[int]]], data: st.DataObject) -> None:
    matrix, rows = hypotheses
    others = [data.draw(st.lists(st.integers(1, 6), max_size=8)) for _ in rows]
    expected = bp.sentence_bleus(rows, others)
    assert bp.sentence_bleus(bp.token_ids(matrix, pad=0), others).tobytes() == expected.tobytes()
    assert bp.corpus_rouge(bp.token_ids(matrix, pad=0), others).value == bp.corpus_rouge(rows, others).value
    assert bp.token_ids(matrix.tolist(), pad=0).unpack() == [[row] for row in rows]


@settings(max_examples=examples(200), deadline=None)
@given(rows=st.lists(st.lists(st.integers(0, 6), min_size=5, max_size=5), min_size=1, max_size=6), data=st.data())
def test_lengths_cut_rows(rows: list[list[int]], data: st.DataObject) -> None:
    lengths = [data.draw(st.integers(0, 5)) for _ in rows]
    cut = [[row[:length]] for row, length in zip(rows, lengths, strict=True)]
    for kind in (np.int32, np.int64, np.uint64):
        assert bp.token_ids(np.array(rows, dtype=kind), lengths=np.array(lengths)).unpack() == cut
    assert bp.token_ids(rows, lengths=lengths, pad=3).unpack() == [
        [[t for t in row if t != 3] for row in g] for g in cut
    ]


def test_three_dimensions_are_segments_references_and_tokens() -> None:
    references = np.array([[[1, 2, 3, 4], [1, 2, 0, 0]], [[5, 0, 0, 0], [6, 7, 0, 0]]])
    hypotheses = [[1, 2, 3, 4], [6, 7]]
    lists = [[[1, 2, 3, 4], [1, 2]], [[5], [6, 7]]]
    column = bp.token_ids(references, pad=0)
    assert column.unpack() == lists
    assert bp.token_ids(references, lengths=[[4, 2], [1, 2]]).unpack() == lists
    assert bp.corpus_bleu(hypotheses, column).value == bp.corpus_bleu(hypotheses, lists).value == 1.0


def test_matrices_of_integers_need_no_conversion() -> None:
    matrix = np.arange(40).reshape(8, 5) % 7
    expected = bp.sentence_bleus(matrix.tolist(), matrix[::-1].tolist())
    assert bp.sentence_bleus(matrix, matrix[::-1]).tobytes() == expected.tobytes()
    assert bp.self_bleu(matrix, tokenizer="none").value == bp.self_bleu(matrix.tolist(), tokenizer="none").value


def test_the_array_may_change_afterwards() -> None:
    matrix = np.array([[1, 2, 3, 4]])
    column = bp.token_ids(matrix)
    matrix[:] = 9
    assert bp.corpus_bleu(column, [[1, 2, 3, 4]]).value == 1.0


class Emptying:
    """An id whose method empties the list it stands in."""

    def __init__(self, tokens: list[Any]) -> None:
        self.tokens = tokens

    def __index__(self) -> int:
        self.tokens.clear()
        return 7


def test_a_list_that_is_emptied_while_it_is_read() -> None:
    tokens: list[Any] = ["a"]
    tokens += [Emptying(tokens), "b", "c"]
    # Without an interpreter lock, lists are copied before they are read.
    copied = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    assert unpacked([tokens, ["d"]]) == [["a", 7, "b", "c"] if copied else ["a", 7], ["d"]]


class Tensor:
    """What torch and others have: DLPack, a type, dimensions."""

    def __init__(self, array: Any, kind: str = "torch.int64") -> None:
        self.array, self.dtype, self.ndim = array, kind, array.ndim
        self.exports = 0

    def __dlpack__(self, **options: Any) -> Any:
        self.exports += 1
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def test_tensors_are_read_through_dlpack() -> None:
    tensor: Any = Tensor(np.array([[1, 2, 3, 4], [5, 6, 0, 0]]))
    assert bp.token_ids(tensor, pad=0, lengths=Tensor(np.array([4, 3]))).unpack() == [[[1, 2, 3, 4]], [[5, 6]]]
    assert bp.corpus_bleu(tensor, tensor).value == 1.0
    assert tensor.exports == 3
    with pytest.raises(NotTextError, match="float64"):
        bp.token_ids(Tensor(np.zeros((2, 2)), "torch.float64"))


def test_no_rows_and_no_columns() -> None:
    assert len(bp.token_ids(np.zeros((0, 4), dtype=np.int64))) == 0
    assert bp.token_ids(np.zeros((2, 0), dtype=np.int32)).unpack() == [[[]], [[]]]
    assert bp.token_ids(np.zeros((2, 3, 0), dtype=np.int32)).unpack() == [[[], [], []], [[], [], []]]


IDS = [[1, 2, 3, 4], [5, 6, 7, 8]]


@pytest.mark.parametrize(
    ("ids", "options", "named", "error"),
    [
        ([1, 2], {}, "2 or 3 dimensions", NotTextError),
        ([[1.5, 2]], {}, "of float64", NotTextError),
        ([[True, False]], {}, "of bool", NotTextError),
        ([["a", "b"]], {}, "integers", NotTextError),
        ([[1, 2], [3]], {}, "lists of equal length", NotTextError),
        ([[2**63]], {}, "below 2**63", NotTextError),
        (np.zeros((2, 0, 3), dtype=np.int64), {}, "ids[0]", NoReferenceError),
        (IDS, {"lengths": [1, 5]}, "lengths[1]", NotTextError),
        (IDS, {"lengths": [-1, 1]}, "lengths[0]", NotTextError),
        (IDS, {"lengths": [1]}, "shape (2,)", NotTextError),
        (IDS, {"lengths": [1.0, 2.0]}, "float64", NotTextError),
        (IDS, {"pad": "0"}, "pad", OptionError),
        (IDS, {"pad": True}, "pad", OptionError),
        (IDS, {"pad": 2**63}, "pad", OptionError),
    ],
)
def test_what_is_refused(ids: Any, options: dict[str, Any], named: str, error: type[BleuprintError]) -> None:
    with pytest.raises(error) as raised:
        bp.token_ids(ids, **options)
    assert named in str(raised.value)


def test_strings_beside_ids_are_refused() -> None:
    with pytest.raises(NotTextError):
        bp.corpus_bleu(bp.token_ids([[1, 2]]), ["a b"])
    with pytest.raises(NotTextError):
        bp.corpus_chrf(bp.token_ids([[1, 2]]), bp.token_ids([[1, 2]]))
