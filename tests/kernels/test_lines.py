"""Blocks of text files: the core against the plain twin, under any bytes and any cut into blocks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bleuprint.core import counts
from bleuprint.dataset import lines as module
from bleuprint.dataset import read_text
from bleuprint.dataset.lines import LineBlocks
from bleuprint.errors import DataFileError
from tests.kernels.twins import lines as twin
from tests.support.effort import examples

PIECES = [
    *(b"\n", b"\r\n", b"\r", b"a", b"word ", b"\x00", b"\xef\xbb\xbf", "é".encode(), "日本".encode()),
    *("\u2028".encode(), "\u2029".encode(), "\x85".encode(), "👩".encode(), b"\x0b\x0c\x1c", "\ufffd".encode()),
]
BROKEN = [b"\xff", b"\xc3", b"\xe2\x80", b"\xf0\x9f\x91", b"\x80", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80"]
VALID = st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join)
ANY = st.one_of(st.lists(st.sampled_from(PIECES + BROKEN), max_size=40).map(b"".join), st.binary(max_size=80))


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as path:
        yield Path(path)


@given(VALID)
@example(b"")
@example(b"\n")
@example(b"a" * 100_000 + b"\r\n" + b"\r" * 70_000 + b"\n\n")
def test_lines_are_those_of_the_twin(content: bytes) -> None:
    column = counts.line_column(content)
    assert counts.column_strings(column) == twin.lines(content)
    assert len(column) == column.texts == len(twin.lines(content))


@given(ANY)
@settings(max_examples=examples(300))
def test_the_first_invalid_byte_is_that_of_python(content: bytes) -> None:
    assert counts.invalid_utf8(content) == twin.invalid_utf8(content)


EDGES = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]


@pytest.mark.parametrize("around", [b"", "日".encode() * 20, b"word " * 20, "é".encode() * 17 + b"."], ids=len)
def test_every_kind_of_sequence(around: bytes) -> None:
    """Many bytes are judged together, by the three before each: every lead with every second byte, alone or not."""
    pairs = [bytes(pair) for pair in product(range(256), range(256))]
    threes = [bytes(three) for three in product(range(0xDF, 0xF1), range(256), EDGES)]
    fours = [bytes(four) for four in product(range(0xEF, 0xF7), range(0x78, 0xC8), EDGES, EDGES)]
    for middle in (*pairs, *threes, *fours):
        content = around + middle + around
        assert counts.invalid_utf8(content) == twin.invalid_utf8(content), content


@given(st.lists(st.sampled_from([*PIECES, "猫は敷物の上に".encode(), "Übergänge ".encode()]), min_size=1), st.data())
def test_long_texts_with_one_wrong_byte(pieces: list[bytes], data: st.DataObject) -> None:
    content = bytearray(b"".join(pieces) * data.draw(st.integers(1, 300)))
    assert counts.invalid_utf8(bytes(content)) == -1
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    assert counts.invalid_utf8(bytes(content)) == twin.invalid_utf8(bytes(content))


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("before", [0, 7, 8, 65_535, 65_536, (1 << 20) - 2, (1 << 20) - 1, 1 << 20, (1 << 20) + 1])
def test_invalid_bytes_at_every_edge(broken: bytes, before: int) -> None:
    """Eight bytes are looked at together, a small job stays in its thread, and a flag is read every megabyte."""
    content = b"x" * before + broken + b"\n" + "日".encode() * 10
    assert counts.invalid_utf8(content) == before == twin.invalid_utf8(content)
    whole = b"x" * before + "日本".encode() + b"\n"
    assert counts.invalid_utf8(whole) == -1
    assert counts.column_strings(counts.line_column(whole)) == ["x" * before + "日本"]


@given(VALID, st.lists(st.integers(0, 60), min_size=2, max_size=2).map(sorted))
def test_parts_and_neighbours(content: bytes, edges: list[int]) -> None:
    column = counts.line_column(content)
    begin, end = (min(edge, len(column)) for edge in edges)
    strings = twin.lines(content)
    assert counts.column_strings(counts.part_of_column(column, begin, end)) == strings[begin:end]
    both = counts.columns_side_by_side([column, column])
    assert both.unpack() == [[line, line] for line in strings]
    part = counts.part_of_column(both, begin, end)
    assert part.unpack() == both.unpack()[begin:end]
    assert counts.columns_side_by_side([part, part]).unpack() == [[line] * 4 for line in strings[begin:end]]


def test_parts_that_do_not_exist() -> None:
    column = counts.line_column(b"a\nb\n")
    for begin, end in ((1, 0), (0, 3), (3, 3)):
        with pytest.raises(IndexError):
            counts.part_of_column(column, begin, end)
    with pytest.raises(ValueError, match="different lengths"):
        counts.columns_side_by_side([column, counts.line_column(b"a\n")])
    tokens = counts.column([["a"]], groups=False, tokenized=True)
    with pytest.raises(ValueError, match="tokenized"):
        counts.column_strings(tokens)


def test_texts_outlive_what_they_were_cut_from() -> None:
    part = counts.part_of_column(counts.line_column(b"".join([b"one\n", b"two\n", b"three"])), 1, 3)
    assert counts.column_strings(part) == ["two", "three"]


@given(ANY, st.integers(1, 20))
@settings(max_examples=examples(200))
def test_blocks_are_the_file(folder: Path, content: bytes, size: int) -> None:
    """However a file is cut into blocks, lines, notes and the place of an error are the same."""
    path = folder / "text.txt"
    path.write_bytes(content)
    expected = _outcome(path)
    with patch.object(module, "BLOCK", size):
        assert _outcome(path) == expected
    text = content.removeprefix(b"\xef\xbb\xbf")
    if text and not content.startswith((b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
        bad = twin.invalid_utf8(text)
        if bad < 0:
            assert expected[0] == tuple(twin.lines(text))
        else:
            line = text.count(b"\n", 0, bad) + 1
            byte = bad - text.rfind(b"\n", 0, bad)
            assert f", line {line}: byte {byte} (0x{text[bad]:02X})" in str(expected)


def _outcome(path: Path) -> tuple[object, ...]:
    try:
        file = read_text(path)
        return file.segments, file.notes
    except DataFileError as error:
        return (str(error),)


@given(ANY, st.integers(1, 20))
def test_replaced_bytes_are_counted(folder: Path, content: bytes, size: int) -> None:
    path = folder / "text.txt"
    path.write_bytes(b"start " + content)
    with patch.object(module, "BLOCK", size):
        blocks = LineBlocks(path, errors="replace")
        text = b"".join(blocks).decode()
    assert text == (b"start " + content).decode("utf-8", "replace")
    replaced = text.count("\ufffd") - content.count(b"\xef\xbf\xbd")
    expected = f"{path}: replaced {replaced} invalid UTF-8 byte sequences with U+FFFD"
    assert blocks.notes == ((expected,) if replaced else ())
