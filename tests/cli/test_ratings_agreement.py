"""bleuprint ratings agreement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from tests.support.cli import assert_one_line, invoke
from tests.support.rated import rated_rows

AGREEMENT = ("ratings", "agreement")
QUICK = ("--resamples", "50", "--permutations", "99")


def written(folder: Path, rows: list[dict[str, Any]], name: str = "ratings.jsonl") -> str:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def ratings(tmp_path: Path) -> str:
    return written(tmp_path, [{**row, "comet": row["rating"] / 2} for row in rated_rows(12, 3)])


def test_the_table_and_what_it_says(ratings: str) -> None:
    shown = invoke(*AGREEMENT, ratings, "--human", "rating", "-m", "bleu,chrf", "--group", "document", *QUICK)
    assert shown.exit_code == 0
    assert "Agreement with rating at system level (3 systems)" in shown.stdout
    assert "Agreement with rating at segment level (36 outputs, 12 segments)" in shown.stdout
    assert "Pearson with rating at segment level, by document" in shown.stdout
    assert "rating: no output was rated twice." in shown.stdout
    assert (
        "agreement|outputs:36|statistic:pearson|resample:items|resamples:50|permutations:99|alpha:0.05" in shown.stdout
    )
    assert "segments from column 'segment', systems from column 'system'" in shown.stderr


def test_files_hold_what_python_finds(ratings: str, tmp_path: Path) -> None:
    page, stored = tmp_path / "agreement.html", tmp_path / "agreement.json"
    options = ("--human", "rating", "-m", "bleu", "--scores", "comet", "--lower-is-better", "comet", *QUICK)
    shown = invoke(*AGREEMENT, ratings, *options, "--json", str(stored), "--report", str(page))
    assert shown.exit_code == 0
    read = bp.Ratings.read(ratings, "rating", scores="comet", lower_is_better="comet")
    result = read.agreement(["bleu"], resamples=50, permutations=99)
    assert stored.read_text(encoding="utf-8") == result.to_json()
    assert page.read_text(encoding="utf-8") == result.to_html()
    assert json.loads(invoke(*AGREEMENT, ratings, *options, "--json", "-").stdout) == json.loads(result.to_json())
    again = invoke(*AGREEMENT, ratings, *options, "--report", str(page))
    assert again.exit_code == 2
    assert_one_line(again.stderr, "agreement.html")


def test_without_metrics_all_that_the_columns_allow(ratings: str) -> None:
    shown = invoke(*AGREEMENT, ratings, "--human", "rating", "--level", "segment", "--lowercase", *QUICK, "--json", "-")
    assert {"bleu", "sari", "wer"} <= set(json.loads(shown.stdout)["signatures"])
    assert "lowercase:yes" in json.loads(shown.stdout)["signatures"]["bleu"]


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "json"])
def test_formats(ratings: str, form: str) -> None:
    shown = invoke(*AGREEMENT, ratings, "--human", "rating", "-m", "bleu,chrf", *QUICK, "--format", form)
    assert shown.exit_code == 0
    assert {"markdown": "| metric | rank |", "latex": "\\toprule", "csv": "metric,rank", "json": '"levels"'}[
        form
    ] in shown.stdout


def without(rows: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in names} for row in rows]


BAD = {
    "a rating column of text": (rated_rows(4, 2), ("--human", "reference"), "must be a number"),
    "one system only": (rated_rows(4, 1), ("--human", "rating"), "has one system only, 'system-0'"),
    "fewer than three items": (rated_rows(2, 3), ("--human", "rating"), "agreement needs at least 3"),
    "all equal": (
        [{**row, "rating": 1} for row in rated_rows(4, 2)],
        ("--human", "rating"),
        "all ratings in 'rating' are 1",
    ),
    "an unknown column": (rated_rows(4, 2), ("--human", "mqm"), "it has no column 'mqm'; its columns are"),
    "an unknown group": (rated_rows(4, 2), ("--human", "rating", "--group", "x"), "it has no column 'x'"),
    "no references": (
        without(rated_rows(4, 2), "reference"),
        ("--human", "rating", "-m", "bleu"),
        "bleu needs references",
    ),
    "no texts": (
        without(rated_rows(4, 2), "reference", "source", "hypothesis"),
        ("--human", "rating"),
        "allows no metric",
    ),
    "no segments": (without(rated_rows(4, 2), "segment"), ("--human", "rating"), "recognized as segments"),
    "no human": (rated_rows(4, 2), (), "Missing option '--human'"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line(case: str, tmp_path: Path) -> None:
    rows, options, expected = BAD[case]
    shown = invoke(*AGREEMENT, written(tmp_path, rows), *options)
    assert shown.exit_code == 2
    assert_one_line(shown.stderr, expected)
