"""Ctrl-C in the middle of a long call, on a machine that may be busy with other things.

Nothing here goes by the clock: a signal arrives when a process has used so much processor time, and a call is prompt
if it uses little more before it answers.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# All of these are seconds of processor time; the calls that are interrupted would need about a minute.
BUSY = 0.5
PROMPT = 10
HANG = 600  # seconds on the clock; only a process that hangs needs them

_SCRIPT = """
from tests.support import interrupts
{setting}
interrupts.arm()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""


def arm() -> None:
    """Raise SIGINT in this process after another half second of its processor time; kill it if it works on after that.

    SIGPROF itself runs no code before Python looks for signals, just as SIGINT does not.
    """
    import resource  # not on Windows

    import numpy  # noqa: F401  # a signal in the middle of its import is an ImportError there

    signal.signal(signal.SIGPROF, lambda *_: signal.raise_signal(signal.SIGINT))
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + BUSY) + PROMPT + 1, hard))
    signal.setitimer(signal.ITIMER_PROF, BUSY)


def assert_interrupted(call: str, setting: str) -> None:
    """The call answers a signal long before it would end: one that waits for its end is killed."""
    script = _SCRIPT.format(call=call, setting=setting)
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG, check=False)
    assert (done.stdout, done.returncode) == ("interrupted\n", 0), done.stderr


def processor_seconds(process: int) -> float:
    """What all threads of a process have used; it may have ended, as long as nobody has waited for it."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_busy(process: subprocess.Popen[str]) -> None:
    """Return when the process has worked for another half second, so that it is well inside what it was doing."""
    begin = processor_seconds(process.pid)
    while process.poll() is None and processor_seconds(process.pid) - begin < BUSY:
        time.sleep(0.01)
