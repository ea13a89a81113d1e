"""Notes on standard error, and --strict."""

from __future__ import annotations

from pathlib import Path

import pytest

from bleuprint.results import Result
from tests.support.cli import invoke, lines, refuse, sample, succeed

CHINESE = "我们明天早上一起去公园散步吧。\n他昨天在图书馆里看了一整天的书。\n"


@pytest.fixture
def chinese(tmp_path: Path) -> str:
    path = tmp_path / "zh.txt"
    path.write_text(CHINESE, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("more", [[], ["--json", "-"], ["--sentence-level"]], ids=["stream", "memory", "segments"])
def test_chinese_under_13a_gets_a_note(chinese: str, more: list[str]) -> None:
    shown = succeed("score", chinese, "-r", chinese, *more)
    assert shown.stderr.count("the tokenizer 13a does not split Chinese text into words") == 1
    assert invoke("score", chinese, "-r", chinese, "-tok", "zh", *more).stderr == ""
    refuse("does not split Chinese text into words", "score", chinese, "-r", chinese, "--strict", *more)
    assert invoke("score", chinese, "-r", chinese, "-q").stderr == ""


@pytest.mark.parametrize("command", ["score", "compare"])
def test_identical_systems_and_copied_sources(command: str) -> None:
    files = [f"A={sample('system-a')}", f"B={sample('system-a')}", "-r", sample("ref-1"), "-s", sample("ref-1")]
    shown = succeed(command, *files)
    assert "note: A and B are identical in every segment" in shown.stderr
    assert "note: 48 of 48 references are equal to their source" in shown.stderr
    refuse("A and B are identical", command, *files, "--strict")


def test_notes_are_stored_with_the_result(chinese: str) -> None:
    assert "does not split Chinese text into words" in invoke("score", chinese, "-r", chinese, "--json", "-").stdout


@pytest.mark.parametrize("command", ["score", "compare"])
def test_unknown_words_are_noted_in_the_result_and_on_its_page(tmp_path: Path, command: str) -> None:
    model, stored, page = (str(tmp_path / name) for name in ("model.blm", "result.json", "page.html"))
    (tmp_path / "other.txt").write_text("the cat sat on a mat\na dog ran to the park\n")
    succeed("lm", "train", str(tmp_path / "other.txt"), "-o", model, "--order", "2", "--discount-fallback")
    files = [sample("system-a"), sample("system-b"), "-r", sample("ref-1"), "-m", f"bleu,perplexity:lm={model}"]
    shown = succeed(command, *files, "--json", stored, "--report", page)
    note = "the language model does not know 8"
    result = Result.read_json(stored)
    assert [text for text in result.notes if text.startswith(note)]
    assert all(f"note: {text}" in shown.stderr for text in result.notes)
    html = Path(page).read_text()
    assert note in html
    assert "The metrics agree" not in html
    assert note in result._repr_html_()


def test_other_notes_are_errors_too(tmp_path: Path) -> None:
    path = tmp_path / "hyp.txt"
    path.write_bytes(b"\xef\xbb\xbf" + "\n".join(lines("system-a")).encode())
    refuse("removed the byte order mark", "score", str(path), "-r", sample("ref-1"), "--strict")
    files = [sample("system-a"), "-r", sample("ref-1")]
    assert invoke("score", *files, "-m", "bleu,chrf", "--smoothing", "exp").stderr.startswith("note: ")
    assert invoke("score", *files, "-m", "bleu,chrf", "--smoothing", "exp", "--strict").exit_code == 2
