"""The two distributions of a release, and the page that says what came of them."""

from __future__ import annotations

import doctest
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import bleuprint
from tools import distributions, wheels

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
CHECKOUT = tomllib.loads(SETTINGS)
CORE = tomllib.loads(distributions.core_settings(SETTINGS))
FULL = tomllib.loads(distributions.full_settings(SETTINGS))
OF_DEVELOPERS = {"bench", "fuzz", "test"}


def names(requirements: list[str]) -> list[str]:
    return [re.split(r"[^\w-]", requirement)[0] for requirement in requirements]


def test_the_core_requires_numpy_alone() -> None:
    assert CORE["project"]["name"] == "bleuprint-core"
    assert names(CORE["project"]["dependencies"]) == ["numpy"]


def test_the_full_distribution_adds_what_the_core_leaves_out() -> None:
    project = FULL["project"]
    assert project["name"] == "bleuprint"
    assert project["dependencies"][0] == f"bleuprint-core=={bleuprint.__version__}"
    assert {*project["dependencies"][1:], *CORE["project"]["dependencies"]} == {*CHECKOUT["project"]["dependencies"]}
    assert names(project["dependencies"][1:]) == ["click", "jinja2", "orjson", "rich"]


def test_everything_else_of_the_core_is_as_in_a_checkout() -> None:
    def rest(settings: dict[str, Any]) -> dict[str, Any]:
        project = {key: value for key, value in settings["project"].items() if key not in ("name", "dependencies")}
        extras = {
            extra: [name.replace("bleuprint-core[", "bleuprint[") for name in requirements]
            for extra, requirements in project["optional-dependencies"].items()
        }
        return {**settings, "project": {**project, "optional-dependencies": extras}}

    assert rest(CORE) == rest(CHECKOUT)
    assert '"bleuprint[' not in distributions.core_settings(SETTINGS)


def test_extras_of_users_are_those_of_the_checkout() -> None:
    extras = CHECKOUT["project"]["optional-dependencies"]
    assert FULL["project"]["optional-dependencies"] == {
        extra: requirements for extra, requirements in extras.items() if extra not in OF_DEVELOPERS
    }


def test_files_and_commands_belong_to_the_core() -> None:
    assert "scripts" not in FULL["project"]
    assert "entry-points" not in FULL["project"]
    assert FULL["tool"]["scikit-build"] == {"minimum-version": "1.1", "wheel": {"cmake": False, "packages": []}}
    for field in ("version", "license", "requires-python", "classifiers"):
        assert FULL["project"][field] == CORE["project"][field]
    assert FULL["project"]["license-files"] == ["LICENSE"]
    assert CORE["project"]["license-files"] == CHECKOUT["project"]["license-files"]


def test_settings_that_cannot_be_split_are_refused() -> None:
    with pytest.raises(ValueError, match=r"must hold 'name = \"bleuprint\"\\n' once, got 0 times"):
        distributions.core_settings(SETTINGS.replace('name = "bleuprint"', 'name = "other"'))


def test_trees_hold_what_is_built_from_them(tmp_path: Path) -> None:
    core, full = distributions.write_trees(tmp_path)
    for pattern in CORE["project"]["license-files"]:
        assert list(core.glob(pattern))
    assert (core / "src" / "bleuprint" / "py.typed").exists()
    assert tomllib.loads((core / "pyproject.toml").read_text(encoding="utf-8")) == CORE
    assert sorted(file.name for file in full.iterdir()) == ["LICENSE", "README.md", "pyproject.toml"]


def test_the_tables_are_in_form() -> None:
    assert doctest.testmod(wheels).failed == 0
