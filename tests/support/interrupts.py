"""Calls that take about a minute, interrupted after two seconds, in a process of their own."""

from __future__ import annotations

import subprocess
import sys

__all__ = ["assert_interrupted"]

_SCRIPT = """
import os, signal, threading
{setting}
threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""


def assert_interrupted(call: str, setting: str) -> None:
    """The call answers a signal long before it would end: one that waits for its end runs out of time."""
    script = _SCRIPT.format(call=call, setting=setting)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout == "interrupted\n", done.stderr
