"""The two distributions of a release, as source trees: bleuprint-core and bleuprint.

Libraries depend on bleuprint-core, which holds the whole package and requires NumPy alone. People install bleuprint,
which holds no files: it requires bleuprint-core in the same version, and what the command line and the report need.
A checkout installs as one distribution that is both, so that an editable install is one command.

python tools/distributions.py FOLDER
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CORE, FULL = "bleuprint-core", "bleuprint"
_LIGHT = re.compile(r"numpy\b")
_ROOT = Path(__file__).resolve().parents[1]


def core_settings(settings: str) -> str:
    """Return the pyproject.toml of bleuprint-core, given that of the checkout."""
    light = [name for name in tomllib.loads(settings)["project"]["dependencies"] if _LIGHT.match(name)]
    settings = _replaced(f'name = "{FULL}"\n', f'name = "{CORE}"\n', settings)
    (listed,) = re.findall(r"^dependencies = \[.*?\]\n", settings, flags=re.MULTILINE | re.DOTALL)
    settings = _replaced(listed, f"dependencies = {json.dumps(light)}\n", settings)
    return settings.replace(f'"{FULL}[', f'"{CORE}[')  # extras that include others


def full_settings(settings: str) -> str:
    """Return the pyproject.toml of bleuprint, given that of the checkout; extras of developers are left out."""
    project = tomllib.loads(settings)["project"]
    project["dependencies"] = [
        f"{CORE}=={project['version']}",
        *(name for name in project["dependencies"] if not _LIGHT.match(name)),
    ]
    extras = {
        extra: names
        for extra, names in project.pop("optional-dependencies").items()
        if not any(name.startswith(f"{FULL}[") for name in names)
    }
    for belonging_to_the_core in ("scripts", "entry-points", "license-files"):
        project.pop(belonging_to_the_core, None)
    urls = project.pop("urls", {})
    tables = {
        "build-system": {"requires": ["scikit-build-core>=1.1"], "build-backend": "scikit_build_core.build"},
        "project": project | {"license-files": ["LICENSE"]},
        "project.optional-dependencies": extras,
        "project.urls": urls,
        "tool.scikit-build": {"minimum-version": "1.1", "wheel.cmake": False, "wheel.packages": []},
    }
    return "\n".join(f"[{name}]\n{_lines(table)}" for name, table in tables.items() if table)


def write_trees(folder: Path) -> tuple[Path, Path]:
    """Write both source trees into the folder, the core first; what git does not know is left out."""
    core, full = folder / CORE, folder / FULL
    for tree in (core, full):
        shutil.rmtree(tree, ignore_errors=True)
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=_ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8")
    for name in filter(None, listing.stdout.split("\0")):
        (core / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(_ROOT / name, core / name)
    full.mkdir()
    for name in ("README.md", "LICENSE"):
        shutil.copy2(_ROOT / name, full / name)
    settings = (_ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (core / "pyproject.toml").write_text(core_settings(settings), encoding="utf-8")
    (full / "pyproject.toml").write_text(full_settings(settings), encoding="utf-8")
    return core, full


def _replaced(old: str, new: str, text: str) -> str:
    if text.count(old) != 1:
        raise ValueError(f"pyproject.toml must hold {old!r} once, got {text.count(old)} times")
    return text.replace(old, new)


def _lines(table: Mapping[str, Any]) -> str:
    return "".join(f"{name} = {_value(value)}\n" for name, value in table.items())


def _value(value: Any) -> str:
    """Strings, flags, lists and tables in TOML, which writes the first two as JSON does."""
    match value:
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return f"{{ {', '.join(f'{name} = {_value(inner)}' for name, inner in value.items())} }}"
        case _:
            return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    for tree in write_trees(Path(sys.argv[1])):
        print(tree)
