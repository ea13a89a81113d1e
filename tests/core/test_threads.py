"""How many threads a call uses: what was asked for, the environment, or what the process may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bleuprint.core import threads
from bleuprint.errors import OptionError


@pytest.mark.parametrize(
    ("quota", "expected"),
    [("150000 100000", 2), ("50000 100000", 1), ("max 100000", 8), ("9900000 100000", 8), ("", 8)],
)
def test_a_control_group_limits_the_threads(
    quota: str, expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own").write_text("0::/jobs/one\n")
    (tmp_path / "jobs" / "one").mkdir(parents=True)
    (tmp_path / "jobs" / "one" / "cpu.max").write_text(f"{quota}\n")
    monkeypatch.setattr(threads, "_GROUP", tmp_path / "own")
    monkeypatch.setattr(threads, "_GROUPS", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.delenv("BLEUPRINT_THREADS", raising=False)
    assert threads.worker_count(None) == expected


def test_the_environment_sets_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEUPRINT_THREADS", "3")
    assert threads.worker_count(None) == 3
    assert threads.worker_count(1) == 1
    for wrong in ("0", "-1", "two", "1.5"):
        monkeypatch.setenv("BLEUPRINT_THREADS", wrong)
        with pytest.raises(OptionError, match=f"BLEUPRINT_THREADS must be an integer of at least 1, got '{wrong}'"):
            threads.worker_count(None)
