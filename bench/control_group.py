"""A group of processes that may take only so much memory: the kernel sees to it, and counts."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MEMORY = Path("/sys/fs/cgroup/memory")


class ControlGroup:
    """Processes that enter, and all they start."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._folder = folder
        self.limit = limit
        self.largest = 0
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        (folder / "memory.limit_in_bytes").write_text(str(limit), encoding="ascii")
        self._watcher.start()

    def enter(self) -> None:
        """Put the process that calls this into the group."""
        (self._folder / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")

    def _watch(self) -> None:
        """Keep the largest memory of the group, pages shared between processes counted once, files not counted."""
        while not self._over.wait(0.05):
            fields = dict(line.split() for line in (self._folder / "memory.stat").read_text("ascii").splitlines())
            self.largest = max(self.largest, int(fields["total_rss"]))

    def kills(self) -> int:
        """How often the kernel had to kill for memory."""
        fields = dict(line.split() for line in (self._folder / "memory.oom_control").read_text("ascii").splitlines())
        return int(fields["oom_kill"])

    def close(self) -> None:
        self._over.set()
        self._watcher.join()
        for _ in range(100):
            numbers = (self._folder / "cgroup.procs").read_text("ascii").split()
            for number in numbers:
                os.kill(int(number), signal.SIGKILL)
            if not numbers:
                break
            time.sleep(0.05)
        self._folder.rmdir()


@contextmanager
def control_group(limit: int) -> Iterator[ControlGroup]:
    """A new group under this limit in bytes; needs Linux, version 1 of control groups and root."""
    folder = _MEMORY / f"bleuprint-{os.getpid()}"
    folder.mkdir()
    group = ControlGroup(folder, limit)
    try:
        yield group
    finally:
        group.close()
