"""bleuprint ratings agreement, threshold, estimate and power."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from tests.support import rated
from tests.support.cli import assert_one_line, invoke

ROWS = rated.rows_with_mistakes()
AGREEMENT = ("ratings", "agreement")
QUICK = ("--resamples", "50", "--permutations", "99")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "ratings.tsv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(ROWS[0]), delimiter="\t")
        table.writeheader()
        table.writerows(ROWS)
    (tmp_path / "hyp.txt").write_text("".join(f"{row['hypothesis']}\n" for row in ROWS[:20]))
    (tmp_path / "ref.txt").write_text("".join(f"{row['reference']}\n" for row in ROWS[:20]))
    (tmp_path / "src.txt").write_text("".join(f"{row['source']}\n" for row in ROWS[:20]))
    return tmp_path


FORMATS = {"markdown": "| metric | rank |", "latex": "\\toprule", "csv": "metric,rank", "json": '"levels"'}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("command", ["agreement", "threshold", "estimate", "power"])
def test_formats(command: str, form: str) -> None:
    human = "ok" if command == "threshold" else "quality"
    done = invoke("ratings", command, "ratings.tsv", "--human", human, "--resamples", "50", "--format", form)
    assert done.exit_code == 0, done.stderr
    expected = {"agreement": FORMATS[form], "threshold": "bleu", "estimate": "bleu"}.get(command, "chrf")
    assert expected in done.stdout
    if form == "json":
        json.loads(done.stdout)


def test_threshold_prints_the_lines_to_paste() -> None:
    done = invoke("ratings", "threshold", "ratings.tsv", "--human", "ok", "-m", "item-bleu", "--resamples", "100")
    assert done.exit_code == 0, done.stderr
    assert "  bp.SentenceBleu(threshold=0." in done.stdout
    line = next(line.strip() for line in done.stdout.splitlines() if "bleuprint gate" in line)
    scored = invoke("score", "hyp.txt", "-r", "ref.txt", "-m", "item-bleu", "--json", "new.json")
    assert scored.exit_code == 0
    gated = invoke(*line.split()[1:])
    assert gated.exit_code in (0, 1), gated.stderr
    assert "item-bleu" in gated.stdout


def test_a_column_of_scores_has_a_threshold() -> None:
    rows = [f"{number}\t{number % 10}\t{int(number % 10 + number % 3 > 5)}" for number in range(60)]
    Path("scores.tsv").write_text("\n".join(["id\tcomet\tok", *rows]))
    threshold = ("ratings", "threshold", "scores.tsv", "--human", "ok", "--scores", "comet", "--resamples", "50")
    by_default = invoke(*threshold)
    assert by_default.exit_code == 0, by_default.stderr
    assert "threshold of comet" in by_default.stdout
    assert invoke(*threshold, "-m", "comet").stdout == by_default.stdout
    assert_one_line(
        "\n".join(line for line in invoke(*threshold, "-m", "bleu").stderr.splitlines() if "note:" not in line) + "\n",
        "bleu needs hypotheses, but no column of scores.tsv is recognized as such; name it: --hypothesis NAME",
    )


def judged_file() -> None:
    rows = [
        f"{n}\t{s}\t{n % 3 % 2}\t{int(n % 3 > s == 1) if n % 4 == 0 else ''}\t{n % 2}"
        for n in range(80)
        for s in (0, 1)
    ]
    Path("judged.tsv").write_text("\n".join(["id\tsystem\tjudge\tok\tearly", *rows]))


def test_estimates_of_a_judge() -> None:
    judged_file()
    estimate = ("ratings", "estimate", "judged.tsv", "--human", "ok", "--scores", "judge", "--resamples", "50")
    done = invoke(*estimate, "--width", "0.2", "--rate-next", "3", "--earlier", "early")
    assert done.exit_code == 0, done.stderr
    for text in ("People would rate", "items for 0.2", "ok − early", "Rate next: ", "false passes", "people 1"):
        assert text in done.stdout
    found = bp.Ratings.read("judged.tsv", "ok", scores="judge").estimate(resamples=50)
    content = json.loads(invoke(*estimate, "--json", "-").stdout)
    assert content["systems"][0]["estimate"]["low"] == found.systems[0].estimate.low
    assert content["rated_items"] == 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--scale", "0", "0.5"), "scale must be two numbers, the lowest and the highest possible rating"),
        (("--width", "-1"), "width must be a number above 0, got -1"),
        (("--earlier", "nowhere"), "it has no column 'nowhere'"),
        (("--earlier", "ok"), "human must be names of columns, each of them once"),
        (("--human", "early"), "the ratings are in several columns, ok, early; pass one of them as human"),
    ],
)
def test_estimates_that_are_refused(options: tuple[str, ...], message: str) -> None:
    judged_file()
    done = invoke("ratings", "estimate", "judged.tsv", "--human", "ok", "--scores", "judge", *options)
    assert done.exit_code == 2
    assert message in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", ["threshold", "estimate", "power"])
def test_every_result_is_saved_as_json_and_as_a_page(command: str) -> None:
    human = "ok" if command == "threshold" else "quality"
    options = ("ratings", command, "ratings.tsv", "--human", human, "--resamples", "50", "-m", "chrf")
    done = invoke(*options, "--json", "found.json", "--report", "found.html")
    assert done.exit_code == 0, done.stderr
    saved = json.loads(Path("found.json").read_text(encoding="utf-8"))
    assert (
        saved
        == json.loads(invoke(*options, "--json", "-").stdout)
        == json.loads(invoke(*options, "--format", "json").stdout)
    )
    assert Path("found.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert invoke(*options, "--json", "found.json").exit_code == 0  # the same again
    assert invoke(*options, "--seed", "7", "--json", "found.json").exit_code == 2


def test_threshold_says_that_there_is_none() -> None:
    rows = [f"{number}\ta b {number}\ta b c\t{number % 2}" for number in range(60)]
    Path("flat.tsv").write_text("\n".join(["id\toutput\treference\tok", *rows]))
    done = invoke("ratings", "threshold", "flat.tsv", "--human", "ok", "--resamples", "100")
    assert done.exit_code == 1
    assert "No threshold of bleu separates" in done.stdout
    assert "Use it as" not in done.stdout


def test_power() -> None:
    done = invoke(
        "ratings", "power", "ratings.tsv", "--human", "quality", "-m", "bleu,ter", "--size", "20", "--size", "500"
    )
    assert done.exit_code == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[1:4]] == ["20", "60", "500*"]
    assert "* extrapolated" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("ratings fit ratings.tsv --human quality", "No such command 'fit'"),
        ("ratings power nowhere.tsv --human quality", "there is no such file"),
        ("ratings power ratings.tsv --human nothing", "it has no column 'nothing'"),
        ("ratings power ratings.tsv --human hypothesis", "must be a number"),
        ("ratings power ratings.tsv --human quality -m blue", "Did you mean bleu?"),
        ("ratings threshold ratings.tsv --human ok --folds 40", "folds must be an integer from 2 to 30"),
        ("ratings threshold ratings.tsv --human ok --seed -1", "seed must be"),
        ("ratings threshold ratings.tsv --human quality", "pass cut: ratings in 'quality' range from"),
        ("ratings threshold ratings.tsv --human ok -m bleu,chrf", "threshold takes one metric"),
        ("ratings threshold ratings.tsv --human ok --precision 2", "precision must be"),
        ("ratings power ratings.tsv --human ok --human quality", "pass one of them as human"),
        ("ratings power ratings.tsv --human quality --group document --group source", "items by one group only"),
        ("ratings power ratings.tsv --human quality --size 3", "sizes must be integers from 10"),
    ],
)
def test_bad_input_gets_one_line(arguments: str, problem: str) -> None:
    done = invoke(*arguments.split())
    assert done.exit_code == 2
    assert_one_line(
        "\n".join(line for line in done.stderr.splitlines() if not line.startswith("note:")) + "\n", problem
    )


def write_rows(rows: list[dict[str, Any]]) -> str:
    Path("ratings.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return "ratings.jsonl"


@pytest.fixture
def ratings(folder: Path) -> str:
    return write_rows([{**row, "comet": row["rating"] / 2} for row in rated.rated_rows(12, 3)])


def test_the_table_and_what_it_says(ratings: str) -> None:
    shown = invoke(*AGREEMENT, ratings, "--human", "rating", "-m", "bleu,chrf", "--group", "document", *QUICK)
    assert shown.exit_code == 0
    assert "Agreement with rating at system level (3 systems)" in shown.stdout
    assert "Agreement with rating at segment level (36 outputs, 12 segments)" in shown.stdout
    assert "Pearson with rating at segment level, by document" in shown.stdout
    assert "No output was rated twice." in shown.stdout
    assert (
        "agreement|outputs:36|statistic:pearson|resample:items|resamples:50|permutations:99|alpha:0.05" in shown.stdout
    )
    assert "segments from column 'segment', systems from column 'system'" in shown.stderr


def test_files_hold_what_python_finds(ratings: str) -> None:
    page, stored = Path("agreement.html"), Path("agreement.json")
    options = ("--human", "rating", "-m", "bleu", "--scores", "comet", "--lower-is-better", "comet", *QUICK)
    shown = invoke(*AGREEMENT, ratings, *options, "--json", str(stored), "--report", str(page))
    assert shown.exit_code == 0
    read = bp.Ratings.read(ratings, "rating", scores="comet", lower_is_better="comet")
    result = read.agreement(["bleu"], resamples=50, permutations=99)
    assert stored.read_text(encoding="utf-8") == result.to_json()
    assert page.read_text(encoding="utf-8") == result.to_html()
    assert json.loads(invoke(*AGREEMENT, ratings, *options, "--json", "-").stdout) == json.loads(result.to_json())
    again = invoke(*AGREEMENT, ratings, *options, "--seed", "7", "--report", str(page))
    assert again.exit_code == 2
    assert "agreement.html: it already exists with different content" in again.stderr
    assert invoke(*AGREEMENT, ratings, *options, "--report", str(page)).exit_code == 0  # the same again


def test_without_metrics_all_that_the_columns_allow(ratings: str) -> None:
    shown = invoke(*AGREEMENT, ratings, "--human", "rating", "--level", "segment", "--lowercase", *QUICK, "--json", "-")
    assert {"bleu", "sari", "wer"} <= set(json.loads(shown.stdout)["signatures"])
    assert "lowercase:yes" in json.loads(shown.stdout)["signatures"]["bleu"]


RATED = rated.rated_rows(4, 2)


def without(*names: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in names} for row in RATED]


BAD = {
    "a rating column of text": (RATED, "--human reference", "must be a number"),
    "one system only": (rated.rated_rows(4, 1), "--human rating", "has one system only, 'system-0'"),
    "fewer than three items": (rated.rated_rows(2, 3), "--human rating", "agreement needs at least 3"),
    "all equal": ([{**row, "rating": 1} for row in RATED], "--human rating", "all ratings in 'rating' are 1"),
    "an unknown column": (RATED, "--human mqm", "it has no column 'mqm'; its columns are"),
    "an unknown group": (RATED, "--human rating --group x", "it has no column 'x'"),
    "no references": (without("reference"), "--human rating -m bleu", "bleu needs references"),
    "no texts": (without("reference", "source", "hypothesis"), "--human rating", "allows no metric"),
    "no segments": (without("segment"), "--human rating", "recognized as segments"),
    "no human": (RATED, "", "Missing option '--human'"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tables_get_one_line(case: str) -> None:
    rows, options, expected = BAD[case]
    shown = invoke(*AGREEMENT, write_rows(rows), *options.split())
    assert shown.exit_code == 2
    assert_one_line(shown.stderr, expected)
