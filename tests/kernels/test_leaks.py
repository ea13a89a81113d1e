"""Calls of every native entry, good and failing, leave no memory behind: 20,000 here, a million in make test-slow."""

from __future__ import annotations

import json
import sys

import pytest

from tests.support.processes import run_python

BOUND = 4 * 2**20  # what orjson allows itself

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc, which only Linux has")


@pytest.mark.parametrize(
    ("rounds", "least", "limit"), [(230, 20_000, 1200), pytest.param(11_500, 1_000_000, 7200, marks=pytest.mark.slow)]
)
def test_calls_leave_no_memory_behind(rounds: int, least: int, limit: int) -> None:
    """In a process of their own, which prints the calls made and the resident bytes gained."""
    found = json.loads(run_python("-m", "tests.kernels.leaks", str(rounds), limit=limit))
    assert found["calls"] >= least
    assert found["gained"] <= BOUND
