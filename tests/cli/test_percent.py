"""--percent, wherever scores are shown."""

from __future__ import annotations

from pathlib import Path

import bleuprint as bp
from bleuprint.report import quadrant_plot
from bleuprint.results import Result
from tests.support.cli import invoke, lines, refuse, sample, succeed

FILES = [sample("system-a"), sample("system-b"), "-r", sample("ref-1")]


def test_metrics_with_a_scale_of_their_own_keep_it() -> None:
    rows = invoke("score", *FILES, "-m", "bleu,nist", "--percent").stdout.splitlines()
    bleu, nist = (metric(lines("system-a"), lines("ref-1")) for metric in (bp.corpus_bleu, bp.corpus_nist))
    assert rows[1].split() == ["system-a", f"{bleu.percent:.2f}", f"{nist.value:.3f}"]
    quiet = invoke("score", *FILES, "-m", "bleu,nist", "--percent", "-q").stdout.splitlines()
    assert quiet[0].split() == rows[1].split()[1:]
    segments = invoke("score", *FILES, "-m", "bleu,wer", "--percent", "--sentence-level").stdout.splitlines()
    assert segments[1].split()[1] == f"{100 * bp.sentence_bleus(lines('system-a'), lines('ref-1'))[0]:.2f}"
    refuse("--percent does not apply to nist, which has its own scale", "score", *FILES, "-m", "nist", "--percent")


def test_compare_and_explain() -> None:
    compared = invoke("compare", *FILES, "-m", "bleu,nist", "--percent").stdout
    bleu = bp.corpus_bleu(lines("system-a"), lines("ref-1"))
    nist = bp.corpus_nist(lines("system-a"), lines("ref-1"))
    rows = [line.split()[1] for line in compared.splitlines() if line.startswith("system-a  ")]
    assert rows == [f"{bleu.percent:.2f}", f"{nist.value:.3f}"]
    steps = ["explain", FILES[0], *FILES[2:], "--from", "sacrebleu", "--to", "bleu:lowercase=yes,tokenizer=intl"]
    shown = [line.split() for line in invoke(*steps, "--percent").stdout.splitlines()]
    assert shown[1] == ["from", "sacrebleu", f"{bleu.percent:.2f}"]
    other = bp.corpus_bleu(lines("system-a"), lines("ref-1"), lowercase=True, tokenizer="intl")
    whole = f"{other.percent - bleu.percent:+.2f}"
    assert shown[-1] == ["to", "bleu:lowercase=yes,tokenizer=intl", f"{other.percent:.2f}", whole, whole]


def test_reports(tmp_path: Path) -> None:
    stored, page, other = tmp_path / "result.json", tmp_path / "page.html", tmp_path / "other.html"
    bleu = bp.corpus_bleu(lines("system-a"), lines("ref-1"))
    succeed("score", *FILES, "--json", str(stored), "--report", str(page), "--percent")
    assert f">{bleu.percent:.2f}<" in page.read_text()
    succeed("report", str(stored), "-o", str(other), "--percent")
    assert f">{bleu.percent:.2f}<" in other.read_text()


def test_pictures(tmp_path: Path) -> None:
    stored, picture = tmp_path / "result.json", tmp_path / "origin.svg"
    bleu = bp.corpus_bleu(lines("system-a"), lines("ref-1"))
    succeed("score", *FILES, "-m", "bleu,wer", "--json", str(stored))
    chosen = ["--chart", "origin", "--system", "system-a", "-o", str(picture), "--percent"]
    succeed("plot", str(stored), *chosen)
    assert f">{bleu.percent:.2f}<" in picture.read_text()
    assignment = bp.insight.quadrants(Result.read_json(stored), fluency="wer", fidelity_threshold=0.25)
    assert "faithful: bleu ≥ 25 ↑" in quadrant_plot(assignment, percent=True)
