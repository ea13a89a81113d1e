"""A stream gives the number that all segments at once give, and takes no more memory for more of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.core import counts
from bleuprint.core.columns import Corpus
from bleuprint.dataset import FileStream, Segments
from bleuprint.dataset import lines as lines_module
from bleuprint.errors import MissingSourcesError, NotTextError, OptionError
from bleuprint.metrics.base.metric import Metric
from bleuprint.runners.streaming import score_stream
from tests.support.cli import SAMPLE, SYSTEMS, lines, references, sample
from tests.support.data_files import jsonl
from tests.support.effort import MANY
from tests.support.processes import run_python
from tests.support.tables import TABLE

METRICS: dict[str, Metric[Any]] = {
    **{name: metric() for name, metric in TABLE.items()},
    "last segment": bp.BLEU(profile="nltk", smoothing="method5"),
    "plug-in": bp.BLEU(tokenizer=str.split, lowercase=True),
}


def sample_stream() -> FileStream:
    paths = {name: sample(name) for name in SYSTEMS}
    return FileStream(paths, [sample("ref-1"), sample("ref-2")], sample("source"))


@pytest.mark.parametrize("block", [1 << 22, 700])
def test_a_stream_equals_all_at_once(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(lines_module, "BLOCK", block)
    before = {name: metric.signature for name, metric in METRICS.items()}
    with sample_stream() as stream:
        found = score_stream(stream, METRICS, threads=2)
    sources = lines("source")
    for system in SYSTEMS:
        for name, metric in METRICS.items():
            given = sources if metric.needs_sources else None
            whole = metric.corpus(lines(system), references(), sources=given)
            score = found[system][name]
            assert (score.value, score.parts, score.signature) == (whole.value, whole.parts, whole.signature), name
    assert {name: metric.signature for name, metric in METRICS.items()} == before
    assert METRICS["bleu"].state() == bp.BLEU().state()


def test_blocks_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "BLOCK", 300)
    with sample_stream() as stream:
        blocks = list(stream.blocks())
        size = stream.size
    assert len(blocks) > 5
    assert stream.segments == sum(map(len, blocks)) == 48
    assert sum(block.bytes_read for block in blocks) <= (size or 0)
    assert size == sum((SAMPLE / f"{name}.txt").stat().st_size for name in (*SYSTEMS, "ref-1", "ref-2", "source"))
    with sample_stream() as stream:
        whole: list[tuple[str, ...]] = [*references()]
        assert stream.read() == Segments({name: lines(name) for name in SYSTEMS}, whole, lines("source"))


def test_a_table_of_systems_equals_files(tmp_path: Path) -> None:
    rows = [
        {"a": first, "b": second, "ref": list(pair)}
        for first, second, pair in zip(lines("system-a"), lines("system-b"), references(), strict=True)
    ]
    path = tmp_path / "table.jsonl"
    path.write_bytes(jsonl(rows))
    with FileStream(path, columns={"hypothesis": ["a", "b"]}) as stream:
        found = score_stream(stream, {"bleu": bp.BLEU()})
    assert found["b"]["bleu"].value == bp.corpus_bleu(lines("system-b"), references()).value
    # References from one file, hypotheses from another.
    with FileStream({"x": sample("system-a")}, [path]) as stream:
        assert score_stream(stream, {"bleu": bp.BLEU()})["x"]["bleu"].value == found["a"]["bleu"].value
    with FileStream({"x": path, "y": path}, [path], columns={"hypothesis": "a", "reference": "ref"}) as stream:
        assert stream.systems == ["x", "y"]
        assert score_stream(stream, {"bleu": bp.BLEU()})["y"]["bleu"].value == found["a"]["bleu"].value


def test_progress_is_told_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "BLOCK", 300)
    told: list[int] = []
    with sample_stream() as stream:
        score_stream(stream, {"bleu": bp.BLEU()}, advance=told.append)
        assert sum(told) == stream.size
    assert len(told) > 5


def test_what_is_refused() -> None:
    with sample_stream() as stream, pytest.raises(OptionError, match="at least one metric"):
        score_stream(stream, {})
    with (
        FileStream({"a": sample("system-a")}, [sample("ref-1")]) as stream,
        pytest.raises(MissingSourcesError, match="ibleu"),
    ):
        score_stream(stream, {"ibleu": bp.IBLEU()})


def test_columns_are_texts_for_every_metric() -> None:
    column = counts.line_column(b"the cat sat on the mat\na dog\n")
    both = counts.columns_side_by_side([column, counts.line_column(b"x\ny\n")])
    metric = bp.BLEU()
    assert metric.corpus(column, both).value == 1.0
    assert metric.sentences(column, column).tolist() == [1.0, 1.0]
    assert metric.corpus(column, ["the cat sat on the mat", "a dog"]).value == 1.0
    with pytest.raises(NotTextError, match="a column with one text per segment"):
        metric.corpus(both, column)
    assert Corpus.of(column, both).references is both


MEMORY = """
import json, re, sys
from pathlib import Path
from bleuprint import BLEU
from bleuprint.dataset import FileStream
from bleuprint.runners.streaming import score_stream

paths = json.loads(sys.argv[1])
with FileStream({"a": paths[0]}, paths[1:]) as stream:
    score = score_stream(stream, {"bleu": BLEU()}, threads=2)["a"]["bleu"]
peak = int(re.search(r"VmHWM:\\s*([0-9]+)", Path("/proc/self/status").read_text())[1])
print(json.dumps([score.value, stream.segments, peak]))
"""
LIMIT = 200 * 1024  # kilobytes, for 300 MB of text


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is read from Linux's /proc")
def test_memory_does_not_grow_with_the_files(tmp_path: Path) -> None:
    hypotheses, translations = tmp_path / "hyp.txt", tmp_path / "ref.txt"
    texts = {hypotheses: "system-a", translations: "ref-1"}
    repeats = (150_000_000 if MANY else 50_000_000) // (SAMPLE / "ref-1.txt").stat().st_size
    for path, name in texts.items():
        content = (SAMPLE / f"{name}.txt").read_bytes() * 1000
        with path.open("wb") as file:
            for _ in range(repeats // 1000):
                file.write(content)
    arguments = json.dumps([str(hypotheses), str(translations)])
    value, segments, peak = json.loads(run_python("-c", MEMORY, arguments))
    assert segments == 48 * 1000 * (repeats // 1000)
    assert value == bp.corpus_bleu(lines("system-a"), lines("ref-1")).value
    assert peak < LIMIT
