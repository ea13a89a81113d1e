"""The tasks in examples/, run as their pages say."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from tests.support.documents import ROOT

EXAMPLES = ROOT / "examples"


def import_program(path: Path) -> Any:
    """A program as a module."""
    spec = importlib.util.spec_from_file_location(f"example_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that copies an example, makes its folder the current one, and imports its program."""

    def load(name: str, program: str) -> Any:
        folder = shutil.copytree(EXAMPLES / name, tmp_path / name)
        monkeypatch.chdir(folder)
        return import_program(folder / program)

    return load


def documents(name: str) -> tuple[list[str], list[list[str]]]:
    lines = (EXAMPLES / name / "translations.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [row["source"] for row in rows], [row["references"] for row in rows]


def word_by_word(words: dict[str, str], sentence: str) -> str:
    return " ".join(words[word] for word in sentence.rstrip(".").lower().split()).capitalize() + "."


@pytest.mark.parametrize(
    ("name", "program", "metrics"),
    [
        ("lm_eval_task", "run.py", ("bleu", "chrf", "ter")),
        ("inspect_task", "translation.py", ("bleu", "chrf")),
    ],
)
def test_the_scores_are_those_of_the_corpus_and_of_the_page(
    example: Any, capsys: pytest.CaptureFixture[str], name: str, program: str, metrics: tuple[str, ...]
) -> None:
    module = example(name, program)
    scores = module.main()
    sources, references = documents(name)
    outputs = [word_by_word(module.WORDS, sentence) for sentence in sources]
    assert scores == {metric: getattr(bp, f"corpus_{metric}")(outputs, references).value for metric in metrics}
    printed = "".join(f"{metric} {score:.4f}\n" for metric, score in scores.items())
    assert capsys.readouterr().out.endswith(printed)
    page = (EXAMPLES / name / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"```text\n(.*?)```", page, flags=re.DOTALL) == [printed]


def test_both_tasks_have_the_same_documents() -> None:
    assert documents("lm_eval_task") == documents("inspect_task")
