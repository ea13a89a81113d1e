"""The two distributions of a release, and the page that says what came of them."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pytest

import bleuprint
from tools import distributions, wheels
from tools.reliability_tables.sections import section

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


def test_the_source_distribution_has_the_vectors(tmp_path: Path) -> None:
    build = f"from scikit_build_core.build import build_sdist; build_sdist({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=ROOT, check=True, capture_output=True)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    files = (path for path in (ROOT / "vectors").rglob("*") if path.is_file() and path.suffix != ".pyc")
    assert {str(path.relative_to(ROOT)) for path in files} <= held


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


def test_the_page_has_a_row_for_each_python_and_each_file() -> None:
    page = wheels.PAGE.read_text(encoding="utf-8")
    environments = rows(section(page, "environments"))
    assert {"3.11", "3.12", "3.13", "3.14"} <= {row["Python"].rpartition(".")[0] for row in environments}
    for row in environments:
        kind = "cp311-cp311" if row["Python"].startswith("3.11") else "cp312-abi3"
        free_threaded = re.match(r"3\.(\d+)\.\d+t", row["Python"])
        expected = f"cp3{free_threaded[1]}-cp3{free_threaded[1]}t" if free_threaded else kind
        assert row["wheel"].startswith(f"{expected}-manylinux")
        assert row["smoke test"] == "passed"
        assert free_threaded or int(row["examples"]) > 500
        assert row["tutorial"] in ("", "followed")
    assert any(row["tutorial"] for row in environments)
    files = {row["file"] for row in rows(section(page, "files"))}
    version = bleuprint.__version__
    assert {f"bleuprint-{version}.tar.gz", f"bleuprint_core-{version}.tar.gz"} <= files
    assert f"bleuprint-{version}-py3-none-any.whl" in files
    assert any(name.startswith(f"bleuprint_core-{version}-cp312-abi3-") for name in files)


def rows(table: str) -> list[dict[str, str]]:
    head, _, *body = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]
    return [dict(zip(head, line, strict=True)) for line in body]
