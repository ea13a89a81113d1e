"""The notices of other people's work that a wheel contains."""

from __future__ import annotations

import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILED_IN = {"nanobind.txt": "Wenzel Jakob", "robin-map.txt": "Thibaut Goetghebuer-Planchon"}


def test_every_notice_is_in_the_wheel() -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["license-files"]
    listed = {path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern)}
    assert listed == {
        "LICENSE",
        "native/licenses/nanobind.txt",
        "native/licenses/robin-map.txt",
        "src/bleuprint/core/data/wordnet-3.0-license.txt",
    }
    for name, author in COMPILED_IN.items():
        assert author in (ROOT / "native" / "licenses" / name).read_text()


def test_the_notices_are_those_of_the_installed_nanobind() -> None:
    package = Path(pytest.importorskip("nanobind").__file__).parent
    (notice,) = [file for file in distribution("nanobind").files or () if file.name == "LICENSE"]
    assert (ROOT / "native/licenses/nanobind.txt").read_text() == notice.read_text()
    header = (package / "ext" / "robin_map" / "include" / "tsl" / "robin_map.h").read_text().split("*/")[0]
    lines = [line.removeprefix(" *").removeprefix(" ") for line in header.splitlines()[1:-1]]
    assert (ROOT / "native/licenses/robin-map.txt").read_text() == "\n".join(lines) + "\n"
