"""Index builds that are killed, starved and crowded: what they leave is whole, and what follows has the same bytes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from bleuprint import checks
from bleuprint.corpora import build_index, building
from bleuprint.errors import DataFileError, OutputError
from bleuprint.models.ngram_index import NgramIndex

resource = pytest.importorskip("resource", reason="limits of this kind are POSIX's")

LIMITED = """
import resource, sys
from pathlib import Path
from bleuprint.corpora import build_index
source, target, memory, extra = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
now = int(Path("/proc/self/status").read_text().partition("VmData:")[2].split()[0]) << 10
resource.setrlimit(resource.RLIMIT_DATA, (now + extra, now + extra))
try:
    build_index(source, target, memory=memory, threads=1)
except MemoryError:
    sys.exit(4)
"""
WORDS = [f"word{number}" for number in range(300)]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files that are indexed in many parts, merged in two rounds."""
    source = random.Random(1)
    for name in ("a.txt", "b.txt"):
        lines = (" ".join(source.choice(WORDS) for _ in range(12)) for _ in range(150))
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.setattr("bleuprint.dataset.lines.BLOCK", 2000)
    monkeypatch.setattr(building, "_MOST_MERGED", 4)
    monkeypatch.setattr(building, "_LARGEST_PART", 70_000)
    return tmp_path


def built(folder: Path, name: str = "out.bpi") -> NgramIndex:
    return build_index([folder / "a.txt", folder / "b.txt"], folder / name, max_order=5, threads=1)


def forked(work: Callable[[], object]) -> int:
    """How a child ends that does the work: 0, the number of an error it names, or minus the signal that killed it."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            work()
            code = 0
        except OutputError as error:
            code = 3 if "too large" in str(error) else 98
        except MemoryError:
            code = 4
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def at_point(number: int, points: list[int], act: Callable[[], object]) -> Callable[..., Any]:
    """A patch of functions that act at the n-th call of any of them."""

    def patched(owner: Any, name: str) -> None:
        whole = getattr(owner, name)

        def call(*arguments: Any, **options: Any) -> Any:
            points[0] += 1
            if points[0] == number:
                act()
            done = whole(*arguments, **options)
            points[0] += 1
            if points[0] == number:
                act()
            return done

        setattr(owner, name, call)

    return patched


def kill() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def build_to(folder: Path, number: int) -> int:
    """Build, and be killed before or after the n-th time that the disk is written to; returns how often it was."""
    points = [0]
    patch = at_point(number, points, kill)
    for owner, name in ((os, "fsync"), (os, "link"), (Path, "unlink"), (building, "text_blocks"), (os, "open")):
        patch(owner, name)
    built(folder)
    return points[0]


@pytest.mark.parametrize("kills", [20, pytest.param(150, marks=pytest.mark.slow)])
def test_a_build_that_is_killed_goes_on(corpus: Path, kills: int) -> None:
    built(corpus, "whole.bpi")
    expected = (corpus / "whole.bpi").read_bytes()
    read, write = os.pipe()
    assert forked(lambda: os.write(write, str(build_to(corpus, -1)).encode())) == 0
    points = int(os.read(read, 20))
    os.close(read)
    os.close(write)
    assert points > 100
    (corpus / "out.bpi").unlink()
    for number in random.Random(2).sample(range(1, points + 1), kills):
        assert forked(lambda number=number: build_to(corpus, number)) == -signal.SIGKILL  # type: ignore[misc]
        if (corpus / "out.bpi").exists():  # killed when only the folder was left to remove
            assert (corpus / "out.bpi").read_bytes() == expected
            (corpus / "out.bpi").unlink()
        index = built(corpus)
        index.verify()
        assert (corpus / "out.bpi").read_bytes() == expected
        assert not (corpus / "out.bpi.building").exists()
        (corpus / "out.bpi").unlink()


@pytest.mark.parametrize("kilobytes", [0, 1, 4, 8, 12])
def test_a_full_disk_leaves_only_whole_parts(corpus: Path, kilobytes: int) -> None:
    """Files may not grow beyond a limit, as on a disk that is full."""

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes << 10, kilobytes << 10))
        built(corpus)

    built(corpus, "whole.bpi")
    assert forked(limited) == 3
    assert not (corpus / "out.bpi").exists()
    folder = corpus / "out.bpi.building"
    left = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    assert not [name for name in left if name.endswith(".tmp")]
    for name in (name for name in left if name.endswith(".part")):
        NgramIndex.open(folder / name).verify()
    built(corpus)
    assert (corpus / "out.bpi").read_bytes() == (corpus / "whole.bpi").read_bytes()


def test_one_build_at_a_time(corpus: Path) -> None:
    folder = corpus / "out.bpi.building"
    folder.mkdir()
    with building.lock_folder(folder), pytest.raises(OutputError, match="another process is writing it"):
        built(corpus)
    built(corpus)


def test_inputs_that_changed_are_not_resumed(corpus: Path) -> None:
    assert forked(lambda: build_to(corpus, 40)) == -signal.SIGKILL
    parts = sorted((corpus / "out.bpi.building").glob("*.part"))
    assert parts
    with (corpus / "a.txt").open("a") as file:
        file.write("one more line\n")
    with pytest.raises(OutputError, match="--restart"):
        built(corpus)
    assert sorted((corpus / "out.bpi.building").glob("*.part")) == parts
    build_index([corpus / "a.txt", corpus / "b.txt"], corpus / "out.bpi", restart=True)


@pytest.mark.parametrize("name", ["column", "errors", "tokenizer"])
def test_a_build_is_not_resumed_with_another_reading(corpus: Path, name: str) -> None:
    """What was read by one column, treatment of bad bytes or function is never mixed with what another reads."""
    source = random.Random(4)
    lines = ({"text": source.choice(WORDS), "other": "never", "n": number} for number in range(3000))
    (corpus / "a.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    first, second = {
        "column": ("text", "other"),
        "errors": ("strict", "replace"),
        "tokenizer": (lambda text: text.split(), lambda text: list(text)),
    }[name]

    def build(value: Any, **options: Any) -> NgramIndex:
        return build_index(corpus / "a.jsonl", corpus / "out.bpi", threads=1, **{name: value}, **options)

    def killed() -> None:
        at_point(30, [0], kill)(os, "fsync")
        build(first)

    assert forked(killed) == -signal.SIGKILL
    parts = sorted((corpus / "out.bpi.building").glob("*.part"))
    assert parts
    with pytest.raises(OutputError, match="other texts or options"):
        build(second)
    assert sorted((corpus / "out.bpi.building").glob("*.part")) == parts
    assert build(second, restart=True).texts == 3000


class TestAFolderOfSomebodyElse:
    """`index build -o X` uses X.building: what stands there and was not made by a build is neither read nor removed."""

    @pytest.mark.parametrize("restart", [False, True])
    @pytest.mark.parametrize(
        "names",
        [
            ("precious.txt",),
            ("lock", "precious.txt"),
            ("journal.json",),
            ("000000.part",),
            ("lock", "journal.json", "000000.part"),
            (".000000.part.0123456789ab.tmp",),
            ("inner/precious.txt",),
            ("journal.json/precious.txt",),
        ],
    )
    def test_other_files_stay(self, corpus: Path, names: tuple[str, ...], restart: bool) -> None:
        folder = corpus / "out.bpi.building"
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("precious")
        with pytest.raises(OutputError, match="not made by an index build"):
            build_index(corpus / "a.txt", corpus / "out.bpi", restart=restart)
        assert {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} == set(names)
        assert all((folder / name).read_text() == "precious" for name in names)
        assert not (corpus / "out.bpi").exists()

    @pytest.mark.parametrize("restart", [False, True])
    def test_links_are_not_followed(self, corpus: Path, restart: bool) -> None:
        other = corpus / "other"
        other.mkdir()
        (other / "precious.txt").write_text("precious")
        folder = corpus / "out.bpi.building"
        folder.symlink_to(other)
        with pytest.raises(OutputError, match="not made by an index build"):
            build_index(corpus / "a.txt", corpus / "out.bpi", restart=restart)
        folder.unlink()
        folder.mkdir()
        (folder / "lock").symlink_to(other / "precious.txt")
        with pytest.raises(OutputError, match="not made by an index build"):
            build_index(corpus / "a.txt", corpus / "out.bpi", restart=restart)
        assert (other / "precious.txt").read_text() == "precious"

    def test_what_comes_meanwhile_stays(self, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = building._merge_parts

        def merge(workshop: Any, *others: Any) -> None:
            (workshop.folder / "precious.txt").write_text("precious")
            whole(workshop, *others)

        monkeypatch.setattr(building, "_merge_parts", merge)
        built(corpus)
        assert [path.name for path in (corpus / "out.bpi.building").iterdir()] == ["precious.txt"]


def test_a_file_that_is_missing_leaves_nothing(corpus: Path) -> None:
    (corpus / "b.txt").unlink()
    with pytest.raises(DataFileError, match="no such file"):
        built(corpus)
    with pytest.raises(OutputError, match="folder"):
        build_index(corpus / "a.txt", corpus / "no" / "out.bpi")
    assert not (corpus / "out.bpi").exists()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of a process is read from Linux")
def test_memory_stays_within_the_limit(tmp_path: Path) -> None:
    """The address space for data may grow by what the build may take; with a third of that it fails."""
    source = random.Random(3)
    with (tmp_path / "corpus.txt").open("w") as file:
        for _ in range(75_000):
            file.write(" ".join(f"w{int(source.paretovariate(0.7)) % 30_000}" for _ in range(20)) + "\n")
    memory = 128 << 20
    beside = 24 << 20  # blocks of input, the buffers of files, and stacks

    def within(extra: int, name: str) -> int:
        # A new process: one that has freed memory before can use it again without growing.
        arguments = (tmp_path / "corpus.txt", tmp_path / name, memory, extra)
        return subprocess.run([sys.executable, "-c", LIMITED, *map(str, arguments)], check=False).returncode

    assert within(memory - checks.OUTSIDE + beside, "a.bpi") == 0
    assert within((memory - checks.OUTSIDE) // 3, "b.bpi") == 4
    index = NgramIndex.open(tmp_path / "a.bpi")
    assert index.tokens == 1_500_000
