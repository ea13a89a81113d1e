"""Zipf coefficient: how steeply word frequency falls with rank. Lower means that words are used more evenly.

    log frequency(r) ≈ a − z · log r,   z by least squares over the ranks 1 to R

Human text has a coefficient near 1. Text that keeps to its most frequent words has a larger one.
Holtzman, Buys, Du, Forbes, Choi (2020): The Curious Case of Neural Text Degeneration. ICLR, section 5.2.
"""

from __future__ import annotations

from collections import Counter

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.pool import PoolFormula, PoolScore


class ZipfFormula(PoolFormula):
    """The slope of the line through log frequencies over log ranks, with its sign changed."""

    def __init__(self, ranks: int) -> None:
        super().__init__(1)
        self.ranks = ranks

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> PoolScore:
        return PoolScore(definition, len(pool), (), value=self._slope(pool.frequency_counts(1, threads)[0]))

    def _slope(self, words_with_count: Counter[int]) -> float:
        frequencies = sorted(words_with_count, reverse=True)
        words = [min(words_with_count[frequency], self.ranks) for frequency in frequencies]
        highest = np.repeat(np.array(frequencies, dtype=np.int64), words)[: self.ranks]
        if len(highest) < 2 or highest[0] == highest[-1]:
            return 0.0
        x, y = np.log(np.arange(1.0, len(highest) + 1)), np.log(highest.astype(np.float64))
        x -= x.mean()
        return float(-(x @ (y - y.mean())) / (x @ x))


class Zipf(TokenPool[PoolScore]):
    """Zipf coefficient of the words of a pool of texts; 0 where all words are equally frequent.

    - `ranks`: how many of the most frequent words to fit
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

    >>> round(Zipf(tokenizer="whitespace").corpus(["a a a a b b c", "a a a a b b c"]).value, 4)
    1.2337
    """

    name = "zipf"
    higher_is_better = False
    has_percent = False

    def __init__(self, *, ranks: int = 5000, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        most = checks.integer("ranks", ranks, 2)
        super().__init__(ZipfFormula(most), tokenizer, lowercase, ranks=most)
