"""bleuprint compare."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.results import Result
from bleuprint.results.digits import Digits
from bleuprint.runners import progress as bars
from tests.support.cli import NEEDS_POSIX, SYSTEMS, assert_one_line, invoke, lines, refuse, sample, succeed
from tests.support.interrupts import ROOT
from tests.support.wmt22 import Wmt22

FILES = [*map(sample, SYSTEMS), "-r", sample("ref-1")]


def outputs() -> dict[str, list[str]]:
    return {name: lines(name) for name in SYSTEMS}


def test_table_words_and_signatures() -> None:
    result = succeed("compare", *FILES, "-m", "bleu", "-m", "ter", "--signatures")
    assert result.stderr == ""
    expected = bp.compare(outputs(), lines("ref-1"), metrics=["bleu", "ter"])
    shown = result.stdout.splitlines()
    assert shown[0].split() == ["system", "bleu", "rank"]
    assert "Brackets: 95 % confidence intervals." in shown
    for row, system in zip(shown[1:], expected.metric("bleu").systems, strict=False):
        score = system.score
        assert row.startswith(system.name)
        assert f" {score.value:.4f} [{score.low:.4f}, {score.high:.4f}]" in row
        assert row.endswith(f" {system.rank}")
    for entry in expected.metrics:
        assert entry.signature in shown
        assert all(sentence in shown for sentence in entry.sentences(Digits()))
        assert all(f"{entry.metric}: {sentence}" in str(expected) for sentence in entry.sentences(Digits()))
        for pair in entry.result.pairs:
            low, high = pair.difference.low, pair.difference.high
            level = f"{100 * pair.difference.level:.4g} % (Holm)"
            start = f"{pair.verdict}; {level}: {low:.4f} … {high:.4f}; effect size "
            assert any(line.startswith(start) for line in shown)
    assert shown[-1] == expected.signature


def test_one_unit_for_scores_and_differences() -> None:
    """Fractions in the table and in the sentences, or both multiplied by 100."""
    pair = bp.compare(outputs(), lines("ref-1"), margin=0.02).metric("bleu").pairs[0]
    low, high, size = pair.difference.low, pair.difference.high, abs(pair.difference.value)
    for options, factor, digits in (([], 1, 4), (["--percent"], 100, 2), (["--percent", "-w", "3"], 100, 3)):
        shown = invoke("compare", *FILES, "--margin", f"{factor * 0.02:g}", *options).stdout
        assert f"the difference of {factor * size:.{digits}f} is unlikely to be chance" in shown
        assert f" (Holm): {factor * low:.{digits}f} … {factor * high:.{digits}f}; effect size " in shown
        assert f"{factor * 0.02:.{digits}f} or more (p = " in shown
        assert "points" not in shown
    assert f"the difference of {size:.4f} is unlikely" in pair.verdict


def test_options_reach_the_comparison(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    options = [
        "--test",
        "paired-bootstrap",
        "--resamples",
        "300",
        "--seed",
        "7",
        "--alpha",
        "0.1",
        "--detect",
        "3",
    ]
    chosen = [*options, "--interval", "percentile", "--baseline", "system-b", "--threads", "1", "-lc"]
    result = succeed("compare", *FILES, *chosen, "--json", str(path), "--percent", "-w", "3")
    expected = bp.compare(
        outputs(),
        lines("ref-1"),
        metrics={"bleu": bp.BLEU(lowercase=True)},
        baseline="system-b",
        test="paired-bootstrap",
        resamples=300,
        seed=7,
        alpha=0.1,
        detect={"bleu": 0.03},  # points are read by the scale of each metric
        interval="percentile",
    )
    stored = Result.read_json(path)
    assert stored.comparison == expected
    assert [system.name for system in stored.systems] == list(SYSTEMS)
    assert bp.replay(stored).same
    head, first, *_ = result.stdout.splitlines()
    assert "Brackets: 90 % confidence intervals." in result.stdout
    assert "rank" not in head
    assert first.split()[1] == f"{100 * expected.metric('bleu').systems[0].value:.3f}"
    needed = sorted(pair.segments_needed or 0 for pair in expected.metric("bleu").pairs)
    assert f"needs about {needed[0]:,} to {needed[-1]:,}." in result.stdout


def test_json_on_standard_output() -> None:
    result = invoke("compare", *FILES, "--json", "-", "--resamples", "100")
    assert json.loads(result.stdout)["comparison"]["metrics"][0]["metric"] == "bleu"


def test_a_table_and_a_report(tmp_path: Path) -> None:
    table = tmp_path / "data.jsonl"
    rows = zip(lines("ref-1"), *(lines(name) for name in SYSTEMS), strict=True)
    table.write_text("".join(json.dumps(dict(zip(("reference", *SYSTEMS), row, strict=True))) + "\n" for row in rows))
    columns = [option for name in SYSTEMS for option in ("--hypothesis-column", name)]
    result = succeed("compare", str(table), *columns, "--report", str(tmp_path / "report.html"))
    assert result.stdout == invoke("compare", *FILES).stdout
    assert (tmp_path / "report.html").stat().st_size > 1000


def test_the_numbers_of_sacrebleu() -> None:
    options = ["--mode", "sacrebleu", "--test", "paired-bootstrap", "--baseline", "system-a", "--json", "-"]
    found = json.loads(invoke("compare", *FILES, *options).stdout)["comparison"]["metrics"][0]
    assert found["systems"][0]["score"]["method"] == "sacrebleu"


WRONG: list[tuple[list[str], str]] = [
    ([sample("system-a"), "-r", sample("ref-1")], "at least two systems, got 1"),
    ([*FILES, "--baseline", "nobody"], "baseline must be one of 'system-a', 'system-b', 'system-c', got 'nobody'"),
    ([*FILES, "--mode", "sacrebleu"], "test must be paired-bootstrap or approximate-randomization"),
    ([*FILES, "--test", "exact"], "the exact test allows at most 20 segments (or clusters)"),
    ([*FILES, "--resamples", "0"], "samples must be an integer from 1"),
    ([*FILES, "--alpha", "2"], "alpha must be a number between 0 and 1"),
    ([*FILES, "-m", "sari"], "sources"),
    ([*FILES, "-m", "chrf", "--smoothing", "exp"], "--smoothing does not apply to chrf"),
    ([*FILES, "--json", sample("ref-1")], "is read here, so it cannot be written too"),
    ([*FILES[:-1], "no such file"], "no such file"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_failures_are_one_line(arguments: list[str], message: str) -> None:
    refuse(message, "compare", *arguments)


MANY = "bleu,chrf,ter,meteor,nist,gleu,rouge,wer,mer,wil"  # which take seconds together
# The program, with a Ctrl-C that comes when it has been comparing for a while.
INTERRUPTED = """
import bleuprint.cli.compare as module
from tests.support import interrupts

compare = module.compare_counted

def armed(*arguments, **options):
    interrupts.arm()
    return compare(*arguments, **options)

module.compare_counted = armed
from bleuprint.cli import main
main()
"""


@NEEDS_POSIX
def test_ctrl_c() -> None:
    child = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, "compare", *FILES, "--resamples", "1000000", "-m", MANY],
        cwd=ROOT,
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert child.returncode == 130
    assert_one_line(child.stderr, "interrupted")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "_PATIENCE", -1.0)
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        with bars.progress("comparing", 4) as advance:
            advance(1)
            advance(3)
        assert ("comparing" in stream.getvalue()) == shown


def test_fifteen_systems_in_one_command(wmt22_data: Wmt22, tmp_path: Path) -> None:
    """The fourteen of the largest field, and one of them again."""
    folder = wmt22_data.folder / "txt"
    names = wmt22_data.systems("ja-en")
    files = [folder / "system-outputs" / f"generaltest2022.ja-en.hyp.{name}.en" for name in names]
    again = tmp_path / "again"
    again.write_bytes(files[0].read_bytes())
    reference = folder / "references" / "generaltest2022.ja-en.ref.A.en"
    systems = [*map(str, files), str(again)]
    result = invoke("compare", *systems, "-r", str(reference), "--json", "-", "--resamples", "1000")
    found = json.loads(result.stdout)["comparison"]["metrics"][0]
    assert len(found["systems"]) == len(systems) == 15
    assert len(found["pairs"]) == 15 * 14 // 2
    assert sum(map(len, found["clusters"])) == 15
    (same,) = [pair for pair in found["pairs"] if {pair["first"], pair["second"]} == {"again", files[0].name}]
    assert (same["p_value"], same["test"]) == (1.0, "exact")


def test_many_pairs_are_a_matrix_and_sentences_on_request() -> None:
    files = [*FILES[:3], f"Source={sample('source')}", *FILES[3:]]
    expected = bp.compare({**outputs(), "Source": lines("source")}, lines("ref-1")).metric("bleu")
    shown = invoke("compare", *files).stdout
    assert " is better than " not in shown
    head = next(line for line in shown.splitlines() if line.split()[:1] == ["bleu"])
    names = [system.name for system in expected.systems]
    assert head.split() == ["bleu", *names]
    rows = {line.split()[0]: line.split()[1:] for line in shown.partition(head)[2].splitlines() if line.split()}
    for pair in expected.pairs:
        mark = "" if pair.better is None else "*"
        columns = [name for name in names if name != pair.first]
        assert rows[pair.first][columns.index(pair.second)] == f"{pair.difference.value:+.4f}{mark}"
    sentences = invoke("compare", *files, "--sentences").stdout
    assert all(pair.verdict in sentences for pair in expected.pairs)
