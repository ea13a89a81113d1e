"""Pools whose texts are in a temporary file count what pools in memory count."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import checks
from bleuprint.core import _native
from bleuprint.core.arrays import Integers
from bleuprint.core.columns import checked_column
from bleuprint.core.counts import Pool
from bleuprint.core.threads import worker_count
from bleuprint.core.tokenizers import resolve
from bleuprint.errors import InputError, OptionError, OutputError, PoolError
from bleuprint.metrics import SelfBLEU
from tests.kernels.twins import pool as twin

READING = resolve("whitespace", False).reading
SMALL = 1 << 19  # bytes in which a few texts have to be counted on disk


def spilled(texts: Sequence[str], max_order: int, memory: int = SMALL, threads: int = 1) -> Pool:
    """A pool that has moved its texts to the file."""
    pool = Pool(*READING, memory=memory, max_order=max_order)
    pool.add(checked_column(list(texts), "texts"), threads)
    with pool._file() as file:
        file.take(pool._in_memory)
    return pool


def test_the_vocabulary_has_to_be_that_of_the_texts() -> None:
    pool = spilled(["a b"], 2)
    with pool._file() as file, pytest.raises(ValueError, match="vocabulary"):
        file.leave_one_out(_native.Pool(*READING), 2, SMALL, 1)


def in_memory(texts: Sequence[str]) -> Pool:
    pool = Pool(*READING)
    pool.add(checked_column(list(texts), "texts"), 1)
    return pool


def rows_of(pool: Pool, max_order: int, threads: int = 1) -> Integers:
    return np.concatenate(list(pool.leave_one_out_blocks(max_order, threads)))


def rows_within(texts: Sequence[str], max_order: int, memory: int, threads: int = 1) -> Integers:
    """The rows, counted within so many bytes beside the vocabulary; a byte is enough, as some things take what they
    need."""
    pool = _native.Pool(*READING)
    pool.add(checked_column(list(texts), "texts"), 1)
    rows = np.empty((len(texts), 2 + max_order), dtype=np.int64)
    with tempfile.TemporaryFile(buffering=0) as file:
        on_disk = _native.SpilledTexts(file.fileno(), memory)
        on_disk.take(pool)
        counted = on_disk.leave_one_out(pool, max_order, memory, threads)
        half = len(texts) // 2
        counted.read(rows[:half])
        counted.read(rows[half:])
    return rows


def frequencies_within(texts: Sequence[str], max_order: int, memory: int, threads: int = 1) -> list[dict[int, int]]:
    """How many n-grams of each order occur how often, counted as `rows_within` counts rows."""
    pool = _native.Pool(*READING)
    pool.add(checked_column(list(texts), "texts"), 1)
    with tempfile.TemporaryFile(buffering=0) as file:
        on_disk = _native.SpilledTexts(file.fileno(), memory)
        on_disk.take(pool)
        return [dict(pairs) for pairs in on_disk.frequency_counts(pool, max_order, memory, threads)]


def generated(count: int, words: int, longest: int, seed: int) -> list[str]:
    """Uneven words, empty texts and copies."""
    source = random.Random(seed)
    texts = [
        " ".join(str(min(int(source.paretovariate(0.6)), words)) for _ in range(source.randrange(longest)))
        for _ in range(count)
    ]
    texts[count // 3 : count // 2] = texts[: count // 2 - count // 3]
    return texts


WORDS = st.sampled_from(["a", "a", "a", "b", "b", "c", "d", "longer-than-sixteen-bytes"])
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), min_size=1, max_size=24)


@given(TEXTS, st.integers(1, 8), st.sampled_from([1, 1 << 12, 1 << 15, 1 << 24]), st.sampled_from([1, 2]))
def test_rows_are_those_of_the_twin(texts: list[str], max_order: int, memory: int, threads: int) -> None:
    split = [text.split() for text in texts]
    rows = rows_within(texts, max_order, memory, threads)
    assert rows[:, 0].tolist() == list(map(len, split))
    assert rows[:, 1].tolist() == twin.leave_one_out_lengths(split)
    assert rows[:, 2:].tolist() == twin.leave_one_out(split, max_order)
    assert frequencies_within(texts, max_order, memory, threads) == twin.frequency_counts(split, max_order)


@pytest.mark.parametrize("memory", [1, 1 << 16, 1 << 20, 1 << 26])
@pytest.mark.parametrize(("count", "words", "longest"), [(3000, 5000, 24), (3000, 3, 40), (40, 100, 3000)])
def test_many_partitions(count: int, words: int, longest: int, memory: int) -> None:
    """The least memory has partitions counted in passes, divided by what follows, and divided by their hash."""
    texts = generated(count, words, longest, seed=memory)
    pool = in_memory(texts)
    for max_order, threads in [(1, 1), (2, 2), (5, 1), (8, 2)]:
        assert (rows_within(texts, max_order, memory, threads) == pool.leave_one_out(max_order, threads)).all()
        assert frequencies_within(texts, max_order, memory, threads) == pool.frequency_counts(max_order, threads)


def test_equal_texts_are_counted_in_passes() -> None:
    """All records of a partition are one n-gram, so that no division makes it smaller."""
    texts = ["one text that everybody writes again and again"] * 2000
    assert (rows_within(texts, 5, 1 << 14) == in_memory(texts).leave_one_out(5, 1)).all()
    assert frequencies_within(texts, 5, 1 << 14) == in_memory(texts).frequency_counts(5, 1)


def test_orders_up_to_the_largest() -> None:
    texts = generated(60, 3, 60, seed=1)
    assert (rows_within(texts, 16, 1 << 16) == in_memory(texts).leave_one_out(16, 1)).all()
    with pytest.raises(ValueError, match="more than 32"):
        rows_within(texts, 33, 1 << 16)
    for count in (rows_within, frequencies_within):
        with pytest.raises(ValueError, match="at least 1"):
            count(texts, 0, 1 << 16)


def test_no_more_rows_are_read_than_there_are() -> None:
    pool = spilled(["a b", "a"], 2)
    with pool._file() as file:
        rows = file.leave_one_out(pool._in_memory, 2, SMALL, 1)
    for shape in [(3, 4), (1, 3)]:
        with pytest.raises(ValueError, match=r"rows|shape"):
            rows.read(np.empty(shape, dtype=np.int64))


class TestSpilling:
    def test_what_fits_stays_in_memory(self) -> None:
        pool = Pool(*READING, memory=1 << 24, max_order=5)
        pool.add(checked_column(["a b c", "a b"], "texts"), 1)
        assert pool._spilled is None
        assert pool.tokens([1]) == [["a", "b"]]

    def test_many_texts_are_added_in_blocks(self) -> None:
        texts = generated(70_000, 200, 6, seed=9)
        assert (rows_of(spilled(texts, 2, 1 << 21), 2) == in_memory(texts).leave_one_out(2, 1)).all()

    def test_blocks_are_added_before_and_after(self) -> None:
        texts = generated(5000, 500, 20, seed=2)
        pool = Pool(*READING, memory=SMALL, max_order=4)
        for begin in range(0, 5000, 700):
            pool.add(checked_column(texts[begin : begin + 700], "texts"), 2)
            assert len(pool) == min(begin + 700, 5000)
        assert pool._spilled is not None
        expected = in_memory(texts).leave_one_out(4, 1)
        assert (rows_of(pool, 4) == expected).all()
        assert (rows_of(pool, 4, 2) == expected).all()

    @given(st.lists(st.tuples(TEXTS, st.booleans()), min_size=1, max_size=4), st.booleans())
    def test_merging_is_adding(self, parts: list[tuple[list[str], bool]], on_disk: bool) -> None:
        whole = spilled([], 3) if on_disk else Pool(*READING, memory=SMALL, max_order=3)
        texts: list[str] = []
        for part, is_spilled in parts:
            whole.merge(spilled(part, 3) if is_spilled else in_memory(part))
            texts += part
        assert (rows_of(whole, 3) == rows_of(in_memory(texts), 3)).all()

    def test_a_pool_is_merged_with_itself(self) -> None:
        texts = generated(300, 20, 15, seed=4)
        pool = spilled(texts, 3)
        pool.merge(pool)
        assert (rows_of(pool, 3) == rows_of(in_memory(texts * 2), 3)).all()

    def test_what_needs_the_texts_says_so(self) -> None:
        pool = spilled(["a b", "a"], 2)
        calls: list[Callable[[], object]] = [
            lambda: pool.tokens([0]),
            lambda: pool.duplicates(1),
            lambda: pool.select([0]),
            lambda: pool.leave_one_out(2, 1),
            lambda: Pool(*READING).merge(pool),
            lambda: pool.holders(2, 1),
        ]
        for call in calls:
            with pytest.raises(InputError, match="needs all texts in memory"):
                call()

    def test_a_vocabulary_that_does_not_fit_is_refused(self) -> None:
        pool = Pool(*READING, memory=SMALL, max_order=2)
        with pytest.raises(OptionError, match=r"memory must be at least .* so many different tokens"):
            pool.add(checked_column([f"a b{n} c{n}" for n in range(10_000)], "texts"), 1)

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
    def test_another_process_leaves_the_file_alone(self) -> None:
        pool = spilled(["a b", "a b c"], 2)
        child = os.fork()
        if child == 0:
            try:
                rows_of(pool, 2)
            except InputError:
                os._exit(0)
            os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        assert rows_of(pool, 2)[:, 3].tolist() == [1, 1]


class TestFaults:
    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is full is Linux's")
    def test_a_full_disk_is_one_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: open("/dev/full", "r+b", buffering=0))  # noqa: PTH123, SIM115
        pool = Pool(*READING, memory=SMALL, max_order=3)
        with pytest.raises(OutputError, match=r"temporary files in .*TMPDIR.*No space left on device"):
            pool.add(checked_column(generated(3000, 100, 20, seed=5), "texts"), 1)
        with pytest.raises(RuntimeError, match="after an error"):
            rows_of(pool, 3)

    def test_a_file_that_lost_bytes_is_noticed(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        path = tmp_path / "temporary"
        monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: path.open("w+b", buffering=0))
        pool = spilled(generated(3000, 100, 20, seed=5), 3)
        os.truncate(path, 100)
        with pytest.raises(OutputError, match="Input/output error"):
            rows_of(pool, 3)

    @pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent otherwise there")
    def test_an_interrupt_ends_it(self) -> None:
        pool = spilled(generated(120_000, 3000, 40, seed=7), 8, 1 << 23)
        threading.Timer(0.1, signal.raise_signal, [signal.SIGINT]).start()

        def count_for_ever() -> None:
            while True:
                rows_of(pool, 8, worker_count(None))

        with pytest.raises(KeyboardInterrupt):
            count_for_ever()
        assert len(rows_of(pool, 2)) == 120_000  # nothing of it was lost


def noted(call: Callable[..., Any], orders: list[int]) -> Callable[..., Any]:
    """The same, which adds the order to a list."""

    def noting(pool: Pool, order: int, threads: int) -> Any:
        orders.append(order)
        return call(pool, order, threads)

    return noting


def lines(count: int) -> Iterator[str]:
    source = random.Random(8)
    return (" ".join(f"w{int(source.paretovariate(0.6)) % 4000}" for _ in range(12)) for _ in range(count))


class TestMetric:
    @pytest.fixture
    def tight(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Only a few megabytes of the least limit are left for texts."""
        monkeypatch.setattr(checks, "OUTSIDE", checks.LEAST_MEMORY - (4 << 20))

    @pytest.mark.usefixtures("tight")
    @pytest.mark.parametrize("make", [list, iter], ids=["list", "iterator"])
    def test_scores_are_equal(self, make: Callable[[Iterator[str]], Sequence[str]]) -> None:
        expected = bp.self_bleu(list(lines(60_000)))
        score = bp.self_bleu(make(lines(60_000)), memory="128MB")
        assert score.value == expected.value
        assert score.per_order == expected.per_order
        assert (score.per_text == expected.per_text).all()
        assert score.signature == expected.signature
        assert score.note == expected.note
        with pytest.raises(InputError, match="in memory"):
            score.duplicates()

    @pytest.mark.usefixtures("tight")
    def test_batches_and_merges_are_one_pool(self) -> None:
        texts = list(lines(60_000))
        first, second = SelfBLEU(memory="128MB"), SelfBLEU(memory="128MB")
        for begin in range(0, 40_000, 10_000):
            first.update(texts[begin : begin + 10_000])
            assert first.compute().texts == begin + 10_000
        second.update(texts[40_000:])
        assert first.merge(second).compute().value == bp.self_bleu(texts).value
        with pytest.raises(InputError, match="in memory"):
            first.state()

    @pytest.mark.usefixtures("tight")
    def test_tokens_are_texts_too(self) -> None:
        texts = [line.split() for line in lines(60_000)]
        score = bp.self_bleu(texts, memory="128MB")
        assert (score.per_text == bp.self_bleu(texts).per_text).all()
        with pytest.raises(InputError, match="in memory"):
            score.duplicates()

    @pytest.mark.usefixtures("tight")
    @pytest.mark.parametrize("make", [list, iter], ids=["list", "iterator"])
    def test_diversity_on_disk_has_the_measures_of_counts(
        self, make: Callable[[Iterator[str]], Sequence[str]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        passes: list[int] = []
        monkeypatch.setattr(Pool, "_frequency_pairs", noted(Pool._frequency_pairs, passes))
        found = bp.diversity(make(lines(60_000)), memory="128MB", threads=2)
        assert passes == [5]  # of all measures and orders
        expected = bp.diversity(list(lines(60_000)), confidence=None)
        assert found.measures == tuple(expected[measure.name] for measure in found.measures)
        assert {"self-bleu-5", "distinct-5", "entropy-4", "zipf"} < {measure.name for measure in found.measures}
        assert (found.texts, found.tokens, found.confidence) == (60_000, expected.tokens, None)
        left_out = {measure.name for measure in expected.measures} - {measure.name for measure in found.measures}
        (note,) = found.notes
        assert note.startswith(
            "the whole table would take more than memory=128MB, so there are no intervals, and no homogenization"
        )
        assert set(note.partition(" and no ")[2].split(", ")) == left_out

    def test_diversity_of_texts_that_fit_is_that_without_a_limit(self) -> None:
        texts = list(lines(50))
        assert bp.diversity(iter(texts), memory="1GB") == bp.diversity(texts)

    @pytest.mark.parametrize("option", [{"by": ["a", "b"]}, {"size": 2}, {"train": ["a"]}, {"reference": ["a"]}])
    def test_diversity_with_a_limit_refuses_what_needs_the_texts(self, option: dict[str, Any]) -> None:
        (name,) = option
        with pytest.raises(OptionError, match=f"pass either {name} or memory"):
            bp.diversity(["a b", "a c"], memory="1GB", **option)

    def test_diversity_of_one_text_is_refused(self) -> None:
        with pytest.raises(PoolError, match="got 1"):
            bp.diversity(iter(["a b"]), memory="1GB")

    def test_the_limit_is_no_part_of_the_signature(self) -> None:
        metric = SelfBLEU(memory="2GB")
        assert metric.signature == SelfBLEU().signature
        assert metric.definition.metric().definition.outside == {"memory": 2 << 30}

    @pytest.mark.parametrize("memory", ["much", "100MB", 0, True, 1 << 70, "-2GB", "9999999TB"])
    def test_other_limits_are_refused(self, memory: str | int) -> None:
        with pytest.raises(OptionError, match="memory must be a size such as 2GB"):
            SelfBLEU(memory=memory)

    def test_a_sample_has_no_limit(self) -> None:
        with pytest.raises(OptionError, match="either sample or memory"):
            SelfBLEU(memory="2GB", sample=500)

    def test_errors_name_the_place_among_all_texts(self) -> None:
        texts = iter([*["a b"] * 70_000, 3])
        with pytest.raises(TypeError, match=r"texts\[65536:\]\[4464\] must be a str"):
            bp.self_bleu(texts, memory="1GB")  # type: ignore[arg-type]


LIMITED = """
import resource, sys
from pathlib import Path
from typing import Any
import bleuprint as bp
from bleuprint import checks
source, memory, extra = sys.argv[1], sys.argv[2], int(sys.argv[3])
bp.self_bleu(["a b", "a"])  # loads NumPy
now = int(Path("/proc/self/status").read_text().partition("VmData:")[2].split()[0]) << 10
resource.setrlimit(resource.RLIMIT_DATA, (now + extra, now + extra))
try:
    options = {} if memory == "none" else {"memory": memory}
    print(bp.self_bleu(open(source), tokenizer="whitespace", threads=2, **options).value)
except MemoryError:
    sys.exit(4)
"""


LARGE_POOLS: dict[str, Callable[[], Iterable[str]]] = {
    "many n-grams": lambda: lines(400_000),
    "one bigram": lambda: repeat("a b " * 10, 1_000_000),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of a process is read from Linux")
@pytest.mark.parametrize("kind", LARGE_POOLS)
def test_memory_stays_within_the_limit(kind: str, tmp_path: Path) -> None:
    """What fails in memory is counted under the same limit of the system, and leaves no file."""
    path = tmp_path / "texts.txt"
    path.write_text("".join(f"{line}\n" for line in LARGE_POOLS[kind]()))
    folder = tmp_path / "temporary"
    folder.mkdir()

    def run(memory: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", LIMITED, str(path), memory, str((128 << 20) - checks.OUTSIDE + (64 << 20))]
        return subprocess.run(
            command, check=False, capture_output=True, text=True, env={**os.environ, "TMPDIR": str(folder)}
        )

    assert run("none").returncode == 4
    limited = run("128MB")
    assert limited.returncode == 0, limited.stderr
    assert float(limited.stdout) == bp.self_bleu(list(LARGE_POOLS[kind]()), tokenizer="whitespace").value
    assert not list(folder.iterdir())


KILLED = """
import os, signal, sys
from bleuprint import checks
from bleuprint.metrics import SelfBLEU
checks.OUTSIDE = checks.LEAST_MEMORY - (1 << 20)
metric = SelfBLEU(memory="128MB")
metric.update([f"a text with {number % 50}" for number in range(20_000)])
assert metric.compute().texts == 20_000 and metric.summary.texts._spilled is not None
sys.stdout.write("spilled")
sys.stdout.flush()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the system removes the file otherwise there")
def test_nothing_is_left_of_a_process_that_is_killed(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    killed = subprocess.run(
        [sys.executable, "-c", KILLED], check=False, capture_output=True, text=True, env=environment
    )
    assert (killed.stdout, killed.returncode) == ("spilled", -signal.SIGKILL), killed.stderr
    assert not list(tmp_path.iterdir())
