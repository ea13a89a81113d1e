"""How many threads a call may use."""

from __future__ import annotations

from bleuprint import checks
from bleuprint.core import counts

_MOST_THREADS = 1024  # far more than helps, far less than a machine word holds


def worker_count(threads: int | None) -> int:
    """The number of threads to use; None means all processors."""
    if threads is None:
        return counts.available_threads()
    wanted: int = checks.integer("threads", threads, allowed="None (all processors) or an integer of at least 1")
    return min(wanted, _MOST_THREADS)
