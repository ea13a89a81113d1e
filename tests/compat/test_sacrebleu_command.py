"""`bleuprint sacrebleu` beside the real command: the same arguments, the same standard output, byte for byte."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from sacrebleu import significance as theirs
from sacrebleu import utils

from bleuprint.compat.sacrebleu import significance
from bleuprint.compat.sacrebleu.command.tables import ansi, results_table, single_results
from tests.support.cli import SAMPLE, invoke
from tests.support.effort import MANY
from tests.support.wmt22 import Wmt22

A, B, C, ONE, TWO = (str(SAMPLE / f"{name}.txt") for name in ("system-a", "system-b", "system-c", "ref-1", "ref-2"))
ALL = ("-m", "bleu", "chrf", "ter")

CASES = {
    "defaults": (ONE, "-i", A),
    "two references": (ONE, TWO, "-i", A, *ALL),
    "text": (ONE, "-i", A, *ALL, "-f", "text", "-w", "4"),
    "text of one": (ONE, "-i", A, "-f", "text", "-sh"),
    "score only": (ONE, "-i", A, "-b"),
    "scores only": (ONE, "-i", A, "-b", "-m", "chrf", "bleu", "-w", "8", "-f", "text"),
    "confidence": (ONE, "-i", A, *ALL, "--confidence", "-f", "text"),
    "confidence, JSON": (ONE, "-i", A, *ALL, "-ci", "-cin", "100", "-w", "3"),
    "confidence, scores only": (ONE, "-i", A, *ALL, "-ci", "-cin", "50", "-b", "-f", "text"),
    "options": (ONE, "-i", A, "-m", "ter", "bleu", "-sh", "-f", "text", "--ter-normalized", "-lc", "-tok", "intl"),
    "options of chrF": (ONE, "-i", A, "-m", "chrf", "-cc", "4", "-cw", "2", "--chrf-beta", "3", "--chrf-whitespace"),
    "words without characters": (ONE, "-i", A, "-m", "chrf", "-cc", "0", "-cw", "2"),
    "smoothing": (ONE, "-i", B, "-s", "floor", "-sv", "0.3", "-tok", "char", "--force"),
    "language": (ONE, "-i", A, "-l", "en-zh"),
    "language with a region": (ONE, "-i", A, "-l", "en-zh-CN"),
    "language without a name": (ONE, "-i", A, "-l", "en-"),
    "detail": (ONE, "-i", A, *ALL, "-d"),
    "detail, LaTeX": (ONE, "-i", A, "--detail", "-f", "latex", "-l", "en-de"),
    "detail of systems": (ONE, "-i", A, B, "-d"),
    "detail of sentences": (ONE, "-i", A, "-sl", "-d"),
    "sentences": (ONE, "-i", A, "-sl"),
    "sentences, chrF++": (ONE, TWO, "-i", B, "-sl", "-m", "chrf", "-cw", "2", "-b", "-w", "5"),
    "sentences, TER": (ONE, TWO, "-i", B, "-sl", "-m", "ter", "--ter-no-punct", "-sh"),
    "systems": (ONE, TWO, "-i", A, B, C, *ALL),
    "systems, text": (ONE, TWO, "-i", A, B, C, *ALL, "-f", "text"),
    "systems, LaTeX": (ONE, TWO, "-i", B, A, *ALL, "-f", "latex", "-w", "3"),
    "bootstrap": (ONE, "-i", A, B, C, *ALL, "--paired-bs", "-f", "text", "-w", "4", "-pbsn", "200"),
    "bootstrap, JSON": (ONE, "-i", A, B, "--paired-bs"),
    "randomization": (ONE, "-i", A, B, C, A, *ALL, "--paired-ar", "-f", "text", "-parn", "500"),
    "randomization, LaTeX": (ONE, "-i", A, B, *ALL, "--paired-ar", "-f", "latex", "-parn", "500", "-sh"),
    "randomization, JSON": (ONE, "-i", A, B, *ALL, "--paired-ar", "-parn", "100"),
}


def real(arguments: tuple[str, ...], stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "sacrebleu", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )


def ours(arguments: tuple[str, ...], stdin: bytes = b"", **environment: str) -> Result:
    return invoke("sacrebleu", *arguments, stdin=stdin, env=environment)


def assert_same(arguments: tuple[str, ...], stdin: bytes = b"", **environment: str) -> str:
    expected, found = real(arguments, stdin, **environment), ours(arguments, stdin, **environment)
    assert expected.returncode == 0, expected.stderr.decode()
    assert found.exit_code == 0, found.stderr
    assert found.stdout_bytes == expected.stdout
    assert found.stderr == expected.stderr.decode()
    return found.stdout


@pytest.mark.parametrize("name", CASES)
def test_same_output(name: str) -> None:
    assert assert_same(CASES[name])


def test_standard_input() -> None:
    assert_same((ONE,), Path(A).read_bytes())


def test_systems_of_standard_input() -> None:
    assert_same((ONE, "-f", "text", "-m", "chrf"), in_fields(A, B))
    assert_same((ONE, "-f", "text", "--paired-ar", "-parn", "100"), in_fields(A, B))


def in_fields(*files: str) -> bytes:
    lines = zip(*(Path(file).read_bytes().splitlines() for file in files), strict=True)
    return b"".join(b"\t".join(fields) + b"\n" for fields in lines)


def test_references_in_fields(tmp_path: Path) -> None:
    (tmp_path / "both.tsv").write_bytes(in_fields(ONE, TWO))
    with gzip.open(tmp_path / "system.gz", "wb") as packed:
        packed.write(Path(C).read_bytes())
    assert_same((str(tmp_path / "both.tsv"), "-nr", "2", "-i", str(tmp_path / "system.gz"), "-q"))


def test_the_format_of_the_environment() -> None:
    assert_same((ONE, "-i", A, "-f", "json"), SACREBLEU_FORMAT="text")


def test_wmt22(wmt22_data: Wmt22, tmp_path: Path) -> None:
    size = None if MANY else 300
    files = {"ref": wmt22_data.references("en-de", "A")[0]}
    files |= {name: wmt22_data.output("en-de", name) for name in wmt22_data.systems("en-de")[:3]}
    for name, texts in files.items():
        (tmp_path / name).write_text("\n".join(texts[:size]) + "\n", encoding="utf-8", newline="\n")
    reference, *systems = (str(tmp_path / name) for name in files)
    assert_same((reference, "-i", systems[0], "-m", "bleu", "chrf", "-w", "4", "--confidence", "-cin", "200"))
    assert_same((reference, "-i", *systems, "-m", "bleu", "chrf", "-w", "4", "-f", "text", "--paired-bs"))
    assert_same((reference, "-i", systems[1], "-sl", "-b", "-w", "6"))


@pytest.mark.parametrize("form", ["text", "latex"])
def test_colours(form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a terminal gets them, so the functions that print are compared."""
    monkeypatch.setattr(utils.Color, "ENABLE_COLORS", True)
    chosen = {"format": form, "width": 2, "short": False, "paired_bs_n": 100, "paired_ar_n": 100}
    arguments = Namespace(**chosen, paired=True, paired_bs=True, paired_ar=False)

    def scores(result: Any) -> Any:
        return {"System": ["Baseline: a", "b"], "BLEU": [result(12.5, None, 12.4, 1.5), result(13.0, 0.2, 13.1, 1.2)]}

    lines = ["BLEU = 12.5 (μ = 12.4 ± 1.5)", "chrF2++ = 50.1"]
    utils.print_results_table(scores(theirs.Result), {"BLEU": "nrefs:1|case:lc"}, arguments)
    utils.print_single_results([*lines], arguments)
    printed = [*results_table(scores(significance.Result), {"BLEU": "nrefs:1|case:lc"}, arguments, ansi)]
    printed += single_results(lines, as_json=False, paint=ansi)
    assert "".join(printed) == capsys.readouterr().out
    assert "\x1b[36m" in "".join(printed)


def test_json_of_a_bootstrap_with_chrf() -> None:
    """sacrebleu fails there: its numbers are of single precision, which JSON does not take."""
    arguments = (ONE, "-i", A, B, "-m", "chrf", "--paired-bs", "-pbsn", "50")
    assert b"not JSON serializable" in real(arguments).stderr
    found = json.loads(ours(arguments).stdout)
    assert [entry["system"] for entry in found] == [f"Baseline: {A}", B]
    assert 0 < found[1]["chrF2"]["p_value"] < 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no references given"),
        ((ONE, "-i"), "-i/--input has no file"),
        ((ONE, "-i", A, "-l", "zh"), "must be source-target, such as en-zh; got 'zh'"),
        ((ONE, "-i", A, "-m", "chrf", "-cc", "0"), "char_order must be at least 1 if word_order is 0"),
        ((ONE, "-i", A, "-m", "chrf", "-cc", "-1"), "char_order must be an integer of at least 0, got -1"),
        ((ONE, "-i", A, "-m", "chrf", "-cw", "-1"), "word_order must be an integer of at least 0, got -1"),
        ((ONE, "-t", "wmt14", "-l", "en-de"), "test sets are not downloaded"),
        (("--list",), "test sets are not downloaded"),
        ((ONE, "-i", A, "-m", "meteor"), "invalid choice"),
        ((ONE, "-i", A, "-w", "-1"), "--width"),
        ((ONE, "-i", A, "-sl", "-m", "bleu", "ter"), "Only one metric"),
        ((ONE, "-i", A, B, "-sl"), "Only one system"),
        ((ONE, "-i", A, "-sl", "-ci"), "unavailable in sentence-level mode"),
        ((ONE, "-i", A, "--paired-bs"), "Paired tests require multiple"),
        ((ONE, "-i", A, B, "-ci"), "Use paired tests"),
        ((ONE, "-i", A, A), "already used to name a system"),
        ((ONE, TWO, "-nr", "2", "-i", A), "so pass only one file"),
        ((ONE, "-nr", "2", "-i", A), "expected 2 fields, but found 1"),
        ((ONE, "-i", "missing.txt"), "missing.txt"),
        ((ONE, "-i", A, "-e", "ascii"), "encoding"),
        ((ONE, "-i", A, "-e", "klingon"), "encoding"),
        ((ONE, "-i", A, "-tok", "flores200"), "is missing and is not downloaded"),
    ],
)
def test_failures_are_one_line(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    found = ours(arguments, SACREBLEU=str(tmp_path))
    assert found.exit_code == 2
    assert found.stdout == ""
    assert said in found.stderr
    assert found.stderr.startswith("bleuprint: ")
    assert found.stderr.count("\n") == 1


def test_unequal_lengths_are_refused(tmp_path: Path) -> None:
    (tmp_path / "short").write_text("a\nb\n", encoding="utf-8")
    found = ours((ONE, "-i", str(tmp_path / "short")))
    assert found.exit_code == 2
    assert "2 lines" in found.stderr
    assert ours((ONE,), b"a\tb\nc\n").exit_code == 2


def test_help_and_version() -> None:
    assert "--paired-bs" in ours(("--help",)).stdout
    assert ours(("--version",)).stdout.endswith("compatible with sacrebleu 2.6.0\n")
