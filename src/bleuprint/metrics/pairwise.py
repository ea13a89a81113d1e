"""Pairwise scores: the sentence score of every text of one list against every text of another, under any metric.

    S[i, j] = score of first[i] against the one reference second[j]

The mean of S over i ≠ j under BLEU, with a list compared with itself, is Pairwise-BLEU, a measure of how similar the
texts are.
Shen, Ott, Auli, Ranzato (2019): Mixture Models for Diverse Machine Translation, arXiv:1902.07816, section 4.2.

BLEU, GLEU and chrF are counted in C++ through an index from n-grams to texts, so a pair only costs as much as it
shares. Pairs with equal counts have equal scores, so the formula is evaluated once per distinct row of counts. Under
other metrics every text is tokenized once, and every pair is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, overload

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Integers, NDArray, np
from bleuprint.core.columns import Corpus, Texts, checked_column
from bleuprint.core.threads import worker_count
from bleuprint.errors import OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base import CoreRows, Definition, Metric, Score

# Pairs per call to the core. Four times as many is a tenth faster, but if no two pairs are alike, as with texts of
# hundreds of words, it takes 300 MB instead of 130.
PAIRS_AT_A_TIME = 1 << 18
_PAIRS_PER_BLOCK = 1 << 21  # 16 MB of scores
_COUNTED_AT_A_TIME = 1 << 16  # pairs that have a row each: 5 MB for ten columns


@overload
def pairwise(
    first: Texts,
    second: Texts | None = None,
    *,
    metric: str | Metric[Score] = "bleu",
    rows: None = None,
    threads: int | None = None,
) -> Floats: ...


@overload
def pairwise(
    first: Texts,
    second: Texts | None = None,
    *,
    metric: str | Metric[Score] = "bleu",
    rows: int | Literal["auto"],
    threads: int | None = None,
) -> Iterator[tuple[int, Floats]]: ...


def pairwise(
    first: Texts,
    second: Texts | None = None,
    *,
    metric: str | Metric[Score] = "bleu",
    rows: int | Literal["auto"] | None = None,
    threads: int | None = None,
) -> Floats | Iterator[tuple[int, Floats]]:
    """The sentence score of every first[i] against every second[j], under any metric of texts and references.

    >>> pairwise(["a b c d", "a b"], ["a b c d", "x"], metric="wer").tolist()
    [[0.0, 4.0], [0.5, 2.0]]

    `metric` is a name, or a metric with its options, such as `CHRF(word_order=2)`. Without `second` the texts are
    compared with each other, including the diagonal. Each number equals `metric.sentence(first[i], second[j]).value`.

    The matrix takes 8 bytes per pair. If it does not fit in memory, `rows` yields so many rows at a time, each block
    with the index of its first row; "auto" makes blocks of about 2 million pairs.

    >>> from bleuprint import BLEU
    >>> for start, block in pairwise(["a b", "a c", "d"], metric=BLEU(max_order=1), rows=2):
    ...     print(start, block.tolist())
    0 [[1.0, 0.5, 0.0], [0.5, 1.0, 0.0]]
    2 [[0.0, 0.0, 1.0]]

    Memory then holds an index of `second`, 40 to 100 bytes per token (BLEU, orders 1 to 4), and a block. 20,000 texts
    of 20 words, 400 million pairs, take 70 MB and 20 to 50 ns per pair. Pairs being counted add up to 130 MB if hardly
    any two are alike, as with texts of hundreds of words.
    """
    if rows is not None and (not isinstance(rows, str) or rows != "auto"):
        checks.integer("rows", rows)
    scores = PairScores.of(metric)
    hypotheses = checked_column(first, "first")
    # An empty list is compatible with strings and with token lists.
    tokenized = hypotheses.tokenized if len(hypotheses) else None
    others = None if second is None else checked_column(second, "second", tokenized=tokenized)
    scores.fit_to(hypotheses if others is None else others)
    hypotheses = scores.read(hypotheses, "first")
    references = hypotheses if others is None else scores.read(others, "second")
    height, width = len(hypotheses), len(references)
    step = max(1, _PAIRS_PER_BLOCK // max(1, width)) if rows == "auto" else rows or max(1, height)
    blocks = _score_blocks(scores, hypotheses, references, step, worker_count(threads))
    return blocks if rows is not None else next(blocks, (0, np.empty((height, width))))[1]


class PairScores:
    """Scores of pairs under one definition."""

    def __init__(self, definition: Definition) -> None:
        self._take(definition)

    def _take(self, definition: Definition) -> None:
        self.definition = definition
        rows = definition.rows
        self.form: counts.PairwiseForm | None = None
        self._reading: tuple[str, bool] | None = None
        self._of_split = definition
        if isinstance(rows, CoreRows):
            self.form, self._reading = rows.request.pairwise, rows.request.reading
            if self._reading is not None:
                self._of_split = replace(
                    definition, rows=CoreRows(rows.request.lowercased or rows.request, rows.tokenizer)
                )

    @classmethod
    def of(cls, metric: str | Metric[Score]) -> PairScores:
        """The scores of a metric, or of the metric with that name."""
        made = registry.resolve(metric, unit="segment")
        if not made.needs_references or made.needs_sources or not made.can_stream:
            allowed = "a metric that scores a text against one reference, such as bleu, chrf or wer"
            raise OptionError("metric", allowed, made.name)
        return cls(made.definition)

    def fit_to(self, texts: counts.Column) -> None:
        """Choose the tokenizer if it is `auto`, and warn if it cannot read these texts."""
        self._take(self.definition.chosen_for(Corpus(texts, texts)))
        self.definition.warn_of_unseen(texts)

    def read(self, texts: counts.Column, name: str) -> counts.Column:
        """The column, ready for counting; each text is tokenized once if the metric looks at nothing but tokens."""
        self.definition.rows.check(Corpus(texts, texts))
        prepared = self.definition.tokenizer.prepare_column(texts, name)
        return prepared if self._reading is None else prepared.split(*self._reading)

    def of_rows(self, clipped_rows: Integers) -> Floats:
        """The score of each row of clipped matches, given as columns."""
        assert self.form is not None
        return self.of_columns(self.form.clipped.columns(clipped_rows))

    def of_columns(self, counted: counts.ClippedColumns) -> Floats:
        """The score of each row."""
        assert self.form is not None
        columns = tuple(self.form.columns(counted))
        return np.ascontiguousarray(self.definition.formula(columns, sentence=True), dtype=np.float64)

    def of_texts(
        self,
        hypotheses: counts.Column,
        references: counts.Column,
        numbers: tuple[NDArray[np.uint32], NDArray[np.uint32]],
        threads: int,
    ) -> Floats:
        """The scores of pairs of texts, given by their numbers."""
        scores = np.empty(len(numbers[0]))
        for begin in range(0, len(scores), _COUNTED_AT_A_TIME):
            part = slice(begin, begin + _COUNTED_AT_A_TIME)
            corpus = Corpus(hypotheses.picked(numbers[0][part]), references.picked(numbers[1][part]))
            scores[part] = self._of_split.segment_scores(corpus, threads)
        return scores


def _score_blocks(
    scores: PairScores, hypotheses: counts.Column, references: counts.Column, rows: int, threads: int
) -> Iterator[tuple[int, Floats]]:
    """The scores of so many hypotheses at a time, each block with the number of its first."""
    clipped = None if scores.form is None else scores.form.clipped
    index = None if clipped is None else clipped.index(references)
    width = len(references)
    step = max(1, PAIRS_AT_A_TIME // max(1, width))
    for start in range(0, len(hypotheses), rows):
        block = np.empty((min(rows, len(hypotheses) - start), width))
        for begin in range(0, len(block) if width else 0, step):
            part = block[begin : begin + step]
            first, last = start + begin, start + begin + len(part)
            if clipped is None or index is None:
                # All hypotheses with one reference, then with the next: counters keep what they know of the reference.
                numbers = np.tile(np.arange(first, last, dtype=np.uint32), width)
                others = np.arange(width, dtype=np.uint32).repeat(len(part))
                part[:] = scores.of_texts(hypotheses, references, (numbers, others), threads).reshape(width, -1).T
            else:
                counted, numbers = clipped.pairs(hypotheses, first, last, index, threads)
                counts.pick(scores.of_rows(counted), numbers, part.ravel())
        yield start, block
