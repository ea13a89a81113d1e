"""The command line when something is wrong: one line, the right exit code, never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bleuprint.results import Result
from tests.hostile.commands import waiting
from tests.support.cli import NEEDS_POSIX, SAMPLE, assert_one_line, invoke, refuse, sample, start


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nonsense"], "There is no command 'nonsense'"),
        (["--nonsense"], "--nonsense"),
        (["score"], "Missing argument 'HYP...'"),
        (["score", sample("ref-1")], "Missing option '-r'"),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "--nonsense"], "--nonsense"),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "-m", "nonsense"], "nonsense"),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "-tok", "nonsense"], "tokenizer must be"),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "--smoothing", "nonsense"], "smoothing must be"),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "--max-order", "0"], "max_order must be"),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "--max-order", "2.5"], "--max-order"),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "--profile", "nonsense"], "profile must be"),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "--threads", "0"], "--threads"),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "-w", "-1"], "--width"),
        (
            ["score", sample("ref-1"), "-r", sample("ref-1"), "-m", "item-bleu", "-tok", "13a"],
            "does not apply",
        ),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "--report", "-"], "--report needs its own output file"),
        (["score", "absent.txt", "-r", sample("ref-1")], "absent.txt: there is no such file"),
        (["score", str(SAMPLE), "-r", sample("ref-1")], "this is a folder"),
        (["score", "-", "-r", "-"], "only once"),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "--json", "absent/x.json"], "does not exist"),
        (["score", sample("ref-1"), "-r", sample("ref-1"), "--json", str(SAMPLE)], "it is a folder"),
        (["demo", "--output", sample("ref-1")], "File exists"),
    ],
)
def test_failures_are_one_line_and_exit_2(arguments: list[str], expected: str) -> None:
    refuse(expected, *arguments)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(b"", "the file is empty", marks=pytest.mark.slow),
        (b"one\ntwo\n", "hyp.txt has 2 lines but"),
        (b"one\ntw\xffo\n", "hyp.txt, line 2: byte 3 (0xFF) is not valid UTF-8"),
        pytest.param("eins\n".encode("utf-16"), "UTF-16", marks=pytest.mark.slow),
        pytest.param(b"\x1f\x8b\x08", "gzip", marks=pytest.mark.slow),
    ],
)
def test_bad_files_as_a_real_program(tmp_path: Path, content: bytes, expected: str) -> None:
    path = tmp_path / "hyp.txt"
    path.write_bytes(content)
    for arguments in ([str(path), "-r", sample("ref-1")], [sample("ref-1"), "-r", str(path)]):
        finished = start(["score", *arguments])
        assert finished.returncode == 2
        assert finished.stdout == b""
        assert_one_line(finished.stderr, expected if "lines" not in expected else "has 2")


@NEEDS_POSIX
def test_control_characters_in_names_are_shown(tmp_path: Path) -> None:
    for name in (b"a\x1b[31m\nred.txt", b"bad\xff\xe2\x80\xae.txt"):
        (tmp_path / os.fsdecode(name)).write_bytes((SAMPLE / "ref-1.txt").read_bytes())
    paths = sorted(map(str, tmp_path.iterdir()))
    finished = start(["score", *paths, "-r", sample("ref-1"), "--report", str(tmp_path / "out.html")])
    assert finished.returncode == 0, finished.stderr
    assert b"\x1b" not in finished.stdout
    assert b"\na\\x1b[31m\\nred   1.0000" in finished.stdout
    assert b"bad\\udcff\\u202e" in finished.stdout
    failed = start(["score", paths[0] + "x", "-r", sample("ref-1")])
    assert_one_line(failed.stderr, "a\\x1b[31m\\nred.txtx: there is no such file")


@NEEDS_POSIX
def test_full_devices_are_reported() -> None:
    arguments = ["score", sample("system-a"), "-r", sample("ref-1")]
    with Path("/dev/full").open("wb") as full:
        for more in ([], ["--sentence-level"], ["--json", "-"]):
            finished = start([*arguments, *more], stdout=full.fileno())
            assert finished.returncode == 2
            assert_one_line(finished.stderr, "cannot write standard output: No space left on device")
        helped = start(["--help"], stdout=full.fileno())
        assert helped.returncode == 2
        assert_one_line(helped.stderr, "No space left on device")
    for option in ("--json", "--report"):
        finished = start([*arguments, option, "/dev/full"])
        assert finished.returncode == 2
        assert b"system-a  0.6332" in finished.stdout
        assert_one_line(finished.stderr, "cannot write /dev/full: No space left on device")
    assert Path("/dev/full").is_char_device()


@NEEDS_POSIX
def test_disk_that_fills_up_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_bytes(b"old")
    limited = f"ulimit -f 1; exec {sys.executable} -B -m bleuprint score {sample('system-a')} -r {sample('ref-1')}"
    finished = subprocess.run(
        ["bash", "-c", f"{limited} --json {path} --force"],
        capture_output=True,
        check=False,
    )
    assert finished.returncode == 2
    assert b"system-a  0.6332" in finished.stdout
    assert_one_line(finished.stderr, f"cannot write {path}: File too large")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@NEEDS_POSIX
def test_interrupt_is_one_line_and_exit_130() -> None:
    process = waiting("-r", sample("ref-1"))
    process.send_signal(signal.SIGINT)
    out, error = process.communicate()
    assert process.returncode == 130
    assert out == b""
    assert_one_line(error, "interrupted")


@NEEDS_POSIX
def test_a_closed_pipe_is_silent_and_files_are_written(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    process = waiting("-r", sample("ref-1"), "--sentence-level", "--json", str(path))
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.write(b"y\n" * 47)
    process.stdin.close()
    error = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 141
    assert error == b""
    assert Result.read_json(path).size == 48


@NEEDS_POSIX
@pytest.mark.parametrize("arguments", [["--help"], ["cards"], ["doctor"], ["score", "A", "-r", "R", "--json", "-"]])
def test_a_pipe_that_nobody_reads_is_silent(arguments: list[str]) -> None:
    files = {"A": str(sample("system-a")), "R": str(sample("ref-1"))}
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "bleuprint", *(files.get(item, item) for item in arguments)]
    ended = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


@NEEDS_POSIX
def test_closed_streams() -> None:
    command = f"{sys.executable} -m bleuprint score {sample('ref-1')} -r {sample('ref-1')}"
    no_output = subprocess.run(["bash", "-c", f"{command} >&-"], stderr=subprocess.PIPE, check=False)
    assert no_output.returncode == 2
    assert_one_line(no_output.stderr, "cannot write standard output: it is closed")
    no_input = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m bleuprint score - -r {sample('ref-1')} <&-"],
        stderr=subprocess.PIPE,
        check=False,
    )
    assert no_input.returncode == 2
    assert_one_line(no_input.stderr, "<stdin>")


def test_names_that_the_terminal_cannot_show(tmp_path: Path) -> None:
    path = tmp_path / "système.txt"
    path.write_bytes((SAMPLE / "ref-1.txt").read_bytes())
    finished = start(["score", str(path), "-r", sample("ref-1")], PYTHONIOENCODING="ascii")
    assert finished.returncode == 0, finished.stderr
    assert b"syst\\xe8me  1.0000" in finished.stdout


def test_unexpected_errors_ask_for_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    import bleuprint.cli.score as module

    def broken(*arguments: object, **options: object) -> None:
        raise RuntimeError("first\nsecond \x1b[31m")

    monkeypatch.setattr(module, "score_stream", broken)
    arguments = ["score", sample("ref-1"), "-r", sample("ref-1")]
    result = invoke(*arguments, env={"BLEUPRINT_DEBUG": ""})
    assert result.exit_code == 2
    assert_one_line(result.stderr, "unexpected RuntimeError: first\\nsecond \\x1b[31m")
    assert "please report it" in result.stderr
    debugged = invoke(*arguments, env={"BLEUPRINT_DEBUG": "1"})
    assert debugged.exit_code == 2
    assert "Traceback (most recent call last)" in debugged.stderr
    assert "in broken" in debugged.stderr


def test_memory_error_and_abort(monkeypatch: pytest.MonkeyPatch) -> None:
    import bleuprint.cli.score as module

    for error, code, expected in [(MemoryError(), 2, "memory"), (KeyboardInterrupt(), 130, "interrupted")]:

        def failing(*arguments: object, error: BaseException = error, **options: object) -> None:
            raise error

        monkeypatch.setattr(module, "score_stream", failing)
        result = invoke("score", sample("ref-1"), "-r", sample("ref-1"))
        assert result.exit_code == code
        assert_one_line(result.stderr, expected)
