"""bleuprint index and bleuprint seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli import invoke, lines, refuse, sample, succeed


@pytest.fixture
def index(tmp_path: Path) -> str:
    path = str(tmp_path / "corpus.bpi")
    succeed("index", "build", sample("system-a"), sample("ref-2"), "-o", path)
    return path


def test_an_index_is_built_described_and_asked(index: str) -> None:
    facts = json.loads(invoke("index", "info", index, "--verify", "--json").stdout)
    assert (facts["texts"], facts["max_order"], facts["tokenizer"]) == (96, 13, "13a")
    assert [source["texts"] for source in facts["sources"]] == [48, 48]
    assert "1,162" in invoke("index", "info", index).stdout
    counted = json.loads(invoke("index", "count", index, "of the", "no such words", "--json").stdout)
    assert [entry["count"] for entry in counted] == [2, 0]
    shown = invoke("index", "count", index, "of the").stdout
    assert [line.split() for line in shown.splitlines()] == [["n-gram", "count"], ["of", "the", "2"]]


def test_indexes_of_tables_and_compressed_files_are_the_same(tmp_path: Path) -> None:
    import gzip

    texts = lines("system-a")
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in enumerate(texts)))
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress("".join(f"{text}\n" for text in texts).encode()))
    digests = []
    for name in ("a.jsonl", "a.txt.gz"):
        succeed("index", "build", str(tmp_path / name), "-o", str(tmp_path / f"{name}.bpi"))
        facts = json.loads(invoke("index", "info", str(tmp_path / f"{name}.bpi"), "--json").stdout)
        digests.append({key: facts[key] for key in ("texts", "tokens", "words")})
    assert digests[0] == digests[1]
    paths = [str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "x.bpi")]
    refuse("it has no column 'no'", "index", "build", *paths, "--column", "no")


def test_merged_indexes_are_those_of_all_files(tmp_path: Path, index: str) -> None:
    for name in ("system-a", "ref-2"):
        succeed("index", "build", sample(name), "-o", str(tmp_path / f"{name}.bpi"))
    parts = [str(tmp_path / f"{name}.bpi") for name in ("system-a", "ref-2")]
    succeed("index", "merge", *parts, "-o", str(tmp_path / "merged.bpi"))
    assert (tmp_path / "merged.bpi").read_bytes() == Path(index).read_bytes()


def test_an_existing_index_is_not_replaced(index: str) -> None:
    before = Path(index).read_bytes()
    refuse("already exists", "index", "build", sample("ref-1"), "-o", index)
    refuse("already exists", "index", "merge", index, "-o", index)
    assert Path(index).read_bytes() == before


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (["index"], "Missing command"),
        (["index", "build", "no.txt", "-o", "x.bpi"], "no.txt: there is no such file"),
        (["index", "build", sample("ref-1"), "-o", "x.bpi", "--memory", "much"], "a size such as 2GB"),
        (["index", "build", sample("ref-1"), "-o", "x.bpi", "--memory", "1KB"], "from 128MB to"),
        (["index", "build", sample("ref-1"), "-o", "x.bpi", "--max-order", "99"], "an integer from 1 to 64"),
        (["index", "info", sample("ref-1")], "it does not begin as an index does"),
        (["index", "count", "no.bpi", "a"], "no.bpi: not a valid n-gram index: No such file"),
        (["seen", sample("ref-1")], "Missing option '--index'"),
        (["seen", sample("ref-1"), "--index", sample("ref-1")], "it does not begin as an index does"),
    ],
)
def test_mistakes_are_explained_in_one_line(
    command: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refuse(problem, *command)
    assert not list(tmp_path.iterdir())


def test_seen_lists_items_with_their_sources(index: str, tmp_path: Path) -> None:
    page, record = tmp_path / "seen.html", tmp_path / "seen.json"
    done = succeed("seen", sample("ref-1"), "--index", index, "--report", str(page), "--json", str(record))
    assert "The knife sits well in the hand and stays sharp for a long time ." in done.stdout
    saved = json.loads(record.read_text(encoding="utf-8"))
    contaminated = [text["number"] for text in saved["texts"] if text["contaminated"]]
    assert saved["contamination"] == len(contaminated) / 48
    assert 37 in contaminated
    span = saved["texts"][36]["longest"]
    assert (span["begin"], span["length"], span["line"]) == (0, 15, 37)
    assert len(saved["novelty"]) == 13
    html = page.read_text(encoding="utf-8")
    assert '<mark class="m3">The knife sits well in the hand and stays sharp for a long time .</mark>' in html
    assert "system-a.txt:37" in html


def test_a_gate_on_contamination(index: str, tmp_path: Path) -> None:
    succeed("seen", sample("ref-1"), "--index", index, "--max", "0.5")
    failed = invoke("seen", sample("ref-1"), "--index", index, "--max", "0.01")
    assert failed.exit_code == 1
    assert "more than --max 0.01" in failed.stderr
    result = str(tmp_path / "result.json")
    scored = ["score", sample("ref-1"), "-r", sample("ref-2"), "-m", f"contamination:index={index}"]
    succeed(*scored, "--json", result)
    succeed("gate", result, "--max", "contamination=0.5", "-m", f"contamination:index={index}")
    assert invoke("gate", result, "--max", "contamination=0.01", "-m", f"contamination:index={index}").exit_code == 1


def test_scores_with_and_without_contaminated_items(index: str) -> None:
    given = ["seen", sample("ref-1"), "--index", index, "-i", f"A={sample('system-a')}", "-r", sample("ref-1")]
    done = succeed(*given, "-m", "bleu,chrf", "--json", "-")
    effects = json.loads(done.stdout)["effects"]
    assert [(effect["system"], effect["metric"]) for effect in effects] == [("A", "bleu"), ("A", "chrf")]
    # The index holds these outputs, so an item is contaminated where its reference equals them: they score 1.
    assert all(effect["matters"] and effect["difference"] > 0 for effect in effects)
    refuse("need outputs to score", *given[:4], "-r", sample("ref-1"))
    refuse("lines", "seen", sample("ref-1"), "--index", index, "-i", sample("README"), "-r", sample("ref-1"))
