"""Writes what is derived from the table of metrics as files: `python -m tools.make_stubs`, or `make stubs`.

Type checkers and editors read the stubs. `--check` only says which files are not current, and fails if there are any.
"""

from __future__ import annotations

import argparse
import inspect
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import bleuprint
from bleuprint.metrics import functions, registry

PACKAGE = Path(bleuprint.__file__).parent
HEADER = "# Written by tools/make_stubs.py; do not edit.\n"
TYPES = """
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bleuprint.core import tokenizers
from bleuprint.core.columns import References, Text, Texts
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.smoothing import Smoothing
from bleuprint.runners.comparisons import Columns, Progress
from bleuprint.runners.evaluation import Metrics
from bleuprint.runners.gates import GateReport, Rule, Undecided
"""


def files() -> dict[Path, str]:
    """Every derived file and what it should hold."""
    return {
        PACKAGE / "__init__.pyi": package_stub(),
        PACKAGE / "metrics" / "__init__.pyi": metrics_stub(),
    }


def package_stub() -> str:
    """The public names, with the signatures of all functions."""
    names = {name: module for module, listed in bleuprint._NAMES_BY_MODULE.items() for name in listed.split()}
    described = {name: call for name in names if hasattr(call := getattr(bleuprint, name), "__signature__")}
    imports = [f"from bleuprint.{names[name]} import {name} as {name}" for name in names if name not in described]
    rooms = [f"from bleuprint import {room} as {room}" for room in sorted(bleuprint._ROOMS)]
    scores = sorted(set(map(_score_class, functions.names())))
    calls = {**described, **{name: functions.load(name) for name in functions.names()}}
    stubs = [_stub(name, call) for name, call in calls.items()]
    listed = ", ".join(f'"{name}"' for name in bleuprint._all())
    own = [
        "__version__: str",
        "_NAMES_BY_MODULE: dict[str, str]",
        "_MODULES: dict[str, str]",
        "_ROOMS: set[str]",
        "_CLASSES: set[str]",
    ]
    own += [f"__all__ = [{listed}]", "", "def _all() -> list[str]: ...", ""]
    head = [HEADER + TYPES, *imports, *_class_imports(bleuprint._CLASSES), *scores, *rooms]
    return "\n".join([*head, "", *own, *stubs])


def metrics_stub() -> str:
    """The classes of the metrics."""
    more = [
        "from bleuprint.metrics.base.plain import PlainMetric as PlainMetric",
        "from bleuprint.metrics.exact_match import ExactMatch as ExactStringMatch",
        "from bleuprint.metrics.registry import find as find, from_signature as from_signature",
    ]
    names = [*registry.class_names(), "ExactStringMatch", "PlainMetric", "find", "from_signature"]
    return "\n".join([HEADER, *_class_imports(registry.class_names()), *more, f"__all__ = {sorted(names)!r}", ""])


def _class_imports(names: Iterable[str]) -> list[str]:
    classes = registry.class_names()
    return [f"from {classes[name].__module__} import {name} as {name}" for name in sorted(names)]


def _score_class(function: str) -> str:
    name = inspect.signature(functions.load(function)).return_annotation
    if "[" in name:
        return ""
    for module in (functions.kind_of(function).__module__, *sys.modules):
        if module.startswith("bleuprint.metrics") and name in vars(sys.modules[module]):
            return f"from {getattr(sys.modules[module], name).__module__} import {name}"
    raise LookupError(name)


def _stub(name: str, call: Callable[..., Any]) -> str:
    signature = inspect.signature(call)
    parts, starred = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        default = "" if parameter.default is parameter.empty else f" = {_default(parameter.default)}"
        parts.append(f"{parameter.name}: {parameter.annotation}{default}")
    summary = (call.__doc__ or "").splitlines()[0]
    return f'def {name}({", ".join(parts)}) -> {signature.return_annotation}:\n    """{summary}"""\n'


def _default(value: object) -> str:
    return repr(value) if isinstance(value, str | int | float | bool | None) else "..."


def formatted(text: str, path: Path) -> str:
    """As ruff formats it."""
    ruff = [sys.executable, "-m", "ruff"]
    sort = [*ruff, "check", "--quiet", "--fix", "--select=I,F401,RUF022", "--stdin-filename", str(path), "-"]
    done = subprocess.run(sort, input=text, capture_output=True, text=True, check=False)
    shape = [*ruff, "format", "--quiet", "--stdin-filename", str(path), "-"]
    return subprocess.run(shape, input=done.stdout, capture_output=True, text=True, check=True).stdout


def main(arguments: list[str] | None = None) -> int:
    """Write the files, or with --check only compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is not current")
    check = parser.parse_args(arguments).check
    stale = []
    for path, text in files().items():
        content = formatted(text, path)
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            stale.append(path)
            if not check:
                path.write_text(content, encoding="utf-8")
    for path in stale:
        print(f"{'not current' if check else 'written'}: {path}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
