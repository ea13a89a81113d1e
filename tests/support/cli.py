"""What the tests of the command line share."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import bleuprint as bp
from bleuprint.cli import program
from tests.hostile import commands

SAMPLE = Path(bp.__file__).parent / "dataset" / "sample"
SYSTEMS = ("system-a", "system-b", "system-c")
PROGRAM = commands.PROGRAM
NEEDS_POSIX = pytest.mark.skipif(os.name != "posix", reason="devices and signals are POSIX's")


def lines(name: str) -> list[str]:
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")


def references() -> list[tuple[str, str]]:
    return list(zip(lines("ref-1"), lines("ref-2"), strict=True))


def sample(name: str) -> str:
    return str(SAMPLE / f"{name}.txt")


def invoke(*arguments: str, stdin: bytes | None = None, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(program, arguments, input=stdin, env=env)


def succeed(*arguments: str, stdin: bytes | None = None) -> Result:
    """Run a command that must not fail."""
    done = invoke(*arguments, stdin=stdin)
    assert done.exit_code == 0, done.stderr
    return done


def refuse(expected: str, *arguments: str, stdin: bytes | None = None) -> Result:
    """Run a command that must print nothing but one line that explains why it fails."""
    refused = invoke(*arguments, stdin=stdin)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert_one_line(refused.stderr, expected)
    return refused


def start(
    arguments: Sequence[str], *, stdin: bytes = b"", stdout: int = subprocess.PIPE, **env: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, **env},
        check=False,
    )


def assert_one_line(stderr: str | bytes, expected: str) -> None:
    text = stderr.decode() if isinstance(stderr, bytes) else stderr
    assert text.startswith("bleuprint: ")
    assert text.count("\n") == 1
    assert "Traceback" not in text
    assert expected in text
