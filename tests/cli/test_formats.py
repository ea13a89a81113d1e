"""--format of score, compare and diversity."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest

import bleuprint as bp
from bleuprint.results.digits import Digits
from bleuprint.results.naming import short_signature
from tests.support.cli import SYSTEMS, invoke, lines, references, refuse, sample, succeed

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
    arguments = ("compare", *FILES, "--resamples", "200", "--format")
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
    [("--quiet",), ("--width", "0"), ("--sentence-level",), ("--json", "-"), ("--signatures",)],
)
def test_what_only_changes_the_text_is_refused(option: tuple[str, ...]) -> None:
    shown = " ".join(option) if "-" in option else option[0]
    refuse(f"{shown} belongs to --format text, not latex", "score", *FILES, "--format", "latex", *option)


def test_intervals_and_percent_in_every_format() -> None:
    arguments = ("score", *FILES[:-4], "-m", "bleu,ter", "--intervals", "--percent", "--format")
    printed = {form: succeed(*arguments, form).stdout for form in ("text", "markdown", "latex", "csv", "json")}
    system = json.loads(printed["json"])["systems"][0]
    frame = pd.read_csv(io.StringIO(printed["csv"]))
    for score in system["scores"]:
        low, value, high = score["interval"][0], score["value"], score["interval"][1]
        assert low < value < high < 1
        row = frame[frame["system"] == system["name"]].iloc[0]
        name = score["metric"]
        assert (row[name], row[f"{name} low"], row[f"{name} high"]) == (100 * value, 100 * low, 100 * high)
        shown = f"{100 * value:.2f} [{100 * low:.2f}, {100 * high:.2f}]"
        assert shown in printed["text"]
        assert shown in printed["markdown"].replace("\\", "")
        assert shown in printed["latex"].replace("{[}", "[").replace("{]}", "]")
    compared = ("compare", *FILES, "--intervals", "--percent", "--format", "csv")
    assert "bleu low,bleu high" in succeed(*compared).stdout


def test_papers_have_names_arrows_and_short_signatures() -> None:
    arguments = ("score", *FILES[:-4], "-m", "bleu,chrf:word_order=2,ter,rouge:types=rougeL", "--format")
    latex, markdown, table = (succeed(*arguments, form).stdout for form in ("latex", "markdown", "csv"))
    assert r"System & BLEU $\uparrow$$^{a}$ & chrF++ $\uparrow$$^{b}$ & TER $\downarrow$$^{c}$ & ROUGE-{}L" in latex
    assert markdown.startswith("| System | BLEU ↑ | chrF++ ↑ | TER ↓ | ROUGE-L ↑ |\n")
    assert table.startswith("system,bleu,chrf,ter,rouge,bleu signature,")
    assert "|sacrebleu:2.6.0|bleuprint:" in markdown
    assert "absent_order" not in markdown
    assert "alpha:0.9|" in short_signature(bp.IBLEU(alpha=0.9).signature), "what the docs ask to publish"
    assert "max_order:2" in short_signature(bp.BLEU(max_order=2).signature)
    assert "is bold" in latex
    one = succeed("score", sample(SYSTEMS[0]), "-r", sample("ref-1"), "--format", "latex").stdout
    assert "Scores on 48 segments." in one, "nothing is bold"


def test_the_methods_paragraph() -> None:
    text = succeed("score", *FILES[:-4], "-m", "bleu,chrf,ter", "--methods").stdout
    paragraph = text.split("\n\n")[0]
    assert "BLEU (Papineni et al., 2002)[1], chrF (Popović, 2015)[2] and TER (Snover et al., 2006)[3]." in paragraph
    assert paragraph.count("Post, 2018") == 1
    assert "|" not in paragraph
    assert "\n[1] bleu|nrefs:2|" in text
    assert r"\footnote{\texttt{bleu" in succeed("compare", *FILES, "--methods", "--format", "latex").stdout
    refuse("--methods is a paragraph: its --format is", "score", *FILES, "--methods", "--format", "csv")


def test_diversity_in_every_format() -> None:
    arguments = ("diversity", sample(SYSTEMS[0]), "--no-intervals", "--size", "12", "--format")
    printed = {form: invoke(*arguments, form).stdout for form in ("markdown", "latex", "csv", "json")}
    (system,) = json.loads(printed["json"])["systems"]
    values = {measure["name"]: measure["value"] for measure in system["measures"]}
    frame = pd.read_csv(io.StringIO(printed["csv"]))
    assert dict(zip(frame["measure"], frame["value"], strict=True)) == values
    shown = [Digits().of(measure["signature"])(measure["value"]) for measure in system["measures"]]
    assert all(f"| {value} |" in printed["markdown"] for value in shown)
    signatures = dict.fromkeys(measure["signature"] for measure in system["measures"])
    notes = printed["latex"].partition("minipage")[2]
    assert notes.count("\\par\n") == len(signatures), "one footnote per signature"
    assert notes.count("$^{") == len(signatures), "every footnote has its letter"
    rows = printed["latex"].partition("midrule")[2].partition("bottomrule")[0]
    assert rows.count("$^{") == len(values), "every measure refers to a footnote"


def test_diversity_of_several_files_in_every_format() -> None:
    files = [sample(name) for name in SYSTEMS[:2]]
    arguments = ("diversity", *files, "--no-intervals", "--size", "12", "--format")
    printed = {form: invoke(*arguments, form).stdout for form in ("markdown", "latex", "csv", "json")}
    systems = json.loads(printed["json"])["systems"]
    frame = pd.read_csv(io.StringIO(printed["csv"]))
    assert [system["name"] for system in systems] == list(SYSTEMS[:2])
    assert list(frame.columns) == [
        *("group", "measure", "more diverse"),
        *SYSTEMS[:2],
    ]
    for system in systems:
        values = {measure["name"]: measure["value"] for measure in system["measures"]}
        assert dict(zip(frame["measure"], frame[system["name"]], strict=True)) == values
    assert r"\toprule" in printed["latex"]
    assert "measure$^" not in printed["latex"]
    assert printed["markdown"].splitlines()[1] == "|---|---|---|---:|---:|"
