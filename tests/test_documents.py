"""What the README shows runs and prints what it says. (The cards and docs/ are run by test_cards.py.)"""

from __future__ import annotations

import doctest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_examples_run() -> None:
    failed, _ = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert failed == 0


def test_the_readme_opens_with_the_two_commands() -> None:
    commands = (ROOT / "README.md").read_text(encoding="utf-8").split("```")[1]
    assert [line.split("#")[0].strip() for line in commands.splitlines()[1:]] == ["make demo", "make test"]


def test_the_readme_has_examples() -> None:
    assert len(doctest.DocTestParser().get_examples((ROOT / "README.md").read_text(encoding="utf-8"))) > 10
