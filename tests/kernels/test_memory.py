"""Where memory ends, every native call succeeds or raises a MemoryError."""

from __future__ import annotations

import json
import sys

import pytest

from tests.support.processes import run_python

# Memory that is freed goes back at once, and Python's objects are taken from the same place as the core's.
EXACT = {
    "PYTHONMALLOC": "malloc",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 16),
    "MALLOC_TOP_PAD_": "0",
    "MALLOC_TRIM_THRESHOLD_": "0",
}

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits an address space")


def test_a_call_without_memory_raises_a_memory_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """In processes of their own: around each call a limit grows until it succeeds."""
    for name, value in EXACT.items():
        monkeypatch.setenv(name, value)
    found = json.loads(run_python("-m", "tests.kernels.memory"))
    assert found["missing"] == []
    wrong = {name: ends for name, ends in found["calls"].items() if not ends.keys() <= {"result", "MemoryError"}}
    assert wrong == {}
    assert all(ends.get("result", 0) >= 3 for ends in found["calls"].values())
    assert sum("MemoryError" in ends for ends in found["calls"].values()) > 60
