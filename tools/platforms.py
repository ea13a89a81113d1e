"""Run the tests of the core and all metric vectors on other platforms: emulated processors, and another compiler.

python -m tools.platforms [--only NAME]... [--roots FOLDER] [--write]

For another processor, debootstrap makes a root folder of Debian, Debian's cross compiler builds the extension for it,
and the root's own Python runs the tests under qemu-user: slowly, so with the tests of FOLDERS alone and few examples of
each property. For another compiler the same tests run on this machine. A root that is there is used again. It needs
Debian or Ubuntu and a root user; what is missing is installed by `make platforms`. --write puts the table into
bench/tables/platforms.md.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tools.reliability_tables.sections import ROOT, section, table, with_section

BUILD = ROOT / "build" / "platforms"
PAGE = ROOT / "bench" / "tables" / "platforms.md"
RELEASE = "trixie"  # the last one for all of these processors with a NumPy that is new enough
PACKAGES = (
    *("python3-dev", "python3-numpy", "python3-pytest", "python3-hypothesis", "python3-jsonschema", "python3-nltk"),
    *("python3-click", "python3-jinja2", "python3-orjson", "python3-rich", "python3-yaml"),
)
FOLDERS = ("tests/vectors/test_values.py", "tests/models/test_same_bytes.py", "tests/kernels")
# What looks at the memory and the signals of its process, which here are those of an emulator, and interrupts it.
LEFT_OUT = ("tests/kernels/test_process.py", "tests/kernels/test_memory.py", "tests/kernels/test_leaks.py")
# What keeps a plain twin busy for many minutes where Python is emulated; shorter texts take the same paths.
TOO_LONG = (
    "tests/kernels/test_shifts.py::test_distances_in_a_beam_equal_the_twin",
    "tests/kernels/test_shifts.py::test_long_texts_equal_the_twin[3-63]",
    "tests/kernels/test_shifts.py::test_long_texts_equal_the_twin[3-64]",
    "tests/kernels/test_shifts.py::test_paths_along_the_edges_of_the_beam_equal_the_twin[True-60]",
    "tests/kernels/test_shifts.py::test_paths_along_the_edges_of_the_beam_equal_the_twin[True-80]",
    "tests/kernels/test_similar_sets.py::test_many_sets_in_several_threads",
    "tests/kernels/test_similar_sets.py::test_other_texts_in_shares_of_threads",
)
COPIED = (
    "src",
    "tests",
    "vectors",
    "tools",
    "docs",
    "examples",
    "bench",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
)


@dataclass(frozen=True)
class Platform:
    """What the tests run on. Without a Debian architecture, it is this machine."""

    name: str
    compiler: str
    architecture: str = ""
    flags: str = ""
    emulated: str = "max"  # the processor, by qemu's name

    def enter(self, root: Path) -> list[str]:
        """The command before those that run in the root."""
        return ["env", f"QEMU_CPU={self.emulated}", "chroot", str(root)]


# Debian signs return addresses on arm64, and the algorithm of the architecture takes qemu most of its time.
PLATFORMS = (
    Platform("aarch64", "aarch64-linux-gnu-g++", "arm64", emulated="max,pauth-impdef=on"),
    Platform("s390x", "s390x-linux-gnu-g++", "s390x"),
    Platform("Clang with libc++", "clang++-19", flags="-stdlib=libc++"),
)


@dataclass(frozen=True)
class Outcome:
    """What the tests said."""

    platform: str
    compiler: str
    python: str
    byte_order: str
    run: int
    passed: int


class PlatformError(Exception):
    """A build or a run that ended before the tests could say anything."""


def run(command: Sequence[str | Path]) -> str:
    """Run a command; return what it printed."""
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False
    )
    if done.returncode:
        raise PlatformError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-5000:]}")
    return done.stdout


def register(processor: str) -> None:
    """Have the kernel start programs of this processor with qemu, if it does not yet."""
    kernel = Path("/proc/sys/fs/binfmt_misc")
    if not (kernel / "register").exists():
        run(["mount", "-t", "binfmt_misc", "binfmt_misc", kernel])
    if not (kernel / f"qemu-{processor}").exists():
        (kernel / "register").write_bytes(Path(f"/usr/lib/binfmt.d/qemu-{processor}.conf").read_bytes())


def make_root(platform: Platform, root: Path) -> None:
    """A folder with the files of all packages; none of their scripts runs, for emulated these take most of an hour."""
    if (root / "complete").exists():
        return
    shutil.rmtree(root, ignore_errors=True)
    root.parent.mkdir(parents=True, exist_ok=True)
    options = [f"--arch={platform.architecture}", "--foreign", "--variant=minbase", f"--include={','.join(PACKAGES)}"]
    run(["debootstrap", *options, RELEASE, root])
    for package in sorted((root / "var/cache/apt/archives").glob("*.deb")):
        run(["dpkg-deb", "--extract", package, root])
    # What NumPy's packages would have linked.
    for library in root.glob("usr/lib/*/*/lib*.so.3"):
        (library.parents[1] / library.name).symlink_to(Path(library.parent.name, library.name))
    (root / "complete").touch()


def build(platform: Platform, root: Path | None) -> Path:
    """Compile the extension; return its file."""
    folder = BUILD / platform.name.replace(" ", "-").lower()
    folder.mkdir(parents=True, exist_ok=True)
    tools = Path(sys.executable).parent
    flags, extra = platform.flags, []
    if root is not None:
        (header,) = root.glob("usr/include/python3.*")
        python = folder / "python"
        enter = shlex.join(platform.enter(root))
        python.write_text(f'#!/bin/sh\nexec {enter} /usr/bin/python3 "$@"\n', encoding="utf-8")
        python.chmod(0o755)
        flags = f"-idirafter {root}/usr/include"  # the root's own C library comes after that of the compiler
        extra = [
            *("-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={platform.name}"),
            *(f"-DPython_EXECUTABLE={python}", f"-DPython_INCLUDE_DIR={header}"),
        ]
    else:
        extra = [f"-DPython_EXECUTABLE={sys.executable}"]
    nanobind = run([sys.executable, "-m", "nanobind", "--cmake_dir"]).strip()
    run(
        [
            *(tools / "cmake", "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}", "-S", ROOT, "-B", folder),
            *(f"-DCMAKE_CXX_COMPILER={platform.compiler}", f"-DCMAKE_CXX_FLAGS={flags}", f"-Dnanobind_DIR={nanobind}"),
            *extra,
        ]
    )
    run([tools / "cmake", "--build", folder])
    (extension,) = folder.glob("_native*.so")
    return extension


def copy_tree(extension: Path, tree: Path) -> None:
    """The files that the tests need, with the extension in its place."""
    shutil.rmtree(tree, ignore_errors=True)
    names = run(["git", "ls-files", "-z", *COPIED]).split("\0")
    for name in filter(None, names):
        target = tree / name.removeprefix("src/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    shutil.copy2(extension, tree / "bleuprint/core")


def test(platform: Platform, root: Path | None, extension: Path) -> Outcome:
    """Run the tests in a copy of the files."""
    if root is not None:
        tree, inside, enter = root / "opt/bleuprint", "/opt/bleuprint", platform.enter(root)
        python = "/usr/bin/python3"
    else:
        tree = BUILD / "tree"
        inside, enter, python = str(tree), [], sys.executable
    copy_tree(extension, tree)
    environment = ["env", f"--chdir={inside}", "PYTHONPATH=."]
    # Without site-packages of its own: an editable install would come before this copy.
    packages = "" if root is not None else f"sys.path.append({sysconfig.get_path('platlib')!r}); "
    start = f"import sys; {packages}import bleuprint; assert bleuprint.__file__.startswith({inside!r}); "
    command = [*enter, *environment, python, *([] if root is not None else ["-S"]), "-c"]
    about = run([*command, start + "print(sys.byteorder, sys.version.split()[0])"]).split()
    arguments = ["-p", "no:cacheprovider", "-q", "--hypothesis-profile=few", "--junit-xml=results.xml", *FOLDERS]
    arguments += ["-k", "not interrupt"]
    arguments += [f"--ignore={name}" for name in LEFT_OUT]
    arguments += [f"--deselect={name}" for name in TOO_LONG if root is not None]
    log = BUILD / f"{extension.parent.name}.log"  # written while they run, which is long
    with log.open("w", encoding="utf-8") as file:
        program = f"{start}import pytest; sys.exit(pytest.main({arguments!r}))"
        subprocess.run([*command, program], cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, check=False)
    said = log.read_text(encoding="utf-8")
    if not (tree / "results.xml").exists():
        raise PlatformError(f"the tests on {platform.name} did not run:\n{said[-5000:]}")
    ran, passed = counts((tree / "results.xml").read_text(encoding="utf-8"))
    print("\n".join(line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))), flush=True)
    compiler = run([platform.compiler, "--version"]).splitlines()[0]
    return Outcome(platform.name, compiler, about[1], about[0], ran, passed)


def try_out(platform: Platform, roots: Path) -> Outcome:
    """Build and test on one platform, with a root if it needs one."""
    root = None
    if platform.architecture:
        root = roots / platform.architecture
        register(platform.name)
        make_root(platform, root)
    outcome = test(platform, root, build(platform, root))
    print(outcome_table([outcome]).splitlines()[-1], flush=True)
    return outcome


def counts(results: str) -> tuple[int, int]:
    """How many tests ran, and how many of them passed; what was skipped did not run.

    >>> counts('<testsuites><testsuite tests="9" errors="1" failures="2" skipped="3"/></testsuites>')
    (6, 3)
    """
    (suite,) = ElementTree.fromstring(results).iter("testsuite")
    tests, errors, failures, skipped = (int(suite.attrib[name]) for name in ("tests", "errors", "failures", "skipped"))
    return tests - skipped, tests - skipped - errors - failures


def outcome_table(outcomes: Sequence[Outcome]) -> str:
    """The table of platforms.

    >>> print(outcome_table([Outcome("s390x", "g++ 12", "3.13.5", "big", 10, 9)]))
    | platform | byte order | Python | compiler | tests run | passed |
    | --- | --- | ---: | --- | ---: | ---: |
    | s390x | big-endian | 3.13.5 | g++ 12 | 10 | 9 |
    """
    rows = [
        [
            *(outcome.platform, f"{outcome.byte_order}-endian", outcome.python, outcome.compiler),
            *(f"{outcome.run:,}", f"{outcome.passed:,}"),
        ]
        for outcome in outcomes
    ]
    return table(["platform", "byte order", "Python", "compiler", "tests run", "passed"], rows)


def merged(old: str, new: str, order: Sequence[str]) -> str:
    """The new table, with the rows of platforms that did not run this time.

    >>> rows = "| {} | little |\\n| --- | --- |\\n| {} | big |"
    >>> print(merged(rows.format("platform", "a"), rows.format("platform", "b"), ["b", "a"]))
    | platform | little |
    | --- | --- |
    | b | big |
    | a | big |
    """
    head = new.splitlines()[:2]
    lines = [line for text in (old, new) for line in text.splitlines()[2:]]
    rows: Mapping[str, str] = {line.split("|")[1].strip(): line for line in lines if line}
    return "\n".join([*head, *(rows[name] for name in order if name in rows)])


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the tests of the core on other platforms.")
    names = [platform.name for platform in PLATFORMS]
    parser.add_argument("--only", action="append", choices=names, help="a platform (repeatable; default: all)")
    parser.add_argument("--roots", type=Path, default=BUILD / "roots", help="where the roots are, or are made")
    parser.add_argument("--write", action="store_true", help="write the table into bench/tables/platforms.md")
    options = parser.parse_args()
    BUILD.mkdir(parents=True, exist_ok=True)
    chosen = [platform for platform in PLATFORMS if platform.name in (options.only or names)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda platform: try_out(platform, options.roots.resolve()), chosen))
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        content = merged(section(page, "platforms"), outcome_table(outcomes), names)
        PAGE.write_text(with_section(page, "platforms", content), encoding="utf-8")
    return 0 if all(outcome.run == outcome.passed > 0 for outcome in outcomes) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PlatformError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
