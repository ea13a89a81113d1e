"""How many threads a call uses: what was asked for, the environment, or what the process may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bleuprint.core import threads
from bleuprint.errors import OptionError


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine with eight processors, whose control groups are in this folder."""
    monkeypatch.setattr(threads, "_GROUP", tmp_path / "own")
    monkeypatch.setattr(threads, "_GROUPS", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.delenv("BLEUPRINT_THREADS", raising=False)
    threads._quotas.cache_clear()
    yield tmp_path
    threads._quotas.cache_clear()


@pytest.mark.parametrize(
    ("quota", "expected"),
    [("150000 100000", 2), ("50000 100000", 1), ("max 100000", 8), ("9900000 100000", 8), ("", 8)],
)
def test_a_control_group_limits_the_threads(quota: str, expected: int, machine: Path) -> None:
    (machine / "own").write_text("0::/jobs/one\n")
    (machine / "jobs" / "one").mkdir(parents=True)
    (machine / "jobs" / "one" / "cpu.max").write_text(f"{quota}\n")
    assert threads.worker_count(None) == expected


@pytest.mark.parametrize(("quota", "around", "expected"), [(150000, -1, 2), (-1, 300000, 3), (-1, -1, 8), (0, 0, 8)])
def test_control_groups_of_version_1_and_around_the_own_one_limit_the_threads_too(
    quota: int, around: int, expected: int, machine: Path
) -> None:
    (machine / "own").write_text("5:cpuset:/\n4:cpu,cpuacct:/jobs/one\n1:name=systemd:/\n")
    (machine / "cpu" / "jobs" / "one").mkdir(parents=True)
    for folder, number in ((machine / "cpu" / "jobs" / "one", quota), (machine / "cpu" / "jobs", around)):
        (folder / "cpu.cfs_quota_us").write_text(f"{number}\n")
        (folder / "cpu.cfs_period_us").write_text("100000\n")
    assert threads.worker_count(None) == expected


def test_a_quota_of_the_groups_around_counts_and_no_group_is_no_limit(machine: Path) -> None:
    assert threads.worker_count(None) == 8
    threads._quotas.cache_clear()
    (machine / "own").write_text("0::/jobs/one\n")
    (machine / "jobs").mkdir()
    (machine / "jobs" / "cpu.max").write_text("250000 100000\n")
    assert threads.worker_count(None) == 3


def test_the_environment_sets_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEUPRINT_THREADS", "3")
    assert threads.worker_count(None) == 3
    assert threads.worker_count(1) == 1
    for wrong in ("0", "-1", "two", "1.5"):
        monkeypatch.setenv("BLEUPRINT_THREADS", wrong)
        with pytest.raises(OptionError, match=f"BLEUPRINT_THREADS must be an integer of at least 1, got '{wrong}'"):
            threads.worker_count(None)
