"""Reports and charts from the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bleuprint.report import CHARTS, render
from bleuprint.results import Result
from tests.support.cli import invoke, refuse, sample, succeed

SCORED = (sample("system-a"), sample("system-b"), "-r", sample("ref-1"))


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "result.json"
    succeed("score", *SCORED, "--json", str(path))
    return path


def without_day(page: Path) -> str:
    """A page without its date: midnight may pass between two of them."""
    text, dates = re.subn(r"\d{4}-\d\d-\d\d · ", "", page.read_text(), count=1)
    assert dates == 1
    return text


class TestReport:
    def test_a_stored_result_is_compared_for_the_page(self, stored: Path) -> None:
        succeed("report", str(stored))
        assert "system-a is better than system-b" in stored.with_suffix(".html").read_text()

    def test_the_page_of_score_is_that_of_report(self, stored: Path, tmp_path: Path) -> None:
        succeed("report", str(stored))
        succeed("score", *SCORED, "--report", str(tmp_path / "score.html"))
        assert without_day(tmp_path / "score.html") == without_day(stored.with_suffix(".html"))

    def test_a_column_of_labels(self, stored: Path, tmp_path: Path) -> None:
        column = tmp_path / "domain.txt"
        column.write_text("news\nchat\n" * 24)
        succeed("report", str(stored), "--column", str(column))
        assert "By <bdi>domain</bdi>" in stored.with_suffix(".html").read_text()
        column.write_text("news\n")
        refuse("column domain", "report", str(stored), "--column", str(column), "--force")

    def test_compare_writes_the_page_of_its_own_settings(self, tmp_path: Path) -> None:
        page, numbers = tmp_path / "page.html", tmp_path / "numbers.json"
        settings = ("--test", "paired-bootstrap", "--resamples", "300")
        arguments = ("compare", *SCORED, *settings, "--report", str(page), "--json", str(numbers))
        succeed(*arguments)
        text = without_day(page)
        assert "test:paired-bootstrap" in text
        stored = Result.read_json(numbers)
        assert stored.comparison is not None
        assert f"{stored.comparison.metrics[0].result.systems[0].score.low:.4f} …" in text
        assert render(stored) == text

    def test_self_bleu_writes_a_page_of_diversity(self, tmp_path: Path) -> None:
        page = tmp_path / "page.html"
        succeed("score", sample("system-a"), "-m", "self-bleu", "--report", str(page))
        assert 'id="diversity"' in page.read_text()

    @pytest.mark.parametrize("command", [("compare", *SCORED), ("score", sample("system-a"), "-m", "self-bleu")])
    def test_a_report_needs_a_file_of_its_own(self, command: tuple[str, ...], tmp_path: Path) -> None:
        for arguments in (("--report", "-"), ("--json", str(tmp_path / "x"), "--report", str(tmp_path / "x"))):
            refuse("--report needs its own output file", *command, *arguments)

    def test_the_demo_compares_its_systems(self, tmp_path: Path) -> None:
        succeed("demo", "-o", str(tmp_path))
        assert Result.read_json(tmp_path / "results.json").comparison is not None
        assert "system-b: rank 3, better than 0 of 2." in (tmp_path / "report.html").read_text()


class TestPlot:
    def test_it_lists_the_charts(self, stored: Path) -> None:
        listed = invoke("plot", str(stored)).stdout
        assert all(f"\n{name} " in listed for name in CHARTS)

    def test_the_file_is_named_by_the_chart(self, stored: Path) -> None:
        succeed("plot", str(stored), "--chart", "origin")
        svg = stored.with_suffix(".origin.svg").read_text()
        assert svg.startswith("<svg xmlns=")
        assert "BLEU of system-a" in svg

    def test_what_it_cannot_draw(self, stored: Path) -> None:
        refuse(
            "cannot draw 'fluency': the result has no scores of",
            "plot",
            str(stored),
            "--chart",
            "fluency",
        )
        refuse("system must be one of system-a, system-b", "plot", str(stored), "--chart", "origin", "--system", "x")
