"""The benchmark runs, says what it promises to say, and fails on a wrong score. Nothing here is timed."""

from __future__ import annotations

import gc
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from bench import __main__ as command
from bench import data, harness, history, results, start_up
from bench.suites import SUITES

REPEATS = 2
LITTLE = data.Corpus("test", ["a cat sat here today", "dogs bark at night"], ["a cat sat here", "dogs bark at night"])


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The bundled sample, and no garbage to be looked for in what other tests have left: the bench looks often."""
    gc.collect()
    gc.freeze()
    monkeypatch.setenv("BLEUPRINT_SHARED", str(tmp_path))


# Those that take more than a second even so.
SLOW = {"diversity", "files", "index", "insight", "meteor", "pairwise", "report", "seen", "significance"}


@pytest.mark.parametrize(
    "suite", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in SUITES]
)
@pytest.mark.usefixtures("bundled")
def test_quick_run_reports_a_suite(
    suite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start_up, "PACKAGES", ("bleuprint", "numpy"))
    figures = tmp_path / "figures.json"
    code = command.main(["--quick", "--suite", suite, "--json", str(figures)])
    report = json.loads(figures.read_text(encoding="utf-8"))
    printed = capsys.readouterr()

    assert report["schema"] == results.SCHEMA
    assert list(report["suites"]) == [suite]
    assert code == (1 if report["disagreements"] else 0)
    assert not [line for line in report["disagreements"] if "BLEU" in line or "bleu" in line.split(":")[0]]
    for sections in report["suites"].values():
        for section in sections:
            assert section["title"] in printed.out
            check_rows(section)
    assert max(map(len, printed.out.splitlines())) <= results.WIDTH
    assert {"date", "machine", "processor", "load", "python", "packages"} <= set(report["machine"])


ONCE = {"MB", "s", "µs/text", "µs/item", "µs/swap", "s/build", "GB/minute", "bytes/token"}
# Sections about texts that are quick enough to be repeated.
REPEATED = ("self-repetition", "homogenization", "ngram-diversity", "compression-ratio", "Near-duplicates")


def check_rows(section: dict[str, Any]) -> None:
    first, *others = section["rows"]
    assert first["ratio"] in (1.0, None)
    for row in (first, *others):
        raw = row["raw"]
        # Memory, and the sections whose peers take minutes, are measured once.
        once = section["unit"] in ONCE and not section["title"].startswith(REPEATED)
        assert len(raw) == (1 if once else REPEATS)
        assert row["low"] == min(raw)
        assert row["high"] == max(raw)
    if section["title"].startswith("Corpus BLEU, 13a"):
        assert {row["name"]: row["goal"] is not None for row in others}["sacrebleu"]
        assert all(row["difference"] is not None for row in others)


def contestant(name: str, score: float, expected: float = 0.5) -> harness.Contestant[float]:
    def prepare(_: int) -> Callable[[], float]:
        return lambda: score

    return harness.Contestant(name, 1, prepare, lambda _, found: abs(found - expected))


@pytest.mark.parametrize("wrong", [0.5 + 2e-9, math.nan])
@pytest.mark.usefixtures("bundled")
def test_a_wrong_score_fails_the_run(
    wrong: float, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def sections(run: harness.Run) -> Iterator[results.Section]:
        field = [contestant("ours", 0.5), contestant("peer", wrong)]
        yield results.Section("Invented", "µs", harness.race(lambda _: field, run.corpus, run))

    monkeypatch.setitem(SUITES, "bleu", harness.Suite(sections))
    assert command.main(["--quick", "--suite", "bleu"]) == 1
    assert "DISAGREEMENT: Invented: peer differs from us" in capsys.readouterr().err


@pytest.mark.parametrize(("worst", "difference"), [(0.75, 0.25), (math.nan, math.nan)])
def test_the_largest_difference_of_all_repeats_counts(worst: float, difference: float) -> None:
    answers = iter([0.5, 0.5, worst, 0.5])  # the first is the warm-up's
    entry = harness.Contestant("peer", 1, lambda _: lambda: next(answers), lambda _, found: abs(found - 0.5))
    (row,) = harness.race(lambda _: [entry], LITTLE, harness.Run(LITTLE, LITTLE, repeat=3))
    assert str(row.difference) == str(difference)


def test_largest_difference_lets_no_nan_pass() -> None:
    assert harness.largest_difference([0.1, 0.5], [0.1, 0.25]) == 0.25
    assert math.isnan(harness.largest_difference([math.nan, 0.5], [0.1, 0.25]))
    with pytest.raises(ValueError, match="longer"):
        harness.largest_difference([0.1], [0.1, 0.2])


def test_ratios_pair_the_repeats() -> None:
    first, second = harness.compared([results.Row("a", [1.0, 10.0, 100.0]), results.Row("b", [3.0, 20.0, 100.0])])
    assert first.ratio == 1.0
    assert second.ratio == 2.0


def test_goals() -> None:
    row = results.Row("a", [3.0], ratio=2.0)
    assert results.Goal(at_least=2).met(row)
    assert not results.Goal(at_least=2.1).met(row)
    assert results.Goal(at_most=3, of="value").met(row)
    assert not results.Goal(at_most=2.9, of="value").met(row)
    assert results.Goal(at_least=2).met(results.Row("b", [1.0])) is None


@pytest.mark.usefixtures("bundled")
def test_no_line_comes_twice() -> None:
    corpus = data.load(200)
    assert "bundled sample" in corpus.source
    assert len(corpus) == len(set(corpus.hypotheses)) == len(set(corpus.references)) == 200
    hypotheses, references = corpus.fresh(7)
    assert all(line.endswith(" 7") for line in hypotheses + references)
    assert not set(hypotheses) & set(corpus.fresh(8)[0])


def test_corpus_survives_a_file(tmp_path: Path) -> None:
    corpus = data.Corpus("lines", ["a\u2028b", "", "c\r"], ["d", "e\x85f", "g"])
    corpus.write(tmp_path / "lines.tsv")
    assert data.Corpus.read(tmp_path / "lines.tsv") == corpus


def test_wmt22_has_the_promised_size() -> None:
    if not (data._shared() / "data" / "wmt22.tar.xz").exists():
        pytest.skip("only a sample of WMT22: see tests/data/README.md")
    corpus = data.load(130_000)
    assert corpus.source == "WMT22 into English"
    assert len(set(corpus.hypotheses)) == len(set(corpus.references)) == 130_000
    assert not any(line.startswith(data.NOT_TRANSLATED) for line in corpus.references)


def test_forget_empties_the_line_caches() -> None:
    Tokenizer13a()("a line to remember")  # type: ignore[no-untyped-call]
    assert Tokenizer13a.__call__.cache_info().currsize > 0
    harness.forget()
    assert Tokenizer13a.__call__.cache_info().currsize == 0


@pytest.mark.parametrize("arguments", [["--repeat", "-1"], ["--segments", "-5"], ["--suite", "nothing"]])
def test_nonsense_options_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        command.parse(arguments)
    assert stopped.value.code == 2
    assert "error:" in capsys.readouterr().err


@pytest.mark.usefixtures("bundled")
def test_history_and_comparison_with_an_earlier_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures, lines = tmp_path / "figures.json", tmp_path / "history.jsonl"
    arguments = ["--quick", "--suite", "gleu", "--history", str(lines)]
    command.main([*arguments, "--json", str(figures)])
    content = json.loads(figures.read_text(encoding="utf-8"))
    for section in content["suites"]["gleu"]:
        for row in section["rows"][1:]:
            row["ratio"] *= 1e6
    figures.write_text(json.dumps(content), encoding="utf-8")
    capsys.readouterr()
    command.main([*arguments, "--against", str(figures)])
    printed = capsys.readouterr().out
    assert "  slower" in printed.partition("Ratios against the earlier run")[2]
    first, second = (json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines())
    assert first["ratios"].keys() == second["ratios"].keys() == history.ratios(content).keys()
    assert first["commit"]


@pytest.mark.parametrize("content", ["", "[]", '{"suites": 7}', '{"suites": {"a": [{"rows": [1, 2]}]}}'])
def test_comparison_with_a_file_that_holds_no_figures(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "figures.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SystemExit):
        command.main(["--quick", "--suite", "gleu", "--against", str(path)])
    assert "--against takes a file that --json wrote" in capsys.readouterr().err
