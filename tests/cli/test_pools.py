"""Metrics of pools and metrics without references in score, compare, gate, replay and report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.metrics import registry
from bleuprint.results import Result
from tests.support.cli import assert_one_line, invoke, lines, refuse, sample, succeed

METRICS = "bleu,self-bleu,distinct,cross-bleu"


def table(folder: Path, name: str, texts: list[str]) -> str:
    """A table of outputs with ids and without references."""
    path = folder / f"{name}.jsonl"
    rows = ({"id": number, "prediction": text} for number, text in enumerate(texts))
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def test_outputs_alone_are_scored() -> None:
    shown = invoke("score", sample("system-a"), sample("system-b"), "-m", "self-bleu,distinct", "-w", "6")
    assert (shown.exit_code, shown.stderr) == (0, "")
    head, *rows = (line.split() for line in shown.stdout.splitlines()[:3])
    assert head == ["system", "self-bleu", "distinct"]
    for row, name in zip(rows, ("system-a", "system-b"), strict=True):
        texts = lines(name)
        assert row == [name, f"{bp.self_bleu(texts).value:.6f}", f"{bp.distinct(texts).value:.6f}"]


def test_one_run_has_one_result_and_one_report(tmp_path: Path) -> None:
    stored, page, again = tmp_path / "r.json", tmp_path / "r.html", tmp_path / "again.html"
    files = [sample("system-a"), "-r", sample("ref-1")]
    shown = succeed("score", *files, "-m", METRICS, "--json", str(stored), "--report", str(page))
    expected = bp.evaluate(lines("system-a"), lines("ref-1"), metrics=METRICS.split(","))
    result = Result.read_json(stored)
    assert result.systems[0].scores == expected.systems[0].scores
    for score in expected.systems[0].scores:
        assert f"{score.value:.4f}" in shown.stdout
        assert f"{score.value:.4f}" in page.read_text(encoding="utf-8")
    assert invoke("replay", str(stored)).stdout.count("  same") == 4
    succeed("report", str(stored), "-o", str(again))


@pytest.mark.parametrize("name", registry.scored_by_name("pool"))
def test_a_stream_has_the_scores_of_the_whole_file(name: str) -> None:
    """Printed scores come from a stream; --json has the texts, so it reads them all."""
    files = ["score", sample("system-a"), "-r", sample("ref-1"), "-r", sample("ref-2"), "-m", name]
    streamed = invoke(*files, "-q", "-w", "12")
    (system,) = json.loads(invoke(*files, "--json", "-").stdout)["systems"]
    assert streamed.stdout == f"{system['scores'][0]['value']:.12f}\n"


def test_scores_of_texts_are_shown_for_metrics_that_have_them() -> None:
    files = ["score", sample("system-a"), "-r", sample("ref-1")]
    shown = invoke(*files, "-m", "bleu,self-bleu,vendi", "--sentence-level")
    assert shown.stderr == "note: --sentence-level does not apply to vendi\n"
    head, first, *_ = (line.split() for line in shown.stdout.splitlines())
    assert head == ["segment", "system-a", "bleu", "system-a", "self-bleu"]
    assert first[2] == f"{bp.self_bleu(lines('system-a')).per_text[0]:.4f}"
    assert "vendi" not in shown.stdout


def test_scores_of_texts_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "spread.svg"
    succeed("score", sample("system-a"), "-m", "self-bleu", "--plot", str(path))
    assert "Self-BLEU" in path.read_text(encoding="utf-8")
    refused = invoke("score", sample("system-a"), "-m", "vendi", "--plot", str(tmp_path / "x.svg"))
    assert refused.exit_code == 2
    assert_one_line(refused.stderr, "the result has no scores of segments")


def test_tables_without_references(tmp_path: Path) -> None:
    one, two = (table(tmp_path, name, lines(f"system-{name}")) for name in ("a", "b"))
    values = [f"{bp.self_bleu(lines(name)).value:.4f}" for name in ("system-a", "system-b")]
    assert invoke("score", one, "-m", "self-bleu", "-q").stdout.split() == values[:1]
    assert invoke("score", one, two, "-m", "self-bleu", "-q").stdout.split() == values
    compared = invoke("compare", one, two, "-m", "self-bleu")
    assert [line.split()[1] for line in compared.stdout.splitlines()[3:5]] == values
    refuse("no column is recognized as references", "score", one, two, "-m", "self-bleu,bleu")


def test_systems_are_compared_without_references() -> None:
    files = ["compare", sample("system-a"), sample("system-b"), "-m", "self-bleu,distinct"]
    shown = succeed(*files)
    expected = bp.compare({name: lines(name) for name in ("system-a", "system-b")}, metrics=["self-bleu", "distinct"])
    for entry in expected.metrics:
        assert f"p = {entry.result.pairs[0].p_value:.4f}" in shown.stdout
    refuse("Missing option '-r' / '--reference': bleu compares with references.", *files[:-1], "self-bleu,bleu")


def test_a_gate_stops_outputs_that_collapsed(tmp_path: Path) -> None:
    varied = [f"animal {one} meets animal {other} in year {one + other}" for one in range(20) for other in range(3)]
    content = {"old": varied, "new": ["the cat sat on the mat"] * len(varied), "ref": varied}
    for name, texts in content.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    for name in ("old", "new"):
        files = [f"System={tmp_path / name}.txt", "-r", str(tmp_path / "ref.txt"), "-m", "bleu,self-bleu,distinct"]
        succeed("score", *files, "--json", str(tmp_path / f"{name}.json"))
    old, new = (str(tmp_path / f"{name}.json") for name in ("old", "new"))
    collapsed = invoke("gate", new, "--baseline", old)
    assert collapsed.exit_code == 1
    failed = [line for line in collapsed.stdout.splitlines() if line.startswith("FAIL")]
    assert [line.split()[2] for line in failed] == ["bleu:", "self-bleu:", "distinct:"]
    assert "a rise of" in failed[1]
    assert "a drop of" in failed[2]
    succeed("gate", old, "--baseline", new)
    assert invoke("gate", new, "--max", "self-bleu=0.9").exit_code == 1
    succeed("gate", old, "--max", "self-bleu=0.9")


def test_segment_metrics_without_references_have_intervals(tmp_path: Path) -> None:
    model = tmp_path / "model.blm"
    succeed("lm", "train", sample("ref-1"), "-o", str(model), "--order", "2", "--discount-fallback")
    shown = invoke("score", sample("system-a"), "-m", f"perplexity:lm={model}", "--intervals")
    interval = bp.confidence_interval(lines("system-a"), metric=bp.metrics.Perplexity(str(model)))
    assert f" [{interval.low:.2f}, {interval.high:.2f}]" in shown.stdout
