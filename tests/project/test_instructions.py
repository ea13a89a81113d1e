"""Instruction counts: what is compared with what, and what fails. CI counts them; here nothing is counted."""

from __future__ import annotations

import doctest
import subprocess
from pathlib import Path

import pytest

from bench import instructions
from bench.instruction_jobs import JOBS, texts
from tools.reliability_tables.sections import section, with_section

CONDITIONS = {"compiler": "GCC 1", "Python": "3.0"}
PAGE = "<!-- begin: counts -->\n<!-- end: counts -->\n<!-- begin: conditions -->\n<!-- end: conditions -->\n"


class Counter:
    """Stands in for builds and valgrind: a count for each folder."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.counts = {"package": 1000, "earlier": 1000}
        self.page = folder / "instructions.md"
        self.page.write_text(PAGE, encoding="utf-8")
        monkeypatch.setattr(instructions, "PAGE", self.page)
        monkeypatch.setattr(instructions, "BUILD", folder)
        monkeypatch.setattr(instructions, "install", lambda source, name: Path(name))
        monkeypatch.setattr(instructions, "marks", lambda: Path("marks.so"))
        monkeypatch.setattr(instructions, "conditions", lambda package: CONDITIONS)
        monkeypatch.setattr(instructions, "earlier", lambda: ("1234567890ab", Path("source")))
        monkeypatch.setattr(instructions, "count", lambda name, package, library: self.counts[package.name])


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Counter:
    return Counter(monkeypatch, tmp_path)


def test_examples() -> None:
    found = doctest.testmod(instructions)
    assert found.attempted
    assert not found.failed


def test_the_table_has_every_job_and_names_its_conditions() -> None:
    page = instructions.PAGE.read_text(encoding="utf-8")
    assert list(instructions.read_counts(page)) == list(JOBS)
    assert set(instructions.QUICK) <= set(JOBS)
    assert len(JOBS) == 20
    for name in ("compiler", "processor", "C library", "Python", "NumPy", "valgrind"):
        assert f"\n| {name} | " in section(page, "conditions")


def test_a_written_table_is_compared_with(counter: Counter, capsys: pytest.CaptureFixture[str]) -> None:
    assert instructions.main(["--write"]) == 0
    counter.counts["package"] = 1030
    assert instructions.main(["ter"]) == 0
    counter.counts["package"] = 1031
    assert instructions.main(["ter"]) == 1
    printed = capsys.readouterr().out
    assert "more than 3 % above 1,000\n" in printed
    assert "1234567890ab" not in printed


def test_other_conditions_need_the_commit_of_the_table(
    counter: Counter, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    instructions.main(["--write"])
    other = with_section(counter.page.read_text(encoding="utf-8"), "conditions", "| compiler | GCC 0 |")
    counter.page.write_text(other, encoding="utf-8")
    counter.counts = {"package": 2000, "earlier": 1990}
    assert instructions.main(["--quick"]) == 0
    counter.counts["earlier"] = 1900
    assert instructions.main(["--quick"]) == 1
    assert "Counting commit 1234567890ab" in capsys.readouterr().out
    monkeypatch.setattr(instructions, "earlier", lambda: None)
    assert instructions.main(["--quick"]) == 2
    assert "Nothing was compared" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["wer2"], ["--write", "ter"], ["--write", "--quick"]])
def test_wrong_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        instructions.main(arguments)
    assert "error: " in capsys.readouterr().err


def test_the_earlier_tree_is_that_of_the_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments], cwd=tmp_path, check=True)

    monkeypatch.setattr(instructions, "ROOT", tmp_path)
    monkeypatch.setattr(instructions, "PAGE", tmp_path / "table.md")
    monkeypatch.setattr(instructions, "BUILD", tmp_path / "build")
    assert instructions.earlier() is None, "no repository"
    git("init", "--quiet")
    for text in ("one", "two"):
        (tmp_path / "code.txt").write_text(text, encoding="utf-8")
        if text == "one":
            (tmp_path / "table.md").write_text("counts", encoding="utf-8")
        git("add", "code.txt", "table.md")
        git("commit", "--quiet", "--message", text)
    found = instructions.earlier()
    assert found is not None
    assert (found[1] / "code.txt").read_text(encoding="utf-8") == "one"


def test_texts_are_always_the_same() -> None:
    assert texts(30, 1) == texts(30, 1)
    assert texts(30, 1) != texts(30, 2)
    assert len(set(texts(300, 1)[0])) > 250
