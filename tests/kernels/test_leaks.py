"""Calls of every native entry, good and failing, leave no memory behind: 20,000 here, a million in make test-slow."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BOUND = 4 * 2**20  # what orjson allows itself

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc, which only Linux has")


def gained(rounds: int, limit: int) -> tuple[int, int]:
    """Calls made and resident bytes gained, in a process of their own."""
    command = [sys.executable, "-m", "tests.kernels.leaks", str(rounds)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=limit)
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(done.stdout)
    return found["calls"], found["gained"]


def test_twenty_thousand_calls_leave_no_memory_behind() -> None:
    calls, growth = gained(rounds=220, limit=1200)
    assert calls >= 20_000
    assert growth <= BOUND


@pytest.mark.slow
def test_a_million_calls_leave_no_memory_behind() -> None:
    calls, growth = gained(rounds=11_000, limit=7200)
    assert calls >= 1_000_000
    assert growth <= BOUND
