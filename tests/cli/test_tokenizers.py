"""bleuprint tokenizers: models by name, from the first command to a replayed result."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.support import sentencepiece_models
from tests.support.cli import assert_one_line, invoke, refuse, succeed


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("models")
    return sentencepiece_models.trained(folder), sentencepiece_models.trained(folder, "other", words=("ran", "hid"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BLEUPRINT_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("the cat sat on a mat.\n")
    Path("r.txt").write_text("the cat sat on the mat.\n")
    return tmp_path / "data"


def recorded(model: Path) -> str:
    return f"spm(sha256-{hashlib.sha256(model.read_bytes()).hexdigest()[:16]})"


def test_add_list_and_remove(models: tuple[Path, Path], folder: Path) -> None:
    model, other = models
    empty = invoke("tokenizers", "list")
    assert (empty.exit_code, empty.stdout) == (0, "")
    assert "no models were added" in empty.stderr
    added = succeed("tokenizers", "add", "flores200", str(model))
    assert added.stdout.startswith(f"flores200 is {recorded(model)}, copied to {folder}")
    succeed("tokenizers", "add", "flores200", str(model))
    refuse("pass --force to replace it", "tokenizers", "add", "flores200", str(other))
    listed = invoke("tokenizers", "list").stdout
    assert "flores200" in listed
    assert recorded(model) in listed
    succeed("tokenizers", "add", "flores200", str(other), "--force")
    assert invoke("tokenizers", "remove", "flores200").stdout == f"removed flores200, {recorded(other)}\n"
    refuse("see 'bleuprint tokenizers list'", "tokenizers", "remove", "flores200")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("add", "flores300", "x"), "'flores300' is not one of 'flores101', 'flores200', 'spm'"),
        (("add", "flores200", "missing.model"), "the path of a SentencePiece model, got 'missing.model'"),
        (("add", "flores200", "a.txt"), "the path of a SentencePiece model, got 'a.txt'"),
        (("add", "flores200", "."), "the path of a SentencePiece model, got '.'"),
        (("add", "flores200"), "Missing argument 'PATH'"),
        (("remove", "13a"), "'13a' is not one of"),
    ],
)
def test_failures_are_one_line(arguments: tuple[str, ...], expected: str) -> None:
    refuse(expected, "tokenizers", *arguments)


def test_a_result_is_replayed_without_the_path(models: tuple[Path, Path]) -> None:
    model, other = models
    scoring = ("score", "a.txt", "-r", "r.txt", "-tok", "spm", "--json", "scored.json")
    refuse("bleuprint tokenizers add spm PATH", *scoring)
    succeed("tokenizers", "add", "spm", str(model))
    succeed(*scoring)
    assert recorded(model) in Path("scored.json").read_text()
    succeed("replay", "scored.json")
    succeed("report", "scored.json", "-o", "report.html")
    succeed("tokenizers", "add", "spm", str(other), "--force")
    refused = invoke("replay", "scored.json")
    assert refused.exit_code == 2
    assert_one_line(refused.stderr, f"flores101 is {recorded(other)}")
    assert recorded(model) in refused.stderr
    succeed("replay", "scored.json", "-m", f"bleu:tokenizer=spm:{model}")
