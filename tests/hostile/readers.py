"""Cases of readers: models, results, tables and word lists that lie about what they are."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path

import zstandard

from bleuprint import METEOR, LanguageModel, corpus_bleu
from bleuprint.dataset import Dataset
from bleuprint.errors import BleuprintError, DataFileError, ModelFileError, OptionError, ResultError
from bleuprint.results import Result
from bleuprint.runners import evaluate
from tests.hostile.case import Case, Clear, Right
from tests.hostile.commands import Folder, inside
from tests.support.data_files import delimited, jsonl, parquet

ROWS = [{"prediction": f"the cat sat {number}", "target": "the cat sat"} for number in range(40)]
TEXTS = ["the cat sat on the mat", "the dog sat on the log", "a cat saw the dog"]


@cache
def model() -> LanguageModel:
    return LanguageModel.train(TEXTS, order=3, discount_fallback=True)


def reading(name: str, content: Callable[[], bytes], read: Callable[[Path], object]) -> Callable[[], object]:
    """What is read from a file of these bytes."""
    return inside(lambda folder: read(folder.path / folder.file(name, content())))


def loaded(name: str, content: Callable[[], bytes]) -> Callable[[], object]:
    """The perplexity under a model of these bytes."""
    return reading(name, content, lambda path: LanguageModel.load(path).perplexity("the cat sat"))


def refused_model(name: str, content: Callable[[], bytes], *says: str, file: str = "model.arpa") -> Case:
    return Case(f"model/{name}", loaded(file, content), Clear(ModelFileError, (file, *says)))


def arpa() -> bytes:
    return model().to_arpa()


def swapped(before: bytes, after: bytes) -> Callable[[], bytes]:
    def content() -> bytes:
        assert before in arpa()
        return arpa().replace(before, after, 1)

    return content


def flipped(at: float) -> Callable[[], bytes]:
    def content() -> bytes:
        packed = bytearray(model().to_bytes())
        packed[int(at * (len(packed) - 1))] ^= 0x20
        return bytes(packed)

    return content


def expected_perplexity() -> float:
    return model().perplexity("the cat sat")


MODELS = [
    Case("model/arpa", loaded("model.arpa", arpa), Right(expected_perplexity)),
    Case("model/arpa-gz", loaded("model.arpa", lambda: gzip.compress(arpa())), Right(expected_perplexity)),
    Case("model/crlf", loaded("model.arpa", lambda: arpa().replace(b"\n", b"\r\n")), Right(expected_perplexity)),
    Case("model/binary", loaded("m.blm", lambda: model().to_bytes()), Right(expected_perplexity)),
    refused_model("empty", lambda: b""),
    refused_model("text", lambda: b"just some words\n" * 10, "\\data\\"),
    refused_model("cut-off", lambda: arpa()[:-40]),
    refused_model("gzip-cut-off", lambda: gzip.compress(arpa())[:-20], "decompressed"),
    refused_model("count-too-large", swapped(b"ngram 1=", b"ngram 1=9")),
    refused_model("count-of-2-to-the-63", swapped(b"ngram 1=", b"ngram 1=922337203685477580")),
    refused_model("probability-above-one", swapped(b"\n-0", b"\n0"), "line"),
    refused_model("not-a-number", swapped(b"\n-0", b"\n-nan0"), "line"),
    refused_model("no-utf8", swapped(b"\tcat", b"\t\xff\xfeat"), "line"),
    refused_model("nul-inside", swapped(b"ngram 2=", b"ngram\x002="), "line"),
    refused_model("bomb", lambda: gzip.compress(b"\0" * (200 << 20), 9)),
    refused_model("kenlm-binary", lambda: b"mmap lm http://kheafield.com/code format version 5\n\0", "ARPA"),
    refused_model("pickle", lambda: b"\x80\x04\x95\x10\0\0\0\0\0\0\0\x8c\x02os\x94\x8c\x06system\x94\x93\x94."),
    *(refused_model(f"bit-flip-{at:.0%}", flipped(at), file="m.blm") for at in (0.1, 0.5, 0.9, 1.0)),
    refused_model("binary-cut-off", lambda: model().to_bytes()[:-7], file="m.blm"),
    refused_model("binary-longer", lambda: model().to_bytes() + b"\0" * 7, file="m.blm"),
    refused_model(
        "lengths-of-2-to-the-64", lambda: model().to_bytes()[:16] + struct.pack("<4Q", *[2**64 - 1] * 4), file="m.blm"
    ),
]


def read_rows(name: str, content: Callable[[], bytes]) -> Callable[[], object]:
    def columns(path: Path) -> list[int]:
        dataset = Dataset.from_file(path)
        return list(corpus_bleu(dataset.hypotheses, dataset.references).columns)

    return reading(name, content, columns)


def expected_rows() -> list[int]:
    return list(corpus_bleu([row["prediction"] for row in ROWS], [row["target"] for row in ROWS]).columns)


def good_table(file: str, content: Callable[[], bytes]) -> Case:
    return Case(f"table/{file}", read_rows(file, content), Right(expected_rows))


def bad_table(label: str, file: str, content: Callable[[], bytes], *says: str) -> Case:
    return Case(f"table/{label}", read_rows(file, content), Clear(DataFileError, (file, *says)))


TABLES = [
    good_table("a.jsonl", lambda: jsonl(ROWS)),
    good_table("a.csv", lambda: delimited(ROWS)),
    good_table("a.tsv", lambda: delimited(ROWS, "\t")),
    good_table("a.parquet", lambda: parquet(ROWS)),
    good_table("a.jsonl.gz", lambda: gzip.compress(jsonl(ROWS))),
    good_table("a.csv.zst", lambda: zstandard.compress(delimited(ROWS))),
    good_table("bom.csv", lambda: b"\xef\xbb\xbf" + delimited(ROWS)),
    bad_table("csv-called-parquet", "a.parquet", lambda: delimited(ROWS)),
    bad_table("parquet-called-csv", "a.csv", lambda: parquet(ROWS)),
    bad_table("parquet-cut-off", "a.parquet", lambda: parquet(ROWS)[:-20]),
    bad_table("parquet-of-noise", "a.parquet", lambda: b"PAR1" + bytes(range(256)) * 4 + b"\x10\0\0\0PAR1"),
    bad_table("jsonl-cut-off", "a.jsonl", lambda: jsonl(ROWS)[:-9], "line 40"),
    bad_table("jsonl-array", "a.jsonl", lambda: json.dumps(ROWS).encode(), "line 1", "array"),
    bad_table("jsonl-deep", "a.jsonl", lambda: b"[" * 200_000 + b"]" * 200_000 + b"\n", "line 1"),
    bad_table("jsonl-surrogate", "a.jsonl", lambda: b'{"prediction": "\\ud800", "target": "a"}\n', "line 1"),
    bad_table("jsonl-utf16", "a.jsonl", lambda: jsonl(ROWS).decode().encode("utf-16"), "UTF-16"),
    bad_table("csv-unclosed-quote", "a.csv", lambda: b'prediction,target\n"a,b\nc,d\n'),
    bad_table("csv-short-row", "a.csv", lambda: b"prediction,target\na,b\nc\n", "line 3"),
    bad_table("csv-twice-the-column", "a.csv", lambda: b"prediction,prediction,target\na,b,c\n", "prediction"),
    bad_table("gzip-cut-off", "a.csv.gz", lambda: gzip.compress(delimited(ROWS))[:-9], "ends too early"),
    bad_table("zstd-cut-off", "a.csv.zst", lambda: zstandard.compress(delimited(ROWS))[:-9], "ends too early"),
    bad_table("zstd-of-noise", "a.csv.zst", lambda: b"\x28\xb5\x2f\xfd" + bytes(range(200))),
    bad_table("empty", "a.csv", lambda: b"", "empty"),
    bad_table("only-a-head", "a.csv", lambda: b"prediction,target\n"),
]


@cache
def stored_fields() -> str:
    return evaluate({"one": ["a b c", "d"], "two": ["a b", "d e"]}, ["a b c", "d f"]).to_json()


def result_of(content: Callable[[], bytes]) -> Callable[[], object]:
    return reading("out.json", content, lambda path: Result.read_json(path).to_json() == stored_fields())


def changed(path: str, value: object) -> Callable[[], bytes]:
    def content() -> bytes:
        fields = json.loads(stored_fields())
        *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        place = fields
        for step in way:
            place = place[step]
        place[last] = value
        return json.dumps(fields).encode()

    return content


def bad_result(name: str, content: Callable[[], bytes], *says: str) -> Case:
    return Case(f"result/{name}", result_of(content), Clear(ResultError, ("out.json", *says)))


RESULTS = [
    Case("result/whole", result_of(lambda: stored_fields().encode()), Right(lambda: True)),
    bad_result("empty", lambda: b"", "not valid JSON"),
    bad_result("cut-off", lambda: stored_fields().encode()[:-30], "not valid JSON"),
    bad_result("deep", lambda: b"[" * 100_000, "not valid JSON"),
    bad_result("no-utf8", lambda: b'{"a": "\xff"}'),
    bad_result("other-json", lambda: b'{"a": 1}', "schema_version"),
    bad_result("array", lambda: b"[]"),
    bad_result("other-version", changed("schema_version", 99), "schema version"),
    bad_result("text-for-number", changed("systems.0.scores.0.value", "0.5"), "value"),
    bad_result("changed-text", changed("systems.0.hypotheses.0", "a b d"), "digest"),
    bad_result("fewer-segments", changed("systems.0.scores.0.segments", [0.5]), "differ in length"),
    bad_result("null-systems", changed("systems", None), "systems"),
    bad_result("surrogate-name", changed("systems.0.name", "\ud800"), "surrogate"),
    bad_result("size", changed("size", 10**9), "differ in length"),
]


def wordnet(change: Callable[[Path], object]) -> Callable[[], object]:
    def work(folder: Folder) -> object:
        for part in ("noun", "verb", "adj", "adv"):
            for name in (f"index.{part}", f"data.{part}", f"{part}.exc"):
                folder.file(name, b"")
        change(folder.path)
        return METEOR(wordnet=str(folder.path)).corpus(["a b c"], ["a b d"]).value > 0

    return inside(work)


def bad_wordnet(name: str, change: Callable[[Path], object], *says: str) -> Case:
    return Case(f"wordnet/{name}", wordnet(change), Clear((DataFileError, OptionError), says))


WORDNETS = [
    Case("wordnet/empty", wordnet(lambda folder: None), Right(lambda: True)),
    bad_wordnet("missing-file", lambda folder: (folder / "data.verb").unlink(), "data.verb"),
    bad_wordnet("noise", lambda folder: (folder / "index.noun").write_bytes(bytes(range(256))), "index.noun"),
    bad_wordnet("cut-off", lambda folder: (folder / "index.noun").write_text("cat n 1 0"), "index.noun", "line 1"),
    bad_wordnet("wrong-part", lambda folder: (folder / "index.noun").write_text("cat v 1 0 1 0 5\n"), "index.noun"),
    bad_wordnet(
        "lost-synset", lambda folder: (folder / "index.noun").write_text("cat n 1 0 1 0 5\n"), "data.noun", "5"
    ),
    bad_wordnet("huge-counts", lambda folder: (folder / "data.noun").write_text("1 05 n ffffff a 0\n"), "data.noun"),
    Case("wordnet/no-folder", lambda: METEOR(wordnet="no/such/folder"), Clear(OptionError, ("wordnet",))),
]


def replayed(signature: str) -> Callable[[], object]:
    from bleuprint.metrics import from_signature

    return lambda: from_signature(signature)


SIGNATURES = [
    Case(f"signature/{name}", replayed(text), Clear(BleuprintError, ()))
    for name, text in {
        "empty": "",
        "noise": "\0\x1b[31m|||",
        "unknown-metric": "banana.1|a:b",
        "huge-order": "bleu.1|max_order:999999999999999999999",
        "code": "bleu.1|tokenizer:__import__('os').system('true')",
        "path": "bleu.1|tokenizer:../../etc/passwd",
        "long": "bleu.1|" + "a:b|" * 100_000,
        "other-version": "bleu.99|max_order:4",
    }.items()
]


GROUPS: dict[str, list[Case]] = {
    "language models": MODELS,
    "tables": TABLES,
    "results": RESULTS,
    "WordNet": WORDNETS,
    "signatures": SIGNATURES,
}
