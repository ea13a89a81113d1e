"""Tables that come in several files, through a pipe, or as n-best lists."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import bleuprint as bp
from tests.support.cli import refuse, succeed

ROWS = [
    {"id": str(place), "hypothesis": f"the cat {word} on the mat", "reference": "the cat sat on the mat"}
    for place, word in enumerate(["sat", "slept", "ran", "sat", "stood", "lay"])
]
EXPECTED = bp.corpus_bleu([row["hypothesis"] for row in ROWS], [row["reference"] for row in ROWS]).value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    parts = tmp_path / "parts"
    parts.mkdir()
    for number in range(3):
        pd.DataFrame(ROWS[2 * number : 2 * number + 2]).to_parquet(parts / f"part-{number:05}-a1b2.parquet")
    (parts / "_SUCCESS").write_text("")
    return parts


def value_of(*arguments: str) -> float:
    return float(json.loads(succeed("score", *arguments, "--json", "-").stdout)["systems"][0]["scores"][0]["value"])


def test_a_folder_a_pattern_and_its_files_are_one_table(folder: Path) -> None:
    files = sorted(map(str, folder.glob("*.parquet")))
    for arguments in ([str(folder)], [str(folder / "part-*.parquet")], files):
        assert value_of(*arguments) == EXPECTED, arguments


def test_some_of_the_files_are_systems(folder: Path) -> None:
    """Only all files of a folder are taken for one table."""
    files = sorted(map(str, folder.glob("*.parquet")))[:2]
    refuse("row 1", "score", *files)


def test_files_with_other_columns_are_refused(folder: Path) -> None:
    pd.DataFrame({"id": ["9"], "hypothesis": ["a"]}).to_parquet(folder / "part-00003-a1b2.parquet")
    refuse("it has no column reference, which part-00000-a1b2.parquet has", "score", str(folder))


def test_a_folder_of_other_files_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n")
    refuse("this is a folder, not a file", "score", str(tmp_path), "-r", str(tmp_path / "a.txt"))


def test_json_lines_through_a_pipe() -> None:
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    command = [sys.executable, "-m", "bleuprint", "score", "-", "-q"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{EXPECTED:.4f}"


def test_n_best_lists(tmp_path: Path) -> None:
    path = tmp_path / "nbest.txt"
    path.write_text("0 ||| a b ||| F0= 1 ||| -2.5\n0 ||| a b c\n0 ||| a b c d\n1 ||| x ||| 1\n")
    assert succeed("choose", str(path)).stdout == "a b c\nx\n"
    path.write_text("0 ||| a b\n2 ||| c\n")
    refuse("segment 1 has no candidate", "choose", str(path))
    path.write_text("a b\n")
    refuse("line 1: the line is no 'NUMBER ||| TEXT'", "choose", str(path))


def test_texts_without_near_copies(tmp_path: Path) -> None:
    texts = [
        "one two three four five six",
        "one two three four five six seven",
        "a b c d",
        "a b c d",
        "other words here",
    ]
    path, clean, pairs = tmp_path / "texts.txt", tmp_path / "clean.txt", tmp_path / "pairs.jsonl"
    path.write_text("\n".join(texts) + "\n")
    succeed("diversity", str(path), "--no-intervals", "--write-clean", str(clean), "--write-pairs", str(pairs))
    assert clean.read_text().splitlines() == [texts[0], texts[2], texts[4]]
    (pair,) = map(json.loads, pairs.read_text().splitlines())
    assert pair == {"lines": [1, 2], "texts": texts[:2], "similarity": 0.8}
    refuse("take one file of texts", "diversity", str(path), str(path), "--write-clean", str(tmp_path / "more.txt"))
