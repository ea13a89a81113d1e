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
        (["seen", sample("ref-1")], "Pass one of --index, --in and --merge"),
        (["seen", sample("ref-1"), "--index", "a.bpi", "--in", "b.txt"], "Pass one of --index, --in and --merge"),
        (["seen", sample("ref-1"), "--index", "a.bpi", "--write-clean", "clean"], "and --in-column need --in"),
        (["seen", sample("ref-1"), "--index", "a.bpi", "--restart"], "need --in; an index is searched at once"),
        (["seen", sample("ref-1"), "--in", "b.txt", "--cut"], "--cut needs --write-clean DIR"),
        (["seen", sample("ref-1"), "--in", "b.txt", "--part", "3"], "--part is written like 3/16"),
        (["seen", sample("ref-1"), "--in", "b.txt", "--part", "3/2", "--journal", "x"], "a number from 1 to parts"),
        (["seen", sample("ref-1"), "--in", "none/*.txt"], "none/*.txt: there are no such files"),
        (["seen", sample("ref-1"), "--in", "b.txt", "--journal", "no/x"], "no does not exist"),
        (["seen", sample("ref-1"), "--merge", sample("ref-2")], "it is no journal of a search"),
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
    contaminated = [item["number"] for item in saved["texts"] if item["verdict"] == "contaminated"]
    assert saved["verdicts"]["contaminated"] == len(contaminated)
    assert 37 in contaminated
    span = saved["texts"][36]["text"]["spans"][0]
    assert (span["begin"], span["length"], span["record"]) == (0, 15, 37)
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


def seen(*arguments: str) -> str:
    return invoke("seen", *arguments).stdout


def test_a_corpus_is_searched_without_an_index(tmp_path: Path, index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("system-a", "ref-2"):
        (tmp_path / f"{name}.txt").write_bytes(Path(sample(name)).read_bytes())
    monkeypatch.chdir(tmp_path)
    by_index = json.loads(seen(sample("ref-1"), "--index", index, "--rule", "palm", "--json", "-"))
    found = json.loads(seen(sample("ref-1"), "--in", "*.txt", "--rule", "palm", "--json", "-"))
    assert found["verdicts"] == by_index["verdicts"] == {"contaminated": 8, "unclear": 7, "clean": 33}
    for one, other in zip(found["texts"], by_index["texts"], strict=True):
        assert (one["text"]["by_rule"], one["text"]["summary"]) == (other["text"]["by_rule"], other["text"]["summary"])
    assert found["files"] == ["ref-2.txt", "system-a.txt"]
    shown = seen(sample("ref-1"), "--in", "system-a.txt", "--in", "ref-2.txt", "--rule", "palm", "--limit", "1")
    assert shown.split()[:17] == [
        *("contaminated", "unclear", "clean", "by", "the", "rule", "items", "records"),
        *("8", "7", "33", "5", "48", "96", "item", "verdict", "by"),
    ]
    assert "8 of 8 8-grams, in 1 record" in shown
    seen(sample("ref-1"), "--in", "*.txt", "--rule", "palm", "--report", "seen.html")
    assert "The rule alone calls 5 contaminated." in (tmp_path / "seen.html").read_text(encoding="utf-8")
    assert "[The knife sits well in the hand and stays sharp for a long time .]" in shown
    assert "and 14 more" in shown
    piped = invoke("seen", sample("ref-1"), "--in", "-", "--rule", "palm", stdin=Path("system-a.txt").read_bytes())
    assert "48" in piped.stdout


def test_parts_are_merged_and_clean_copies_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    corpus = ["--in", sample("system-a"), "--in", sample("ref-2"), "--rule", "palm"]
    for part in ("1/2", "2/2"):
        run = invoke("seen", sample("ref-1"), *corpus, "--part", part, "--journal", f"{part[0]}.seen")
        assert f"part {part[0]} of 2: 1 of 2 files" in run.stderr
    merged = seen(sample("ref-1"), "--merge", "*.seen", "--rule", "palm", "--json", "-")
    systems = ["-i", f"A={sample('system-a')}", "-r", sample("ref-1")]
    assert merged == seen(sample("ref-1"), *corpus, "--json", "-")
    whole = invoke("seen", sample("ref-1"), *corpus, *systems, "--write-clean", "clean", "--max", "0.1")
    assert whole.exit_code == 1
    assert "8 of 48 texts are contaminated, more than --max 0.1" in whole.stderr
    assert "clean: 8 of 96 records differ; manifest.jsonl names them" in whole.stderr
    assert "matters" in whole.stdout
    assert len((tmp_path / "clean" / "system-a.txt").read_text().splitlines()) == 40
    assert (tmp_path / "clean" / "ref-2.txt").read_bytes() == Path(sample("ref-2")).read_bytes()


def test_questions_and_answers_are_judged_apart(tmp_path: Path) -> None:
    rows = [{"question": "what is the name of it", "answer": "it is called something else by all"}] * 2
    tests, corpus = tmp_path / "tests.jsonl", tmp_path / "corpus.jsonl"
    tests.write_text("".join(json.dumps(row) + "\n" for row in rows))
    corpus.write_text(json.dumps({"page": "they say it is called something else by all of them"}) + "\n")
    columns = ["--column", "question", "--answer-column", "answer", "--in-column", "page"]
    found = json.loads(seen(str(tests), "--in", str(corpus), *columns, "--order", "5", "--json", "-"))
    assert [item["verdict"] for item in found["texts"]] == ["contaminated"] * 2
    assert found["texts"][0]["text"]["summary"] == "nothing"
    shown = seen(str(tests), "--in", str(corpus), *columns, "--order", "5")
    assert "nothing; answer: 3 of 3 5-grams, in 1 record" in shown
