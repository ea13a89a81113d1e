"""Files scored as a stream, against the same texts ready in memory."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import bleuprint
from bench.data import Corpus
from bench.harness import Contestant, Run, compared, largest_difference, peak_memory, peer, peer_installed, race
from bench.results import Goal, Row, Section
from bleuprint.dataset import FileStream
from bleuprint.runners.streaming import score_stream

COPIES = 4
MOST_MEMORY = 100  # megabytes, whatever the size of the files
HALF_THE_SPEED = Goal(at_most=2)
Scores = Iterable[float]
Lines = tuple[list[str], list[str]]
Write = Callable[[Path, Lines], Callable[[], FileStream]]


def sections(run: Run) -> Iterator[Section]:
    copies = 1 if run.quick else COPIES
    corpus = Corpus(run.large.source, run.large.hypotheses * copies, run.large.references * copies)
    size = f"{len(corpus):,} segments, {corpus.text_bytes / 2**20:.0f} MB"
    yield Section(
        f"Corpus BLEU of files, {size}, 13a, one thread, CPU time",
        "µs/segment",
        race(field, corpus, run),
        ["The first row has its texts in lists before the clock starts; the others read, unpack and check them."],
        rate="segment",
    )
    names = [contestant.name for contestant in memory_field(corpus.head(1))]
    rows = compared([Row(name, raw) for name, raw in peak_memory("files", names, corpus, run).items()])
    for row in rows:
        row.goal = Goal(at_most=MOST_MEMORY, of="value")
    yield Section(f"Peak extra memory of a stream, {size}, a process each", "MB", rows)


def field(corpus: Corpus) -> list[Contestant[Scores]]:
    def in_memory(mark: int) -> Callable[[], Scores]:
        lines = corpus.fresh(mark)
        return lambda: [bleuprint.corpus_bleu(*lines, threads=1).value]

    return [Contestant("lists in memory", len(corpus), in_memory), *memory_field(corpus)]


def memory_field(corpus: Corpus) -> list[Contestant[Scores]]:
    writers: dict[str, Write] = {"text files": text, "text files, gzip": gzipped}
    if peer_installed("zstandard"):
        writers["text files, zstd"] = zstandardized
    writers |= {"jsonl": jsonl, "csv": delimited}
    if peer_installed("pyarrow"):
        writers["parquet"] = parquet
    return [entry(name, corpus, write) for name, write in writers.items()]


def entry(name: str, corpus: Corpus, write: Write) -> Contestant[Scores]:
    def prepare(mark: int) -> Callable[[], Scores]:
        folder = TemporaryDirectory()
        opened = write(Path(folder.name), corpus.fresh(mark))

        def job() -> Scores:
            with folder, opened() as stream:
                (scores,) = score_stream(stream, {"bleu": bleuprint.BLEU()}, threads=1).values()
                return [scores["bleu"].value]

        return job

    def difference(mark: int, scores: Scores) -> float:
        return largest_difference(scores, [bleuprint.corpus_bleu(*corpus.fresh(mark), threads=1).value])

    goal = HALF_THE_SPEED if name == "text files" else None
    return Contestant(name, len(corpus), prepare, difference, tolerance=0.0, goal=goal)


def text(
    folder: Path, lines: Lines, ending: str = "", pack: Callable[[bytes], bytes] = bytes
) -> Callable[[], FileStream]:
    paths = [folder / f"{name}.txt{ending}" for name in ("hypotheses", "references")]
    for path, texts in zip(paths, lines, strict=True):
        path.write_bytes(pack("".join(f"{line}\n" for line in texts).encode()))
    return lambda: FileStream({"system": paths[0]}, paths[1:])


def gzipped(folder: Path, lines: Lines) -> Callable[[], FileStream]:
    return text(folder, lines, ".gz", lambda content: gzip.compress(content, 6))


def zstandardized(folder: Path, lines: Lines) -> Callable[[], FileStream]:
    module = peer("zstandard")
    assert module is not None
    return text(folder, lines, ".zst", module.ZstdCompressor().compress)


def jsonl(folder: Path, lines: Lines) -> Callable[[], FileStream]:
    path = folder / "data.jsonl"
    with path.open("w", encoding="utf-8", newline="") as file:
        for hypothesis, reference in zip(*lines, strict=True):
            file.write(json.dumps({"hypothesis": hypothesis, "reference": reference}, ensure_ascii=False) + "\n")
    return lambda: FileStream(path)


def delimited(folder: Path, lines: Lines) -> Callable[[], FileStream]:
    path = folder / "data.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["hypothesis", "reference"])
        writer.writerows(zip(*lines, strict=True))
    return lambda: FileStream(path)


def parquet(folder: Path, lines: Lines) -> Callable[[], FileStream]:
    pyarrow, module = peer("pyarrow"), peer("pyarrow.parquet")
    assert pyarrow is not None
    assert module is not None
    path = folder / "data.parquet"
    table = pyarrow.table({"hypothesis": lines[0], "reference": lines[1]})
    module.write_table(table, path, compression="zstd", row_group_size=100_000)
    return lambda: FileStream(path)
