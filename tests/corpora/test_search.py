"""A corpus that passes by once: what is found is there, however it was divided, and what is written is whole."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import zstandard

import bleuprint as bp
from bleuprint.core.columns import column
from bleuprint.core.counts import Column
from bleuprint.corpora import CorpusSearch, building, write_clean
from bleuprint.corpora import search as search_module
from bleuprint.corpora.findings import Seen
from bleuprint.corpora.search import File, Scanned
from bleuprint.dataset import lines as dataset_lines
from bleuprint.dataset import stream
from bleuprint.errors import BleuprintError, DataFileError, LengthMismatchError, OptionError, OutputError
from tests.kernels.twins import ngram_index as index_twin
from tests.support.cli import lines

WORDS = [f"w{number}" for number in range(400)]


def made(count: int, seed: int, length: int = 40) -> list[str]:
    """Random texts, which share no long n-grams by chance."""
    source = random.Random(seed)
    return [" ".join(source.choice(WORDS) for _ in range(length)) for _ in range(count)]


def corpus_of(folder: Path, texts: Sequence[str]) -> list[Path]:
    """The texts in files of all sorts."""
    folder.mkdir(exist_ok=True)
    parts = [list(texts[at::4]) for at in range(4)]
    rows = [json.dumps({"id": number, "text": text}) + "\n" for number, text in enumerate(parts[1])]
    (folder / "a.txt").write_text("".join(f"{text}\n" for text in parts[0]))
    (folder / "b.jsonl").write_text("\n".join(rows))  # with blank lines between
    (folder / "c.txt.gz").write_bytes(gzip.compress("".join(f"{text}\n" for text in parts[2]).encode()))
    packed = zstandard.compress("".join(json.dumps({"text": text}) + "\n" for text in parts[3]).encode())
    (folder / "d.jsonl.zst").write_bytes(packed)
    return sorted(folder.iterdir())


@pytest.fixture
def corpus(tmp_path: Path) -> list[Path]:
    texts = made(200, 1)
    texts[17] = f"x y {TESTS[0]} z"
    texts[30] = " ".join(TESTS[1].split()[5:35])
    return corpus_of(tmp_path / "corpus", texts)


TESTS = made(12, 2)


@pytest.mark.parametrize("rule", ["gpt3", "palm", "llama2"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_rules_say_what_they_say_of_an_index_and_what_brute_force_says(
    tmp_path: Path, rule: str, lowercase: bool
) -> None:
    source = random.Random(5)
    texts, items = made(60, 3, 30), [*made(40, 4, 25), "", "W1", "w2 w3", "no such words"]
    for at in range(25):
        donor, begin = texts[source.randrange(60)].split(), source.randrange(20)
        words = items[at].split()
        words[source.randrange(20) :] = donor[begin : begin + source.randrange(1, 25)]
        items[at] = " ".join(words).upper() if at % 5 == 0 else " ".join(words)
    result = CorpusSearch(items, rule=rule, lowercase=lowercase).run(corpus_of(tmp_path / "corpus", texts))
    index = bp.NgramIndex.build(texts, lowercase=lowercase)
    indexed = bp.seen(items, index, rule=rule)
    share = bp.metrics.Contamination(index, profile=rule).corpus(items)
    assert result.by_rule == indexed.by_rule == share.contaminated
    for one, other in zip(result.texts, indexed.texts, strict=True):
        assert (one.verdict, one.text.by_rule, one.text.words) == (other.verdict, other.text.by_rule, other.text.words)
        assert [match[:3] for match in one.text.matches] == [match[:3] for match in other.text.matches]
    order = {"gpt3": 13, "palm": 8, "llama2": 11}[rule]
    split = [(text.lower() if lowercase else text).split() for text in texts]
    for item, text in zip(result.texts, items, strict=True):
        tokens = (text.lower() if lowercase else text).split()
        counted = index_twin.row(split, tokens, [order], whole=rule == "gpt3")
        assert [item.text.tokens, item.text.ngrams, len(item.text.matches)] == counted[:3]
        for _, begin, records, places in item.text.matches:
            ngram = tokens[begin : begin + min(order, len(tokens))]
            assert records == len({number for number, _ in index_twin.places(split, ngram)})
            for file, record, token in places:
                read = corpus_text(result.files[file], record)
                assert (read.lower() if lowercase else read).split()[token : token + len(ngram)] == ngram


def corpus_text(file: str, record: int) -> str:
    (text,) = bp.dataset.read_text(file).segments[record : record + 1] if ".txt" in file else [rows_of(file)[record]]
    return text


def rows_of(file: str) -> list[str]:
    content = Path(file).read_bytes()
    content = zstandard.ZstdDecompressor().decompressobj().decompress(content) if file.endswith(".zst") else content
    return [json.loads(line)["text"] for line in content.splitlines() if line]


def one_by_one(scan: Callable[[File], Iterable[Scanned]], files: Sequence[File]) -> Iterator[Scanned]:
    return (scanned for file in files for scanned in scan(file))


def test_an_index_and_the_file_give_the_same_result(tmp_path: Path) -> None:
    texts, items = made(60, 3, 30), made(20, 4, 25)
    for at in range(15):
        texts[at] += f" {items[at]}"
    (tmp_path / "corpus.txt").write_text("".join(f"{text}\n" for text in texts))
    index = bp.NgramIndex.build(texts, name=str(tmp_path / "corpus.txt"))
    by_index = bp.seen(items, index, order=5, answers=items[::-1], rare=3)
    streamed = CorpusSearch(items, order=5, answers=items[::-1], rare=3).run(tmp_path / "corpus.txt")
    assert by_index.texts == streamed.texts
    assert (by_index.files, by_index.records) == (streamed.files, streamed.records)
    assert f"index:sha256-{index.digest}" in by_index.signature
    assert by_index.novelty[0] == bp.metrics.Novelty(index, order=1).corpus(items).value


def test_parts_threads_processes_and_merging_change_nothing(corpus: list[Path], tmp_path: Path) -> None:
    search = CorpusSearch(TESTS, answers=["w1 w2", *TESTS[1:]])
    whole = search.run(corpus, threads=1)
    assert whole.verdicts == {"contaminated": 2, "unclear": 0, "clean": 10}
    assert whole == search.run([str(corpus[0].parent)], threads=5)
    assert whole == search.run(str(corpus[0].parent / "*.*"), engine=one_by_one)
    assert whole == pickle.loads(pickle.dumps(search)).run(corpus)
    journals = [tmp_path / f"{number}.seen" for number in (1, 2, 3)]
    for number, journal in enumerate(journals, 1):
        part = search.run(corpus, part=(number, 3), journal=journal)
        assert part.notes == (f"part {number} of 3: {2 if number == 1 else 1} of 4 files",)
    assert search.merge(journals) == whole == search.merge(journals[::-1])
    with pytest.raises(DataFileError, match=r"b\.jsonl was not searched to the end"):
        search.merge([journals[0], journals[2]])
    with pytest.raises(DataFileError, match="another journal has files of it, too"):
        search.merge([*journals, journals[1]])
    with pytest.raises(DataFileError, match="it was written with another order"):
        CorpusSearch(TESTS, answers=["w1 w2", *TESTS[1:]], rule="palm").merge(journals)
    with pytest.raises(DataFileError, match="it was written with another texts"):
        CorpusSearch(TESTS).run(corpus, journal=journals[0])


def test_evidence_names_what_was_found_and_where(corpus: list[Path]) -> None:
    result = CorpusSearch(TESTS).run(corpus)
    first, second = result.found
    assert (first.number, first.verdict, first.text.summary) == (1, "contaminated", "28 of 28 13-grams, in 1 record")
    (span,) = first.text.spans
    assert (span.begin, span.length, span.text) == (0, 40, TESTS[0])
    assert (Path(span.file).name, span.record, span.token, span.before, span.after) == ("b.jsonl", 5, 2, "x y", "z")
    assert (second.number, second.text.summary) == (2, "18 of 28 13-grams, in 1 record")
    assert json.loads(json.dumps(result.to_dict()))["texts"][0]["text"]["spans"][0]["record"] == 5
    outputs = [*TESTS[:2], *made(10, 9)]
    (effect,) = result.with_effects({"A": outputs}, TESTS, metrics=["bleu"], permutations=100).effects
    assert effect.value > effect.clean_value


def test_boilerplate_is_not_called_contamination(tmp_path: Path) -> None:
    """What the rule of GPT-3 flags: items with a phrase that many unrelated records have."""
    phrase = " ".join(made(1, 6, 13))
    others = [f"{before} {phrase} {after}" for before, after in zip(made(50, 7, 20), made(50, 8, 20), strict=True)]
    items = [f"{text} {phrase}" for text in made(20, 9)] + made(20, 10) + [phrase]
    leaked = items[20:25]
    (tmp_path / "corpus.txt").write_text("".join(f"{text}\n" for text in [*others, *leaked]))
    result = CorpusSearch(items).run(tmp_path / "corpus.txt")
    assert [item.number for item in result.texts if item.text.by_rule] == [*range(1, 26), 41]
    assert [item.number for item in result.texts if item.contaminated] == [*range(21, 26)]
    assert result.texts[0].text.summary == "1 of 41 13-grams, in 50 records"
    assert result.texts[40].verdict == "unclear"  # all of it is there, but everywhere
    few = CorpusSearch(items, rare=50).run(tmp_path / "corpus.txt")
    assert few.texts[0].verdict == "unclear"


def test_short_texts_and_answers_are_unclear_at_most(tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text("".join(f"{text}\n" for text in ["a question ? Paris", *["yes and no"] * 11]))
    search = CorpusSearch(["a question ?", "yes"], answers=["Paris", "no"])
    result = search.run(tmp_path / "corpus.txt")
    assert [(item.verdict, item.text.by_rule) for item in result.texts] == [("unclear", True), ("clean", True)]
    answer = result.texts[0].answer
    assert answer is not None
    assert (answer.verdict, answer.summary) == ("unclear", "all 1 tokens, in 1 record")
    with pytest.raises(LengthMismatchError):
        CorpusSearch(["a"], answers=[])


def test_planted_leaks_in_wmt22_are_all_found(tmp_path: Path) -> None:
    """References of the sample, some of them in a corpus of other outputs: found exactly as brute force finds them."""
    items, others = lines("ref-1"), lines("system-b")
    leaked = items[::3]
    mixed = [f"{before} {item} {after}" for before, item, after in zip(others, leaked, others[::-1], strict=False)]
    (tmp_path / "corpus.txt").write_text("".join(f"{text}\n" for text in [*others, *mixed]), encoding="utf-8")
    result = CorpusSearch(items, order=5, short="never").run(tmp_path / "corpus.txt")
    index = bp.NgramIndex.build([*others, *mixed])
    for item, text in zip(result.texts, items, strict=True):
        ((_, tokens),) = index.spans_of(column([text], "text"))
        counted = index.counts([tokens[at : at + 5] for at in range(len(tokens) - 4)])
        assert [begin for _, begin, _, _ in item.text.matches] == [at for at, count in enumerate(counted) if count]
        for span in item.text.spans:
            assert tokens[span.begin : span.begin + span.length] == span.text.split(" ")
            assert f" {span.text} " in f" {' '.join(index.words_at(span.record - 1, 0, 1000))} "
    long = {item.number for item in result.texts if item.text.ngrams}
    assert {item.number for item in result.texts if item.contaminated} >= long & {*range(1, 49, 3)}


KILLED = """
import os, signal, sys
from bleuprint.corpora import CorpusSearch, search as streaming
from bleuprint import files
streaming._BETWEEN_JOURNALS = 0
left = int(sys.argv[1])
def count(act):
    def work(*given, **options):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return act(*given, **options)
    return work
for owner, name in ((os, "fsync"), (os, "open"), (streaming, "text_blocks"), (files, "_put_in_place")):
    setattr(owner, name, count(getattr(owner, name)))
search = CorpusSearch(open(sys.argv[2]).read().splitlines())
search.run(sys.argv[3], journal=sys.argv[4], threads=1)
"""


def test_a_search_that_is_killed_goes_on(corpus: list[Path], tmp_path: Path) -> None:
    tests, journal = tmp_path / "tests.txt", tmp_path / "x.seen"
    tests.write_text("\n".join(TESTS))
    search = CorpusSearch(TESTS)
    whole, ended = search.run(corpus), 0
    for moment in range(1, 21):
        command = [sys.executable, "-c", KILLED, str(moment), str(tests), str(corpus[0].parent), str(journal)]
        code = subprocess.run(command, check=False).returncode
        assert code in (0, -signal.SIGKILL)
        ended += code == 0
        if moment == 12:
            assert search.run(str(corpus[0].parent), journal=journal) == whole
            journal.unlink()
    assert search.run(str(corpus[0].parent), journal=journal) == whole
    assert ended < 20
    left = {path.name for path in tmp_path.iterdir()} - {"corpus", "tests.txt", "x.seen"}
    assert all(name.endswith(".tmp") for name in left)


@pytest.mark.parametrize("blocks", [1, 4, 9])
@pytest.mark.parametrize("name", ["a.txt", "a.jsonl.zst"])
def test_a_search_goes_on_within_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, blocks: int
) -> None:
    """Records that were searched twice would be counted twice, and others would be missed."""
    texts, path, journal = [*made(200, 1), TESTS[0], *TESTS[:6], TESTS[0]], tmp_path / name, tmp_path / "x.seen"
    as_rows = "".join(json.dumps({"text": text}) + "\n" for text in texts).encode()
    path.write_bytes(zstandard.compress(as_rows) if name.endswith("zst") else "\n".join(texts).encode())
    search = CorpusSearch(TESTS)
    whole, left = search.run(path), blocks
    monkeypatch.setattr(dataset_lines, "BLOCK", 3000)
    monkeypatch.setattr(search_module, "_BETWEEN_JOURNALS", -1)

    def stop(_: int) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(path, journal=journal, threads=1, progress=stop)
    with pytest.raises(DataFileError, match=rf"{name} was not searched to the end; finish all parts first"):
        search.merge([journal])
    monkeypatch.setattr(dataset_lines, "BLOCK", 5000)  # so that the place to go on from is within a block
    assert search.run(path, journal=journal) == whole == search.merge([journal])
    assert whole.texts[0].text.matches[0][2] == 3
    (tmp_path / name).write_text("another text\n")
    with pytest.raises(DataFileError, match="it has changed since the journal was written"):
        search.run(path, journal=journal)


def test_done_files_are_not_read_again(corpus: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    search, journal = CorpusSearch(TESTS), tmp_path / "x.seen"
    bad = corpus[0].parent / "c.txt.gz"
    content = bad.read_bytes()
    bad.write_bytes(content[:-20])
    with pytest.raises(DataFileError, match=r"c\.txt\.gz: its gzip data ends too early; the file is truncated"):
        search.run(corpus, journal=journal, threads=1)
    bad.write_bytes(content)
    read: list[str] = []

    def text_blocks(path: str, **options: Any) -> Iterator[Column]:
        read.append(path)
        return stream.text_blocks(path, **options)

    monkeypatch.setattr(search_module, "text_blocks", text_blocks)
    result = search.run(corpus, journal=journal, threads=1)
    assert str(bad) in read
    assert str(corpus[0]) not in read
    assert result == search.run(corpus)
    corpus[0].write_text("another text\n")
    with pytest.raises(DataFileError, match=r"a\.txt: it has changed since the journal was written"):
        search.run(corpus, journal=journal)
    assert search.run(corpus, journal=journal, restart=True) == search.run(corpus)


def test_bad_files_are_named_in_one_line(corpus: list[Path], tmp_path: Path) -> None:
    search = CorpusSearch(TESTS)
    packed = corpus[3].read_bytes()
    for content, problem in (
        (packed[:-3], "truncated"),
        (packed[:40] + b"\0\xff" * 30 + packed[100:], r"d\.jsonl\.zst"),
    ):
        corpus[3].write_bytes(content)
        with pytest.raises(DataFileError, match=problem):
            search.run(corpus)
    corpus[3].write_bytes(packed)
    plain = corpus[0].read_bytes()
    corpus[0].write_bytes(plain[:200] + b"\xff" + plain[200:])
    with pytest.raises(DataFileError, match=r"a\.txt, line 2: byte \d+ \(0xFF\) is not valid UTF-8"):
        search.run(corpus)
    assert search.run(corpus, errors="replace").records == 200
    corpus[0].write_bytes(plain)
    with pytest.raises(DataFileError, match="no such file"):
        search.run([*corpus, tmp_path / "none.txt"])
    with pytest.raises(DataFileError, match="there are no such files"):
        search.run(str(tmp_path / "*.none"))
    with pytest.raises(OptionError, match="each once"):
        search.run([corpus[0], corpus[0]])
    with pytest.raises(OptionError, match="part must be"):
        search.run(corpus, part=(4, 3))
    journal = tmp_path / "x.seen"
    journal.write_text("something of mine")
    with pytest.raises(DataFileError, match="it is no journal of a search, or it is damaged"):
        search.run(corpus, journal=journal)
    assert journal.read_text() == "something of mine"
    journal.unlink()
    search.run(corpus, journal=journal)
    whole = journal.read_bytes()
    for at in range(0, len(whole), 97):
        journal.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(DataFileError):
            search.merge([journal])
    with pytest.raises(OptionError, match="journals must be"):
        search.merge([])


def test_a_full_disk_leaves_the_last_journal(
    corpus: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, journal = CorpusSearch(TESTS), tmp_path / "x.seen"
    search.run(corpus[:1], journal=journal)
    before = journal.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OutputError, match="No space left on device"):
            search.run(corpus[:2], journal=journal, restart=True)
    clean = search.run(corpus)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfile", lambda *_: full(0))
        with pytest.raises(OutputError, match="No space left on device"):
            write_clean(search, clean, tmp_path / "clean")
    assert journal.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "x.seen"]


def test_the_clean_copy_of_a_clean_corpus_is_the_same_bytes(corpus: list[Path], tmp_path: Path) -> None:
    search = CorpusSearch(made(10, 77))
    assert write_clean(search, search.run(corpus), tmp_path / "clean") == 0
    assert (tmp_path / "clean" / "manifest.jsonl").read_bytes() == b""
    for path in corpus:
        assert (tmp_path / "clean" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("cut", [False, True])
def test_a_clean_copy_lacks_what_was_found_and_nothing_else(corpus: list[Path], tmp_path: Path, cut: bool) -> None:
    search = CorpusSearch([*TESTS, corpus_text(str(corpus[2]), 3), corpus_text(str(corpus[3]), 7)])
    result = search.run(corpus)
    target = tmp_path / "clean"
    assert write_clean(search, result, target, cut=cut) == 4
    manifest = [json.loads(line) for line in (target / "manifest.jsonl").read_text().splitlines()]
    named = {(Path(entry["file"]).name, entry["record"], entry["action"]): entry["items"] for entry in manifest}
    part = "cut" if cut else "removed"
    assert named == {
        ("b.jsonl", 5, part): [1],
        ("c.txt.gz", 4, "removed"): [13],
        ("c.txt.gz", 8, "removed"): [2],
        ("d.jsonl.zst", 8, "removed"): [14],
    }
    assert (target / "a.txt").read_bytes() == corpus[0].read_bytes()
    before, after = corpus[1].read_text().splitlines(), (target / "b.jsonl").read_text().splitlines()
    assert after == (
        [*before[:8], json.dumps({"id": 4, "text": "x y z"}), *before[9:]] if cut else before[:8] + before[9:]
    )
    texts = gzip.decompress(corpus[2].read_bytes()).splitlines()
    assert gzip.decompress((target / "c.txt.gz").read_bytes()).splitlines() == [*texts[:3], *texts[4:7], *texts[8:]]
    assert rows_of(str(target / "d.jsonl.zst")) == [*rows_of(str(corpus[3]))[:7], *rows_of(str(corpus[3]))[8:]]
    again = search.run([target / path.name for path in corpus])
    assert again.verdicts["contaminated"] == again.by_rule == 0
    with pytest.raises(OutputError, match="already exists; pass another folder"):
        write_clean(search, result, target)
    (corpus[0]).write_text("shorter\n")
    with pytest.raises(DataFileError, match="not the one that was searched"):
        write_clean(search, result, tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("cut", [False, True])
def test_a_clean_copy_of_parquet(tmp_path: Path, cut: bool) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    texts = made(41, 1)
    texts[7], texts[9] = TESTS[0], f"x y {TESTS[1]} z"
    rows = {"id": list(range(41)), "content": texts, "url": ["u"] * 41}
    schema = arrow.schema([("id", arrow.int32()), ("content", arrow.large_string()), ("url", arrow.string())])
    schema = schema.with_metadata({"of": "mine"})
    (tmp_path / "corpus").mkdir()
    path, other = tmp_path / "corpus" / "a.parquet", tmp_path / "corpus" / "b.parquet"
    parquet.write_table(arrow.table(rows, schema=schema), path, compression="zstd", row_group_size=11)
    parquet.write_table(arrow.table({"content": made(9, 5)}), other)
    search = CorpusSearch(TESTS)
    result = search.run([path, other])
    assert write_clean(search, result, tmp_path / "clean", cut=cut) == 2
    copied = parquet.ParquetFile(tmp_path / "clean" / "a.parquet")
    assert copied.schema_arrow.equals(schema, check_metadata=True)
    assert copied.metadata.row_group(0).column(0).compression == "ZSTD"
    left = {at: text for at, text in enumerate(texts) if at not in (7, 9)} | ({9: "x y z"} if cut else {})
    read = copied.read()
    assert dict(zip(read["id"].to_pylist(), read["content"].to_pylist(), strict=True)) == left
    assert (tmp_path / "clean" / "b.parquet").read_bytes() == other.read_bytes()
    manifest = [json.loads(line) for line in (tmp_path / "clean" / "manifest.jsonl").read_text().splitlines()]
    assert [(entry["record"], entry["action"]) for entry in manifest] == [
        (8, "removed"),
        (10, "cut" if cut else "removed"),
    ]


@pytest.mark.parametrize("cut", [False, True])
def test_a_clean_copy_of_invalid_bytes(tmp_path: Path, cut: bool) -> None:
    path = tmp_path / "a.jsonl"
    found = json.dumps({"text": f"x {TESTS[0]} y"}).encode().replace(b" y", b" y\xff")
    path.write_bytes(b"\xef\xbb\xbf" + found + b"\n" + json.dumps({"text": "nothing"}).encode() + b"\n")
    search = CorpusSearch(TESTS)
    result = search.run(path, errors="replace")
    assert write_clean(search, result, tmp_path / "clean", cut=cut, errors="replace") == 1
    left = [json.loads(line)["text"] for line in (tmp_path / "clean" / "a.jsonl").read_text("utf-8").splitlines()]
    assert left == (["x y\ufffd", "nothing"] if cut else ["nothing"])


def test_a_copy_that_is_killed_is_made_again(corpus: list[Path], tmp_path: Path) -> None:
    tests, target, working = tmp_path / "tests.txt", tmp_path / "clean", tmp_path / "clean.writing"
    tests.write_text("\n".join(TESTS))
    script = KILLED.partition("for owner")[0] + (
        "import shutil; from bleuprint.corpora import write_clean\n"
        "shutil.copyfile = count(shutil.copyfile)\n"
        "search = CorpusSearch(open(sys.argv[2]).read().splitlines())\n"
        "write_clean(search, search.run(sys.argv[3]), sys.argv[4])\n"
    )
    command = [sys.executable, "-c", script, "2", str(tests), str(corpus[0].parent), str(target)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert (working / "a.txt").exists()
    assert not target.exists()
    search = CorpusSearch(TESTS)
    result = search.run(corpus)
    with building.lock_folder(working), pytest.raises(OutputError, match="another process is writing it"):
        write_clean(search, result, target)
    assert write_clean(search, result, target) == 2
    assert sorted(path.name for path in target.iterdir()) == [*(path.name for path in corpus), "manifest.jsonl"]
    assert not working.exists()
    shutil.rmtree(target)
    working.mkdir()
    (working / "mine.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"clean\.writing: it is no unfinished clean copy; move it away"):
        write_clean(search, result, target)
    assert (working / "mine.txt").read_text() == "mine"


def test_other_tables_have_no_clean_copy(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,n\nsome words,1\n")
    search = CorpusSearch(["some words"])
    result = search.run(tmp_path / "a.csv")
    assert result.by_rule == 1
    with pytest.raises(DataFileError, match=r"clean copies are made of text, \.jsonl and \.parquet files"):
        write_clean(search, result, tmp_path / "clean")


def test_memory_does_not_grow_with_the_corpus(tmp_path: Path) -> None:
    """A process that may allocate 60 MB more than at its start reads 60 MB of text, and a line of 20 MB."""
    resource = pytest.importorskip("resource")
    del resource
    with (tmp_path / "corpus.txt").open("w") as file:
        block = "".join(f"{text}\n" for text in made(4000, 1))
        for _ in range(70):
            file.write(block)
        file.write(block.replace("\n", " ") * 20 + "\n")
    script = (
        "import resource, sys; from pathlib import Path; from bleuprint.corpora import CorpusSearch\n"
        "search = CorpusSearch(Path(sys.argv[1]).read_text().splitlines()[:200]); search.run(sys.argv[2], threads=1)\n"
        "now = int(Path('/proc/self/status').read_text().partition('VmData:')[2].split()[0]) << 10\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (now + (160 << 20), now + (160 << 20)))\n"
        "print(search.run(sys.argv[3], threads=1).records)\n"
    )
    (tmp_path / "tests.txt").write_text("\n".join(made(200, 2)))
    (tmp_path / "small.txt").write_text("\n".join(made(200, 3)))
    arguments = [str(tmp_path / name) for name in ("tests.txt", "small.txt", "corpus.txt")]
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "280001"), done.stderr[-500:]


def test_errors_are_our_own() -> None:
    problems: list[Callable[[], object]] = [lambda: CorpusSearch(["a"], rare=-1), lambda: CorpusSearch(["a"], order=65)]
    for problem in problems:
        with pytest.raises(BleuprintError):
            problem()
    assert isinstance(CorpusSearch([]).run(__file__, column=None), Seen)
