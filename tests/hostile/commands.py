"""The command line as a user meets it: a real program over real files, and what it said."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.hostile.case import LIMIT, Case, Clear, Expectation, InjectionError, Right

PROGRAM = (sys.executable, "-m", "bleuprint")
# What a terminal acts on, or an eye is led astray by.
LIVE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def waiting(*arguments: str, cwd: Path | None = None, program: Sequence[str] = PROGRAM) -> subprocess.Popen[bytes]:
    """The program while it reads standard input: more has been written than a pipe holds, so it has begun."""
    process = subprocess.Popen(
        [*program, "score", "-", *arguments],
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(b"x" * (1 << 21) + b"\n")
    process.stdin.flush()
    return process


class CommandError(Exception):
    """The program refused: exit code 2 (130 after Ctrl-C) and one line that says why."""


class Folder:
    """A folder with files, and the program run in it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def file(self, name: str, content: bytes | str) -> str:
        (self.path / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    def run(self, *arguments: str, **settings: Any) -> str:
        """What it printed; a CommandError if it refused in good order, anything else if not."""
        done = subprocess.run(
            [*PROGRAM, *arguments],
            cwd=self.path,
            stdout=settings.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            env={**os.environ, **settings.pop("environment", {})},
            timeout=LIMIT,
            check=False,
            **{"stdin": subprocess.DEVNULL, **settings} if "input" not in settings else settings,
        )
        return answer(done.returncode, done.stdout or b"", done.stderr)

    def score(self, hypothesis: str = "hyp.txt", reference: str = "ref.txt", *more: str, **settings: Any) -> float:
        """The BLEU that `bleuprint score` prints, to 17 digits."""
        plain = ("-tok", "whitespace", "--smoothing", "none", "-w", "17")
        said = self.run("score", hypothesis, "-r", reference, *plain, "-q", *more, **settings)
        return float(said)

    def names(self) -> list[str]:
        return sorted(path.name for path in self.path.iterdir())


def answer(code: int, out: bytes, error: bytes) -> str:
    """What a run means: output, a refusal in one line, or something that must not happen."""
    said, complaint = out.decode(errors="surrogateescape"), error.decode(errors="surrogateescape")
    for text in (said, complaint):
        found = LIVE.search(text)
        if found:
            raise InjectionError(f"{found[0]!r} reached the terminal in {text[max(0, found.start() - 40) :][:120]!r}")
    if code == 0:
        return said
    if "Traceback" in complaint or complaint.count("\n") != 1 or not complaint.startswith("bleuprint: "):
        raise AssertionError(f"exit code {code}, said {complaint[-300:]!r}")
    # The scores are printed even if a file cannot be written.
    if said and not complaint.startswith("bleuprint: cannot write "):
        raise AssertionError(f"exit code {code} after printing {said[:100]!r}")
    if code not in (2, 130):
        raise AssertionError(f"exit code {code}: {complaint!r}")
    raise CommandError(complaint.removeprefix("bleuprint: "))


def inside(work: Callable[[Folder], object], files: Mapping[str, bytes | str] | None = None) -> Callable[[], object]:
    """The work in a new folder that holds these files."""

    def call() -> object:
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(Path(name))
            for file, content in (files or {}).items():
                folder.file(file, content)
            return work(folder)

    return call


def command_case(
    name: str,
    work: Callable[[Folder], object],
    expectation: Expectation | Sequence[str],
    files: Mapping[str, bytes | str] | None = None,
) -> Case:
    """A case in a folder; a sequence of words is what the program has to say when it refuses."""
    if not isinstance(expectation, Right | Clear):
        expectation = Clear(CommandError, tuple(expectation))
    return Case(name, inside(work, files), expectation)
