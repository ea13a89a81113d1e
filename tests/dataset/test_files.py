"""Files of every format, and what is said of those that cannot be read."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import sys
import tempfile
import threading
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pandas
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bleuprint import Ratings
from bleuprint.dataset import Dataset, FileStream, Segments, is_table, logs, read_parallel, read_text
from bleuprint.dataset import lines as lines_module
from bleuprint.dataset.columns import ColumnNames
from bleuprint.dataset.joining import join_tables
from bleuprint.dataset.stream import open_table
from bleuprint.dataset.tables import DelimitedTable
from bleuprint.errors import BleuprintError, DataFileError, LineCountError, MissingExtraError, OptionError
from tests.support.cli import NEEDS_POSIX, invoke
from tests.support.data_files import FORMATS, gzipped, jsonl, saved_dataset, written, zstandardized
from tests.support.effort import examples

HARD = ["plain", "", "two\nlines", 'quoted "words", and commas', "tab\there", "u\u2028v\x85", "日本 👩", "x" * 200_000]
ROWS = [
    {"id": str(number), "prediction": text, "target": text[::-1], "note": "n"}
    for number, text in enumerate(HARD * 3, start=1)
]


def streamed(path: Path, columns: ColumnNames | None = None) -> Segments:
    with FileStream(path, columns=columns) as stream:
        return stream.read()


def rows_of(path: Path) -> list[tuple[int, dict[str, Any]]]:
    with closing(open_table(path)) as table:
        return [row for batch in table.batches() for row in batch.rows()]


def blocks_of(paths: list[Path]) -> None:
    with FileStream({"a": paths[0]}, paths[1:]) as stream:
        list(stream.blocks())


def every_format(folder: Path) -> list[Path]:
    files = [written(folder, f"data{ending}", write(ROWS)) for ending, write in FORMATS.items()]
    return [*files, saved_dataset(folder / "saved", ROWS)]


@pytest.mark.parametrize("block", [1 << 22, 100])
def test_every_format_holds_the_same_items(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(lines_module, "BLOCK", block)
    expected = list(Dataset.from_dicts(ROWS))
    for path in every_format(tmp_path):
        assert is_table(path)
        dataset = Dataset.from_file(path)
        assert list(dataset) == expected, path
        assert dataset.name == str(path)
        assert "hypotheses from column 'prediction'" in dataset.notes[0]
        whole = streamed(path)
        assert whole.systems == {"prediction": [item.actual_output for item in expected]}
        assert whole.references == [item.references for item in expected]
        assert whole.sources is None


def test_references_may_be_a_text_or_a_list_in_one_file(tmp_path: Path) -> None:
    path = written(
        tmp_path, "mixed.jsonl", jsonl([{"output": "a", "ref": "b"}, {"output": "a", "ref": ["b", None, "c"]}])
    )
    assert [item.references for item in Dataset.from_file(path)] == [("b",), ("b", "c")]
    assert streamed(path).references == [("b",), ("b", "c")]


def test_lists_in_parquet_and_saved_datasets(tmp_path: Path) -> None:
    rows = [{"output": str(number), "references": ["a", "b"][: 1 + number % 2], "input": "s"} for number in range(20)]
    path = written(tmp_path, "data.parquet", FORMATS[".parquet"](rows))
    for table in (path, saved_dataset(tmp_path / "saved", rows)):
        whole = streamed(table)
        assert whole.references == [("a",), ("a", "b")] * 10
        assert whole.sources == ["s"] * 20
        assert list(Dataset.from_file(table)) == list(Dataset.from_dicts(rows))


@pytest.mark.parametrize("pack", [gzipped, zstandardized])
def test_compressed_text(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    content = ("\n".join(f"line {number} é" for number in range(50_000)) + "\n").encode()
    segments = tuple(content.decode().split("\n")[:-1])
    # Frames may follow each other, and be padded with zeros; the name of the file does not matter.
    half = content.index(b"\n", len(content) // 2) - 3
    for number, packed in enumerate([pack(content), pack(content[:half]) + pack(content[half:]) + b"\0" * 512]):
        path = written(tmp_path, f"text{number}", packed)
        assert read_text(path).segments == segments
    cut = written(tmp_path, "cut", pack(content)[:-9])
    with pytest.raises(DataFileError, match="ends too early; the file is truncated"):
        read_text(cut)
    broken = bytearray(pack(content))
    broken[len(broken) // 2] ^= 0xFF
    with pytest.raises(DataFileError):
        read_text(written(tmp_path, "broken", bytes(broken)))
    with pytest.raises(DataFileError, match="is damaged"):
        read_text(written(tmp_path, "tail", pack(content) + b"garbage"))
    with pytest.raises(DataFileError, match="the file is empty"):
        read_text(written(tmp_path, "empty", pack(b"")))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_its_mark_is_refused(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(DataFileError, match="it is UTF-16, not UTF-8; convert it first"):
        read_text(written(tmp_path, "wide", "the cat sat\non the mat\n".encode(encoding)))
    text = "\0a\0b\0 with\nsome NUL\0s\n"
    assert read_text(written(tmp_path, "nul", text.encode())).segments == tuple(text.splitlines())


def test_a_small_file_that_unpacks_to_much_is_read_in_pieces(tmp_path: Path) -> None:
    path = written(tmp_path, "zeros.zst", zstandardized(b"\n" * (16 << 20)))
    assert path.stat().st_size < 1 << 14
    with FileStream({"a": path}, [path]) as stream:
        assert sum(len(block) for block in stream.blocks()) == 16 << 20


def test_a_log_that_unpacks_to_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sizes of all samples count together, and none is unpacked before."""
    monkeypatch.setattr(logs, "_LARGEST", 100_000)
    path = tmp_path / "bomb.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {}, "status": "success"}))
        for number in range(3):
            archive.writestr(f"samples/{number}.json", json.dumps({"input": "a" * 40_000}))
        archive.writestr("summaries.json", b"0" * 1_000_000)  # not read
    with pytest.raises(
        DataFileError, match=r"bomb\.eval: its 4 files unpack to 120,\d+ bytes; at most 100,000 are read"
    ):
        logs.open_eval(path)
    monkeypatch.setattr(logs, "_LARGEST", 200_000)
    with pytest.raises(DataFileError) as refused:  # these samples have no answers
        logs.open_eval(path)
    assert "at most" not in str(refused.value)


BAD_TABLES: list[tuple[str, bytes, str]] = [
    ("a.jsonl", b"", "a.jsonl: the file is empty"),
    ("a.jsonl", b"\n\n", "a.jsonl: it has no rows"),
    ("a.jsonl", b'{"output": "a", "ref": "b"}\n{"output": \n', "a.jsonl, line 2: invalid JSON:"),
    ("a.jsonl", b'{"output": "a", "ref": "b"}\n\n{"output": 1, "ref": "b"}\n', "a.jsonl, line 3: "),
    (
        "a.jsonl",
        b'{"output": "a", "ref": "b"}\n[1]\n',
        "line 2: each line must hold one JSON object, {…}, got an array",
    ),
    ("a.jsonl", b'{"output": "a", "ref": "b"}\nnull\n', "got null"),
    ("a.jsonl", b'{"output": "a", "ref": "b"}\n{"output": "a"}\n', "line 2: "),
    ("a.jsonl", b'{"output": "a", "ref": "b"}\n{"output": null, "ref": "b"}\n', "line 2: "),
    ("a.jsonl", b'{"output": "a", "ref": "b"}\n{"output": "x", "ref": [3]}\n', "line 2: "),
    ("a.jsonl", b'{"output": "a", "ref": "b"}\n{"output": "x", "ref": []}\n', "line 2: "),
    ("a.jsonl", b'{"output": "a", "ref": "b"}\n{"output": "\\ud800", "ref": ""}\n', "line 2: "),
    ("a.jsonl", b'{"output": "a", "ref": "\xff"}\n', "line 1: byte 25 (0xFF) is not valid UTF-8"),
    ("a.jsonl", b'{"output": "a"}\n', "no column is recognized as references; choose from 'output'"),
    ("a.jsonl", b"[" * 100_000 + b"\n", "line 1: invalid JSON"),
    ("a.csv", b"output,ref\n", "it has no rows"),
    ("a.csv", b"output,ref\na,b\na\n", "a.csv, line 3: it has 1 fields, but the header has 2"),
    ("a.csv", b"output,output,ref\na,b,c\n", "line 1: the header contains column 'output' twice"),
    ("a.csv", b'output,ref\na,"b\nc\n', "line 2: invalid row"),
    ("a.csv", b'output,ref\na,"b"c\n', "line 2: invalid row"),
    ("a.csv", b"output,ref\na\rb,c\n", "line 2: invalid row"),
    ("a.csv", b"output\na\n\nc\n", "line 3: the line is empty; in a table with one column"),
    ("a.csv", b"output,ref\na,b\n\n\nc\n", "line 5: it has 1 fields, but the header has 2"),
    ("a.csv", b'\n\noutput,ref\r\n\r\n\n"a\n\n",b\n\n"x"y,d\n', "line 10: invalid row"),
    ("a.csv", b'output,ref\n"a\nb",c\nd,\xff\n', "line 4: byte 3 (0xFF)"),
    ("a.tsv", b"output\tref\na\tb\tc\n", "line 2: it has 3 fields"),
    ("a.csv", "output,ref\n".encode("utf-16"), "UTF-16"),
    ("a.parquet", b"PAR1 not really", "a.parquet: cannot be read: "),
    ("a.parquet", b"", "a.parquet: cannot be read: "),
    ("a.parquet.gz", b"", "a.parquet.gz: compressed parquet files cannot be read"),
    ("a.xlsx", b"", "unknown table format"),
]


@pytest.mark.parametrize(("name", "content", "expected"), BAD_TABLES)
def test_bad_tables_name_file_line_and_fault(tmp_path: Path, name: str, content: bytes, expected: str) -> None:
    path = written(tmp_path, name, content)
    for read in (Dataset.from_file, streamed):
        with pytest.raises(DataFileError) as caught:
            read(path)
        assert str(caught.value).startswith(str(path))
        assert expected in str(caught.value) or (".xlsx" in name and read is streamed)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ('{"output": null, "ref": "b"}', "line 2: 'output' must be a text, got None"),
        ('{"output": "a", "ref": 3}', "line 2: 'ref' must be a text or a list of texts, got int"),
        ('{"output": "a", "ref": ["x", 3]}', "line 2: 'ref'[1] must be a text, got int"),
        ('{"output": "a", "ref": [null]}', "line 2: 'ref' holds no reference"),
        ('{"output": "a", "reference": "b"}', "line 2: it has no 'ref'; it has 'output', 'reference'"),
    ],
)
def test_bad_values_in_a_stream(tmp_path: Path, row: str, expected: str) -> None:
    path = written(tmp_path, "a.jsonl", b'{"output": "a", "ref": "b"}\n' + row.encode() + b"\n")
    with pytest.raises(DataFileError, match=re.escape(expected)):
        streamed(path)


def test_bad_columns_of_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = pyarrow.table({"output": ["a", None], "ref": ["a", "b"], "number": [1, 2], "lists": [["a"], []]})
    pyarrow.parquet.write_table(table, path)
    for columns, expected in [
        ({}, "row 2: 'output' must be a text, got None"),
        ({"hypothesis": "number"}, "column 'number' must hold texts, got int64"),
        ({"hypothesis": "ref", "reference": "lists"}, "row 2: 'lists' holds no reference"),
        ({"hypothesis": "lists"}, "column 'lists' must hold texts, got list"),
    ]:
        with pytest.raises(DataFileError, match=re.escape(expected)):
            streamed(path, columns)
    pyarrow.parquet.write_table(table.slice(0, 0), path)
    with pytest.raises(DataFileError, match="it has no rows"):
        streamed(path)


def test_bad_saved_datasets(tmp_path: Path) -> None:
    folder = saved_dataset(tmp_path / "saved", ROWS)
    (folder / "data-00001-of-00002.arrow").unlink()
    with pytest.raises(DataFileError, match=r"lists 'data-00001-of-00002.arrow', which is not a file in the folder"):
        Dataset.from_file(folder)
    (folder / "data-00001-of-00002.arrow").touch()
    (folder / "data-00000-of-00002.arrow").write_bytes(b"nonsense")
    with pytest.raises(DataFileError, match="cannot be read"):
        Dataset.from_file(folder)
    for state, expected in [
        ("{", "state.json cannot be read"),
        ("{}", "state.json cannot be read"),
        ('{"_data_files": []}', "it has no rows"),
        ('{"_data_files": [], "_indices_data_files": [{}]}', "flatten_indices"),
    ]:
        (folder / "state.json").write_text(state, encoding="utf-8")
        with pytest.raises(DataFileError, match=expected):
            Dataset.from_file(folder)
    (folder / "state.json").rename(folder / "dataset_dict.json")
    with pytest.raises(DataFileError, match="several splits"):
        Dataset.from_file(folder)


@pytest.mark.parametrize(
    "name", ["../outside.arrow", "/etc/passwd", "a/b", "..", "", ".", "C:x", "a\\b", "\0", 7, None, ["x"]]
)
def test_a_saved_dataset_lists_only_its_own_files(tmp_path: Path, name: object) -> None:
    folder = saved_dataset(tmp_path / "saved", ROWS)
    (tmp_path / "outside.arrow").write_bytes((folder / "data-00000-of-00002.arrow").read_bytes())
    (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name}]}))
    with pytest.raises(DataFileError, match=r"its state.json must list files in the folder, got "):
        Dataset.from_file(folder)


def test_what_a_saved_dataset_lists_must_be_files(tmp_path: Path) -> None:
    folder = saved_dataset(tmp_path / "saved", ROWS)
    (folder / "folder").mkdir()
    names = ["folder", "x" * 5000, "\ud800"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "fifo")  # opening it would wait forever
        names.append("fifo")
    for name in names:
        (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name}]}))
        with pytest.raises(DataFileError, match=r"which is not a file in the folder|File name too long"):
            Dataset.from_file(folder)
    twice = [{"filename": "data-00000-of-00002.arrow"}] * 2
    (folder / "state.json").write_text(json.dumps({"_data_files": twice}))
    with pytest.raises(DataFileError, match=r"lists 'data-00000-of-00002.arrow' twice"):
        Dataset.from_file(folder)


@pytest.mark.parametrize(
    "state",
    [b"[" * 100_000, b'{"_data_files": ' + b"[" * 100_000, b" " * ((1 << 24) + 1), b"\xff"],
    ids=["deep", "deep inside", "large", "not text"],
)
def test_a_state_that_is_deep_or_large(tmp_path: Path, state: bytes) -> None:
    folder = saved_dataset(tmp_path / "saved", ROWS)
    (folder / "state.json").write_bytes(state)
    with pytest.raises(DataFileError, match=r"its state.json cannot be read"):
        Dataset.from_file(folder)


@pytest.mark.parametrize("kind", ["parquet", "saved"])
def test_damaged_arrow_is_an_error_or_the_same_texts(tmp_path: Path, kind: str) -> None:
    """Offsets that point anywhere and bytes that are no UTF-8 do not reach the core."""
    rows = [{"output": f"text {number} é", "ref": ["a", "bé"]} for number in range(50)]
    if kind == "saved":
        path = saved_dataset(tmp_path / "saved", rows, files=1)
        target = path / "data-00000-of-00001.arrow"
    else:
        path = target = tmp_path / "data.parquet"
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path, compression="none", use_dictionary=False)
    content = target.read_bytes()
    chance = random.Random(7)
    outcomes = Counter[str]()
    for _ in range(300):
        damaged = bytearray(content)
        for _ in range(chance.choice([1, 1, 8])):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        target.write_bytes(damaged)
        try:
            streamed(path)
            Dataset.from_file(path)
            outcomes["read"] += 1
        except (BleuprintError, MemoryError):
            outcomes["refused"] += 1
    assert min(outcomes["read"], outcomes["refused"]) > 10, outcomes


@pytest.mark.parametrize(
    ("module", "name", "content", "extra"),
    [
        ("zstandard", "a.txt.zst", zstandardized(b"a\n"), "bleuprint[zstd]"),
        ("pyarrow", "a.parquet", b"", "bleuprint[arrow]"),
    ],
)
def test_a_missing_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, name: str, content: bytes, extra: str
) -> None:
    path = written(tmp_path, name, content)
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    with pytest.raises(MissingExtraError) as caught:
        FileStream({"a": path}, [path])
    assert f"pip install '{extra}'" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    calls: list[tuple[Any, str]] = [
        (tmp_path / "absent.jsonl", "there is no such file"),
        (tmp_path / "absent.parquet", "there is no such file"),
        (tmp_path, "unknown table format|this is a folder"),
        ("a\x00b.csv", "cannot be read"),
    ]
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "folder.parquet").mkdir()
    calls += [(tmp_path / "folder.csv", "this is a folder"), (tmp_path / "folder.parquet", "folder|directory")]
    for path, expected in calls:
        with pytest.raises(DataFileError, match=expected):
            Dataset.from_file(path)
    with pytest.raises(OptionError, match="'strict' or 'replace'"):
        open_table(tmp_path / "a.csv", errors="ignore")


@NEEDS_POSIX
def test_pipes_and_devices(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = gzipped(b"one\r\ntwo\r\n" * 100_000)
    writer = threading.Thread(target=lambda: pipe.write_bytes(content))
    writer.start()
    assert read_text(pipe).segments == ("one", "two") * 100_000
    writer.join()
    with pytest.raises(DataFileError, match="the file is empty"):
        read_text("/dev/null")
    if os.geteuid() != 0:
        pipe.chmod(0)
        with pytest.raises(DataFileError, match="Permission denied"):
            read_text(pipe)


def test_errors_replace(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", b"output,ref\na\xff,b\n")
    dataset = Dataset.from_file(path, errors="replace")
    assert dataset.hypotheses == ["a\ufffd"]
    assert dataset.notes[-1] == f"{path}: replaced 1 invalid UTF-8 byte sequences with U+FFFD"
    text = written(tmp_path, "a.txt", b"a\xff\xfe\n")
    assert Dataset.from_files(text, text, errors="replace").hypotheses == ["a\ufffd\ufffd"]


@pytest.mark.parametrize("block", [1 << 22, 5])
def test_unequal_files_name_both_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(lines_module, "BLOCK", block)
    long = written(tmp_path, "long.txt", b"a line\n" * 50)
    short = written(tmp_path, "short.txt", b"b\n" * 31 + b"last")
    longer = "50" if block > 5 else "more than 33"
    for first, second, counts in ((long, short, (longer, "32")), (short, long, ("32", longer))):
        for read in (blocks_of, read_parallel):
            with pytest.raises(LineCountError) as caught:
                read([first, first, second])
            assert f"{first} has {counts[0]} lines but {second} has {counts[1]};" in str(caught.value)
    table = written(tmp_path, "a.csv", b"output\n" + b"a\n" * 40)
    longer = "50" if block > 5 else "more than 41"
    with (
        FileStream({"a": table}, [long]) as stream,
        pytest.raises(LineCountError, match=f"has 40 rows but .* {longer};"),
    ):
        stream.read()


@pytest.mark.parametrize("pack", [gzipped, zstandardized], ids=["gzip", "zstd"])
def test_no_more_than_two_blocks_are_counted_where_lengths_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    """A few kilobytes can hold a billion empty lines, and counting them is no use."""
    monkeypatch.setattr(lines_module, "BLOCK", 1000)
    bomb = written(tmp_path, "bomb.txt", pack(b"\n" * 1_000_000))
    short = written(tmp_path, "short.txt", b"a\nb\n")
    blocks = Counter[str]()
    checked = lines_module.LineBlocks._check

    def counting(self: lines_module.LineBlocks, block: bytes) -> bytes:
        blocks[self.name] += 1
        return checked(self, block)

    monkeypatch.setattr(lines_module.LineBlocks, "_check", counting)
    with pytest.raises(LineCountError, match=rf"{short} has 2 lines but {bomb} has more than 10\d\d;"):
        blocks_of([short, bomb])
    with pytest.raises(LineCountError, match=rf"{bomb} has more than 10\d\d lines but {short} has 2;"):
        read_parallel([bomb, short])
    assert blocks[str(bomb)] <= 4


def test_files_of_unknown_length_are_compared_with_the_one_that_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines_module, "BLOCK", 5)
    long, longer = (written(tmp_path, name, b"line\n" * 50) for name in ("long.txt", "longer.txt"))
    short = written(tmp_path, "short.txt", b"a\nb\n")
    with pytest.raises(LineCountError, match=rf"{long} has more than 3 lines but {short} has 2;"):
        read_parallel([long, longer, short])


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more,more\n")


CHANGES: dict[str, Callable[[Path], object]] = {
    "cut": lambda path: os.truncate(path, path.stat().st_size // 2 // 10 * 10),
    "emptied": lambda path: os.truncate(path, 0),
    "longer": append,
    "touched": lambda path: os.utime(path, ns=(1, 1)),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".txt", ".csv.gz"])
def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, change: str
) -> None:
    """Cut between two lines of ten bytes, what is left would be a good file."""
    monkeypatch.setattr(lines_module, "BLOCK", 1000)
    rows = {".csv": b"%04x,%04x\n", ".tsv": b"%04x\t%04x\n", ".jsonl": b'["%04x%04x"]\n', ".txt": b"%04x %04x\n"}
    row = rows[ending.removesuffix(".gz")]
    content = b"".join(row % (number % 65536, number * 7919 % 65536) for number in range(100_000))
    path = written(tmp_path, "data" + ending, gzipped(content) if ending.endswith(".gz") else content)
    with closing(lines_module.LineBlocks(path)) as blocks:
        reading = iter(blocks)
        next(reading)
        CHANGES[change](path)
        with pytest.raises(DataFileError, match=r"changed while it was being read|ends too early|damaged") as caught:
            list(reading)
    assert str(path) in str(caught.value)


def test_a_table_that_is_cut_while_it_is_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "BLOCK", 1000)
    path = written(tmp_path, "a.csv", b"output,target\n" + b"a b c,a b\n" * 100_000)
    with FileStream(path) as stream:
        blocks = stream.blocks()
        next(blocks)
        os.truncate(path, 14 + 10 * 50_000)
        with pytest.raises(DataFileError, match=r"a\.csv: it changed while it was being read"):
            list(blocks)


def test_long_fields_are_read_without_the_limit_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`csv.field_size_limit` belongs to the whole process: a reader that changes it races with all others."""

    def never(*_: int) -> int:
        raise AssertionError("the limit of the process was touched")

    limit = csv.field_size_limit()
    monkeypatch.setattr(csv, "field_size_limit", never)
    long = "x" * (3 * limit)
    path = written(tmp_path, "a.csv", f'output,target\n{long},a\n"{long}",b\n'.encode())
    monkeypatch.setattr(lines_module, "BLOCK", 1000)
    with FileStream(path) as stream:
        for block in stream.blocks():
            with pytest.raises(csv.Error, match="field larger than field limit"):
                list(csv.reader([long]))
            assert set(block.hypotheses["output"].unpack()[0]) == {long}
        assert stream.segments == 2
    monkeypatch.undo()
    assert csv.field_size_limit() == limit


def test_empty_lines_of_jsonl_are_skipped_by_the_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "BLOCK", 100)
    row = b'{"output": "a", "target": "a"}\n'
    streamed(written(tmp_path, "a.jsonl", row + b"\n" * 1000))
    streamed(written(tmp_path, "b.jsonl", row + b"\n" * 1000 + row))


def test_what_a_stream_refuses(tmp_path: Path) -> None:
    text = written(tmp_path, "a.txt", b"a\n")
    table = written(tmp_path, "a.csv", b"x,a x\n1,2\n")
    both = {"hypothesis": ["x", "a x"]}
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: FileStream({"a": text}), "it needs references"),
        (lambda: FileStream({"a": "-"}, ["-"]), "only once"),
        (
            lambda: FileStream({"a": text}, [text], columns={"source": "x"}),
            "without 'source', which is not read from a table",
        ),
        (lambda: FileStream({"a": text}, [tmp_path / "no"]), "no such file"),
        (lambda: FileStream({"a": table, "b": table, "b x": text}, [text], columns=both), "different names"),
    ]
    for call, expected in calls:
        with pytest.raises(BleuprintError, match=expected):
            call()


TEXTS = st.text(st.characters(codec="utf-8") | st.sampled_from('\n\r\t,"\u2028\x00 '), max_size=12)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=12), st.integers(1, 64))
@settings(
    max_examples=examples(60),
    suppress_health_check=[*settings().suppress_health_check, HealthCheck.function_scoped_fixture],
)
def test_any_text_survives_every_row_format(tmp_path: Path, pairs: list[tuple[str, str]], block: int) -> None:
    rows = [{"output": output, "ref": reference} for output, reference in pairs]
    expected = list(Dataset.from_dicts(rows))
    with patch.object(lines_module, "BLOCK", block):
        for ending in (".jsonl", ".csv", ".tsv.gz"):
            path = written(tmp_path, f"data{ending}", FORMATS[ending](rows))
            assert list(Dataset.from_file(path)) == expected
            assert streamed(path).systems["output"] == [output for output, _ in pairs]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 4 << 20])
def test_blank_lines_of_csv_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(lines_module, "BLOCK", size)
    content = '\n\r\noutput,ref\n\n\n"a\n\n\nb",c\n \n\r\nd,""\n\n\n,\n'
    path = written(tmp_path, "a.csv", content.encode())
    assert rows_of(path) == [
        (6, {"output": "a\n\n\nb", "ref": "c"}),
        (12, {"output": "d", "ref": ""}),
        (15, {"output": "", "ref": ""}),
    ]


@given(st.lists(st.lists(st.text('ab\n\r ,"', max_size=4), min_size=2, max_size=2), min_size=1), st.data())
def test_blank_lines_between_rows_change_nothing(rows: list[list[str]], data: st.DataObject) -> None:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
    numbers = []
    for row in (["output", "ref"], *rows):
        file.write(data.draw(st.sampled_from(["", "\n", "\r\n", "\n\n\n", "  \n"])))
        numbers.append(file.getvalue().count("\n") + 1)
        writer.writerow(row)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        path.write_bytes(file.getvalue().encode())
        read = rows_of(path)
    expected = [{"output": first, "ref": second} for first, second in rows]
    assert read == list(zip(numbers[1:], expected, strict=True))


def test_a_csv_of_blank_lines_is_skipped_at_once(tmp_path: Path) -> None:
    """Not line by line: a few kilobytes, compressed, hold a billion of them."""
    path = written(tmp_path, "a.csv.gz", gzipped(b"output,ref\na,b\n" + b"\n" * (16 << 20) + b"c,d\n"))
    taken: list[str] = []
    read = DelimitedTable._lines

    def watched(self: DelimitedTable) -> Iterator[str]:
        for line in read(self):
            taken.append(line)
            yield line

    with patch.object(DelimitedTable, "_lines", watched):
        rows = rows_of(path)
    assert taken == ["output,ref\n", "a,b\n", "c,d\n"]
    assert rows[-1] == (3 + (16 << 20), {"output": "c", "ref": "d"})


LISTED = [{"id": "1", "hyp": "a cat", "refs": "['a cat', \"the dog's\"]"}, {"id": "2", "hyp": "b", "refs": '["b"]'}]
UNPACKED = [("a cat", "the dog's"), ("b",)]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_lists_written_as_text_are_lists_for_every_reader(tmp_path: Path, ending: str) -> None:
    """`score` took the brackets for words, where `ratings` read the list."""
    path = written(tmp_path, f"data{ending}", FORMATS[ending](LISTED))
    columns = {"hypothesis": "hyp", "reference": "refs"}
    note = f"{path}: every cell of 'refs' is a list, so each text in it is a reference"
    read = streamed(path, columns)
    assert (read.references, note in read.notes) == (UNPACKED, True)
    joined = join_tables({"a": path, "b": path}, columns=columns)
    assert (joined.references, note in joined.notes) == (UNPACKED, True)
    dataset = Dataset.from_file(path, columns)
    assert (dataset.references, note in dataset.notes) == (UNPACKED, True)
    for made in (Dataset.from_dicts(LISTED, columns), Dataset.from_table(pandas.DataFrame(LISTED), columns)):
        assert (made.references, len(made.notes)) == (UNPACKED, 2)
    assert Dataset.from_table(pandas.DataFrame({"hyp": [], "refs": []}), columns).notes == ()
    assert LISTED[0]["refs"].startswith("['a cat'")  # what was given is not changed
    rated = [{**row, "id": str(number), "human": number} for number, row in enumerate(LISTED * 2)]
    ratings = Ratings.read(rated, "human", hypothesis="hyp", reference="refs")
    assert ratings.references == (*UNPACKED, *UNPACKED)


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_what_is_not_a_list_in_every_cell_is_text(tmp_path: Path, ending: str) -> None:
    columns = {"hypothesis": "hyp", "reference": "refs"}
    mixed = [*LISTED, {"id": "3", "hyp": "c", "refs": "[1]"}]
    path = written(tmp_path, f"mixed{ending}", FORMATS[ending](mixed))
    assert streamed(path, columns).references == [(row["refs"],) for row in mixed]
    assert Dataset.from_file(path, columns).references == [(row["refs"],) for row in mixed]
    both = [{"hyp": '["x", "y"]', "refs": '["x"]'}]  # lists are what is scored
    path = written(tmp_path, f"both{ending}", FORMATS[ending](both))
    for read in (streamed(path, columns), Dataset.from_file(path, columns), join_tables({"a": path}, columns=columns)):
        assert read.references == [('["x"]',)]
        assert any("hold lists, which are scored as texts" in note for note in read.notes)
    lines = written(tmp_path, "lines.txt", b'["x"]\n')
    with FileStream({"a": lines}, [lines]) as stream:
        assert stream.read().references == [('["x"]',)]


def test_a_text_after_lists_is_refused_in_a_later_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "BLOCK", 1)
    path = written(tmp_path, "late.csv", b"hyp,ref\na,['a']\nb,['b']\nc,c\n")
    with pytest.raises(DataFileError, match="line 4: 'ref' is no list, but all cells before are lists"):
        streamed(path)


def test_identical_texts_in_list_cells_score_one(tmp_path: Path) -> None:
    """A user's file: GLEU was 0.8903 for identical texts, and is so in no command."""
    rows = b"id,hyp,ref\n1,a poll found it,['a poll found it']\n2,b c d e,['b c d e']\n"
    path, other = written(tmp_path, "simpeval.csv", rows), written(tmp_path, "other.csv", rows)
    for command in (("score", str(path), "-m", "gleu"), ("score", str(path), "-m", "gleu", "--json", "-")):
        done = invoke(*command)
        assert "1.0" in done.stdout, done.stderr
        assert "every cell of 'ref' is a list" in done.stderr
    compared = invoke("compare", str(path), str(other), "-m", "gleu", "--resamples", "20")
    assert "1.0000" in compared.stdout, compared.stderr
    candidates = written(tmp_path, "candidates.csv", b"candidates\n\"['a b', 'a b', 'c']\"\n")
    assert invoke("choose", str(candidates)).stdout.startswith("a b"), invoke("choose", str(candidates)).stdout
