"""Python in a process of its own."""

from __future__ import annotations

import subprocess
import sys

from tests.support.documents import ROOT


def run_python(*arguments: str, limit: float = 600) -> str:
    """What it prints, in the folder of the project."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=limit, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
