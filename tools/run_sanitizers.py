"""Builds the extension with sanitizers in an environment of its own and runs the native test-suite in it.

Run from the root of the repository: `python tools/run_sanitizers.py address` (AddressSanitizer with leaks,
UndefinedBehaviorSanitizer and the checks of the C++ library) or `thread` (ThreadSanitizer over what runs in threads);
`make sanitize` does both. Further arguments go to pytest. The ordinary environment and build stay untouched.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
import venv
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Sanitizers take memory and time of their own, so what bounds them is left to the ordinary build.
MEASURING = "memory_does_not_grow or memory_stays_within or interrupt"
NOTHING_COLLECTED = 5  # pytest's code where a folder holds data only


def files(folder: str, *left_out: str) -> list[str]:
    found = sorted(path.name for path in (ROOT / folder).glob("test_*.py"))
    return [f"{folder}/{name}" for name in found if name not in left_out]


KERNELS = files("tests/kernels", "test_leaks.py", "test_process.py")  # which measure memory and start processes
# Of the others, some copy the package, read documents or start processes, and none of them calls more of the core.
METRICS = files("tests/metrics", "test_cards.py", "test_custom_metric.py", "test_defaults.py", "test_registry.py")

# Everything that calls the core and needs no browser, Spark, command line or report: the files of the kernels and
# metrics, the laws, the parity tests and the golden numbers.
NATIVE_TESTS = [
    "tests/core",
    "tests/golden",
    "tests/insight/test_buckets.py",
    "tests/insight/test_influence.py",
    "tests/corpora/test_seen.py",
    "tests/pools/test_select_diverse.py",
    *KERNELS,
    "tests/laws",
    *METRICS,
    "tests/models",
    "tests/parity",
    "tests/runners/test_one_pass.py",
    "tests/runners/test_streaming.py",
    "tests/statistics",
]
# What starts threads: counting, pools, pairs, training, resampling, streams; and eight Python threads at once.
THREADED_TESTS = [
    "tests/kernels/test_pools.py",
    "tests/kernels/test_threads.py",
    "tests/metrics/test_shared_by_threads.py",
    "tests/models/test_ngram_index.py",
    "tests/runners/test_one_pass.py",
    "tests/runners/test_streaming.py",
    "tests/metrics/test_pairwise.py",
    "tests/statistics/test_row_sums.py",
    "tests/metrics/test_mbr.py",
    "tests/parity/test_self_bleu.py",
    "tests/laws/test_pool_laws.py",
]


@dataclass(frozen=True)
class Kind:
    """One build: what is compiled in, what is loaded before Python, and what is run."""

    name: str
    flags: str
    libraries: tuple[str, ...]
    environment: dict[str, str]
    tests: list[str]
    left_out: str = MEASURING  # words in the names of tests, as pytest takes them

    @property
    def folder(self) -> Path:
        return ROOT / "build" / self.name


KINDS = {
    "address": Kind(
        "asan",
        "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1 "
        "-D_GLIBCXX_ASSERTIONS",
        # The C++ library is loaded with the sanitizer, which otherwise does not find what to wrap around exceptions.
        ("libasan.so", "libubsan.so", "libstdc++.so.6"),
        {
            # The interpreter leaves memory behind at exit: leaks are read from the log, and those of the core count.
            "ASAN_OPTIONS": "detect_leaks=1:log_path={folder}/report:exitcode=99",
            "LSAN_OPTIONS": "exitcode=0:report_objects=0",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "PYTHONMALLOC": "malloc",
        },
        NATIVE_TESTS,
    ),
    "thread": Kind(
        "tsan",
        "-fsanitize=thread -fno-omit-frame-pointer -g1",
        ("libtsan.so", "libstdc++.so.6"),
        {"TSAN_OPTIONS": "log_path={folder}/report:exitcode=99:halt_on_error=0"},
        THREADED_TESTS,
        # polars dies beside ThreadSanitizer as soon as it is used, without any of our code.
        f"{MEASURING} or other_libraries",
    ),
}


def library(name: str) -> str:
    found = subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout
    return str(Path(found.strip()).resolve())


def environment(kind: Kind) -> Path:
    """A Python with this build of the package, and for everything else the packages of the one that runs this."""
    home = kind.folder / "environment"
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, symlinks=True)
    packages = home / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    others = [path for path in sys.path if path.endswith("site-packages") and path != str(packages)]
    (packages / "others.pth").write_text("\n".join(others) + "\n")
    settings = {
        "build-dir": str(kind.folder / "build"),
        "install.strip": "false",
        "cmake.define.CMAKE_CXX_FLAGS": kind.flags,
        "cmake.define.BLEUPRINT_OPTIMIZATION": "-O1",
    }
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-build-isolation"]
    command += ["--no-deps", "--upgrade", "--target", str(packages), str(ROOT)]
    for name, value in settings.items():
        command += ["--config-settings", f"{name}={value}"]
    subprocess.run(command, check=True)
    return python


def leaks(report: str) -> list[str]:
    """The leaks in whose stacks the core stands; the interpreter's own and other packages' are none of ours."""
    blocks = re.findall(r"^(?:Direct|Indirect) leak of .*?(?=\n\n)", report + "\n\n", re.MULTILINE | re.DOTALL)
    return [block for block in blocks if "bleuprint::" in block]


def findings(kind: Kind) -> list[str]:
    found = []
    for log in sorted(kind.folder.glob("report.*")):
        text = log.read_text(errors="replace")
        found += leaks(text)
        found += re.findall(r"^(?:==\d+==ERROR: AddressSanitizer|WARNING: ThreadSanitizer).*", text, re.MULTILINE)
    return found


def run(kind: Kind, arguments: list[str]) -> int:
    """Run the tests file by file, two at a time: a crash in one leaves the others, and the figures grow with each."""
    python = environment(kind)
    for log in kind.folder.glob("report.*"):
        log.unlink()
    variables = {name: value.format(folder=kind.folder) for name, value in kind.environment.items()}
    variables["LD_PRELOAD"] = ":".join(library(name) for name in kind.libraries)
    figures = {"files": 0, "of": len(arguments or kind.tests), "tests": 0, "failed": 0, "findings": 0, "seconds": 0}
    started = time.monotonic()
    tests, lock, found = arguments or kind.tests, threading.Lock(), list[str]()

    def run_file(test: str) -> None:
        command = [str(python), "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-q", "-o", "addopts="]
        command += ["-m", "not slow", "-k", f"not ({kind.left_out})", test]
        done = subprocess.run(command, cwd=ROOT, env=os.environ | variables, stdout=subprocess.PIPE, text=True)
        failed = done.returncode not in (0, NOTHING_COLLECTED)
        with lock:
            found[:] = findings(kind)
            figures["files"] += 1
            figures["tests"] += sum(map(int, re.findall(r"(\d+) passed", done.stdout)))
            figures["failed"] += failed
            figures["findings"] = len(found)
            figures["seconds"] = round(time.monotonic() - started)
            if not arguments:
                (kind.folder / "figures.json").write_text(json.dumps(figures) + "\n")
            print(f"{kind.name} {test}: {(done.stdout.strip().splitlines() or ['no output'])[-1]}", flush=True)
            if failed:
                print(done.stdout[-4000:], flush=True)

    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        list(pool.map(run_file, tests))
    for finding in found[:20]:
        print(finding)
    print(f"{kind.name}: {figures}")
    return int(figures["failed"] > 0 or figures["findings"] > 0)


if __name__ == "__main__":
    sys.exit(run(KINDS[sys.argv[1]], sys.argv[2:]))
