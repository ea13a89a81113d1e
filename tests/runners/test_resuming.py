"""Runs that are killed, starved, spoilt and crowded: what they leave is whole, and what follows has the same bits."""

from __future__ import annotations

import json
import random
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bleuprint import WER, BERTScore
from bleuprint.errors import OptionError, OutputError
from bleuprint.metrics import NeuralPerplexity
from bleuprint.models.encoders import CallableEncoder
from bleuprint.runners import evaluate
from tests.support.encoders import bigram, encoder, framed, letters_model
from tests.support.processes import run_python

resource = pytest.importorskip("resource", reason="limits of this kind are POSIX's")

TEXTS = [f"{'abcdefgh'[place % 8]}{'hgfedcba'[place % 7]}{'abc' * (place % 3)}" for place in range(300)]
CHUNKS = 5  # of 64 segments


def run(store: Path, texts: list[str] = TEXTS, **options: Any) -> tuple[float, int]:
    """The score, and how many texts were computed for it."""
    seen: list[int] = []

    def counted(windows: Any) -> list[list[float]]:
        seen.append(len(windows))
        return bigram(windows)

    model = letters_model(**{"digest": "1", **options})
    model._function = counted
    result = evaluate(texts, texts, metrics=[NeuralPerplexity(model)], store=store)
    return result.systems[0].scores[0].value, sum(seen)


def expected(texts: list[str] = TEXTS) -> float:
    return NeuralPerplexity(letters_model()).corpus(texts).value


# Every point where a run talks to the disk or to its model, counted; the process kills itself at one of them.
_KILLED = """
import json, os, signal, sys
from pathlib import Path
from bleuprint import files as output
from tests.runners import test_resuming

folder, points = Path(sys.argv[1]), json.loads(sys.argv[2])
passed = 0

def watched(owner, name, kill_at):
    whole = getattr(owner, name)
    def call(*arguments, **options):
        global passed
        passed += 1
        if passed == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(*arguments, **options)
    setattr(owner, name, call)

ends = []
for number, point in enumerate(points):
    child = os.fork()
    if child == 0:
        for owner, name in ((os, "open"), (os, "fdopen"), (os, "fsync"), (os, "link"), (output.Path, "replace"),
                            (output.Path, "unlink"), (test_resuming, "bigram")):
            watched(owner, name, point)
        test_resuming.run(folder / str(number))
        os._exit(0)
    ends.append(os.waitpid(child, 0)[1])
print(json.dumps(ends))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows neither forks nor kills so")
def test_killed_at_any_point_and_resumed(tmp_path: Path) -> None:
    """kill -9 at twenty points, within the writing of a chunk among them."""
    points = [1, 2, 3, 4, 5, 6, 7, 8, *random.Random(20).sample(range(9, 30), 12)]
    ends = json.loads(run_python("-c", _KILLED, str(tmp_path), json.dumps(points)))
    assert ends.count(9) >= 18
    value = expected()
    for number in range(len(points)):
        store = tmp_path / str(number)
        kept = len(list(store.glob("[!.]*.npy"))) if store.exists() else 0
        found, computed = run(store)
        assert found == value
        sizes = [64] * 4 + [300 - 4 * 64]
        assert computed == sum(sizes[kept:]), "no finished chunk is lost or counted twice"
        assert run(store) == (value, 0)


SPOILT: dict[str, Callable[[list[Path]], object]] = {
    "bit flip": lambda files: files[1].write_bytes(_flipped(files[1].read_bytes(), 200)),
    "bit flip in the head": lambda files: files[1].write_bytes(_flipped(files[1].read_bytes(), 20)),
    "bit flip in the checksum": lambda files: files[1].write_bytes(_flipped(files[1].read_bytes(), -1)),
    "cut off": lambda files: files[1].write_bytes(files[1].read_bytes()[:-10]),
    "empty": lambda files: files[1].write_bytes(b""),
    "longer": lambda files: files[1].write_bytes(files[1].read_bytes() + b"\0" * 16),
    "another chunk": lambda files: files[1].write_bytes(files[0].read_bytes()),
    "pickle": lambda files: files[1].write_bytes(b"\x80\x04\x8c\x02os\x94\x8c\x06system\x94\x93\x94."),
}


def _flipped(content: bytes, at: int) -> bytes:
    changed = bytearray(content)
    changed[at] ^= 1
    return bytes(changed)


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_chunk_is_computed_again(name: str, tmp_path: Path) -> None:
    run(tmp_path)
    largest = max(path.stat().st_size for path in tmp_path.iterdir())
    files = sorted(path for path in tmp_path.iterdir() if path.stat().st_size == largest)
    assert len(files) == CHUNKS - 1, "the last chunk is shorter"
    SPOILT[name](files)
    assert run(tmp_path) == (expected(), 64)


def test_a_changed_input_is_computed_again(tmp_path: Path) -> None:
    run(tmp_path)
    changed = [*TEXTS]
    changed[70] = "hhh"
    assert run(tmp_path, changed) == (expected(changed), 64)
    assert run(tmp_path) == (expected(), 0), "what was there before still is"


def test_another_model_is_another_run(tmp_path: Path) -> None:
    run(tmp_path)
    assert run(tmp_path, digest="another")[1] == 300


def test_two_runs_with_one_store(tmp_path: Path) -> None:
    found: list[float] = []
    runs = [threading.Thread(target=lambda: found.append(run(tmp_path)[0])) for _ in range(2)]
    for thread in runs:
        thread.start()
    for thread in runs:
        thread.join()
    assert found == [expected()] * 2
    assert len(list(tmp_path.iterdir())) == CHUNKS


class Disk:
    """A disk on which no file grows beyond some bytes, for a while."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __enter__(self) -> None:
        self.before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.size, self.before[1]))

    def __exit__(self, *error: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self.before)


def test_a_full_disk_is_said_and_leaves_whole_chunks(tmp_path: Path) -> None:
    with Disk(1000), pytest.raises(OutputError, match="File too large") as caught:
        run(tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert list(tmp_path.iterdir()) == [], "not even the beginning of a file"
    assert run(tmp_path) == (expected(), 300)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_bytes(b"old")
    result = evaluate(TEXTS, TEXTS)
    with Disk(1000), pytest.raises(OutputError, match=r"out\.json: File too large"):
        result.write_json(path, overwrite=True)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_rows_of_a_function_are_stored_only_with_a_version(tmp_path: Path) -> None:
    """Else a changed function would find the rows of the old one."""
    metrics: list[Any] = [BERTScore(framed), BERTScore(encoder()), NeuralPerplexity(letters_model())]
    for metric in metrics:
        with pytest.raises(OptionError, match=r"^cannot store rows of .* pass digest=… to Callable"):
            evaluate(["ab"], ["ba"], metrics=["bleu", metric], store=tmp_path / "store")
        assert not (tmp_path / "store").exists()

    def scored(function: Any, digest: str) -> float:
        metric = BERTScore(CallableEncoder(function, name="letters", digest=digest))
        return evaluate(["abc"], ["cde"], metrics=[metric], store=tmp_path / "store").systems[0].scores[0].value

    def moved(texts: list[str]) -> list[tuple[list[str], Any]]:
        return [(tokens, vectors + 0.5) for tokens, vectors in framed(texts)]

    assert scored(framed, "1") == scored(framed, "1") != scored(moved, "2")


def test_rows_of_a_custom_tokenizer_are_not_stored(tmp_path: Path) -> None:
    class Slow(WER):
        slow = True

    with pytest.raises(OptionError, match=r"^cannot store rows of .* use a tokenizer with a name instead of custom"):
        evaluate(["a"], ["a"], metrics=[Slow(tokenizer=str.split)], store=tmp_path)
