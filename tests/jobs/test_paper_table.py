"""The job of a translation paper: eight systems of WMT22 to a LaTeX table with significance, and a report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support import wmt22
from tests.support.cli import SYSTEMS, lines, start

PAIR = "en-de"
_TABLE = re.compile(r"\\midrule\n(.*)\\bottomrule", re.DOTALL)


def paper(folder: Path, systems: dict[str, list[str]], references: list[list[str]], *options: str) -> str:
    """Write the files, run the command as an author would, and return the LaTeX."""
    hypotheses = []
    for name, texts in systems.items():
        path = folder / f"generaltest2022.{PAIR}.hyp.{name}.de"
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")
        hypotheses.append(str(path))
    arguments = []
    for number, texts in enumerate(references):
        path = folder / f"reference-{number}.txt"
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")
        arguments += ["-r", str(path)]
    report = folder / "report.html"
    command = ["compare", *hypotheses, *arguments, "-m", "bleu,chrf", "--percent", "--format", "latex"]
    done = start([*command, "--report", str(report), *options])
    assert done.returncode == 0, done.stderr.decode()
    assert report.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    return done.stdout.decode()


def check(latex: str, names: list[str]) -> None:
    found = _TABLE.search(latex)
    assert found is not None
    rows = [line.removesuffix(r" \\").split(" & ") for line in found[1].strip().splitlines()]
    assert sorted(row[0].replace("{}", "").replace("\\", "") for row in rows) == sorted(names)
    for column in (1, 2):
        assert sum(r"\textbf" in row[column] for row in rows) >= 1
    assert r"$^{\dagger}$" in latex
    pairs = len(names) * (len(names) - 1) // 2
    assert "significantly worse than the best (p \\textless{} 0.05, " in latex
    assert f"Holm correction over {pairs} pairs" in latex
    assert latex.count(r"\texttt{") == 3, "two metrics and the comparison"


def test_eight_systems_to_a_latex_table(tmp_path: Path, wmt22_data: wmt22.Wmt22) -> None:
    """On the first 100 segments, with few samples; the whole set is in the slow test."""
    names = wmt22_data.systems(PAIR)[:8]
    systems = {name: wmt22_data.output(PAIR, name)[:100] for name in names}
    references = [texts[:100] for texts in wmt22_data.references(PAIR)]
    check(paper(tmp_path, systems, references, "--resamples", "2000"), names)


def test_the_bundled_sample_to_a_latex_table(tmp_path: Path) -> None:
    systems = {name: lines(name) for name in SYSTEMS}
    check(
        paper(tmp_path, systems, [lines("ref-1"), lines("ref-2")], "--resamples", "500"),
        list(SYSTEMS),
    )


@pytest.mark.slow
def test_eight_systems_on_the_whole_set(tmp_path: Path, wmt22_data: wmt22.Wmt22) -> None:
    names = wmt22_data.systems(PAIR)[:8]
    latex = paper(tmp_path, {name: wmt22_data.output(PAIR, name) for name in names}, wmt22_data.references(PAIR, "A"))
    check(latex, names)
    published = {s.system: s.score for s in wmt22_data.published("bleu") if (s.pair, s.metric) == (PAIR, "bleu-A")}
    bold = re.findall(r"\\textbf\{([0-9.]+)\}", latex)
    assert round(float(bold[0]), 1) == max(round(published[name], 1) for name in names)
