"""Compile the C interface to WebAssembly with Emscripten: build/web/bleuprint.js and bleuprint.wasm.

Debian's package comes without libraries for exceptions of WebAssembly. They are made once, in a cache below build/,
which takes a minute or two.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "web"
PACKAGE = ROOT / "web" / "npm"
CACHE = ROOT / "build" / "emscripten"


def environment() -> dict[str, str]:
    """Where Emscripten finds Debian's Node modules, and a cache that it may write to."""
    return {**os.environ, "NODE_PATH": "/usr/share/nodejs", "EM_FROZEN_CACHE": "", "EM_CACHE": str(CACHE)}


def build() -> tuple[Path, Path]:
    """The module's JavaScript and its WebAssembly, compiled if a source has changed."""
    if shutil.which("emcmake") is None:
        raise SystemExit(
            "The web page needs Emscripten, which was not found; on Debian or Ubuntu, as root:\n"
            "  apt-get install --no-install-recommends emscripten"
        )
    tools = Path(sys.executable).parent
    cmake = str(tools / "cmake")
    configure = ["emcmake", cmake, "-S", str(ROOT / "native" / "c"), "-B", str(FOLDER), "-G", "Ninja"]
    configure += [f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}"]
    own = environment()
    own.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
    for command in (configure, [cmake, "--build", str(FOLDER), "--parallel", "2"]):
        done = subprocess.run(command, capture_output=True, text=True, env=own)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    glue, module = FOLDER / "bleuprint.js", FOLDER / "bleuprint.wasm"
    shutil.copy(glue, PACKAGE / "module.cjs")
    shutil.copy(module, PACKAGE / module.name)
    return glue, module


if __name__ == "__main__":
    for path in build():
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
