"""Pairwise BLEU: the sentence BLEU of every text of one list against every text of another.

    B[i, j] = BLEU of first[i] against the one reference second[j]

The mean of B over i ≠ j, with a list compared with itself, is Pairwise-BLEU, a measure of how similar the texts are.
Shen, Ott, Auli, Ranzato (2019): Mixture Models for Diverse Machine Translation, arXiv:1902.07816, section 4.2.

Pairs are counted in C++ through an index from n-grams to texts, so a pair only costs as much as it shares. Pairs with
equal counts have equal scores, so the formula is evaluated once per distinct row of counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.columns import Texts, checked_column
from bleuprint.errors import OptionError, PoolError
from bleuprint.metrics.base.definition import Definition, checked_threads
from bleuprint.metrics.base.options import options_of
from bleuprint.metrics.bleu import BLEU, BleuFormula

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "PAIRS_AT_A_TIME",
    "clipped_counts",
    "pairwise_bleu",
    "pairwise_bleu_rows",
    "pairwise_diversity",
    "row_scores",
]

# Pairs per call to the core. Four times as many is a tenth faster, but if no two pairs are alike, as with texts of
# hundreds of words, it takes 300 MB instead of 130.
PAIRS_AT_A_TIME = 1 << 18
_PAIRS_PER_BLOCK = 1 << 21  # 16 MB of scores


@options_of(BLEU)
def pairwise_bleu(
    first: Texts, second: Texts | None = None, *, threads: int | None = None, **options: Any
) -> NDArray[np.float64]:
    """Sentence BLEU of every first[i] against every second[j]; options as for `BLEU`.

    >>> pairwise_bleu(["a b c d", "a b"], ["a b c d", "a b", "x"]).tolist()
    [[1.0, 0.31947155212313627, 0.0], [0.36787944117144233, 1.0, 0.0]]

    Without `second` the texts are compared with each other, including the diagonal. Each number equals
    `BLEU(**options).sentence(first[i], second[j]).value`. The matrix takes 8 bytes per pair; if it does not fit in
    memory, use `pairwise_bleu_rows`.
    """
    job = _Job(first, second, threads, options)
    matrix = np.empty(job.shape)
    job.fill(0, matrix)
    return matrix


@options_of(BLEU)
def pairwise_bleu_rows(
    first: Texts,
    second: Texts | None = None,
    *,
    block: int | None = None,
    threads: int | None = None,
    **options: Any,
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield the rows of `pairwise_bleu`, `block` at a time, each block with the index of its first row.

    >>> for start, rows in pairwise_bleu_rows(["a b", "a c", "d"], block=2, max_order=1):
    ...     print(start, rows.tolist())
    0 [[1.0, 0.5, 0.0], [0.5, 1.0, 0.0]]
    2 [[0.0, 0.0, 1.0]]

    Memory holds an index of `second`, 40 to 100 bytes per token (orders 1 to 4), and a block, 8 bytes per pair; by
    default a block is 2 million pairs. 20,000 texts of 20 words, 400 million pairs, take 70 MB and 20 to 50 ns per
    pair. Pairs being counted add up to 130 MB if hardly any two are alike, as with texts of hundreds of words.
    """
    if block is not None and (not isinstance(block, int) or isinstance(block, bool) or block < 1):
        raise OptionError("block", "None or an integer of at least 1", block)
    return _blocks(_Job(first, second, threads, options), block)


@options_of(BLEU)
def pairwise_diversity(texts: Texts, *, threads: int | None = None, **options: Any) -> float:
    """Pairwise-BLEU: the mean sentence BLEU of each text against every other. Lower means more diverse.

    >>> pairwise_diversity(["a b c d", "a b c d", "w x y z"])
    0.3333333333333333
    """
    job = _Job(texts, None, threads, options)
    count = job.shape[0]
    if count < 2:
        raise PoolError("pairwise_diversity", 2, count)
    sums: list[float] = []
    for start, rows in _blocks(job, None):
        places = np.arange(len(rows))
        rows[places, start + places] = 0.0
        sums.extend(rows.sum(axis=1).tolist())
    return math.fsum(sums) / (count * (count - 1))


class _Job:
    """Texts to score against an index of other texts."""

    def __init__(self, first: Texts, second: Texts | None, threads: int | None, options: dict[str, Any]) -> None:
        self.bleu = BLEU(**options).definition
        self.counts = clipped_counts(self.bleu)
        self.threads = checked_threads(threads)
        self.hypotheses, references = self._read(first, second)
        self.index = self.counts.index(references)
        self.shape = len(self.hypotheses), len(references)

    def _read(self, first: Texts, second: Texts | None) -> tuple[counts.Column, counts.Column]:
        prepare = self.bleu.tokenizer.prepare_column
        hypotheses = checked_column(first, "first")
        if second is None:
            hypotheses = prepare(hypotheses, "first")
            return hypotheses, hypotheses
        # An empty list is compatible with strings and with token lists.
        tokenized = hypotheses.tokenized if len(hypotheses) else None
        references = checked_column(second, "second", tokenized=tokenized)
        return prepare(hypotheses, "first"), prepare(references, "second")

    def fill(self, start: int, out: NDArray[np.float64]) -> None:
        """Write the scores of the rows from `start` on, as many as `out` has."""
        if out.size == 0:
            return
        step = max(1, PAIRS_AT_A_TIME // out.shape[1])
        for begin in range(0, len(out), step):
            part = out[begin : begin + step]
            first, last = start + begin, start + begin + len(part)
            columns, numbers = self.counts.pairs(self.hypotheses, first, last, self.index, self.threads)
            counts.pick(row_scores(self.bleu, columns), numbers, part.ravel())


def _blocks(job: _Job, block: int | None) -> Iterator[tuple[int, NDArray[np.float64]]]:
    rows, columns = job.shape
    step = block or max(1, _PAIRS_PER_BLOCK // max(1, columns))
    for start in range(0, rows, step):
        out = np.empty((min(step, rows - start), columns))
        job.fill(start, out)
        yield start, out


def row_scores(bleu: Definition[BleuFormula], columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """The sentence score of each row of counts, given as columns."""
    return np.ascontiguousarray(bleu.formula(tuple(columns), sentence=True), dtype=np.float64)


def clipped_counts(bleu: Definition[BleuFormula]) -> counts.ClippedCounts:
    """The core's counts for this definition."""
    request: counts.ClippedCounts = bleu.rows.request  # type: ignore[attr-defined]  # BLEU's rows are the core's
    return request
