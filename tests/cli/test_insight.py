"""bleuprint explain and bleuprint reconcile."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import numpy as np
import pytest

import bleuprint as bp
from bleuprint import BLEU
from bleuprint.insight import reconcile
from tests.support.cli import invoke, lines, references, refuse, sample, start, succeed

TWO = ("-r", sample("ref-1"), "-r", sample("ref-2"))


def test_explain_prints_a_table() -> None:
    result = succeed("explain", sample("system-b"), *TWO, "--from", "sacrebleu", "--to", "nltk")
    assert result.stderr == ""
    found = bp.explain(lines("system-b"), references(), "sacrebleu", "nltk")
    head, first, *steps, last = result.stdout.splitlines()
    assert head.split() == ["rule", "bleu", "change", "any", "order"]
    assert first.split() == ["from", "sacrebleu", f"{found.start:.4f}"]
    assert last.split() == ["to", "nltk", f"{found.end:.4f}", *[f"{found.end - found.start:+.4f}"] * 2]
    assert len(steps) == len(found.steps)
    for line, step in zip(steps, found.steps, strict=True):
        assert line.startswith(step.rule)
        assert line.split()[-3:] == [f"{step.value:.4f}", f"{step.change:+.4f}", f"{step.share:+.4f}"]


def test_explain_takes_signatures_and_other_metrics() -> None:
    signatures = [BLEU(tokenizer=name).signature for name in ("13a", "intl")]
    result = succeed("explain", sample("system-b"), *TWO, "--from", signatures[0], "--to", signatures[1])
    assert "tokenizer 13a → intl" in result.stdout
    assert result.stdout.splitlines()[1].startswith("from the signature")
    result = invoke("explain", sample("system-b"), *TWO, "-m", "chrf", "--from", "sacrebleu", "--to", "chrf++")
    assert "word_order 0 → 2" in result.stdout


def test_explain_as_json(tmp_path: Path) -> None:
    target = tmp_path / "steps.json"
    arguments = ("explain", sample("system-b"), *TWO, "--from", "hf", "--to", "axion")
    printed = json.loads(invoke(*arguments, "--json", "-").stdout)
    stored = invoke(*arguments, "--json", str(target), "--threads", "1")
    assert "lowercase no → yes" in stored.stdout
    assert json.loads(target.read_text(encoding="utf-8")) == printed
    assert printed["bleuprint"] == bp.__version__
    assert printed["end"] == BLEU(profile="axion").corpus(lines("system-b"), references()).value
    assert [step["options"] for step in printed["steps"]][:2] == [["tokenizer"], ["lowercase"]]
    target.write_text("mine", encoding="utf-8")
    refused = invoke(*arguments, "--json", str(target))
    assert refused.exit_code == 2
    assert target.read_text(encoding="utf-8") == "mine"
    succeed(*arguments, "--json", str(target), "--force")
    assert json.loads(target.read_text(encoding="utf-8")) == printed


def test_reconcile_prints_what_it_found() -> None:
    value = BLEU(profile="hf", smoothing="add-all").corpus(lines("system-b"), references()).value
    result = succeed("reconcile", sample("system-b"), *TWO, "--claimed", f"{100 * value:.3f}")
    assert result.stderr == ""
    found = reconcile(lines("system-b"), references(), f"{100 * value:.3f}")
    summary, blank, first, command, *_ = result.stdout.splitlines()
    assert summary == f"These settings give {100 * value:.3f} ({found.tried:,} tried), the simplest first:"
    assert blank == ""
    assert first == f"{100 * value:.5f}  bleu as hf, but smoothing add-all"
    assert command.strip() == "bleuprint score HYP -r REF -m bleu:profile=hf,smoothing=add-all"  # of two references
    alone = succeed("reconcile", sample("system-b"), *TWO[:2], "--claimed", "15.4").stdout.splitlines()
    assert alone[3].strip() == f"bleuprint score {sample('system-b')} -r {TWO[1]} -m bleu:profile=sacrebleu"
    assert_reproduces(command, value)


def assert_reproduces(command: str, value: float) -> None:
    """The command gives the score; the mean of what it prints if that is one number per segment."""
    _, *arguments = shlex.split(command.replace("-r REF", shlex.join(TWO)).replace("HYP", sample("system-b")))
    printed = succeed(*arguments, "-q", "-w", "12").stdout.split()
    assert np.mean([float(number) for number in printed]) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "rouge", "self-bleu"])
def test_the_commands_of_reconcile_reproduce(metric: str) -> None:
    expected = None if metric == "self-bleu" else references()
    found = reconcile(lines("system-b"), expected, "0.5", metric=metric)
    matches = found.matches or found.nearest
    with_command = [match.setting for match in matches if match.setting.command is not None]
    assert with_command
    for setting in with_command[:3]:
        if "REF -r" not in str(setting.command) and "--json -" not in str(setting.command):
            assert_reproduces(str(setting.command), setting.value)


def test_reconcile_limits_the_list() -> None:
    result = invoke("reconcile", sample("system-b"), *TWO, "--claimed", "0")
    assert len(result.stdout.splitlines()) == 2 + 2 * 10 + 2
    assert "more settings: see --json" in result.stdout


def test_reconcile_says_that_nothing_fits(tmp_path: Path) -> None:
    target = tmp_path / "claim.json"
    result = succeed("reconcile", sample("system-b"), *TWO, "--claimed", "99.99", "--json", str(target))
    assert result.stdout.startswith("None of ")
    assert "settings gives 99.99. The nearest:" in result.stdout
    stored = json.loads(target.read_text(encoding="utf-8"))
    assert stored["matches"] == []
    assert len(stored["nearest"]) == 3
    assert stored["claimed"] == "99.99"


def test_reconcile_another_metric() -> None:
    value = bp.corpus_chrf(lines("system-b"), references()).percent
    result = invoke("reconcile", sample("system-b"), *TWO, "--claimed", f"{value:.2f}", "-m", "chrf", "--json", "-")
    assert json.loads(result.stdout)["matches"][0]["setting"]["profile"] == "sacrebleu"


def test_standard_input_and_notes(tmp_path: Path) -> None:
    marked = tmp_path / "marked.txt"
    marked.write_bytes(b"\xef\xbb\xbf" + Path(sample("ref-1")).read_bytes())
    content = Path(sample("system-a")).read_bytes()
    result = succeed("explain", "-", "-r", str(marked), "--from", "hf", "--to", "moses", stdin=content)
    assert "byte order mark" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["explain"], "Missing argument 'HYP'"),
        (["explain", sample("ref-1"), "--from", "hf", "--to", "nltk"], "Missing option '-r'"),
        (["explain", sample("ref-1"), *TWO, "--to", "nltk"], "Missing option '--from'"),
        (["explain", sample("ref-1"), *TWO, "--from", "blue", "--to", "nltk"], "a profile of bleu (sacrebleu,"),
        (["explain", sample("ref-1"), *TWO, "--from", "blue.1|x:y", "--to", "nltk"], "Did you mean bleu?"),
        (["explain", sample("ref-1"), *TWO, "--from", "nltk", "--to", "nltk", "-m", "blue"], "blue"),
        (["explain", "absent.txt", *TWO, "--from", "nltk", "--to", "hf"], "there is no such file"),
        (["reconcile", sample("ref-1"), *TWO], "Missing option '--claimed'"),
        (["reconcile", sample("ref-1"), *TWO, "--claimed", "about 27"], "claimed must be a score as it was printed"),
        (["reconcile", sample("ref-1"), *TWO, "--claimed", "27", "-m", "blue"], "blue"),
        (["reconcile", sample("ref-1"), *TWO, "--claimed", "27", "--limit", "0"], "--limit"),
        (["reconcile", sample("ref-1"), "-r", os.devnull, "--claimed", "27"], "the file is empty"),
    ],
)
def test_failures_are_one_line(arguments: list[str], expected: str) -> None:
    refuse(expected, *arguments)


def test_as_programs() -> None:
    done = start(["explain", sample("system-a"), *TWO, "--from", "sacrebleu", "--to", "hf"])
    assert done.returncode == 0
    assert done.stderr == b""
    assert "reference_length closest → shortest" in done.stdout.decode()


def test_a_table_holds_its_references(tmp_path: Path) -> None:
    table = tmp_path / "all.jsonl"
    rows = zip(lines("system-b"), references(), strict=True)
    table.write_text(
        "".join(json.dumps({"hypothesis": text, "reference": list(several)}) + "\n" for text, several in rows),
        encoding="utf-8",
    )
    files = invoke("explain", sample("system-b"), *TWO, "--from", "hf", "--to", "nltk")
    assert invoke("explain", str(table), "--from", "hf", "--to", "nltk").stdout == files.stdout
