"""--format of score and compare."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest

import bleuprint as bp
from tests.support.cli import SYSTEMS, assert_one_line, invoke, lines, references, sample

FILES = (*map(sample, SYSTEMS), "-r", sample("ref-1"), "-r", sample("ref-2"), "-m", "bleu", "-m", "chrf")


def result() -> bp.results.Result:
    return bp.evaluate({name: lines(name) for name in SYSTEMS}, references(), metrics=["bleu", "chrf"])


def test_score_in_every_format() -> None:
    printed = {form: invoke("score", *FILES, "--format", form) for form in ("markdown", "latex", "csv", "json")}
    assert {one.exit_code for one in printed.values()} == {0}
    assert printed["markdown"].stdout.splitlines()[1] == "|---|---:|---:|"
    assert [f"{score.value:.4f}" in printed["markdown"].stdout for score in result().systems[0].scores] == [True, True]
    assert r"\toprule" in printed["latex"].stdout
    frame = pd.read_csv(io.StringIO(printed["csv"].stdout))
    assert list(frame["bleu"]) == [system.score("bleu").value for system in result().systems]
    assert json.loads(printed["json"].stdout)["systems"][0]["scores"][0]["metric"] == "bleu"
    percent = invoke("score", *FILES, "--format", "latex", "--percent").stdout
    assert f"{100 * result().systems[0].scores[0].value:.2f}" in percent


def test_compare_in_every_format() -> None:
    arguments = ("compare", *FILES, "--samples", "200", "--resamples", "200", "--format")
    printed = {form: invoke(*arguments, form) for form in ("markdown", "latex", "csv", "json")}
    assert {one.exit_code for one in printed.values()} == {0}
    comparison = json.loads(printed["json"].stdout)
    names = [system["name"] for system in comparison["metrics"][0]["systems"]]
    assert list(pd.read_csv(io.StringIO(printed["csv"].stdout))["system"]) == names
    assert printed["markdown"].stdout.count("|---|") == 3, "scores, and a matrix of pairs per metric"
    assert "significantly worse than the best" in printed["latex"].stdout
    assert "is better than" not in printed["markdown"].stdout


@pytest.mark.parametrize(
    "option",
    [("--quiet",), ("--width", "0"), ("--sentence-level",), ("--intervals",), ("--json", "-"), ("--signatures",)],
)
def test_what_only_changes_the_text_is_refused(option: tuple[str, ...]) -> None:
    refused = invoke("score", *FILES, "--format", "latex", *option)
    assert refused.exit_code == 2
    assert_one_line(
        refused.stderr, f"{' '.join(option) if '-' in option else option[0]} belongs to --format text, not latex"
    )
