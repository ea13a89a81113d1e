"""Two jobs of users, done with the command line alone: a sweep of iBLEU, and BLEU with perplexity and a figure."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import bleuprint as bp
from bleuprint.results import Result
from tests.support.cli import SAMPLE, SYSTEMS, lines, references


def run(script: str, folder: Path) -> None:
    """Run a script with the program of this environment; every output is in the folder."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", str(Path(__file__).parent / script), str(SAMPLE)],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def cells(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text(encoding="utf-8").splitlines()]


def test_ibleu_sweep(tmp_path: Path) -> None:
    run("ibleu_sweep.sh", tmp_path)
    sources = lines("source")
    table = cells(tmp_path / "sweep.txt")
    begin = next(place for place, row in enumerate(table) if row[:3] == ["ibleu", "references", "source"])
    rows = table[begin + 1 : begin + 4]
    for row, name in zip(rows, SYSTEMS, strict=True):
        score = bp.ibleu(lines(name), references(), sources=sources)
        assert row[3:] == [f"{score.at(alpha).value:.6f}" for alpha in (0.5, 0.6, 0.7, 0.8, 0.9)]
    assert ["A", rows[0][5]] in cells(tmp_path / "one-alpha.txt"), "the score of alpha 0.7"
    assert "A is the best system for every alpha" in (tmp_path / "sweep.txt").read_text()
    assert (tmp_path / "sweep.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "sweep.png").read_bytes().startswith(b"\x89PNG")
    choices = json.loads((tmp_path / "best.json").read_text())["choices"]
    segments = [bp.IBLEU(alpha=0.7).sentences(lines(name), references(), sources=sources).tolist() for name in SYSTEMS]
    for place, choice in enumerate(choices):
        values = [row[place] for row in segments]
        assert (choice["ibleu"], choice["index"]) == (max(values), values.index(max(values)))
    best, alone = (float(row[0]) for row in cells(tmp_path / "best-scores.txt"))
    assert best > alone


def test_bleu_with_perplexity(tmp_path: Path) -> None:
    run("bleu_with_perplexity.sh", tmp_path)
    result = Result.read_json(tmp_path / "result.json")
    model = bp.LanguageModel.load(tmp_path / "model.blm")
    scores = {
        row[0]: row[1:] for row in cells(tmp_path / "scores.txt") if row[:1] in (["A"], ["B"], ["C"]) and len(row) == 3
    }
    for letter, name in zip("ABC", SYSTEMS, strict=True):
        bleu = bp.corpus_bleu(lines(name), references()).value
        perplexity = bp.perplexity(lines(name), lm=model).value
        assert scores[letter] == [f"{bleu:.4f}", f"{perplexity:.2f}"]
        assert [letter, f"{perplexity:.2f}"] in [row[:2] for row in cells(tmp_path / "perplexity.txt")]
    quadrants = bp.insight.quadrants(result)
    assert quadrants.pretty() in (tmp_path / "scores.txt").read_text(encoding="utf-8")
    assert (tmp_path / "spread.svg").read_text().startswith("<svg ")
    assert (tmp_path / "segments.png").read_bytes().startswith(b"\x89PNG")
    for figure, inches in (("systems.pdf", 3.3), ("segments.pdf", 17 / 2.54)):
        box = re.search(rb"/MediaBox ?\[ ?0 0 ([0-9.]+) ", (tmp_path / figure).read_bytes())
        assert box is not None
        assert abs(float(box[1]) / 72 - inches) < 0.001
