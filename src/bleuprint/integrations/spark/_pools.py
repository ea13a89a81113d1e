"""Pool metrics over a DataFrame."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING

from bleuprint import checks
from bleuprint.core.arrays import np
from bleuprint.core.counts import TextBlock
from bleuprint.errors import OptionError, PoolError
from bleuprint.integrations.spark._batches import Work, build_batch, collect
from bleuprint.integrations.spark._columns import check_text_column, require_spark
from bleuprint.integrations.spark._faults import BadRows, skips
from bleuprint.integrations.spark._shipping import Parcel
from bleuprint.integrations.spark._shuffle import Shuffle, blocks_of, small_batches
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PoolFormula, PoolScore, ReferencedScore
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.self_bleu import PoolBleuFormula
from bleuprint.statistics.exact_mean import ExactMean

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame


def pool_score(
    df: DataFrame,
    text: str = "text",
    *,
    metric: str | Metric[Score] = "self-bleu",
    references: DataFrame | None = None,
    per_text: bool = False,
    bad_rows: BadRows = "error",
    block_bytes: int = 8 << 20,
    advance: Callable[[int], object] | None = None,
) -> PoolScore:
    """The pool score of a column of texts, equal (`==`) to the same metric on one machine.

    - `metric`: self-bleu, cross-bleu, distinct, entropy, expected-distinct, ms-jaccard, ngram-diversity,
      repetition-rate, unique-ngrams, zipf, or a metric object
    - `references`: DataFrame for cross-bleu and ms-jaccard to compare with, with a column of the same name
    - `per_text`: bring the Self-BLEU or cross BLEU of each text to the driver, in row order
    - `bad_rows`: "error", or "skip" to leave out rows without a text
    - `block_bytes`: size of the texts counted at once; a task needs about twenty times as much memory. Smaller blocks
      need less memory, larger ones shuffle less
    - `advance`: called with 1 after each order

    Time and shuffled bytes are linear in the number of tokens, and no task holds more than a block of texts or a bucket
    of n-grams. The rows must be the same each time Spark reads them, as with files or a persisted DataFrame. Where the
    driver can hold the tokens of all texts, `score` is faster, and takes every pool metric.

    >>> from bleuprint.metrics import SelfBLEU
    >>> lines = [("the cat sat down",), ("the cat sat up",), ("dogs bark at night",)]
    >>> df = spark.createDataFrame(lines, "text string")  # doctest: +SKIP
    >>> score = pool_score(df, metric=SelfBLEU(max_order=2, tokenizer="whitespace"), per_text=True)  # doctest: +SKIP
    >>> score.per_text.round(4).tolist()  # doctest: +SKIP
    [0.7071, 0.7071, 0.0]
    """
    require_spark()
    resolved = _resolve(metric, references, per_text=per_text)
    formula, skip, tell = resolved.definition.formula, skips(bad_rows), advance or (lambda _: None)
    check_text_column(df, text, "text")
    checks.integer("block_bytes", block_bytes, 1 << 16, 1 << 28)
    parcel = Parcel.of(resolved)
    blocks = blocks_of(df, text, parcel, block_bytes, skip=skip)
    if references is not None:
        check_text_column(references, text, "text")
        blocks = blocks.union(blocks_of(references, text, parcel, block_bytes, second_side=True, skip=skip))
    shuffle = Shuffle(formula.exchange, blocks, block_bytes)
    score: PoolScore
    with small_batches(df.sparkSession, block_bytes), closing(shuffle):
        shuffle.start()
        _check(resolved, shuffle)
        if isinstance(formula, PoolBleuFormula):
            score = _score_texts(resolved, formula, shuffle, tell, per_text=per_text)
        else:
            tables = list(_tables(shuffle, formula.max_order, tell))
            score = formula.score_tables(resolved.definition, tables, *shuffle.texts)
    if isinstance(score, ReferencedScore):
        score.reference_set = shuffle.references.name
    return score


def _resolve(metric: str | Metric[Score], references: DataFrame | None, *, per_text: bool) -> Metric[Score]:
    resolved = registry.resolve(metric)
    if not _can_exchange(resolved):
        known = [name for name in registry.scored_by_name("pool") if _can_exchange(registry.resolve(name))]
        raise OptionError("metric", f"one of {', '.join(known)}, or such a metric object", metric)
    if resolved.options.get("sample") is not None:
        raise OptionError("sample", "None on Spark, which can score all texts", resolved.options["sample"])
    if resolved.needs_references != (references is not None):
        needed = (
            "a DataFrame to compare with"
            if references is None
            else "None, because only cross-bleu and ms-jaccard compare with another"
        )
        raise OptionError("references", needed, references)
    if per_text and not isinstance(resolved.definition.formula, PoolBleuFormula):
        raise OptionError("per_text", "False, because only self-bleu and cross-bleu have scores per text", per_text)
    return resolved


def _can_exchange(metric: Metric[Score]) -> bool:
    """Whether blocks of texts on different machines can work on the metric together."""
    formula = metric.definition.formula
    return isinstance(formula, PoolFormula) and formula.exchange is not None


def _check(metric: Metric[Score], shuffle: Shuffle) -> None:
    if shuffle.texts[0] < metric.fewest_texts:
        raise PoolError(metric.name, metric.fewest_texts, shuffle.texts[0])
    if metric.needs_references and shuffle.texts[1] == 0:
        raise PoolError(f"{metric.name} with references", 1, 0)


def _tables(shuffle: Shuffle, max_order: int, tell: Callable[[int], object]) -> Iterator[Counter[tuple[int, int]]]:
    """For each order, how many n-grams occur how often on either side."""
    for order in range(1, max_order + 1):
        table = Counter[tuple[int, int]]()
        for second in (False, True):  # what was pruned before occurs only once
            single = shuffle.total(order, second=second) - shuffle.candidates[second]
            table[int(not second), int(second)] += single
        if sum(shuffle.candidates):
            table.update(shuffle.advance() if order < max_order else shuffle.last_counts())
        tell(1)
        yield +table


def _score_texts(
    metric: Metric[Score],
    formula: PoolBleuFormula,
    shuffle: Shuffle,
    tell: Callable[[int], object],
    *,
    per_text: bool,
) -> PoolScore:
    """BLEU of each text of the first side, against all others or against the second side."""
    for _ in range(formula.bleu.counted_orders):
        if sum(shuffle.candidates):
            shuffle.advance()
        tell(1)
    nearest = nearest_lengths(shuffle.lengths[0], shuffle.lengths[1] if metric.needs_references else None)
    work = _score_blocks(Parcel.of(metric), nearest, per_text=per_text)
    rows = collect(shuffle.first_side().mapInArrow(work, _SCORES))
    sums = [ExactMean() for _ in range(formula.max_order + 1)]
    for row in rows:
        for total, state in zip(sums, json.loads(row["sums"]), strict=True):
            total.merge(ExactMean.of_state(state))
    score = formula.score_sums(metric.definition, sums, shuffle.texts[0])
    if per_text:
        ordered = sorted(rows, key=lambda row: row["block"])
        score.per_text = np.frombuffer(b"".join(bytes(row["scores"]) for row in ordered), dtype=np.float64)
    return score


_SCORES = "block long, sums string, scores binary"


def _score_blocks(shipped: Parcel, nearest: Mapping[int, int], *, per_text: bool) -> Work:
    """Turn blocks at the last order into sums of scores: up to each order, then with the metric's own weights."""

    def work(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        formula: PoolBleuFormula = shipped.open().definition.formula
        for batch in batches:
            for number, state in zip(batch.column(0).to_pylist(), batch.column(3), strict=True):
                block = TextBlock.unpack(state.as_buffer().to_pybytes())
                lengths = block.lengths()
                rows = np.zeros((len(block), 2 + formula.bleu.counted_orders), dtype=np.int64)
                rows[:, 0] = lengths
                rows[:, 1] = [nearest[length] for length in lengths.tolist()]
                rows[:, 2 : 2 + block.order] = block.matches()
                scores, parts = formula.score_rows(rows)
                sums = json.dumps([part.state() for part in parts])
                yield build_batch(_SCORES, [number], [sums], [scores.tobytes() if per_text else b""])

    return work


def nearest_lengths(histogram: Mapping[int, int], references: Mapping[int, int] | None = None) -> dict[int, int]:
    """For each length, the nearest length of a reference (on ties, the shorter); 0 if there is none.

    Without references, those of a text are all other texts.

    >>> nearest_lengths({3: 1, 5: 2, 7: 1, 8: 1})
    {3: 5, 5: 5, 7: 8, 8: 7}
    >>> nearest_lengths({3: 1, 5: 2}, {4: 1, 9: 1})
    {3: 4, 5: 4}
    """
    lengths = sorted(histogram if references is None else references)
    nearest = {}
    for length in sorted(histogram):
        place = bisect_left(lengths, length)
        others = lengths[max(0, place - 1) : place + 2]
        if references is None and histogram[length] == 1:
            others.remove(length)
        nearest[length] = min(others, key=lambda other: (abs(other - length), other), default=0)
    return nearest
