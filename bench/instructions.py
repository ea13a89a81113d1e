"""How many instructions the main jobs take, by callgrind: `python -m bench.instructions [--quick] [--write] [JOB…]`.

Times on a busy machine say little about a change of three percent; a count is the same in every run. The expected
counts are in bench/tables/instructions.md. They hold for one compiler, one Python and so on, which the table names.
Where these differ, the commit that wrote the table is built and counted here, so that the code is all that differs.
"""

from __future__ import annotations

import argparse
import io
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

from bench.data import ROOT
from bench.instruction_jobs import JOBS
from tools.reliability_tables.sections import section, table, with_section

PAGE = ROOT / "bench" / "tables" / "instructions.md"
BUILD = ROOT / "build" / "instructions"
MOST = 1.03
QUICK = ("corpus_bleu", "chrf", "ter", "rouge", "self_bleu", "compare")  # half a minute of processor time
Counts = Mapping[str, int]


class CannotCountError(Exception):
    """Something is missing on this machine."""


def run(command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> str:
    try:
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, encoding="utf-8", check=False)
    except FileNotFoundError as error:
        raise CannotCountError(f"counting instructions needs {command[0]}, which is not installed") from error
    if done.returncode:
        raise CannotCountError(
            f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def install(source: Path, name: str) -> Path:
    """Build the package of a folder; return the folder where it can be imported."""
    folder = BUILD / name
    shutil.rmtree(folder, ignore_errors=True)
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--target"]
    run([sys.executable, "-m", "pip", "install", *options, folder, source])
    return folder


def marks() -> Path:
    """What the counted process preloads."""
    library = BUILD / "callgrind_marks.so"
    source = Path(__file__).with_name("callgrind_marks.cpp")
    run([os.environ.get("CXX", "c++"), "-shared", "-fPIC", "-O2", source, "-o", library, "-ldl"])
    return library


def count(name: str, package: Path, marks: Path) -> int:
    """The instructions of one job, in a process that has nothing random: no seeds, clocks or threads."""
    profile = BUILD / f"{package.name}.{name}"
    for old in BUILD.glob(f"{profile.name}*"):
        old.unlink()
    fixed = {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "BLEUPRINT_HASH_SEED": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "LD_PRELOAD": str(marks),
    }
    valgrind = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={profile}"]
    job = Path(__file__).with_name("instruction_jobs.py")
    python = [sys.executable, "-s", "-S", "-P", str(job), name, str(marks)]
    run([*valgrind, *python, str(package), sysconfig.get_path("platlib")], fixed)
    profile.with_name(f"{profile.name}.1").replace(profile)  # what was dumped when the count ended
    return instructions(profile.read_text(encoding="utf-8"))


def instructions(profile: str) -> int:
    """The sum of a profile.

    >>> instructions("events: Ir\\nfn=(1)\\n5 100\\n\\ntotals: 1234\\n")
    1234
    """
    (total,) = re.findall(r"^totals: (\d+)$", profile, re.MULTILINE)
    return int(total)


def count_all(names: Iterable[str], package: Path, library: Path) -> dict[str, int]:
    names = list(names)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(names, pool.map(lambda name: count(name, package, library), names), strict=True))


def conditions(package: Path) -> dict[str, str]:
    """What counts depend on besides the code. valgrind's processor has AVX2 where the real one has it, and no more."""
    (extension,) = package.glob("bleuprint/core/_native*.so")
    compilers = re.findall(rb"GCC: \([^)]*\) [\d.]+|clang version [\d.]+", extension.read_bytes())
    processor = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    return {
        "compiler": ", ".join(sorted({name.decode() for name in compilers})),
        "processor": platform.machine() + (" with AVX2" if re.search(r"\bavx2\b", processor) else ""),
        "C library": " ".join(platform.libc_ver()),
        "Python": f"{platform.python_version()}, {platform.python_compiler()}",
        "NumPy": version("numpy"),
        "valgrind": run(["valgrind", "--version"]).strip(),
    }


def conditions_table(found: Mapping[str, str]) -> str:
    return table(["what", "which"], list(found.items()))


def counts_table(counts: Counts) -> str:
    """The table of jobs.

    >>> print(counts_table({"corpus_bleu": 12_345_678}))
    | job | what | instructions |
    | --- | --- | ---: |
    | corpus_bleu | `corpus_bleu` of strings | 12,345,678 |
    """
    rows = [[name, JOBS[name][1].__doc__ or "", f"{counted:,}"] for name, counted in counts.items()]
    return table(["job", "what", "instructions"], rows)


def read_counts(page: str) -> dict[str, int]:
    """The counts of a page.

    >>> page = "<!-- begin: counts -->\\n<!-- end: counts -->"
    >>> read_counts(with_section(page, "counts", counts_table({"ter": 1234})))
    {'ter': 1234}
    """
    rows = re.findall(r"^\| (\w+) \|.*\| ([\d,]+) \|$", section(page, "counts"), re.MULTILINE)
    return {name: int(counted.replace(",", "")) for name, counted in rows}


def verdicts(before: Counts, now: Counts) -> tuple[list[str], bool]:
    """A line for each job, and whether all are within the limit.

    >>> before = {"ter": 1000, "rouge": 1000, "chrf": 1000}
    >>> lines, good = verdicts(before, {"ter": 1030, "rouge": 1031, "chrf": 900, "train": 7})
    >>> print(*lines, good, sep="\\n")
    ter                      1,030   +3.00 %
    rouge                    1,031   +3.10 %  more than 3 % above 1,000
    chrf                       900  -10.00 %
    train                        7            no count to compare with
    False
    """
    lines, good = [], True
    for name, counted in now.items():
        line = f"{name:<16} {counted:>13,}"
        if name not in before:
            lines.append(f"{line}            no count to compare with")
            continue
        line += f"  {(counted / before[name] - 1) * 100:+6.2f} %"
        if counted > MOST * before[name]:
            good = False
            line += f"  more than 3 % above {before[name]:,}"
        lines.append(line)
    return lines, good


def earlier() -> tuple[str, Path] | None:
    """The commit that wrote the table, and its tree; None where there is no history."""
    try:
        commit = run(["git", "log", "-1", "--format=%H", "--", PAGE]).strip()
        if run(["git", "rev-parse", "--is-shallow-repository"]).strip() == "true" or not commit:
            return None
        packed = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    except (CannotCountError, OSError, subprocess.CalledProcessError):
        return None
    folder = BUILD / "earlier-source"
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return commit[:12], folder


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.instructions", description=__doc__)
    parser.add_argument("job", nargs="*", help=f"which to count (default: all): {', '.join(JOBS)}")
    parser.add_argument("--quick", action="store_true", help=f"count {', '.join(QUICK)}")
    parser.add_argument("--write", action="store_true", help="write what is counted into bench/tables/instructions.md")
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.job) - set(JOBS)):
        parser.error(f"there is no job {unknown[0]!r}; choose from {', '.join(JOBS)}")
    if options.write and (options.job or options.quick):
        parser.error("--write needs the counts of all jobs")
    options.job = options.job or (list(QUICK) if options.quick else list(JOBS))
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    BUILD.mkdir(parents=True, exist_ok=True)
    package, library = install(ROOT, "package"), marks()
    found, page = conditions(package), PAGE.read_text(encoding="utf-8")
    now = count_all(options.job, package, library)
    if options.write:
        page = with_section(page, "counts", counts_table(now))
        PAGE.write_text(with_section(page, "conditions", conditions_table(found)), encoding="utf-8")
        print(counts_table(now))
        return 0
    before = read_counts(page)
    if section(page, "conditions").strip() != conditions_table(found):
        print(f"The table was not counted under these conditions:\n{conditions_table(found)}", flush=True)
        base = earlier()
        if base is None:
            print("Nothing was compared: the commit that wrote the table is not in this clone (git fetch --unshallow).")
            return 2
        commit, folder = base
        print(f"Counting commit {commit}, which wrote the table, for comparison.", flush=True)
        before = count_all([name for name in now if name in before], install(folder, "earlier"), library)
    lines, good = verdicts(before, now)
    print("\n".join(lines))
    if not good:
        print(
            "If the code must do more than before, run `make instructions WITH=--write` and commit the table with the "
            "change.\nOtherwise `callgrind_annotate build/instructions/package.JOB` shows where the instructions are."
        )
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CannotCountError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
