"""Count the n-grams of texts across a cluster, order by order.

Texts stay in blocks of a few megabytes. For each order, each block writes tables of its n-grams into buckets chosen by
the n-gram itself. The tables of a bucket are merged in one task, and each block gets an answer about its n-grams. All
of this happens in the core: Spark sees a few hundred rows of bytes, but no n-grams and no texts.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from bleuprint.core.arrays import np
from bleuprint.core.counts import SUMS, Column, MergedTable, Pool, TextBlock, arrow_column
from bleuprint.errors import InputError
from bleuprint.integrations.spark._batches import Work, build_batch, collect, partition_number
from bleuprint.integrations.spark._columns import column
from bleuprint.integrations.spark._faults import Watch, check_reports
from bleuprint.integrations.spark._shipping import Parcel
from bleuprint.metrics.base.pool import digest_of
from bleuprint.statistics.set_digest import SetDigest

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame, SparkSession

_TEXT = "__bleuprint_text"
# One n-gram of a bucket per this many bytes of a block; a merged table takes about 60 bytes per n-gram.
_NGRAM_BYTES = 8
STATE = "block long, candidates long, report string, state binary"
TABLE = "block long, bucket int, content binary"
_MOST_PARTITIONS, _MOST_CHUNKS = 1 << 19, 1 << 12
_SIDE_BIT = 62  # of a block's number


def blocks_of(
    df: DataFrame, text: str, metric: Parcel, block_bytes: int, *, second_side: bool = False, skip: bool = False
) -> DataFrame:
    """The texts of a column in blocks, numbered in row order."""

    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        lengths, digest = Counter[int](), SetDigest()
        with Watch(skip=skip) as watch:
            tokenizer = metric.open().definition.tokenizer
            reading = tokenizer.scheme, tokenizer.native_lowercase
            for number, texts in enumerate(_chunks(batches, watch, text, block_bytes)):
                prepared = tokenizer.prepare_column(texts, text)
                block = TextBlock.of(prepared, *reading, second_side=second_side)
                if second_side:
                    pool = Pool(*reading)
                    pool.add(prepared, 1)
                    digest.merge(digest_of(pool, len(pool)))
                lengths.update(block.lengths().tolist())
                yield _state_row(_block_number(number, block.fingerprint, second_side), block)
        yield _report_row(
            {
                **watch.report(),
                "lengths": list(lengths.items()),
                "digest": digest.state(),
                "second": second_side,
                "partition": partition_number(),
            }
        )

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


def _chunks(batches: Iterator[RecordBatch], watch: Watch, text: str, block_bytes: int) -> Iterator[Column]:
    """Columns of good texts, cut as soon as they reach the size of a block."""
    import pyarrow as pa

    gathered = []
    size = 0
    for batch in batches:
        gathered.append(watch.keep_good(batch, {text: batch.column(0)}).column(0))
        size += gathered[-1].nbytes
        if size >= block_bytes:
            yield arrow_column(pa.chunked_array(gathered), groups=False)
            gathered, size = [], 0
    if sum(map(len, gathered)):
        yield arrow_column(pa.chunked_array(gathered), groups=False)


def _block_number(chunk: int, fingerprint: int, second_side: bool) -> int:
    """Side, partition, chunk and 31 bits of the content, so that a block that differs when read again is not found."""
    partition = partition_number()
    if partition >= _MOST_PARTITIONS or chunk >= _MOST_CHUNKS:
        most = f"{_MOST_PARTITIONS} partitions of {_MOST_CHUNKS} blocks"
        raise InputError(f"the DataFrame has more than {most}: repartition it, or raise block_bytes.")
    return second_side << _SIDE_BIT | partition << 43 | chunk << 31 | fingerprint & (1 << 31) - 1


def _state_row(number: int, block: TextBlock) -> RecordBatch:
    return build_batch(STATE, [number], [block.candidates], [None], [block.pack()])


def _report_row(report: Mapping[str, object]) -> RecordBatch:
    return build_batch(STATE, [-1], [0], [json.dumps(report)], [None])


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

    def start(self) -> None:
        """Read the texts."""
        reports = sorted(self._settle(), key=lambda report: report["partition"])
        for second in (False, True):
            of_side = [report for report in reports if report["second"] is second]
            check_reports(of_side)
            for report in of_side:
                self.lengths[second].update(dict(map(tuple, report["lengths"])))
                self.references.merge(SetDigest.of_state(report["digest"]))
        self.texts = self.lengths[0].total(), self.lengths[1].total()

    def advance(self) -> Counter[tuple[int, int]]:
        """Go to the next order; returns how many n-grams have which pair of counts, excluding those pruned before."""
        merged = self._merge_tables(answering=True)
        before = self.frame
        tables = self.states().selectExpr("block", "-1 as bucket", "state as content").union(merged)
        spread = tables.repartition(max(1, self.blocks), "block").sortWithinPartitions("block", "bucket")
        self.frame = spread.mapInArrow(_take_answers(self.rule, self.seed, self._buckets()), STATE)
        counted = _add_histograms(report["counts"] for report in self._settle())
        before.unpersist()
        self.order += 1
        return counted

    def last_counts(self) -> Counter[tuple[int, int]]:
        """The same for the last order, where blocks need no answers."""
        rows = collect(self._merge_tables(answering=False))
        return _add_histograms(json.loads(bytes(row["content"]))["counts"] for row in rows)

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

    def _merge_tables(self, *, answering: bool) -> DataFrame:
        buckets = self._buckets()
        blocks = self.states().select("block", "candidates", "state")
        tables = blocks.mapInArrow(_write_tables(self.rule, self.seed, buckets), TABLE)
        # Sorted, so that n-grams get the same numbers if a task runs again and its input arrives in another order.
        by_bucket = tables.repartition(buckets, "bucket").sortWithinPartitions("bucket", "block")
        answer_bytes = self.block_bytes if answering else 0
        return by_bucket.mapInArrow(_merge_buckets(self.rule, self.order + 1, answer_bytes), TABLE)

    def _settle(self) -> list[dict[str, Any]]:
        """Compute the blocks, keep them on disk, and return their reports."""
        from pyspark import StorageLevel

        self.frame = self.frame.persist(StorageLevel.DISK_ONLY)
        rows = collect(self.frame.select("block", "candidates", "report"))
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


def _add_histograms(histograms: Iterable[list[list[int]]]) -> Counter[tuple[int, int]]:
    counted = Counter[tuple[int, int]]()
    for histogram in histograms:
        for first, second, ngrams in histogram:
            counted[first, second] += ngrams
    return counted


def _rows_of(batches: Iterator[RecordBatch]) -> Iterator[tuple[int, int, bytes]]:
    """Rows of two numbers and bytes, which are copied one at a time."""
    for batch in batches:
        first, second, contents = batch.columns
        for place, numbers in enumerate(zip(first.to_pylist(), second.to_pylist(), strict=True)):
            yield (*numbers, contents[place].as_buffer().to_pybytes())


def _write_tables(rule: str, seed: int, buckets: int) -> Work:
    """The tables of each block, by bucket."""

    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        for number, _, state in _rows_of(batches):
            tables = TextBlock.unpack(state).tables(rule, seed, buckets)
            used = [bucket for bucket, table in enumerate(tables) if table]
            yield build_batch(TABLE, [number] * len(used), used, [tables[bucket] for bucket in used])

    return work


def _merge_buckets(rule: str, order: int, answer_bytes: int) -> Work:
    """Merge the tables of each bucket, and send answers in batches of so many bytes; 0 sends none."""

    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        for bucket, tables in groupby(_rows_of(batches), key=itemgetter(1)):
            merged, blocks = MergedTable(rule, order), []
            for block, _, table in tables:
                merged.add(table)
                blocks.append(block)
            report = json.dumps({"counts": _histogram(merged) if rule == SUMS else []}).encode()
            yield build_batch(TABLE, [-1], [bucket], [report])
            if answer_bytes:
                yield from _answers(bucket, merged, blocks, answer_bytes)

    return work


def _answers(bucket: int, merged: MergedTable, blocks: list[int], batch_bytes: int) -> Iterator[RecordBatch]:
    """One row per block, several per batch, because a batch for each answer would cost more than the answer."""
    answers: list[bytes] = []
    size = begin = 0
    for place in range(len(blocks)):
        answers.append(merged.answer(place))
        size += len(answers[-1])
        if size >= batch_bytes or place + 1 == len(blocks):
            yield build_batch(TABLE, blocks[begin : place + 1], [bucket] * len(answers), answers)
            answers, size, begin = [], 0, place + 1


def _histogram(merged: MergedTable) -> list[list[int]]:
    pairs, ngrams = np.unique(merged.counts(), axis=0, return_counts=True)
    return [[int(first), int(second), int(number)] for (first, second), number in zip(pairs, ngrams, strict=True)]


def _take_answers(rule: str, seed: int, buckets: int) -> Work:
    """Bring each block to the next order; it comes as bucket -1, before its answers."""

    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        for number, rows in groupby(_rows_of(batches), key=itemgetter(0)):
            if number < 0:
                yield from (_report_row(json.loads(content)) for _, _, content in rows)
                continue
            contents = {bucket: content for _, bucket, content in rows}
            if -1 not in contents:
                raise InputError(
                    "the rows of the DataFrame changed when Spark read them again: persist it, or read it from files."
                )
            block = TextBlock.unpack(contents[-1])
            block.take_answers(rule, seed, [contents.get(bucket, b"") for bucket in range(buckets)])
            yield _state_row(number, block)

    return work
