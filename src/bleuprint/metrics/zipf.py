"""Zipf coefficient: how steeply word frequency falls with rank. Lower means that words are used more evenly.

    log frequency(r) ≈ a − z · log r,   z by least squares over the ranks 1 to R

Human text has a coefficient near 1. Text that keeps to its most frequent words has a larger one.
Holtzman, Buys, Du, Forbes, Choi (2020): The Curious Case of Neural Text Degeneration. ICLR, section 5.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bleuprint import checks
from bleuprint.core.arrays import np
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import FrequencyFormula, TokenPool
from bleuprint.metrics.base.formulas import Value, exact_sum, log, ratio
from bleuprint.metrics.base.pool import PoolScore


class ZipfFormula(FrequencyFormula):
    """The slope of the line through log frequencies over log ranks, with its sign changed."""

    def __init__(self, ranks: int) -> None:
        super().__init__()
        self.ranks = ranks

    def label(self, tables: Sequence[Counter[int]], texts: int) -> dict[str, float]:
        """S = Σ (x − x̄)² of the logarithms of all ranks, and x_f = Σ (x − x̄) of the words that occur f times."""
        (words_with_count,) = tables
        frequencies = sorted(words_with_count, reverse=True)
        words = [min(words_with_count[frequency], self.ranks) for frequency in frequencies]
        highest = np.repeat(np.array(frequencies, dtype=np.int64), words)[: self.ranks]
        if len(highest) < 2 or highest[0] == highest[-1]:
            return {"S": 0.0}
        ranks = np.log(np.arange(1.0, len(highest) + 1))
        ranks -= ranks.mean()
        begins = np.flatnonzero(np.diff(highest, prepend=0))
        sums = zip(highest[begins].tolist(), np.add.reduceat(ranks, begins).tolist(), strict=True)
        return {"S": float(ranks @ ranks), **{f"x_{frequency}": total for frequency, total in sums}}

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        products = [total * log(int(label[2:])) for label, total in counted.items() if label != "S"]
        return [ratio(-exact_sum(products), counted["S"])]


class Zipf(TokenPool[PoolScore]):
    """Zipf coefficient of the words of a pool of texts; 0 where all words are equally frequent.

    - `ranks`: how many of the most frequent words to fit

    >>> round(Zipf(tokenizer="whitespace").corpus(["a a a a b b c", "a a a a b b c"]).value, 4)
    1.2337
    """

    name = "zipf"
    higher_is_better = False
    has_percent = False

    def __init__(self, *, ranks: int = 5000, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        most = checks.integer("ranks", ranks, 2)
        super().__init__(ZipfFormula(most), tokenizer, lowercase, ranks=most)
