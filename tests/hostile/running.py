"""Cases in a process of their own, with limits: what hangs, crashes or eats memory costs that process and one label."""

from __future__ import annotations

import json
import os
import queue
import resource
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from tests.hostile.case import SECONDS, Case, Outcome, judged

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 4 << 30  # bytes of address space for a process and all that it starts
PROCESSOR_SECONDS = 300  # of one process, whatever the clock says
STARTED = "started"


def run(
    cases: Sequence[Case], *, switches: Sequence[str] = (), module: str = "tests.hostile.child"
) -> dict[str, Outcome]:
    """Every case with how it ended; a process that dies takes one case with it and the others go on in a new one.

    `module` is what the process runs: it has to know the cases and hand them to `serve`.
    """
    found: dict[str, Outcome] = {}
    remaining = list(cases)
    while remaining:
        found |= _one_process(remaining, [*switches, "-m", module])
        remaining = [case for case in remaining if case.name not in found]
    return found


def _one_process(cases: Sequence[Case], arguments: Sequence[str]) -> dict[str, Outcome]:
    command = [sys.executable, *arguments, *(case.name for case in cases)]
    found: dict[str, Outcome] = {}
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        ) as child,
    ):
        assert child.stdout is not None
        lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=_forward, args=(child.stdout, lines), daemon=True).start()
        try:
            _take(lines, SECONDS)  # the start: imports
            for case in cases:
                line = _take(lines, case.seconds)
                if not line:
                    found[case.name] = _death(child, errors)
                    break
                name, label, detail = json.loads(line)
                found[name] = Outcome(label, detail)
        except TimeoutError:
            missing = next(case.name for case in cases if case.name not in found)
            found[missing] = Outcome("hang", "the time was up")
        finally:
            if child.poll() is None and len(found) < len(cases):
                os.killpg(child.pid, signal.SIGKILL)
    return found


def _forward(stream: IO[str], lines: queue.Queue[str]) -> None:
    for line in stream:
        lines.put(line)
    lines.put("")


def _take(lines: queue.Queue[str], seconds: float) -> str:
    try:
        return lines.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None


def _death(child: subprocess.Popen[str], errors: IO[bytes]) -> Outcome:
    code = child.wait()
    errors.seek(0)
    said = errors.read().decode(errors="replace")[-300:]
    if code == -signal.SIGXCPU:
        return Outcome("hang", f"{PROCESSOR_SECONDS} seconds of the processor were used up")
    return Outcome("crash", f"exit code {code}: {said}")


def serve(cases: Mapping[str, Case], names: Sequence[str]) -> None:
    """What the child does: run these cases one after the other, a line of JSON for each."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # whatever a case prints is no answer
    # A shell starts what runs in its background deaf to Ctrl-C, and nohup to the end of a terminal: it is inherited.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(STARTED, file=answers, flush=True)
    for name in names:
        outcome = judged(cases[name])
        print(json.dumps([name, *outcome]), file=answers, flush=True)
