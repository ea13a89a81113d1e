"""bleuprint tokenizers: models by name, from the first command to a replayed result."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.support import sentencepiece_models
from tests.support.cli import assert_one_line, invoke


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
    added = invoke("tokenizers", "add", "flores200", str(model))
    assert added.exit_code == 0, added.stderr
    assert added.stdout.startswith(f"flores200 is {recorded(model)}, copied to {folder}")
    assert invoke("tokenizers", "add", "flores200", str(model)).exit_code == 0
    refused = invoke("tokenizers", "add", "flores200", str(other))
    assert refused.exit_code == 2
    assert_one_line(refused.stderr, "pass --force to replace it")
    listed = invoke("tokenizers", "list").stdout
    assert "flores200" in listed
    assert recorded(model) in listed
    assert invoke("tokenizers", "add", "flores200", str(other), "--force").exit_code == 0
    assert invoke("tokenizers", "remove", "flores200").stdout == f"removed flores200, {recorded(other)}\n"
    gone = invoke("tokenizers", "remove", "flores200")
    assert gone.exit_code == 2
    assert_one_line(gone.stderr, "see 'bleuprint tokenizers list'")


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
    failed = invoke("tokenizers", *arguments)
    assert failed.exit_code == 2
    assert_one_line(failed.stderr, expected)


def test_a_result_is_replayed_without_the_path(models: tuple[Path, Path]) -> None:
    model, other = models
    scoring = ("score", "a.txt", "-r", "r.txt", "-tok", "spm", "--json", "scored.json")
    assert_one_line(invoke(*scoring).stderr, "bleuprint tokenizers add spm PATH")
    assert invoke("tokenizers", "add", "spm", str(model)).exit_code == 0
    assert invoke(*scoring).exit_code == 0
    assert recorded(model) in Path("scored.json").read_text()
    assert invoke("replay", "scored.json").exit_code == 0
    assert invoke("report", "scored.json", "-o", "report.html").exit_code == 0
    assert invoke("tokenizers", "add", "spm", str(other), "--force").exit_code == 0
    refused = invoke("replay", "scored.json")
    assert refused.exit_code == 2
    assert_one_line(refused.stderr, f"flores101 is {recorded(other)}")
    assert recorded(model) in refused.stderr
    assert invoke("replay", "scored.json", "--tokenizer-model", str(model)).exit_code == 0


def test_the_drop_in_command(models: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "none"))
    command = ("sacrebleu", "r.txt", "-i", "a.txt", "-tok", "flores200", "-b")
    assert_one_line(invoke(*command).stderr, "or run 'bleuprint tokenizers add flores200 PATH'")
    invoke("tokenizers", "add", "flores200", str(models[0]))
    ours = invoke("score", "a.txt", "-r", "r.txt", "-tok", "flores200", "--percent", "-q")
    theirs = invoke(*command)
    assert theirs.exit_code == 0, theirs.stderr
    assert ours.exit_code == 0, ours.stderr
    assert float(theirs.stdout) == pytest.approx(float(ours.stdout), abs=0.051)
