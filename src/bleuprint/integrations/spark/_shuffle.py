"""Count the n-grams of texts across a cluster, order by order.

Texts stay in blocks of a few megabytes. For each order, each block writes tables of its n-grams into buckets chosen by
the n-gram itself. The tables of a bucket are merged in one task, and each block gets an answer about its n-grams. All
of this happens in the core: Spark sees a few hundred rows of bytes, but no n-grams and no texts.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bleuprint.core.arrays import np
from bleuprint.core.counts import SUMS, MergedTable, Pool, TextBlock
from bleuprint.errors import BleuprintError, InputError
from bleuprint.integrations.spark._columns import collected, column
from bleuprint.integrations.spark._faults import Watch, first_fault, raise_named, totals
from bleuprint.integrations.spark._scoring import partition_number
from bleuprint.integrations.spark._shipping import Parcel
from bleuprint.metrics.base.pool import digest_of
from bleuprint.statistics.set_digest import SetDigest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_TEXT = "__bleuprint_text"
_NGRAM_BYTES = (
    8  # one n-gram of a bucket per this many bytes of a block; a merged table takes about 60 bytes per n-gram
)
STATE = "block long, candidates long, report string, state binary"
_MOST_PARTITIONS, _MOST_CHUNKS = 1 << 19, 1 << 12
_SIDE_BIT = 62  # of a block's number

Arrow = Any  # a pyarrow.RecordBatch; pyarrow has no type hints
Work = Callable[[Iterator[Arrow]], Iterator[Arrow]]


def blocks_of(
    df: DataFrame, text: str, metric: Parcel, block_bytes: int, *, second_side: bool = False, skip: bool = False
) -> DataFrame:
    """The texts of a column in blocks, numbered in row order."""

    def work(batches: Iterator[Arrow]) -> Iterator[Arrow]:
        watch, lengths, digest = Watch(), Counter[int](), SetDigest()
        report: dict[str, Any]
        try:
            tokenizer = metric.open().definition.tokenizer
            for number, texts in enumerate(_chunks(batches, watch, text, block_bytes, skip=skip)):
                prepared, reading = (
                    tokenizer.prepare_column(texts, text),
                    (tokenizer.scheme, tokenizer.native_lowercase),
                )
                block = TextBlock.of(prepared, *reading, second_side=second_side)
                if second_side:
                    pool = Pool(*reading)
                    pool.add(prepared, 1)
                    digest.merge(digest_of(pool, len(pool)))
                lengths.update(block.lengths().tolist())
                yield _state(_block_number(number, block.fingerprint, second_side), block)
            report = {**watch.report(), "lengths": list(lengths.items()), "digest": digest.state()}
        except BleuprintError as error:
            report = {"error": str(error)}
        yield _reported({**report, "second": second_side, "partition": partition_number()})

    return df.select(column(text).alias(_TEXT)).mapInArrow(work, STATE)


@contextmanager
def small_batches(session: SparkSession, most_bytes: int) -> Iterator[None]:
    """Limit Arrow batches by bytes: rows are as large as blocks here, and Spark would send ten thousand at once."""
    name = "spark.sql.execution.arrow.maxBytesPerBatch"
    before = session.conf.get(name, None)
    session.conf.set(name, str(most_bytes))
    try:
        yield
    finally:
        if before is None:
            session.conf.unset(name)
        else:
            session.conf.set(name, before)


def _chunks(batches: Iterator[Arrow], watch: Watch, text: str, block_bytes: int, *, skip: bool) -> Iterator[Any]:
    """Columns of good texts, cut as soon as they reach the size of a block."""
    import pyarrow as pa

    from bleuprint.core import counts

    gathered: list[Any] = []
    size = 0
    for batch in batches:
        array = batch.column(0)
        good = watch.good({text: array})
        if watch.fault is not None and not skip:
            gathered = []  # rows are only counted, to number the bad one
            continue
        gathered.append(array if good is None else array.filter(pa.array(good)))
        size += gathered[-1].nbytes
        if size >= block_bytes:
            yield counts.arrow_column(pa.chunked_array(gathered), groups=False)
            gathered, size = [], 0
    if sum(map(len, gathered)):
        yield counts.arrow_column(pa.chunked_array(gathered), groups=False)


def _block_number(chunk: int, fingerprint: int, second_side: bool) -> int:
    """Side, partition, chunk and 31 bits of the content, so that a block that differs when read again is not found."""
    partition = partition_number()
    if partition >= _MOST_PARTITIONS or chunk >= _MOST_CHUNKS:
        most = f"{_MOST_PARTITIONS} partitions of {_MOST_CHUNKS} blocks"
        raise InputError(f"the DataFrame has more than {most}: repartition it, or raise block_bytes.")
    return second_side << _SIDE_BIT | partition << 43 | chunk << 31 | fingerprint & (1 << 31) - 1


def _state(number: int, block: TextBlock) -> Arrow:
    return _rows(STATE, [[number], [block.candidates], [None], [block.pack()]])


def _reported(report: dict[str, Any]) -> Arrow:
    return _rows(STATE, [[-1], [0], [json.dumps(report)], [None]])


def _rows(schema: str, columns: list[list[Any]]) -> Arrow:
    import pyarrow as pa

    kinds = {"long": pa.int64(), "int": pa.int32(), "string": pa.string(), "binary": pa.binary()}
    fields = [part.split() for part in schema.split(", ")]
    arrays = [pa.array(values, kinds[kind]) for values, (_, kind) in zip(columns, fields, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, [name for name, _ in fields])


@dataclass
class Shuffle:
    """Blocks on their way up the orders. Each step replaces the blocks that Spark keeps on disk."""

    rule: str
    frame: DataFrame
    block_bytes: int
    seed: int = field(default_factory=lambda: secrets.randbits(63))
    order: int = 0
    blocks: int = 0
    candidates: tuple[int, int] = (0, 0)  # of the next order, by side
    texts: tuple[int, int] = (0, 0)
    lengths: tuple[Counter[int], Counter[int]] = field(default_factory=lambda: (Counter(), Counter()))
    references: SetDigest = field(default_factory=SetDigest)  # the texts of the second side
    rows: int = 0
    bad: int = 0

    def start(self, *, skip: bool) -> None:
        """Read the texts."""
        reports = sorted(self._settle(), key=lambda report: (report["second"], report.get("partition", 0)))
        for report in reports:
            if "error" in report:
                raise InputError(report["error"])
        for second in (False, True):
            mine = [report for report in reports if report["second"] is second]
            fault = first_fault(mine)
            if fault is not None and not skip:
                raise_named(fault)
            rows, bad = totals(mine)
            self.rows, self.bad = self.rows + rows, self.bad + bad
            for report in mine:
                self.lengths[second].update(dict(map(tuple, report["lengths"])))
                self.references.merge(SetDigest.of_state(report["digest"]))
        self.texts = self.lengths[0].total(), self.lengths[1].total()

    def advance(self) -> Counter[tuple[int, int]]:
        """Go to the next order; returns how many n-grams have which pair of counts, excluding those pruned before."""
        merged = self._merged(answering=True)
        before = self.frame
        tables = self.states().selectExpr("block", "-1 as bucket", "state as content").union(merged)
        spread = tables.repartition(max(1, self.blocks), "block").sortWithinPartitions("block", "bucket")
        self.frame = spread.mapInArrow(_answered(self.rule, self.seed, self._buckets()), STATE)
        counted = _joined(report["counts"] for report in self._settle())
        before.unpersist()
        self.order += 1
        return counted

    def last_counts(self) -> Counter[tuple[int, int]]:
        """The same for the last order, where blocks need no answers."""
        rows = collected(self._merged(answering=False))
        return _joined(json.loads(bytes(row["content"]))["counts"] for row in rows)

    def total(self, order: int, *, second: bool = False) -> int:
        """Number of n-grams of an order in all texts of a side."""
        return sum((length - order + 1) * texts for length, texts in self.lengths[second].items() if length >= order)

    def states(self) -> DataFrame:
        """The current blocks."""
        return self.frame.filter("state is not null")

    def first_side(self) -> DataFrame:
        """The current blocks of the texts that are scored."""
        return self.states().filter(f"block < {1 << _SIDE_BIT}")

    def close(self) -> None:
        self.frame.unpersist()

    def _buckets(self) -> int:
        return max(_parallelism(self.frame), -(-sum(self.candidates) * _NGRAM_BYTES // self.block_bytes))

    def _merged(self, *, answering: bool) -> DataFrame:
        buckets, schema = self._buckets(), "bucket int, block long, content binary"
        tables = self.states().select("block", "state").mapInArrow(_asking(self.rule, self.seed, buckets), schema)
        # Sorted, so that n-grams get the same numbers if a task runs again and its input arrives in another order.
        met = tables.repartition(buckets, "bucket").sortWithinPartitions("bucket", "block")
        return met.mapInArrow(_meeting(self.rule, self.order + 1, self.block_bytes if answering else 0), _MERGED)

    def _settle(self) -> list[dict[str, Any]]:
        """Compute the blocks, keep them on disk, and return their reports."""
        from pyspark import StorageLevel

        self.frame = self.frame.persist(StorageLevel.DISK_ONLY)
        rows = collected(self.frame.select("block", "candidates", "report"))
        states = [row for row in rows if row["report"] is None]
        self.blocks = len(states)
        sides = [sum(row["candidates"] for row in states if row["block"] >> _SIDE_BIT == side) for side in (0, 1)]
        self.candidates = sides[0], sides[1]
        return [json.loads(row["report"]) for row in rows if row["report"] is not None]


def _parallelism(frame: DataFrame) -> int:
    """Number of concurrent tasks; Spark Connect only knows the number of shuffle partitions."""
    from pyspark.errors import PySparkException

    try:
        return frame.sparkSession.sparkContext.defaultParallelism
    except PySparkException:
        return int(frame.sparkSession.conf.get("spark.sql.shuffle.partitions") or 1)


_MERGED = "block long, bucket int, content binary"


def _joined(parts: Any) -> Counter[tuple[int, int]]:
    counted = Counter[tuple[int, int]]()
    for part in parts:
        for first, second, ngrams in part:
            counted[first, second] += ngrams
    return counted


def _asking(rule: str, seed: int, buckets: int) -> Work:
    def work(batches: Iterator[Arrow]) -> Iterator[Arrow]:
        for number, state in _pairs(batches):
            by_bucket = TextBlock.unpack(state).tables(rule, seed, buckets)
            requests = [(bucket, table) for bucket, table in enumerate(by_bucket) if table]
            numbers, tables = [bucket for bucket, _ in requests], [table for _, table in requests]
            yield _rows("bucket int, block long, content binary", [numbers, [number] * len(requests), tables])

    return work


def _meeting(rule: str, order: int, answer_bytes: int) -> Work:
    """Merge the tables of a bucket, and send answers in batches of so many bytes; 0 sends none."""

    def finished(bucket: int, merged: MergedTable, blocks: list[int]) -> Iterator[Arrow]:
        report = json.dumps({"counts": _histogram(merged) if rule == SUMS else []}).encode()
        yield _rows(_MERGED, [[-1], [bucket], [report]])
        if answer_bytes:
            yield from _answers(bucket, merged, blocks, answer_bytes)

    def work(batches: Iterator[Arrow]) -> Iterator[Arrow]:
        current: tuple[int, MergedTable, list[int]] | None = None
        for batch in batches:
            buckets, blocks = batch.column(0).to_pylist(), batch.column(1).to_pylist()
            for place, (bucket, block) in enumerate(zip(buckets, blocks, strict=True)):
                if current is None or current[0] != bucket:
                    if current is not None:
                        yield from finished(*current)
                    current = bucket, MergedTable(rule, order), []
                current[1].add(batch.column(2)[place].as_buffer().to_pybytes())
                current[2].append(block)
        if current is not None:
            yield from finished(*current)

    return work


def _answers(bucket: int, merged: MergedTable, blocks: list[int], batch_bytes: int) -> Iterator[Arrow]:
    """One row per block, several per batch, because a batch for each answer would cost more than the answer."""
    answers: list[bytes] = []
    size = begin = 0
    for place in range(len(blocks)):
        answers.append(merged.answer(place))
        size += len(answers[-1])
        if size >= batch_bytes or place + 1 == len(blocks):
            yield _rows(_MERGED, [blocks[begin : place + 1], [bucket] * len(answers), answers])
            answers, size, begin = [], 0, place + 1


def _histogram(merged: MergedTable) -> list[list[int]]:
    pairs, ngrams = np.unique(merged.counts(), axis=0, return_counts=True)
    return [[int(first), int(second), int(number)] for (first, second), number in zip(pairs, ngrams, strict=True)]


def _answered(rule: str, seed: int, buckets: int) -> Work:
    def finished(number: int, state: bytes | None, answers: list[bytes]) -> Arrow:
        if state is None:
            raise InputError(
                "the rows of the DataFrame changed when Spark read them again: persist it, or read it from files."
            )
        block = TextBlock.unpack(state)
        block.take_answers(rule, seed, answers)
        return _state(number, block)

    def work(batches: Iterator[Arrow]) -> Iterator[Arrow]:
        current: tuple[int, bytes | None, list[bytes]] | None = None
        for batch in batches:
            numbers, places = batch.column(0).to_pylist(), batch.column(1).to_pylist()
            for row, (number, bucket) in enumerate(zip(numbers, places, strict=True)):
                content = batch.column(2)[row].as_buffer().to_pybytes()
                if number < 0:
                    yield _reported(json.loads(content))
                    continue
                if current is None or current[0] != number:
                    if current is not None:
                        yield finished(*current)
                    current = number, content if bucket < 0 else None, [b""] * buckets
                if bucket >= 0:
                    current[2][bucket] = content
        if current is not None:
            yield finished(*current)

    return work


def _pairs(batches: Iterator[Arrow]) -> Iterator[tuple[int, bytes]]:
    for batch in batches:
        for row, number in enumerate(batch.column(0).to_pylist()):
            yield number, batch.column(1)[row].as_buffer().to_pybytes()
