"""bleuprint score on files of every format, as a stream and whole."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.runners.progress import progress
from tests.support.cli import (
    NEEDS_POSIX,
    PROGRAM,
    SAMPLE,
    assert_one_line,
    invoke,
    lines,
    references,
    refuse,
    sample,
    start,
    succeed,
)
from tests.support.data_files import FORMATS, jsonl, saved_dataset, zstandardized
from tests.support.effort import MANY

ROWS = [
    {"mt": first, "prediction": second, "target": pair[0], "input": source}
    for first, second, pair, source in zip(
        lines("system-a"), lines("system-b"), references(), lines("source"), strict=True
    )
]


def scores(output: str) -> list[list[str]]:
    return [line.split()[:2] for line in output.partition("\n\n")[0].splitlines()[1:]]


def expected(name: str) -> str:
    return f"{bp.corpus_bleu(lines(name), lines('ref-1')).value:.4f}"


@pytest.mark.parametrize("ending", [*FORMATS, "folder"])
def test_a_table_is_enough(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"data{ending}"
    if ending == "folder":
        saved_dataset(path, ROWS)
    else:
        path.write_bytes(FORMATS[ending](ROWS))
    result = succeed("score", str(path))
    assert scores(result.stdout) == [["prediction", expected("system-b")]]
    assert result.stderr == (
        f"note: {path}: hypotheses from column 'prediction', references from column 'target', "
        "sources from column 'input'\n"
    )
    columns = ["--hypothesis-column", "mt", "--hypothesis-column", "prediction", "--reference-column", "target"]
    several = invoke("score", str(path), *columns, "--source-column", "input", "-m", "ibleu", "-m", "bleu")
    assert several.stderr == ""
    ibleu = bp.ibleu(lines("system-a"), lines("ref-1"), sources=lines("source"))
    assert several.stdout.splitlines()[1].split() == ["mt", f"{ibleu.value:.4f}", expected("system-a")]


def test_tables_and_texts_together(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_bytes(jsonl(ROWS))
    mixed = invoke("score", sample("system-a"), str(path), "-r", sample("ref-1"))
    assert scores(mixed.stdout) == [["system-a", expected("system-a")], ["data", expected("system-b")]]
    table_of_references = invoke("score", sample("system-a"), "-r", str(path))
    assert scores(table_of_references.stdout) == [["system-a", expected("system-a")]]


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".zst", zstandardized)])
def test_compressed_texts_and_pipes(tmp_path: Path, ending: str, pack: object) -> None:
    content = pack((SAMPLE / "system-a.txt").read_bytes())  # type: ignore[operator]
    path = tmp_path / f"mine.txt{ending}"
    path.write_bytes(content)
    assert scores(invoke("score", str(path), "-r", sample("ref-1")).stdout) == [["mine", expected("system-a")]]
    piped = invoke("score", "-", "-r", sample("ref-1"), stdin=content)
    assert scores(piped.stdout) == [["stdin", expected("system-a")]]


def test_input_as_sacrebleu_takes_it() -> None:
    refuse("Write systems without an option: HYP -r REF", "score", sample("ref-1"), "-i", sample("system-a"))
    refuse("Missing argument 'HYP...'", "score", "-r", sample("ref-1"))


def test_streamed_and_whole_agree(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    arguments = ["score", sample("system-a"), sample("system-b"), "-r", sample("ref-1"), "-m", "chrf", "-m", "rouge"]
    streamed, whole = invoke(*arguments), invoke(*arguments, "--json", str(path))
    assert streamed.stdout == whole.stdout
    assert len(json.loads(path.read_text(encoding="utf-8"))["references"]) == 48


def test_replaced_bytes_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"caf\xe9\n" * 48)
    refuse("line 1: byte 4 (0xE9) is not valid", "score", str(path), "-r", sample("ref-1"))
    for more in ([], ["--sentence-level"]):
        result = succeed("score", str(path), "-r", sample("ref-1"), "--errors", "replace", *more)
        assert result.stderr == f"note: {path}: replaced 48 invalid UTF-8 byte sequences with U+FFFD\n"


@pytest.mark.parametrize(
    ("name", "content", "arguments", "message"),
    [
        ("a.jsonl", b'{"output": "a", "ref": "b"}\n{', (), "a.jsonl, line 2: invalid JSON"),
        ("a.jsonl", b'{"output": "a"}\n', (), "no column is recognized as references; choose from 'output': --ref"),
        ("a.jsonl", b'{"output": "a", "ref": ""}\n', ("--hypothesis-column", "x"), "it has no column 'x'"),
        ("a.csv", b"output,prediction,ref\na,b,c\n", (), "could be in column 'output' or 'prediction'; choose one"),
        ("a.parquet.gz", b"", (), "compressed parquet files cannot be read"),
        ("a.txt.gz", gzip.compress(b"a\n" * 100, mtime=0)[:-5], ("-r", sample("ref-1")), "ends too early"),
        ("a.jsonl", b'{"output": "a", "ref": ""}\n', ("-m", "ibleu"), "ibleu compares with the sources"),
        ("a.txt", b"a\n", ("-r", sample("ref-1")), "has 1 lines but"),
        ("a.txt", b"a\n", ("-r", sample("ref-1"), "--source-column", "x"), "which is not read from a table"),
    ],
)
def test_failures_are_one_line(
    tmp_path: Path, name: str, content: bytes, arguments: tuple[str, ...], message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    for more in ((), ("--sentence-level",)):
        refuse(message, "score", str(path), *arguments, *more)


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "long.txt"
    content = (SAMPLE / "ref-1.txt").read_bytes() * 1000
    with path.open("wb") as file:
        for _ in range((100_000_000 if MANY else 20_000_000) // len(content)):
            file.write(content)
    return path


@NEEDS_POSIX
@pytest.mark.parametrize("more", [(), ("--sentence-level",), ("--json", "out.json")])
def test_interrupt_leaves_nothing(long_file: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    """Ctrl-C in the middle of a long file: one line, no output, no file."""
    command = [*PROGRAM, "score", "-", "-r", str(long_file), "-m", "ter", *more]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    with long_file.open("rb") as file:
        # A pipe holds little: when all of this is written the first blocks have been read.
        process.stdin.write(file.read(10 << 20))
    process.send_signal(signal.SIGINT)
    output, error = process.communicate(timeout=600)
    assert process.returncode == 130
    assert output == b""
    assert_one_line(error, "interrupted")
    assert list(tmp_path.iterdir()) == []


@NEEDS_POSIX
def test_a_bar_on_a_terminal_and_none_in_a_pipe() -> None:
    arguments = ["score", sample("system-a"), "-r", sample("ref-1")]
    assert start(arguments).stderr == b""
    leader, follower = os.openpty()
    script = "import bleuprint.runners.progress as p; p._PATIENCE = -1.0; import bleuprint.cli as c; c.main()"
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(
        [PROGRAM[0], "-c", script, *arguments], stdout=subprocess.PIPE, stderr=follower, env=environment
    )
    os.close(follower)
    # The slower the machine, the more often the bar is drawn: more than a terminal holds, and than one call reads.
    shown = b""
    with suppress(OSError):  # at the end, where other files give nothing
        while piece := os.read(leader, 1 << 16):
            shown += piece
    os.close(leader)
    output, _ = process.communicate()
    assert process.returncode == 0
    assert output == start(arguments).stdout
    assert b"scoring" in shown
    assert b"100%" in shown


def test_a_bar_that_nobody_sees_costs_nothing() -> None:
    with progress("reading", None) as advance:
        advance(5)
