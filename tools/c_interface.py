"""Build the C interface and run its test: python -m tools.c_interface [--sanitize].

The stages are those of the package's build where it has left them, so that only the interface itself is compiled; with
sanitizers everything is compiled. `library()` is what tests load.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SANITIZERS = "address,undefined"


def build(folder: Path, *options: str) -> None:
    """Configure and compile into a folder below build/."""
    tools = Path(sys.executable).parent
    generator = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}"] if (tools / "ninja").exists() else []
    cmake = str(tools / "cmake") if (tools / "cmake").exists() else shutil.which("cmake") or "cmake"
    configure = [cmake, "-S", str(ROOT / "native" / "c"), "-B", str(folder), *generator, *options]
    for command in (configure, [cmake, "--build", str(folder), "--parallel", "2"]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def kernels() -> Path | None:
    """The stages as the package's own build left them last."""
    found = ROOT.glob("build/*/libbleuprint_kernels.a")
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


@cache
def library() -> Path:
    """The shared library, compiled if its sources have changed; processes wait for each other."""
    import fcntl

    folder = ROOT / "build" / "c"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build(folder, f"-DBLEUPRINT_KERNELS={kernels() or ''}")
    return next(path for path in folder.glob("libbleuprint.*") if path.suffix in {".so", ".dylib"})


def sanitized() -> Path:
    """The test program, everything in it under sanitizers."""
    folder = ROOT / "build" / "c-sanitized"
    build(folder, f"-DBLEUPRINT_SANITIZERS={SANITIZERS}")
    return folder / "interface"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sanitize", action="store_true", help="under AddressSanitizer and UBSan")
    program = sanitized() if parser.parse_args().sanitize else library().parent / "interface"
    done = subprocess.run([str(program)], env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1"})
    print(f"{program}: exit code {done.returncode}")
    raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
