"""What the documents show runs and prints what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.markdown import examples_of, failures_of

ROOT = Path(__file__).resolve().parent.parent
SPARK = ROOT / "docs" / "spark.md"  # read by tests/spark, where there is one
DOCUMENTS = [ROOT / "README.md", *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path != SPARK)]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_examples_run(path: Path) -> None:
    assert failures_of(path) == ""


def test_the_readme_opens_with_the_two_commands() -> None:
    commands = (ROOT / "README.md").read_text(encoding="utf-8").split("```")[1]
    assert [line.split("#")[0].strip() for line in commands.splitlines()[1:]] == ["make demo", "make test"]


def test_the_readme_has_examples() -> None:
    assert len(examples_of((ROOT / "README.md").read_text(encoding="utf-8"))) > 10
