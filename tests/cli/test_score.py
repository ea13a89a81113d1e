"""The command line when all is well, through click's runner and as the program people start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from bleuprint import results, signature
from bleuprint.cli import COMMANDS
from bleuprint.errors import OutputError
from bleuprint.results.display import DisplayTable, words
from tests.support.cli import (
    SAMPLE,
    SYSTEMS,
    assert_one_line,
    invoke,
    lines,
    references,
    refuse,
    sample,
    start,
    succeed,
)
from tests.support.tables import REFERENCE_TABLE


def short_form(score: Any) -> str:
    """Sacrebleu's own signature, which says whose version it ends with, and this package's version."""
    theirs, _, version = str(score.sacrebleu_signature).partition("|version:")
    return f"bleu|{theirs}|sacrebleu:{version}|bleuprint:{bp.__version__}"


def test_score_prints_table_and_signature() -> None:
    files = [*map(sample, SYSTEMS), "-r", sample("ref-1"), "-r", sample("ref-2")]
    result = succeed("score", *files, "--signatures")
    assert result.stderr == ""
    head, *rows = result.stdout.splitlines()
    assert head.split() == ["system", "bleu", "p1", "p2", "p3", "p4", "BP", "ratio"]
    for name, row in zip(SYSTEMS, rows, strict=False):
        score = bp.corpus_bleu(lines(name), references())
        assert row.split()[:2] == [name, f"{score.value:.4f}"]
        assert row.split()[2:6] == [f"{precision:.4f}" for precision in score.precisions]
    assert result.stdout.endswith(f"\n\n{score.signature}\n")
    short = invoke("score", *files).stdout
    assert "\np1 … p4: the precision of n-grams of each order.\n" in short
    assert short.endswith(f"\n\n{short_form(score)}\n")


def test_every_order_in_one_go() -> None:
    score = bp.corpus_bleu(lines("system-a"), lines("ref-1"))
    files = (sample("system-a"), "-r", sample("ref-1"))
    head, row, *_ = succeed("score", *files, "-m", "bleu:orders", "--profile", "sacrebleu").stdout.splitlines()
    assert head.split() == ["system", "bleu-1", "bleu-2", "bleu-3", "bleu-4"]
    assert row.split()[1:] == [f"{value:.4f}" for value in score.orders]
    table = succeed("score", *files, "-m", "bleu:orders,max_order=2,ter", "--format", "markdown").stdout
    assert table.startswith("| System | BLEU-1 ↑ | BLEU-2 ↑ | TER ↓ |\n")
    refuse("ter:orders: ter has no max_order", "score", *files, "-m", "ter:orders")


def test_score_options_reach_the_metric() -> None:
    options = ["-tok", "intl", "-lc", "--smoothing", "floor(0.2)", "--max-order", "2", "--threads", "1"]
    result = invoke("score", sample("system-b"), "-r", sample("ref-1"), *options, "-w", "6", "--signatures")
    score = bp.corpus_bleu(
        lines("system-b"),
        lines("ref-1"),
        tokenizer="intl",
        lowercase=True,
        smoothing="floor(0.2)",
        max_order=2,
    )
    assert f"{score.value:.6f}" in result.stdout
    assert score.signature in result.stdout
    profile = invoke("score", sample("system-b"), "-r", sample("ref-1"), "--profile", "torchmetrics", "--signatures")
    assert bp.corpus_bleu(lines("system-b"), lines("ref-1"), profile="torchmetrics").signature in profile.stdout


def test_percent_multiplies_for_display_only(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    result = invoke("score", sample("system-a"), "-r", sample("ref-1"), "--percent", "--json", str(path))
    score = bp.corpus_bleu(lines("system-a"), lines("ref-1"))
    assert result.stdout.splitlines()[1].split()[1] == f"{score.percent:.2f}"
    assert json.loads(path.read_text(encoding="utf-8"))["systems"][0]["scores"][0]["value"] == score.value


def test_several_metrics_and_sentence_level() -> None:
    both = invoke("score", sample("system-a"), "-r", sample("ref-1"), "-m", "bleu", "-m", "item-bleu")
    assert both.stdout.splitlines()[0].split() == ["system", "bleu", "item-bleu"]
    single = invoke("score", *map(sample, SYSTEMS[:2]), "-r", sample("ref-1"), "--sentence-level")
    head, *rows = single.stdout.splitlines()
    assert head.split() == ["segment", "system-a", "system-b"]
    scores = bp.sentence_bleus(lines("system-b"), lines("ref-1"))
    assert [row.split()[2] for row in rows[:48]] == [f"{score:.4f}" for score in scores]
    assert rows[48] == ""
    assert rows[49] == short_form(bp.sentence_bleu("a", "a"))


def test_standard_input_gives_the_same_numbers() -> None:
    content = (SAMPLE / "system-a.txt").read_bytes()
    piped = succeed("score", "-", "-r", sample("ref-1"), stdin=content)
    assert piped.stdout.splitlines()[1].split()[0] == "stdin"
    from_file = invoke("score", sample("system-a"), "-r", sample("ref-1"))
    assert piped.stdout.splitlines()[1].split()[1:] == from_file.stdout.splitlines()[1].split()[1:]
    crlf = start(["score", "-", "-r", sample("ref-1")], stdin=content.replace(b"\n", b"\r\n"))
    assert crlf.stdout.decode().splitlines()[1].split() == piped.stdout.splitlines()[1].split()


def test_json_goes_to_standard_output_alone() -> None:
    result = invoke("score", sample("system-a"), "-r", sample("ref-1"), "--json", "-")
    stored = results.Result.from_json(result.stdout)
    assert stored.systems[0].score("bleu").value == bp.corpus_bleu(lines("system-a"), lines("ref-1")).value
    assert stored.systems[0].hypotheses == tuple(lines("system-a"))
    ascii_terminal = start(["score", sample("source"), "-r", sample("ref-1"), "--json", "-"], PYTHONIOENCODING="ascii")
    assert results.Result.from_json(ascii_terminal.stdout.decode()).systems[0].hypotheses == tuple(lines("source"))


def test_files_are_not_replaced_unless_forced(tmp_path: Path) -> None:
    path, page = tmp_path / "out.json", tmp_path / "out.html"
    arguments = ["-r", sample("ref-1"), "--json", str(path), "--report", str(page)]
    succeed("score", sample("system-a"), *arguments)
    first = path.read_bytes()
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    stamp = path.stat().st_mtime_ns, page.stat().st_mtime_ns
    succeed("score", sample("system-a"), *arguments)  # the same again
    assert (path.stat().st_mtime_ns, page.stat().st_mtime_ns) == stamp
    os.utime(page, (0, 0))  # a report of another day differs in its date
    other_day = invoke("score", sample("system-a"), *arguments)
    assert_one_line(other_day.stderr, f"cannot write {page}: it already exists with different content")
    page.write_text(page.read_text("utf-8").replace(datetime.now(UTC).date().isoformat(), "1970-01-01"), "utf-8")
    os.utime(page, (0, 0))
    succeed("score", sample("system-a"), *arguments)
    other_system = invoke("score", sample("system-b"), *arguments)
    assert other_system.exit_code == 2
    assert other_system.stdout == ""  # refused before the work
    assert_one_line(other_system.stderr, f"cannot write {path}: it already exists with different content")
    refuse("it already exists with different content", "score", sample("system-a"), *arguments, "-m", "chrf")
    path.unlink()  # what a report was made of is known only in the end
    late = invoke("score", sample("system-b"), *arguments)
    assert "0.1540" in late.stdout  # scores are shown even so
    assert_one_line(late.stderr, f"cannot write {page}: it already exists with different content")
    path.write_bytes(first)
    refuse(f"{path} is read here, so it cannot be written too.", "score", str(path), *arguments, "--force")
    other = tmp_path / "notes.json"
    other.write_text("{}")
    strange = f"cannot write {other}: it already exists; pass --force"
    refuse(strange, "score", "no-such-file", "-r", sample("ref-1"), "--json", str(other))
    succeed("score", sample("system-b"), *arguments, "--force")
    assert path.read_bytes() != first


@pytest.mark.parametrize("command", ["score", "compare"])
def test_scores_are_shown_even_if_a_file_cannot_be_written(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object, **options: object) -> None:
        raise OutputError("out.json", "No space left on device")

    monkeypatch.setattr("bleuprint.cli._output.write_files", full)
    files = [sample("system-a"), sample("system-b"), "-r", sample("ref-1")]
    shown = invoke(command, *files, "--json", str(tmp_path / "out.json"))
    assert shown.exit_code == 2
    assert_one_line(shown.stderr, "cannot write out.json: No space left on device")
    assert f"{bp.corpus_bleu(lines('system-a'), lines('ref-1')).value:.4f}" in shown.stdout


def test_intervals_on_request() -> None:
    shown = invoke(
        "score", sample("system-a"), sample("system-b"), "-r", sample("ref-1"), "-m", "bleu,chrf", "--intervals"
    )
    head, *rows = shown.stdout.splitlines()
    assert head.split() == ["system", "bleu", "chrf"]
    for row, name in zip(rows, ("system-a", "system-b"), strict=False):
        intervals = [bp.confidence_interval(lines(name), lines("ref-1"), metric=metric) for metric in ("bleu", "chrf")]
        cells = (f"{each.value:.4f} [{each.low:.4f}, {each.high:.4f}]" for each in intervals)
        assert row.split() == f"{name} {' '.join(cells)}".split()
    assert "Brackets: 95 % confidence intervals." in rows


def test_demo(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "demo"
    result = succeed("demo", "--output", str(folder))
    assert f"wrote {folder / 'results.json'}\nwrote {folder / 'report.html'}\n" in result.stdout
    stored = results.Result.from_json((folder / "results.json").read_text(encoding="utf-8"))
    values = {system.name: system.score("bleu").value for system in stored.systems}
    assert values == {name: bp.corpus_bleu(lines(name), references()).value for name in SYSTEMS}
    assert values["system-a"] > values["system-c"] > values["system-b"]
    assert stored.sources == tuple(lines("source"))
    assert f"{values['system-a']:.4f}" in (folder / "report.html").read_text(encoding="utf-8")
    succeed("demo", "-o", str(folder))


def test_sample_is_complete() -> None:
    names = ["source", "ref-1", "ref-2", *SYSTEMS]
    columns = [lines(name) for name in names]
    assert {len(column) for column in columns} == {48}
    assert all(text.strip() == text != "" for column in columns for text in column)
    assert len(set(lines("source"))) == 48
    assert "Apache-2.0" in (SAMPLE / "README.txt").read_text(encoding="utf-8")


def test_byte_order_mark_is_mentioned(tmp_path: Path) -> None:
    path = tmp_path / "hyp.txt"
    path.write_bytes(b"\xef\xbb\xbf" + (SAMPLE / "system-a.txt").read_bytes())
    result = succeed("score", str(path), "-r", sample("ref-1"))
    assert result.stderr == f"note: {path}: removed the byte order mark at the start\n"
    plain = invoke("score", sample("system-a"), "-r", sample("ref-1"))
    assert result.stdout.splitlines()[1].split()[1:] == plain.stdout.splitlines()[1].split()[1:]


def test_systems_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "out.txt" for folder in ("a", "b")]
    for path in paths:
        path.parent.mkdir()
        path.write_text("x\n", encoding="utf-8")
    (tmp_path / "ref").write_text("x\n", encoding="utf-8")
    twice = invoke("score", *map(str, paths), str(paths[0]), "-r", str(tmp_path / "ref"), "--json", "-")
    names = [system.name for system in results.Result.from_json(twice.stdout).systems]
    assert names == ["a", "b", "a (3)"]


@pytest.mark.parametrize("command", [[], ["score"]])
def test_help_loads_nothing_heavy(command: list[str]) -> None:
    code = (
        "import sys\n"
        "from bleuprint.cli import program\n"
        f"try:\n    program.main([*{command}, '--help'])\n"
        "except SystemExit as stop:\n    assert stop.code == 0\n"
        f"heavy = {{'numpy', 'rich', 'jinja2', 'difflib', 'bleuprint.report'}} & set(sys.modules)\n"
        f"assert not heavy, heavy\n"
        f"assert {command} or 'bleuprint.cli.score' not in sys.modules"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert finished.returncode == 0, finished.stderr.decode()
    assert b"Score system outputs, with or without references." in finished.stdout


def test_plain_output_does_not_load_rich() -> None:
    code = (
        "import sys\n"
        "from bleuprint.cli import program\n"
        f"arguments = ['score', {sample('ref-1')!r}, '-r', {sample('ref-1')!r}]\n"
        "try:\n    program.main(arguments)\n"
        "except SystemExit as stop:\n    assert stop.code == 0\n"
        "assert not {'rich', 'jinja2'} & set(sys.modules)"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert finished.returncode == 0, finished.stderr.decode()


def test_a_terminal_gets_a_ruled_table(monkeypatch: pytest.MonkeyPatch) -> None:
    from bleuprint.cli import _terminal

    drawn: list[DisplayTable] = []
    monkeypatch.setattr(_terminal, "_draw_ruled", lambda table, *_: drawn.append(table))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    table = DisplayTable(("system",), (words("[red]x[/red]"),))
    _terminal.draw(table)
    assert drawn == [table]


def test_ruled_tables_show_markup_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    from bleuprint.cli import _terminal

    _terminal._draw_ruled(DisplayTable(("system", "bleu"), (words("[red]x[/red]\x1b[2J", "0.5"),)))
    shown = capsys.readouterr().out
    assert "[red]x[/red]\\x1b[2J" in shown
    assert "0.5" in shown
    assert "\x1b" not in shown


def test_every_command_says_in_its_help_what_the_list_says() -> None:
    for name, summary in COMMANDS.items():
        shown = succeed(name, "--help")
        assert summary in shown.stdout
        assert max(len(line) for line in shown.stdout.splitlines() if "https:" not in line) <= 80
    assert invoke("--version").stdout == f"bleuprint {bp.__version__}\n"


def test_installed_script_runs() -> None:
    script = Path(sys.executable).with_name("bleuprint")
    finished = subprocess.run([script, "--version"], capture_output=True, check=False)
    assert finished.stdout.decode() == f"bleuprint {bp.__version__}\n"


@pytest.mark.parametrize("metric", sorted(REFERENCE_TABLE))
def test_every_metric_scores_the_sample(metric: str) -> None:
    arguments = [sample("system-a"), "-r", sample("ref-1"), "-r", sample("ref-2"), "-m", metric]
    if REFERENCE_TABLE[metric].needs_sources:
        refuse("compares with the sources", "score", *arguments)
        arguments += ["-s", sample("system-b")]
    done = succeed("score", *arguments, "--signatures")
    written = signature.write(REFERENCE_TABLE[metric].name, REFERENCE_TABLE[metric].version, {}, {})
    assert f"{written}|" in done.stdout


def test_quiet_prints_numbers_and_nothing_else() -> None:
    files = [sample("system-a"), sample("system-b"), "-r", sample("ref-1"), "-m", "bleu", "-m", "chrf"]
    shown = invoke("score", *files, "-q", "-w", "3")
    reference = lines("ref-1")
    rows = []
    for outputs in (lines("system-a"), lines("system-b")):
        rows.append(f"{bp.corpus_bleu(outputs, reference).value:.3f} {bp.corpus_chrf(outputs, reference).value:.3f}")
    assert shown.stdout.splitlines() == rows
    sentences = invoke("score", sample("system-a"), "-r", sample("ref-1"), "-q", "--sentence-level")
    values = bp.sentence_bleus(lines("system-a"), lines("ref-1"))
    assert sentences.stdout.splitlines() == [f"{value:.4f}" for value in values]
