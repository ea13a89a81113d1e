"""How many threads a call may use."""

from __future__ import annotations

import math
import os
import re
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path

from bleuprint import checks
from bleuprint.errors import OptionError

_GROUP, _GROUPS = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")
_VERSION_1, _VERSION_2 = ("cpu.cfs_quota_us", "cpu.cfs_period_us"), ("cpu.max",)  # a quota and its period
_MOST_THREADS = 1024  # far more than helps, far less than a machine word holds
_own = threading.local()


def worker_count(threads: int | None) -> int:
    """The number of threads to use; None means $BLEUPRINT_THREADS, or all processors."""
    if threads is None:
        threads = _from_environment() or available_threads()
    wanted: int = checks.integer("threads", threads, allowed="None (all processors) or an integer of at least 1")
    return min(wanted, _MOST_THREADS)


class Beside(ThreadPoolExecutor):
    """Threads for calls that come to `pause` every now and then: these end when the block is left."""

    def __init__(self, threads: int) -> None:
        self._left = threading.Event()
        super().__init__(threads, initializer=setattr, initargs=(_own, "left", self._left))

    def __exit__(self, *error: object) -> None:
        self._left.set()
        self.shutdown(cancel_futures=True)


def pause() -> None:
    """End the call of a thread `Beside` another that does not wait for it any more."""
    if (left := getattr(_own, "left", None)) is not None and left.is_set():
        raise CancelledError


def available_threads() -> int:
    """The number of processors that this process may use: its affinity, or the quota of its control group if less."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([cores, *_quotas()]))


@cache  # several small files, which would take longer than the score of a segment
def _quotas() -> list[int]:
    """The processors that the control group of this process and those around it grant, when first asked."""
    found = []
    written = _GROUP.read_text(encoding="utf-8", errors="replace") if _GROUP.exists() else ""
    for controllers, own in re.findall(r"^\d+:(|cpu|.*,cpu|cpu,.*):(/.*)$", written, re.MULTILINE):
        for group in (Path(own), *Path(own).parents):
            folder = _GROUPS / ("cpu" if controllers else "") / str(group).lstrip("/")
            with suppress(OSError, ValueError):  # no such group here, or "max"
                files = [folder / name for name in (_VERSION_1 if controllers else _VERSION_2)]
                quota, period = map(int, " ".join(file.read_text(encoding="ascii") for file in files).split())
                found += [math.ceil(quota / period)] if quota > 0 and period > 0 else []  # -1: no quota
    return found


def _from_environment() -> int | None:
    text = os.environ.get("BLEUPRINT_THREADS", "")
    if text and not (text.isdecimal() and int(text) > 0):
        raise OptionError("BLEUPRINT_THREADS", "an integer of at least 1", text)
    return int(text) if text else None
