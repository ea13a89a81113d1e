"""Builds the fuzz targets, runs them and says what each of them did.

Run from the root of the repository: `python tools/run_fuzzers.py [--seconds 600] [--target NAME ...]`, or `make fuzz`.
Targets of native/fuzz are C++ under libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer; those of
tests/fuzz are property tests under atheris. What they find, and what they learnt, is kept in build/fuzz.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "fuzz"
SOURCES = ROOT / "native" / "fuzz"
NATIVE = sorted(source.stem for source in SOURCES.glob("*.cpp"))
PYTHON = ["boundary", "twins"]
COMPILERS = ["clang++", *(f"clang++-{version}" for version in range(21, 13, -1))]


@dataclass(frozen=True)
class Figures:
    """What one run came to."""

    target: str
    seconds: int
    executions: int
    features: int
    corpus: int
    findings: int


def compiler() -> str:
    """A Clang that links libFuzzer."""
    for name in COMPILERS:
        path = shutil.which(name)
        if path is None:
            continue
        probe = [path, "-fsanitize=fuzzer", "-x", "c++", "-", "-o", os.devnull]
        source = 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
        if subprocess.run(probe, input=source, text=True, capture_output=True).returncode == 0:
            return path
    raise SystemExit(
        "The native fuzz targets need Clang with libFuzzer; on Debian or Ubuntu, as root:\n"
        "  apt-get install clang-19 libclang-rt-19-dev"
    )


def build() -> None:
    folder = BUILD / "native"
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    configure = ["cmake", "-S", str(SOURCES), "-B", str(folder), f"-DCMAKE_CXX_COMPILER={compiler()}", *generator]
    for command in (configure, ["cmake", "--build", str(folder), "--parallel", "2"]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def command(target: str, seconds: int) -> list[str]:
    corpus, findings, seeds = BUILD / "corpus" / target, BUILD / "findings" / target, SOURCES / "seeds" / target
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    if target in PYTHON:
        program = [sys.executable, "-m", "tests.fuzz.targets", target]
        # Hypothesis makes nothing of a few bytes, so chance gives the first ones.
        for number in range(64):
            (corpus / f"seed-{number}").write_bytes(random.Random(number).randbytes(64 << number % 5))
    else:
        program = [str(BUILD / "native" / target)]
    options = [f"-max_total_time={seconds}", "-max_len=2048", "-rss_limit_mb=3000", "-timeout=60"]
    options += ["-len_control=0", "-print_final_stats=1", f"-artifact_prefix={findings}/"]
    return [*program, *options, str(corpus), *([str(seeds)] if seeds.is_dir() else [])]


def figures(target: str, log: str) -> Figures:
    """Out of what libFuzzer printed."""
    steps = re.findall(r"^#(\d+)\s.*\bft: (\d+) corp: (\d+)/", log, re.MULTILINE)
    done = re.search(r"^Done (\d+) runs in (\d+) second", log, re.MULTILINE)
    executions, features, corpus = map(int, steps[-1]) if steps else (0, 0, 0)
    seconds = int(done[2]) if done else 0
    stopped = re.search(r"ERROR: libFuzzer|SUMMARY: |Uncaught Python exception", log)
    return Figures(target, seconds, int(done[1]) if done else executions, features, corpus, int(stopped is not None))


def run(target: str, seconds: int) -> Figures:
    log = BUILD / "logs" / f"{target}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with log.open("wb") as out:
        code = subprocess.run(command(target, seconds), cwd=ROOT, stdout=out, stderr=out).returncode
    found = figures(target, log.read_text(errors="replace"))
    if code != 0:
        found = Figures(**{**asdict(found), "findings": 1, "seconds": round(time.monotonic() - started)})
    return found


def keep(found: Figures) -> None:
    """The longest clean run of a target stands in the figures, and a finding until it is mended and run again."""
    path = BUILD / "figures.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    before = known.get(found.target)
    if before is None or before["findings"] or found.findings or found.seconds >= before["seconds"]:
        known[found.target] = asdict(found)
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=30, help="for each target")
    parser.add_argument("--target", action="append", choices=[*NATIVE, *PYTHON], help="one of them; all without it")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="targets at the same time")
    arguments = parser.parse_args()
    chosen = arguments.target or [*NATIVE, *PYTHON]
    if any(target in NATIVE for target in chosen):
        build()
    if any(target in PYTHON for target in chosen) and importlib.util.find_spec("atheris") is None:
        raise SystemExit("The Python fuzz targets need the package atheris: pip install 'bleuprint[fuzz]'")
    worst = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for found in pool.map(lambda target: run(target, arguments.seconds), chosen):
            keep(found)
            verdict = f"FOUND SOMETHING: {BUILD / 'findings' / found.target}" if found.findings else "clean"
            what = f"{found.executions:,} executions in {found.seconds} s, {found.features:,} features"
            print(f"{found.target:12} {what}: {verdict}", flush=True)
            worst = max(worst, found.findings)
    return worst


if __name__ == "__main__":
    sys.exit(main())
