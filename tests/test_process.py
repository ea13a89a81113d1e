"""Life beside the interpreter: forks, threads, Ctrl-C, exit, memory; each case in a process with a limit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 60  # seconds that nothing here should need; a deadlock ends there
MEGABYTE = 2**20

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc, which only Linux has")
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")


def command(*arguments: str, switches: tuple[str, ...] = ()) -> list[str]:
    return [sys.executable, *switches, "-m", "tests.children", *arguments]


def run(*arguments: str, switches: tuple[str, ...] = (), **environment: str) -> str:
    """What the child printed; fails with its error if it did not end well and in time."""
    done = subprocess.run(
        command(*arguments, switches=switches),
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@forks
@pytest.mark.parametrize("when", ["fork_after_use", "fork_during_use"])
def test_a_forked_child_scores(when: str) -> None:
    run(when)


@pytest.mark.parametrize("child", ["eight_threads", "changed_meanwhile"])
def test_threads(child: str) -> None:
    run(child)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C to whole consoles")
@pytest.mark.parametrize(
    "arguments",
    [
        ("interrupted", "1"),
        ("interrupted", "2"),
        ("interrupted_update",),
        ("interrupted_alignment",),
        ("interrupted_training",),
    ],
)
def test_ctrl_c_is_answered(arguments: tuple[str, ...]) -> None:
    """Within half a second; another second is left for a busy machine."""
    with subprocess.Popen(command(*arguments), cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == "ready\n"
            time.sleep(0.7)
            sent = time.monotonic()
            child.send_signal(signal.SIGINT)
            out, _ = child.communicate(timeout=LIMIT)
        finally:
            child.kill()
    assert child.returncode == 0
    assert float(out) - sent < 1.5


@pytest.mark.parametrize("attempt", range(3))
def test_exit_with_threads_inside_the_core(attempt: int) -> None:
    run("exit_inside")


def test_other_threads_run_during_a_long_call() -> None:
    found = json.loads(run("others_run"))
    assert found["seconds"] > 0.2
    assert found["ticks"] > 10 * found["seconds"]  # some 400 a second where the machine has nothing else to do


@linux
def test_no_memory_is_an_error_not_an_abort() -> None:
    outcomes = json.loads(run("memory_limits"))
    assert outcomes["memory"] >= 4
    assert outcomes["right"] >= 4


def test_numbers_do_not_depend_on_the_interpreter() -> None:
    first = run("fingerprint", PYTHONHASHSEED="0")
    assert "no error" not in first
    assert run("fingerprint", PYTHONHASHSEED="1") == first
    assert run("fingerprint", PYTHONHASHSEED="2") == first
    assert run("fingerprint", switches=("-O",)) == first
    assert run("fingerprint", switches=("-X", "dev", "-W", "error"), PYTHONMALLOC="debug") == first


def imported_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, check=True)
    return set(done.stdout.split())


def test_import_is_light() -> None:
    heavy = {
        "numpy",
        "click",
        "rich",
        "jinja2",
        "asyncio",
        "pandas",
        "pyarrow",
        "json",
        "logging",
        "threading",
    }
    assert not imported_by("import bleuprint") & heavy
    pair = "import bleuprint; bleuprint.sentence_bleu('a b', ['a b', 'c']); bleuprint.corpus_bleu(['a'], ['a'])"
    assert not imported_by(pair) & heavy
    assert "numpy" in imported_by("import bleuprint; bleuprint.sentence_bleus(['a'], ['a'])")


@linux
@pytest.mark.parametrize("kind", ["good", "bad"])
def test_calls_leave_no_memory_behind(kind: str) -> None:
    assert int(run("growth", kind)) < 4 * MEGABYTE


@linux
def test_texts_are_forgotten() -> None:
    assert int(run("kept_after_use")) < 10 * MEGABYTE


@linux
def test_a_million_segments_stream_in_constant_memory() -> None:
    assert int(run("million_segments")) < 8 * MEGABYTE
