"""Metrics of a pool of texts over a DataFrame."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from bleuprint.core.counts import SUMS, TOP_TWO, TextBlock
from bleuprint.errors import OptionError, PoolError
from bleuprint.integrations.spark._columns import collected, require_spark, text_column
from bleuprint.integrations.spark._faults import BadRows, checked_mode
from bleuprint.integrations.spark._shipping import Parcel
from bleuprint.integrations.spark._shuffle import Shuffle, blocks_of, small_batches
from bleuprint.metrics import POOL_TABLE, Distinct, MSJaccard, NgramEntropy, RepetitionRate, SelfBLEU, UniqueNgrams
from bleuprint.metrics.base.pool import PoolMetric, PoolScore
from bleuprint.statistics.exact_mean import ExactMean

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["nearest_lengths", "pool_score"]

Arrow = Any  # a pyarrow.RecordBatch: pyarrow has no types
Counted = Distinct | NgramEntropy | RepetitionRate | UniqueNgrams


def pool_score(
    df: DataFrame,
    text: str = "text",
    *,
    metric: str | PoolMetric[Any] = "self-bleu",
    references: DataFrame | None = None,
    per_text: bool = False,
    bad_rows: BadRows = "error",
    block_bytes: int = 8 << 20,
    advance: Callable[[int], object] | None = None,
) -> PoolScore:
    """How texts of one column relate to each other, equal with `==` to the same metric on one machine.

    Time and shuffled bytes are linear in the tokens, and no task holds more than a block of texts or a bucket of
    n-grams. `metric` is one of self-bleu, distinct, entropy, ms-jaccard, repetition-rate, unique-ngrams, or a metric
    with options; ms-jaccard compares with the column of the same name in `references`. `per_text` brings Self-BLEU of
    every text to the driver, in the order of the rows. `advance` is called with 1 after each order. A task needs about
    twenty times `block_bytes`, the texts that are counted at once: smaller blocks need less memory, larger ones
    shuffle less.
    The rows must come out the same whenever Spark reads them, as they do from files or a persisted DataFrame.

    >>> lines = [("the cat sat down",), ("the cat sat up",), ("dogs bark at night",)]
    >>> df = spark.createDataFrame(lines, "text string")  # doctest: +SKIP
    >>> score = pool_score(df, metric=SelfBLEU(max_order=2, tokenizer="whitespace"), per_text=True)  # doctest: +SKIP
    >>> score.per_text.round(4).tolist()  # doctest: +SKIP
    [0.7071, 0.7071, 0.0]
    """
    require_spark()
    chosen = _resolved(metric, references, per_text=per_text)
    skip = checked_mode(bad_rows) == "skip"
    text_column(df, text, "text")
    if isinstance(block_bytes, bool) or not isinstance(block_bytes, int) or not 1 << 16 <= block_bytes <= 1 << 28:
        raise OptionError("block_bytes", "a whole number between 65536 and 268435456", block_bytes)
    with small_batches(df.sparkSession, block_bytes):
        return _score(chosen, df, references, text, block_bytes, per_text=per_text, skip=skip, tell=advance or _silent)


def _silent(amount: int) -> None: ...


def _score(
    chosen: SelfBLEU | MSJaccard | Counted,
    df: DataFrame,
    references: DataFrame | None,
    text: str,
    block_bytes: int,
    *,
    per_text: bool,
    skip: bool,
    tell: Callable[[int], object],
) -> PoolScore:
    parcel = Parcel.of(chosen)
    blocks = blocks_of(df, text, parcel, block_bytes, skip=skip)
    if references is not None:
        text_column(references, text, "text")
        blocks = blocks.union(blocks_of(references, text, parcel, block_bytes, second_side=True, skip=skip))
    shuffle = Shuffle(TOP_TWO if isinstance(chosen, SelfBLEU) else SUMS, blocks, block_bytes)
    try:
        shuffle.start(skip=skip)
        _check(chosen, shuffle)
        if isinstance(chosen, SelfBLEU):
            return _self_bleu(chosen, shuffle, tell, per_text=per_text)
        if isinstance(chosen, MSJaccard):
            return _jaccard(chosen, shuffle, tell)
        tables = [_frequencies(table) for table in _tables(shuffle, chosen.max_order, tell)]
        return chosen.score_counts(tables, shuffle.texts[0])
    finally:
        shuffle.close()


def _resolved(
    metric: str | PoolMetric[Any], references: DataFrame | None, *, per_text: bool
) -> SelfBLEU | MSJaccard | Counted:
    chosen = metric
    if isinstance(metric, str):
        if metric not in POOL_TABLE:
            raise OptionError("metric", f"among {', '.join(POOL_TABLE)}", metric)
        kinds: Mapping[str, Any] = POOL_TABLE
        chosen = kinds[metric]()
    if not isinstance(chosen, SelfBLEU | MSJaccard | Counted):
        raise OptionError("metric", f"a metric among {', '.join(POOL_TABLE)}", metric)
    if isinstance(chosen, SelfBLEU) and chosen.options["sample"] is not None:
        raise OptionError("sample", "None on Spark, where all texts can be measured", chosen.options["sample"])
    if isinstance(chosen, MSJaccard) != (references is not None):
        needed = "a DataFrame to compare with" if references is None else "None: only ms-jaccard compares with another"
        raise OptionError("references", needed, references)
    if per_text and not isinstance(chosen, SelfBLEU):
        raise OptionError("per_text", "False: only self-bleu gives scores of texts here", per_text)
    return chosen


def _check(metric: PoolMetric[Any], shuffle: Shuffle) -> None:
    if shuffle.texts[0] < metric.fewest_texts:
        raise PoolError(metric.name, metric.fewest_texts, shuffle.texts[0])
    if isinstance(metric, MSJaccard) and shuffle.texts[1] == 0:
        raise PoolError(f"{metric.name} with references", 1, 0)


def _tables(shuffle: Shuffle, max_order: int, tell: Callable[[int], object]) -> Iterator[Counter[tuple[int, int]]]:
    """For every order how many n-grams occur how often on either side."""
    for order in range(1, max_order + 1):
        table = Counter[tuple[int, int]]()
        for second in (False, True):  # what was pruned before occurs once
            single = shuffle.total(order, second=second) - shuffle.candidates[second]
            table[int(not second), int(second)] += single
        if sum(shuffle.candidates):
            table.update(shuffle.advance() if order < max_order else shuffle.last_counts())
        tell(1)
        yield +table


def _frequencies(table: Counter[tuple[int, int]]) -> Counter[int]:
    return Counter({first: ngrams for (first, _), ngrams in table.items()})


def _jaccard(metric: MSJaccard, shuffle: Shuffle, tell: Callable[[int], object]) -> PoolScore:
    texts, others = shuffle.texts
    overlaps = []
    for table in _tables(shuffle, metric.max_order, tell):
        scaled = [(first * others, second * texts, ngrams) for (first, second), ngrams in table.items()]
        shared = sum(min(first, second) * ngrams for first, second, ngrams in scaled)
        overlaps.append((shared, sum(max(first, second) * ngrams for first, second, ngrams in scaled)))
    return metric.score_overlaps(overlaps, texts)


def _self_bleu(metric: SelfBLEU, shuffle: Shuffle, tell: Callable[[int], object], *, per_text: bool) -> PoolScore:
    for _ in range(metric.bleu.counted_orders):
        if sum(shuffle.candidates):
            shuffle.advance()
        tell(1)
    work = _scored(Parcel.of(metric), nearest_lengths(shuffle.lengths[0]), per_text=per_text)
    rows = collected(shuffle.states().mapInArrow(work, "block long, sums string, scores binary"))
    sums = [ExactMean() for _ in range(metric.max_order + 1)]
    for row in rows:
        for total, state in zip(sums, json.loads(row["sums"]), strict=True):
            total.merge(ExactMean.of_state(state))
    score = metric.score_sums(sums, shuffle.texts[0])
    if per_text:
        import numpy as np

        ordered = sorted(rows, key=lambda row: row["block"])
        score.per_text = np.frombuffer(b"".join(bytes(row["scores"]) for row in ordered), dtype=np.float64)
    return score


def _scored(
    shipped: Parcel, nearest: Mapping[int, int], *, per_text: bool
) -> Callable[[Iterator[Arrow]], Iterator[Arrow]]:
    """Blocks at the last order to sums of scores: up to each order, then with the metric's own weights."""

    def work(batches: Iterator[Arrow]) -> Iterator[Arrow]:
        import numpy as np
        import pyarrow as pa

        metric: SelfBLEU = shipped.open()
        for batch in batches:
            for number, state in zip(batch.column(0).to_pylist(), batch.column(3), strict=True):
                block = TextBlock.unpacked(state.as_buffer().to_pybytes())
                lengths = block.lengths()
                rows = np.zeros((len(block), 2 + metric.bleu.counted_orders), dtype=np.int64)
                rows[:, 0] = lengths
                rows[:, 1] = [nearest[length] for length in lengths.tolist()]
                rows[:, 2 : 2 + block.order] = block.matches()
                scores = metric.score_rows(rows)
                parts = [metric.score_rows(rows, order) for order in range(1, metric.max_order + 1)]
                sums = json.dumps([ExactMean().add(part).state() for part in (*parts, scores)])
                content = pa.array([scores.tobytes() if per_text else b""], pa.binary())
                arrays = [pa.array([number], pa.int64()), pa.array([sums]), content]
                yield pa.RecordBatch.from_arrays(arrays, ["block", "sums", "scores"])

    return work


def nearest_lengths(histogram: Mapping[int, int]) -> dict[int, int]:
    """For every length the nearest of another text, the shorter of two equally near; 0 where no other text is.

    >>> nearest_lengths({3: 1, 5: 2, 7: 1, 8: 1})
    {3: 5, 5: 5, 7: 8, 8: 7}
    """
    lengths = sorted(histogram)
    found = {}
    for length in lengths:
        place = bisect_left(lengths, length)
        others = [*lengths[max(0, place - 1) : place], *([length] if histogram[length] > 1 else [])]
        others += lengths[place + 1 : place + 2]
        found[length] = min(others, key=lambda other: (abs(other - length), other), default=0)
    return found
