"""The job of an LLM engineer: JSONL with pass and fail, pytest, and a gate in CI, with the command line only."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.cli import PROGRAM

QUESTIONS = [
    ("q-1", "The capital of France is Paris.", "The capital of France is Paris."),
    ("q-2", "Water boils at 100 degrees Celsius.", "Water boils at 100 degrees."),
    ("q-3", "The mitochondria are the powerhouse of the cell.", "Mitochondria are the powerhouse of the cell."),
    ("q-4", "Mount Everest is the highest mountain on Earth.", "Mount Everest is the highest mountain on Earth."),
    ("q-5", "The Great Wall of China is visible from low orbit.", "The Great Wall of China is a wall."),
    ("q-6", "Shakespeare wrote Hamlet around 1600.", "Shakespeare wrote Hamlet around 1600."),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    def table(name: str, answer: dict[str, str]) -> None:
        rows = ({"id": key, "prediction": answer.get(key, good), "reference": ref} for key, ref, good in QUESTIONS * 8)
        numbered = ({**row, "id": f"{row['id']}-{number}"} for number, row in enumerate(rows))
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in numbered), encoding="utf-8")

    table("old.jsonl", {})
    table("new.jsonl", {"q-2": "Water boils at 100 degrees Celsius."})
    table("broken.jsonl", {key: "I cannot answer that." for key, _, _ in QUESTIONS})
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *words], cwd=folder, capture_output=True, text=True, check=False)


def test_gate_in_ci(folder: Path) -> None:
    for name in ("old", "new", "broken"):
        # The release is called the same in every result, so that a gate compares it with itself.
        scored = run(folder, "score", f"{name}.jsonl", "-m", "chrf,bleu", "-q", "--json", f"{name}.json")
        assert scored.returncode == 0, scored.stderr
    options = ["--baseline", "old.json", "--min-pass-rate", "chrf=0.8", "--threshold", "chrf=0.5"]
    passed = run(folder, "gate", "new.json", *options)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert passed.stdout.endswith("gate passed\n")
    failed = run(folder, "gate", "broken.json", *options, "--junit", "gate.xml", "--markdown", "gate.md")
    assert failed.returncode == 1
    assert failed.stderr == ""
    assert "worst: q-" in failed.stdout  # items are named by their ids
    suite = ElementTree.parse(folder / "gate.xml").getroot()
    assert int(suite.get("failures") or suite[0].get("failures") or 0) > 0
    assert "Gate failed" in (folder / "gate.md").read_text()
    # The job can run again; another one keeps the file unless --force is given.
    assert run(folder, "score", "new.jsonl", "-m", "chrf,bleu", "--json", "new.json").returncode == 0
    again = run(folder, "score", "new.jsonl", "-m", "chrf", "--json", "new.json")
    assert again.returncode == 2
    assert "already exists with different content; pass --force" in again.stderr
    assert run(folder, "score", "new.jsonl", "-m", "chrf", "--json", "new.json", "--force").returncode == 0


def test_old_against_new(folder: Path) -> None:
    compared = run(folder, "compare", "Old=old.jsonl", "New=new.jsonl", "-m", "chrf")
    assert compared.returncode == 0, compared.stderr
    assert [line.split()[0] for line in compared.stdout.splitlines()[1:3]] == ["New", "Old"]
    assert "New is better than Old" in compared.stdout


def test_pytest_fails_the_broken_release(folder: Path) -> None:
    (folder / "test_release.py").write_text(
        """\
import json

import pytest


@pytest.mark.parametrize("release", ["new", "broken"])
def test_release(release, bleuprint):
    rows = [json.loads(line) for line in open(f"{release}.jsonl", encoding="utf-8")]
    texts = [row["prediction"] for row in rows], [row["reference"] for row in rows]
    bleuprint.assert_score(*texts, "chrf", at_least=0.8, ids=[row["id"] for row in rows])
"""
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert "is below 0.8" in done.stdout
    assert "q-" in done.stdout  # the worst items, by their ids
