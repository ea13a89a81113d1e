"""The tables of bench/tables/reliability.md: written section by section, from tables that name what is there."""

from __future__ import annotations

import doctest
import json
import tomllib
from datetime import date
from pathlib import Path

import pytest

from tools.mutation_testing import mutants, operators
from tools.reliability_tables import __main__ as figures
from tools.reliability_tables import coverage, mutation, native, sections

TABLE = tomllib.loads(mutants.TABLE.read_text(encoding="utf-8"))
MUTATED = {
    "metrics.bleu": {"made": 9, "killed": 7, "equivalent": ["a"], "survived": ["BLEU.formula: 1 -> 2"], "stale": []}
}


@pytest.mark.parametrize("module", [coverage, sections])
def test_examples(module: object) -> None:
    found = doctest.testmod(module)  # type: ignore[arg-type]
    assert found.attempted
    assert not found.failed


def test_what_has_run_is_written_and_the_rest_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, build = tmp_path / "page.md", tmp_path / "build"
    build.mkdir()
    marks = {name: f"<!-- begin: {name} -->\nold {name}\n<!-- end: {name} -->\n" for name in figures.PARTS}
    page.write_text("".join(marks.values()), encoding="utf-8")
    (build / "mutants.json").write_text(json.dumps(MUTATED), encoding="utf-8")
    monkeypatch.setattr(figures, "PAGE", page)
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    assert figures.main() == 1, "a change that no test notices is a failure"
    written = page.read_text(encoding="utf-8")
    content, _, measured = sections.section(written, "mutation").rstrip().rpartition("\n\n")
    assert content == mutation.text(MUTATED)
    assert measured == f"Measured {date.today()}."
    assert "| `metrics.bleu` | 9 | 7 | 1 | 1 |" in written
    assert [name for name in marks if f"old {name}" not in written] == ["mutation"]


def test_the_page_has_every_section_and_no_stray_mark() -> None:
    page = sections.PAGE.read_text(encoding="utf-8")
    for name in figures.PARTS:
        assert sections.date_of(sections.section(page, name)), name
    assert page.count("<!-- begin:") == page.count("<!-- end:") == len(figures.PARTS) + 1  # and the battery's


def test_every_fuzz_target_has_a_description() -> None:
    names = {file.stem for file in (sections.ROOT / "native" / "fuzz").glob("*.cpp")}
    assert names <= set(native.TARGETS)


def test_a_hole_without_a_reason_is_a_complaint() -> None:
    files = {"src/bleuprint/smoothing.py": {"missing_lines": [3, 4, 9]}}
    assert "no reason for smoothing.py, lines 3–4, 9" in coverage.complaints({"files": files})


@pytest.mark.parametrize("name", TABLE["tests"])
def test_what_explains_a_change_names_one_that_is_made(name: str) -> None:
    made = {mutant.name for mutant in operators.mutants(mutants.file_of(name))}
    assert set(TABLE["equivalent"].get(name, {})) <= made


def test_the_table_of_tests_names_files() -> None:
    listed = {test.partition(":")[0] for tests in TABLE["tests"].values() for test in tests}
    assert not [file for file in listed if not (sections.ROOT / file).is_file()]
    assert {"metrics.smoothing", "metrics.bleu"} <= set(TABLE["tests"])
    assert set(TABLE["equivalent"]) <= set(TABLE["tests"])


def test_changes_are_small_and_have_names_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "formula.py"
    file.write_text("def f(a, b):\n    return 1 - min(a, b) if a < b else g(a, b)\n", encoding="utf-8")
    names = [mutant.name for mutant in operators.mutants(file)]
    assert names == [
        "f: 1 - min(a, b) if a < b else g(a, b) -> 1 - min(a, b)",
        "f: 1 - min(a, b) if a < b else g(a, b) -> g(a, b)",
        "f: a < b -> a <= b",
        "f: 1 - min(a, b) -> 1 + min(a, b)",
        "f: 1 -> 2",
        "f: min(a, b) -> max(a, b)",
        "f: g(a, b) -> g(b, a)",
    ]
