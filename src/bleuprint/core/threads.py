"""How many threads a call may use."""

from __future__ import annotations

import os
from functools import cache

from bleuprint import checks
from bleuprint.errors import OptionError

_GROUP, _GROUPS = "/proc/self/cgroup", "/sys/fs/cgroup"  # as text: pathlib would take a tenth of a first call
_VERSION_1, _VERSION_2 = ("cpu.cfs_quota_us", "cpu.cfs_period_us"), ("cpu.max",)  # a quota and its period
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
    return max(1, min([cores, *_quotas()]))


@cache  # several small files, which would take longer than the score of a segment
def _quotas() -> list[int]:
    """The processors that the control group of this process and those around it grant, when first asked."""
    found = []
    for line in _read(_GROUP).splitlines():
        controllers, _, own = line.partition(":")[2].partition(":")
        names = own.strip("/").split("/")
        if controllers and "cpu" not in controllers.split(","):
            continue
        for depth in range(len(names) + 1):
            folder = "/".join([str(_GROUPS), *["cpu"] * bool(controllers), *names[:depth]])
            numbers = " ".join(
                _read(f"{folder}/{file}") for file in (_VERSION_1 if controllers else _VERSION_2)
            ).split()
            if len(numbers) == 2 and all(map(str.isdecimal, numbers)) and min(map(int, numbers)):  # no "max", and no -1
                found.append(-(-int(numbers[0]) // int(numbers[1])))
    return found


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read()
    except OSError:  # there is no such group
        return ""


def _from_environment() -> int | None:
    text = os.environ.get("BLEUPRINT_THREADS", "")
    if text and not (text.isdecimal() and int(text) > 0):
        raise OptionError("BLEUPRINT_THREADS", "an integer of at least 1", text)
    return int(text) if text else None
