"""Language models on the command line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint import LanguageModel
from bleuprint.results.digits import Digits
from tests.support.cli import NEEDS_POSIX, assert_one_line, invoke, lines, refuse, sample, start, succeed

TRAINING = (sample("ref-1"), sample("ref-2"))


def trained(folder: Path, *options: str) -> Path:
    path = folder / "model.blm"
    succeed("lm", "train", *TRAINING, "-o", str(path), "--order", "3", *options)
    return path


def test_a_model_is_trained_as_in_python(tmp_path: Path) -> None:
    arpa = tmp_path / "model.arpa"
    path = trained(tmp_path, "--prune", "0,0,1", "-tok", "13a", "-lc", "--threads", "1")
    succeed("lm", "convert", str(path), str(arpa))
    texts = [*lines("ref-1"), *lines("ref-2")]
    expected = LanguageModel.train(texts, order=3, prune=(0, 0, 1), tokenizer="13a", lowercase=True)
    assert path.read_bytes() == expected.to_bytes()
    assert arpa.read_bytes() == expected.to_arpa()


def test_the_result_of_training_is_described(tmp_path: Path) -> None:
    shown = invoke("lm", "train", *TRAINING, "-o", str(tmp_path / "model.blm"), "--order", "2")
    model = LanguageModel.load(tmp_path / "model.blm")
    assert [line.split() for line in shown.stdout.splitlines()] == [
        ["model", "order", "2"],
        ["1-grams", f"{model.ngram_counts[0]:,}"],
        ["2-grams", f"{model.ngram_counts[1]:,}"],
        ["tokenizer", "whitespace"],
        ["case", "kept"],
        ["digest", model.digest, *["(64", "bits", "of", "a", "SHA-256)"]],
    ]
    assert shown.stderr == ""
    assert invoke("lm", "info", str(tmp_path / "model.blm")).stdout == shown.stdout


def test_standard_input_and_options_of_small_texts(tmp_path: Path) -> None:
    arguments = ["lm", "train", "-", "-o", str(tmp_path / "model.blm"), "--order", "2"]
    refuse("texts[0] contains <s>", *arguments, stdin=b"a <s> b\nc\n")
    refuse("discounts of 1-grams cannot be estimated", *arguments, "--skip-symbols", stdin=b"a <s> b\nc\n")
    succeed(*arguments, "--skip-symbols", "--discount-fallback", stdin=b"a <s> b\nc\n")
    assert LanguageModel.load(tmp_path / "model.blm").vocabulary[3:] == ("a", "b", "c")


def test_formats_convert_both_ways(tmp_path: Path) -> None:
    path = trained(tmp_path, "-tok", "13a", "-lc")
    arpa, again = tmp_path / "model.arpa.gz", tmp_path / "again.blm"
    succeed("lm", "convert", str(path), str(arpa))
    assert gzip.decompress(arpa.read_bytes()).startswith(b"\\data\\\nngram 1=")
    succeed("lm", "convert", str(arpa), str(again), "-tok", "13a", "-lc")
    assert again.read_bytes() == path.read_bytes()


def test_perplexity_of_files(tmp_path: Path) -> None:
    path = trained(tmp_path, "-tok", "13a", "-lc")
    metric = f"perplexity:lm={path}"
    shown = succeed("score", sample("system-a"), sample("system-b"), "-m", metric, "--signatures")
    head, *rows = shown.stdout.splitlines()
    assert head.split() == ["system", "perplexity", "without", "unknown", "log10", "probability", "tokens", "unknown"]
    for name, row in zip(("system-a", "system-b"), rows, strict=False):
        score = bp.perplexity(lines(name), lm=path)
        assert row.split() == [
            name,
            f"{score.value:.2f}",
            f"{score.without_unknown:.2f}",
            f"{score.log_probability:.0f}",
            str(score.tokens),
            str(score.unknown_words),
        ]
    assert shown.stdout.endswith(f"\n\n{score.signature}\n")
    excluded = invoke("score", sample("system-b"), "-m", f"{metric},unknown=exclude", "-w", "6")
    assert f"{score.without_unknown:.6f}" in excluded.stdout


def test_perplexity_of_lines_and_as_json(tmp_path: Path) -> None:
    path = trained(tmp_path)
    command = ("score", sample("system-a"), "-m", f"perplexity:lm={path}")
    shown = invoke(*command, "--sentence-level")
    values = bp.Perplexity(lm=path).sentences(lines("system-a"))
    rows = shown.stdout.splitlines()[1:49]
    digits = Digits(by_size=True)
    assert [row.split() for row in rows] == [
        [str(number), digits(value)] for number, value in enumerate(values, start=1)
    ]
    printed = json.loads(invoke(*command, "--json", "-").stdout)
    score = bp.perplexity(lines("system-a"), lm=path)
    (system,) = printed["systems"]
    (made,) = system["scores"]
    assert (system["name"], made["value"], made["parts"]) == ("system-a", score.value, score.parts)
    assert (made["signature"], made["segments"]) == (score.signature, values.tolist())
    stored = tmp_path / "out.json"
    succeed(*command, "--json", str(stored))
    assert json.loads(stored.read_text(encoding="utf-8")) == printed


def test_an_arpa_file_is_read_as_told(tmp_path: Path) -> None:
    path = trained(tmp_path, "-tok", "13a", "-lc")
    arpa, told = tmp_path / "model.arpa", tmp_path / "told.blm"
    succeed("lm", "convert", str(path), str(arpa))
    succeed("lm", "convert", str(arpa), str(told), "-tok", "13a", "-lc")
    shown = {
        model: invoke("score", sample("system-a"), "-m", f"perplexity:lm={model}").stdout
        for model in (path, told, arpa)
    }
    assert shown[told] == shown[path]
    assert shown[arpa] != shown[path]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lm"], "Missing command"),
        (["lm", "train", sample("ref-1")], "Missing option '-o'"),
        (["lm", "train", "no such file", "-o", "x"], "no such file: there is no such file"),
        (["lm", "train", sample("ref-1"), "-o", "x", "--prune", "0;1"], "got '0;1'"),
        (["lm", "train", sample("ref-1"), "-o", "x", "--prune", "1"], "words are never dropped"),
        (["lm", "train", sample("ref-1"), "-o", "x", "--order", "9"], "order must be an integer from 1 to 6"),
        (["lm", "train", sample("ref-1"), "-o", "x", "--tokenizer", "y"], "tokenizer must be"),
        (["lm", "info", "no such file"], "no such file: not a valid language model"),
        (["lm", "info", sample("ref-1")], "the file ends where"),
        (["lm", "convert", sample("ref-1"), "x"], "the file ends where"),
        (["score", sample("ref-1"), "-m", "perplexity"], "perplexity needs a model: write -m perplexity:lm=…"),
        (["score", sample("ref-1"), "-m", "perplexity:lm=none"], "none: not a valid language model"),
        (["score", "-", "-", "-m", "self-bleu"], "it can be read only once, but '-' is given more than once"),
    ],
)
def test_failures_are_one_line_and_exit_code_2(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refuse(message, *arguments)
    assert not list(tmp_path.iterdir())


def test_files_that_exist_are_kept_unless_forced(tmp_path: Path) -> None:
    path = trained(tmp_path)
    before = path.read_bytes()
    arguments = ["lm", "train", sample("ref-1"), "-o", str(path), "--order", "2", "--discount-fallback"]
    refuse("already exists", *arguments)
    assert path.read_bytes() == before
    succeed(*arguments, "--force")
    assert path.read_bytes() != before


@NEEDS_POSIX
def test_a_real_process_writes_nothing_but_the_table(tmp_path: Path) -> None:
    path = trained(tmp_path)
    command = ["score", "-", "-m", f"perplexity:lm={path}"]
    finished = start(command, stdin="the “quoted” naïve text\n".encode())
    assert finished.returncode == 0
    assert b"the language model does not know 60 % of the tokens of stdin" in finished.stderr
    assert finished.stdout.decode().splitlines()[1].split()[0] == "stdin"
    strict = start([*command, "--strict"], stdin="the “quoted” naïve text\n".encode())
    assert (strict.returncode, strict.stdout) == (2, b"")
    assert_one_line(strict.stderr, "(an error because of --strict)")
