"""Zipf coefficient: how steeply word frequency falls with rank. Lower means that words are used more evenly.

    log frequency(r) ≈ a − z · log r,   z by least squares over the ranks 1 to R

Human text has a coefficient near 1. Text that keeps to its most frequent words has a larger one.
Holtzman, Buys, Du, Forbes, Choi (2020): The Curious Case of Neural Text Degeneration. ICLR, section 5.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import of_texts, pool_definition, positive
from bleuprint.metrics.base.pool import PoolDefinition, PoolFormula, PoolMetric, PoolScore, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Zipf"]


class ZipfFormula(PoolFormula):
    """The slope of the line through log frequencies over log ranks, with its sign changed."""

    def __init__(self, ranks: int) -> None:
        super().__init__(1)
        self.ranks = ranks

    def score(
        self, definition: PoolDefinition[Any], pool: counts.Pool, references: counts.Pool, threads: int
    ) -> PoolScore:
        return PoolScore(definition, len(pool), (), value=self._slope(pool.frequencies(1, threads)))

    def score_tables(
        self, definition: PoolDefinition[Any], tables: Sequence[Table], texts: int, references: int
    ) -> PoolScore:
        words: Counter[int] = of_texts(tables)[0]
        frequencies = np.repeat(np.array(list(words), dtype=np.int64), list(words.values()))
        return PoolScore(definition, texts, (), value=self._slope(frequencies))

    def _slope(self, frequencies: NDArray[np.int64]) -> float:
        highest = np.sort(frequencies)[::-1][: self.ranks]
        if len(highest) < 2 or highest[0] == highest[-1]:
            return 0.0
        x, y = np.log(np.arange(1.0, len(highest) + 1)), np.log(highest.astype(np.float64))
        x -= x.mean()
        return float(-(x @ (y - y.mean())) / (x @ x))


class Zipf(PoolMetric[PoolScore]):
    """Zipf coefficient of the words of a pool of texts; 0 where all words are equally frequent.

    - `ranks`: how many of the most frequent words to fit
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

    >>> round(Zipf(tokenizer="whitespace").corpus(["a a a a b b c", "a a a a b b c"]).value, 4)
    1.2337
    """

    name = "zipf"
    higher_is_better = False

    def __init__(self, *, ranks: int = 5000, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        most = positive("ranks", ranks, 2)
        super().__init__(pool_definition(Zipf, ZipfFormula(most), tokenizer, lowercase, ranks=most))
