"""How many threads a call may use."""

from __future__ import annotations

import math
import os

from bleuprint import checks
from bleuprint.errors import OptionError

_GROUP, _GROUPS = "/proc/self/cgroup", "/sys/fs/cgroup"  # version 2; pathlib would take a tenth of a first call
_MOST_THREADS = 1024  # far more than helps, far less than a machine word holds


def worker_count(threads: int | None) -> int:
    """The number of threads to use; None means $BLEUPRINT_THREADS, or all processors."""
    if threads is None:
        threads = _from_environment() or available_threads()
    wanted: int = checks.integer("threads", threads, allowed="None (all processors) or an integer of at least 1")
    return min(wanted, _MOST_THREADS)


def available_threads() -> int:
    """The number of processors that this process may use: its affinity, or the quota of its control group if less."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        with open(_GROUP, encoding="utf-8") as file:  # noqa: PTH123
            own = file.read().rpartition("::/")[2].strip()
        with open(f"{_GROUPS}/{own}/cpu.max", encoding="ascii") as file:  # noqa: PTH123
            quota, period = map(float, file.read().split())
        return max(1, min(cores, math.ceil(quota / period)))
    except (OSError, ValueError, ZeroDivisionError):  # no control group, or "max"
        return cores


def _from_environment() -> int | None:
    text = os.environ.get("BLEUPRINT_THREADS", "")
    if text and not (text.isdecimal() and int(text) > 0):
        raise OptionError("BLEUPRINT_THREADS", "an integer of at least 1", text)
    return int(text) if text else None
