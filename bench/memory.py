"""One contestant, one job, its peak: `python -m bench.memory SUITE NAME CORPUS MARK` prints megabytes."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import resource
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.data import Corpus
from bench.harness import Contestant, Result
from bench.suites import SUITES

STATUS = Path("/proc/self/status")


def measure(suite: str, name: str, corpus: Corpus, mark: int) -> float:
    """How far the job lifts this process's resident memory at its peak above where it was before."""
    memory = SUITES[suite].memory
    assert memory is not None
    # The whole start-up of a library is not its cost for a corpus, so a few lines come first.
    _named(name, memory(corpus.head(8))).prepare(mark + 1)()
    job = _named(name, memory(corpus)).prepare(mark)
    before = settled()
    job()
    return (peak() - before) / 1024


def _named(name: str, contestants: Sequence[Contestant[Result]]) -> Contestant[Result]:
    return next(contestant for contestant in contestants if contestant.name == name)


def settled() -> int:
    """Kilobytes in use now, with freed memory handed back and the peak set to it as far as the system can."""
    gc.collect()
    if not STATUS.exists():
        return peak()
    with contextlib.suppress(AttributeError, OSError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _status("VmRSS")


def peak() -> int:
    if STATUS.exists():
        return _status("VmHWM")
    usage = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return usage // 1024 if sys.platform == "darwin" else usage


def _status(key: str) -> int:
    for line in STATUS.read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1])
    raise RuntimeError(f"{STATUS} has no {key}")


if __name__ == "__main__":
    suite, name, corpus, mark = sys.argv[1:]
    print(measure(suite, name, Corpus.read(Path(corpus)), int(mark)))
