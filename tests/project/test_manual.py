"""The manual's own parts: links that lead somewhere, pages that are made of the package, figures that are measured."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import bleuprint
from bleuprint.cli import COMMANDS
from bleuprint.metrics import cards
from tests.support.documents import ROOT
from tools import smoke_test
from tools.docs_site import assembly, docstrings, links, performance
from tools.docs_site import cards as card_pages
from tools.docs_site import commands as command_pages
from tools.docs_site import reference as reference_pages


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    assembly.assemble(folder)
    return folder


class TestPages:
    def test_every_public_name_is_in_the_reference(self) -> None:
        text = "".join(reference_pages.pages().values())
        described = set(re.findall(r"^:+\{py:(?:class|function|data)\} (\w+)[^\n]*\n:module: bleuprint$", text, re.M))
        assert described == set(bleuprint.__all__)

    def test_drop_ins_and_integrations_have_pages(self) -> None:
        named = reference_pages.pages()
        for name in ("compat.sacrebleu", "compat.nltk", "compat.fast_bleu", "integrations.spark"):
            assert f"reference/bleuprint.{name}.md" in named

    def test_every_card_has_a_page_with_formula_range_options_and_example(self) -> None:
        named = card_pages.pages()
        assert {f"cards/{cards.load(name).file}.md" for name in cards.names()} == set(named) - {"cards/index.md"}
        page = named["cards/bleu.md"]
        assert "- Range: 0 to 1; higher is better" in page
        assert "| `tokenizer` | " in page
        for section in ("Definition", "Options", "Example"):
            assert f"\n## {section}\n" in page

    def test_every_command_and_option_has_its_place(self) -> None:
        named = command_pages.pages()
        assert {f"cli/{name}.md" for name in COMMANDS} == set(named) - {"cli/commands.md"}
        assert "| `--max-drop D` | " in named["cli/gate.md"]
        assert "\n## bleuprint lm train\n" in named["cli/lm.md"]

    def test_every_document_is_in_the_navigation(self, pages: Path) -> None:
        listed = set(re.findall(r"^[\w./-]+$", (pages / "index.md").read_text(encoding="utf-8"), re.M))
        documents = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
        assert {str(document) for document in documents} - {"index"} <= listed

    def test_links_follow_the_pages(self, pages: Path) -> None:
        assert "](cards/bleu.md)" in (pages / "which-metric.md").read_text(encoding="utf-8")
        assert "](../cards/chrf.md)" in (pages / "how-to" / "score-a-system.md").read_text(encoding="utf-8")

    def test_what_cannot_be_imported_is_described_by_its_source(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delitem(sys.modules, "bleuprint.integrations.pytest_plugin", raising=False)
        monkeypatch.setitem(sys.modules, "pytest", None)
        page = reference_pages.pages()["reference/bleuprint.integrations.pytest_plugin.md"]
        assert "A pytest fixture with assertions on scores." in page
        assert ":::::{py:function} bleuprint() -> Assertions\n:module: bleuprint.integrations.pytest_plugin" in page
        assert "::::{py:method} assert_score(hypotheses: Iterable[str]" in page

    def test_docstrings_become_markdown(self) -> None:
        text = "One.\n\n    a = b\n\n>>> 1\n1\n\nTwo ``x``.\n"
        expected = "One.\n\n```text\na = b\n```\n\n```pycon\n>>> 1\n1\n```\n\nTwo `x`."
        assert docstrings.markdown(text) == expected

    def test_signatures_read_as_they_were_written(self) -> None:
        shown = docstrings.signature(bleuprint.corpus_bleu)
        assert shown.startswith("(hypotheses: Texts, references: References, *, profile: str | None = None, ")
        assert shown.endswith(", threads: int | None = None) -> BleuScore")


class TestLinks:
    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ('<a href="#here">x</a><p id="here">', ""),
            ('<a href="b.html#there">x</a>', ""),
            ('<a href="https://example.org/x">x</a>', ""),
            ('<a href="#nowhere">x</a>', "a.html: #nowhere: the page has no such anchor"),
            ('<a href="b.html#nowhere">x</a>', "a.html: b.html#nowhere: the page has no such anchor"),
            ('<a href="c.html">x</a>', "a.html: c.html leads nowhere"),
            ('<a href="https:///x">x</a>', "a.html: https:///x is no address"),
            ('<img src="none.png">', "a.html: loads none.png, which is not there"),
            ('<script src="https://example.org/x.js"></script>', "a.html: loads https://example.org/x.js"),
            ('<link rel="stylesheet" href="//example.org/x.css">', "a.html: loads //example.org/x.css"),
            ('<p style="background: url(https://example.org/x.png)">', "a.html: loads https://example.org/x.png"),
        ],
    )
    def test_says_what_is_wrong(self, tmp_path: Path, body: str, said: str) -> None:
        (tmp_path / "a.html").write_text(body, encoding="utf-8")
        (tmp_path / "b.html").write_text('<p id="there">', encoding="utf-8")
        assert links.problems(tmp_path) == [said] * bool(said)

    def test_looks_into_style_sheets(self, tmp_path: Path) -> None:
        (tmp_path / "a.html").write_text("", encoding="utf-8")
        (tmp_path / "a.css").write_text("@import 'https://example.org/font.css';", encoding="utf-8")
        assert links.problems(tmp_path) == ["a.css: loads https://example.org/font.css"]

    def test_no_pages_are_a_problem(self, tmp_path: Path) -> None:
        assert links.problems(tmp_path)


class TestPerformance:
    REPORTS = tuple(json.loads(path.read_text(encoding="utf-8")) for path in (performance.FIGURES, performance.GOALS))

    def test_the_page_is_made_of_the_figures(self) -> None:
        assert performance.PAGE.read_text(encoding="utf-8") == performance.page(*self.REPORTS)

    def test_every_profile_is_that_of_a_path_with_a_goal(self) -> None:
        assert set(performance.BOUNDS) <= {section["title"] for section in self.REPORTS[1]["suites"]["goals"]}

    def test_shows_where_when_and_how_many(self) -> None:
        report, goals = self.REPORTS
        text = performance.page(report, goals)
        for name in ("date", "machine", "processor", "packages"):
            assert f"| {name} | " in text
        assert f"{report['corpus']['segments']:,} segments" in text
        rows = [row for sections in report["suites"].values() for section in sections for row in section["rows"]]
        assert len(re.findall(r"^\| .* – .* \|$", text, re.M)) == len(rows)


class TestRelease:
    """What makes wheels is read by nobody until the day it must work."""

    @pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
    def test_workflows_are_read_and_name_files_that_exist(self, path: Path) -> None:
        jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
        steps = [step for job in jobs.values() for step in job["steps"]]
        assert all(("run" in step) != ("uses" in step) for step in steps)
        named = re.findall(r"(?:tools/\w+\.py|\.ci/\w+)", " ".join(step.get("run", "") for step in steps))
        assert named
        assert all((ROOT / name).exists() for name in named)

    def test_only_a_tag_publishes(self) -> None:
        jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))["jobs"]
        allowed = [name for name, job in jobs.items() if "permissions" in job]
        assert allowed == ["publish"]
        assert jobs["publish"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
        assert set(jobs["publish"]["needs"]) == set(jobs) - {"publish"}

    def test_wheels_are_built_and_tried(self) -> None:
        settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
        assert (ROOT / settings["cibuildwheel"]["test-command"].rpartition("/")[2]).name == "smoke_test.py"
        stable = settings["scikit-build"]["wheel"]["py-api"]
        assert f"{stable}-*" in settings["cibuildwheel"]["build"]

    @pytest.mark.slow
    def test_the_smoke_test_passes(self) -> None:
        assert smoke_test.main() == 0
