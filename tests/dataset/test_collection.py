"""Reading parallel text files."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from bleuprint.dataset import Dataset, read_parallel, read_text
from bleuprint.errors import DataFileError, InputError, LineCountError
from tests.support.data_files import written


@pytest.mark.parametrize(
    ("content", "segments"),
    [
        (b"one\ntwo\n", ("one", "two")),
        (b"one\ntwo", ("one", "two")),
        (b"one\n\n", ("one", "")),
        (b"\n", ("",)),
        (b"\r\n", ("",)),
        (b"one\r\ntwo\r\n", ("one", "two")),
        (b"one\r\ntwo", ("one", "two")),
        (b"one\r\r\n", ("one\r",)),
        (b"a\rb\nc\r", ("a\rb", "c\r")),
        ("a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\n".encode(), ("a\u2028b\u2029c\x85d\x0be\x0cf\x1cg",)),
        (b"a\x00b\tc\n", ("a\x00b\tc",)),
        ("日本語\n👩‍👩‍👧\n".encode(), ("日本語", "👩‍👩‍👧")),
    ],
)
def test_lines_end_at_line_feeds_only(tmp_path: Path, content: bytes, segments: tuple[str, ...]) -> None:
    file = read_text(written(tmp_path, "text.txt", content))
    assert file.segments == segments
    assert file.notes == ()


def test_byte_order_mark_is_removed_and_reported(tmp_path: Path) -> None:
    path = written(tmp_path, "text.txt", b"\xef\xbb\xbfone\n\xef\xbb\xbftwo\n")
    file = read_text(path)
    assert file.segments == ("one", "\ufefftwo")
    assert file.notes == (f"{path}: removed the byte order mark at the start",)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"good\nbad \xe9\nmore\n", "line 2: byte 5 (0xE9) is not valid UTF-8"),
        (b"\xff", "line 1: byte 1 (0xFF) is not valid UTF-8"),
        (b"a\nb\n\xed\xa0\x80\n", "line 3: byte 1 (0xED) is not valid UTF-8"),
        (b"\xef\xbb\xbfa\nb\xc3", "line 2: byte 2 (0xC3) is not valid UTF-8"),
        ("one\n".encode("utf-16"), "UTF-16"),
        ("one\n".encode("utf-16-be").join([b"\xfe\xff", b""]), "UTF-16"),
        (b"\x1f\x8b\x08\x00rest", "gzip"),
        (b"\x28\xb5\x2f\xfdrest", "zstd"),
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
    ],
)
def test_unreadable_content_names_file_and_place(tmp_path: Path, content: bytes, expected: str) -> None:
    path = written(tmp_path, "text.txt", content)
    with pytest.raises(DataFileError) as caught:
        read_text(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert expected in message


def test_missing_file_folder_and_impossible_name(tmp_path: Path) -> None:
    for path, problem in (
        (str(tmp_path / "absent.txt"), "no such file"),
        (str(tmp_path), "folder"),
        ("a\x00b", "cannot be read"),
        ("x" * 5000, "cannot be read"),
    ):
        with pytest.raises(DataFileError, match=problem):
            read_text(path)


def test_unequal_line_counts_name_both_files(tmp_path: Path) -> None:
    first = written(tmp_path, "first", b"1\n2\n3\n")
    second = written(tmp_path, "second", b"1\n2\n")
    with pytest.raises(LineCountError) as caught:
        read_parallel([first, first, second])
    assert f"{first} has 3 lines but {second} has 2" in str(caught.value)
    assert isinstance(caught.value, InputError)


def test_no_files_at_all() -> None:
    assert read_parallel([]) == []


def test_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = written(tmp_path, "text.txt", b"x\ny\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("ä\r\nb".encode()), encoding="ascii"))
    piped, plain = read_parallel(["-", path])
    assert piped.segments == ("ä", "b")
    assert piped.name == "<stdin>"
    assert plain.segments == ("x", "y")


def test_standard_input_twice_or_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataFileError, match="only once"):
        read_parallel(["-", "-"])
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(DataFileError, match="closed"):
        read_text("-")


@pytest.mark.parametrize(
    ("output", "expected", "question"),
    [
        ("response", "reference", "user_input"),  # ragas
        ("completion", "ideal", "input"),  # OpenAI evals
        ("output", "expected", "input"),  # promptfoo
        ("actual_output", "expected_output", "input"),  # deepeval, axion
    ],
)
def test_columns_of_evaluation_suites_are_recognized(output: str, expected: str, question: str) -> None:
    (item,) = Dataset.from_dicts([{output: "a cat", expected: "the cat", question: "what is it?"}])
    assert (item.actual_output, item.expected_output, item.source) == ("a cat", "the cat", "what is it?")


def test_jsonl_needs_no_other_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl").write_text('{"output": "a", "expected": "b"}\n', encoding="utf-8")
    (tmp_path / "b.jsonl").write_text('{"output": "a",\n', encoding="utf-8")
    monkeypatch.setitem(sys.modules, "orjson", None)
    assert Dataset.from_file(tmp_path / "a.jsonl")[0].actual_output == "a"
    with pytest.raises(DataFileError, match="line 1: invalid JSON"):
        Dataset.from_file(tmp_path / "b.jsonl")
