"""What a release consists of beside its distributions: the recipe of conda, the hook of pre-commit, the workflow."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import bleuprint
from tests.support.cli import succeed
from tools import platforms
from tools.distributions import core_settings, full_settings
from tools.reliability_tables.sections import section

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
CHECKOUT = tomllib.loads(SETTINGS)
RECIPE: dict[str, Any] = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text(encoding="utf-8"))
RELEASE: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))


def spaced(requirements: list[str]) -> set[str]:
    """Requirements as conda writes them: a space before the versions."""
    return {re.sub(r"(?<=\w)(?=[<>=])", " ", requirement, count=1) for requirement in requirements}


def test_the_recipe_requires_what_the_distributions_require() -> None:
    core, full = RECIPE["outputs"]
    assert RECIPE["context"]["version"] == bleuprint.__version__
    assert [core["package"]["name"], full["package"]["name"]] == ["bleuprint-core", "bleuprint"]
    assert set(core["requirements"]["host"]) - {"python", "pip"} == spaced(CHECKOUT["build-system"]["requires"])
    light = tomllib.loads(core_settings(SETTINGS))["project"]["dependencies"]
    assert set(core["requirements"]["run"]) - {"python"} == spaced(light)
    complete = tomllib.loads(full_settings(SETTINGS))["project"]["dependencies"]
    # A package for all platforms cannot name one build of the other.
    assert full["build"]["noarch"]
    assert full["requirements"]["run"][0] == "bleuprint-core ==${{ version }}"
    assert set(full["requirements"]["run"][1:]) == spaced(complete[1:])
    (entry,) = core["build"]["python"]["entry_points"]
    assert dict([entry.split(" = ")]) == CHECKOUT["project"]["scripts"]
    notices = [path for pattern in CHECKOUT["project"]["license-files"] for path in ROOT.glob(pattern)]
    assert {ROOT / name for name in RECIPE["about"]["license_file"]} == set(notices)


def test_the_hook_is_a_command() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    program, *arguments = hook["entry"].split()
    assert program in CHECKOUT["project"]["scripts"]
    assert "Fail a release" in succeed(*arguments, "--help").output
    assert hook["pass_filenames"] is False


def test_the_workflow_attests_all_files_and_stores_no_token() -> None:
    publish = RELEASE["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write", "attestations": "write"}
    steps = {step["uses"].partition("@")[0]: step.get("with", {}) for step in publish["steps"]}
    assert steps["actions/attest-build-provenance"]["subject-path"] == "dist/*"
    assert steps["pypa/gh-action-pypi-publish"] == {"attestations": True}
    assert "secrets." not in (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")


def test_every_action_is_pinned_to_a_commit() -> None:
    for path in sorted((ROOT / ".github/workflows").glob("*.yml")):
        used = re.findall(r"uses: (\S+)( # v[\d.]+)?$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert used
        for name, version in used:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name), path
            assert version, f"{name} in {path.name}: name its version in a comment"


def test_the_bill_of_materials_names_what_is_compiled_in() -> None:
    """The file of a wheel comes from this template; `make wheels` makes one."""
    text = (ROOT / "native/licenses/sbom.cdx.json.in").read_text(encoding="utf-8")
    bill = json.loads(re.sub(r"@\w+@", "1.0", text))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    names = {component["name"] for component in bill["components"]}
    notices = {path.stem for path in (ROOT / "native/licenses").glob("*.txt")}
    assert names == notices | {"WordNet"}
    assert set(bill["dependencies"][0]["dependsOn"]) == {component["bom-ref"] for component in bill["components"]}


class TestPlatforms:
    def test_examples(self) -> None:
        found = doctest.testmod(platforms)
        assert found.attempted
        assert not found.failed

    def test_the_table_has_every_platform_and_no_failure(self) -> None:
        rows = section((ROOT / "bench/tables/platforms.md").read_text(encoding="utf-8"), "platforms").splitlines()[2:]
        cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if row]
        assert [row[0] for row in cells] == [platform.name for platform in platforms.PLATFORMS]
        for row in cells:
            assert int(row[4].replace(",", "")) > 700, "the vectors alone are more"
            assert row[4] == row[5], f"tests failed on {row[0]}"

    @pytest.mark.parametrize("name", [*platforms.FOLDERS, *platforms.LEFT_OUT])
    def test_what_runs_exists(self, name: str) -> None:
        assert (ROOT / name).exists()

    def test_a_tree_has_the_package_and_the_extension(self, tmp_path: Path) -> None:
        extension = tmp_path / "_native.abi3.so"
        extension.write_bytes(b"made here")
        platforms.copy_tree(extension, tmp_path / "tree")
        assert (tmp_path / "tree/bleuprint/core/_native.abi3.so").read_bytes() == b"made here"
        listed = subprocess.run(["git", "ls-files", "src/*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
        for name in listed.stdout.split():
            assert (tmp_path / "tree" / name.removeprefix("src/")).exists()
