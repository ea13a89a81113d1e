"""MTLD: the mean length of stretches that stay above a type-token ratio. Higher means more diverse.

    MTLD = (words / factors forward + words / factors backward) / 2

A factor ends where the share of different words since the last one has fallen to the threshold; what is left at the end
counts as a part of a factor. The texts are read one after another as one text, so their order matters.
McCarthy, Jarvis (2010): MTLD, vocd-D, and HD-D: A validation study of sophisticated approaches to lexical diversity
assessment. Behavior Research Methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Members, np
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.formulas import Value, named, ratio, where
from bleuprint.metrics.base.pool import Counted, CountFormula, PoolScore


class MtldFormula(CountFormula):
    """Mean length of factors, forward and backward."""

    def __init__(self, threshold: float) -> None:
        super().__init__()
        self.threshold = threshold

    def count_parts(self, pool: counts.Pool, members: Members, threads: int) -> Iterable[Counted]:
        ways = (pool.stretches(self.threshold, members, threads, backward=backward) for backward in (False, True))
        names = ("words", "factors_f", "rest_f", "d_f", "words", "factors_b", "rest_b", "d_b")
        return [dict(zip(names, row, strict=True)) for row in np.hstack([*ways]).tolist()]

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        forward, backward = (self._mean_length(counted, way) for way in ("f", "b"))
        return [(forward + backward) / 2]

    def _mean_length(self, counted: Mapping[str, Value], way: str) -> Value:
        rest = counted[f"rest_{way}"]
        partial = where(rest > 0, (1 - ratio(counted[f"d_{way}"], rest)) / (1 - self.threshold), 0.0)
        factors = named(f"F_{way}", counted[f"factors_{way}"] + partial)
        # A pool in which no word occurs twice counts as one factor.
        return named(f"L_{way}", counted["words"] / where(factors > 0, factors, 1))


class MTLD(TokenPool[PoolScore]):
    """Measure of textual lexical diversity of a pool of texts, read in the given order; a number of words.

    - `threshold`: the type-token ratio at which a factor ends

    >>> MTLD(tokenizer="whitespace").corpus(["a b a b a b a b", "c d c d"]).value
    4.0
    """

    name = "mtld"
    has_percent = False

    def __init__(self, *, threshold: float = 0.72, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        ratio = checks.fraction("threshold", threshold)
        super().__init__(MtldFormula(ratio), tokenizer, lowercase, threshold=ratio)
