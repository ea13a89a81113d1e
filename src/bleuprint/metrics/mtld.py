"""MTLD: the mean length of stretches that stay above a type-token ratio. Higher means more diverse.

    MTLD = (words / factors forward + words / factors backward) / 2

A factor ends where the share of different words since the last one has fallen to the threshold; what is left at the end
counts as a part of a factor. The texts are read one after another as one text, so their order matters.
McCarthy, Jarvis (2010): MTLD, vocd-D, and HD-D: A validation study of sophisticated approaches to lexical diversity
assessment. Behavior Research Methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.tokenizers import Tokenize
from bleuprint.errors import OptionError
from bleuprint.metrics._ngram_pool import PoolOnly, pool_definition
from bleuprint.metrics.base.pool import PoolDefinition, PoolMetric, PoolScore
from bleuprint.metrics.mattr import previous_occurrences

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MTLD"]


class MtldFormula(PoolOnly):
    """Mean length of factors, forward and backward."""

    def __init__(self, threshold: float) -> None:
        super().__init__()
        self.threshold = threshold

    def score(
        self, definition: PoolDefinition[Any], pool: counts.Pool, references: counts.Pool, threads: int
    ) -> PoolScore:
        numbers = pool.ngram_numbers(1, threads)
        value = (self._mean_length(numbers) + self._mean_length(numbers[::-1])) / 2
        return PoolScore(definition, len(pool), (), value=value)

    def _mean_length(self, numbers: NDArray[np.int64]) -> float:
        begin = different = factors = 0
        share = 1.0
        for place, previous in enumerate(previous_occurrences(numbers).tolist()):
            different += previous < begin
            share = different / (place + 1 - begin)
            if share <= self.threshold:
                begin, different, factors, share = place + 1, 0, factors + 1, 1.0
        partial = (1 - share) / (1 - self.threshold)
        # A pool in which no word occurs twice counts as one factor.
        return len(numbers) / ((factors + partial) or 1)


class MTLD(PoolMetric[PoolScore]):
    """Measure of textual lexical diversity of a pool of texts, read in the given order; a number of words.

    - `threshold`: the type-token ratio at which a factor ends
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

    >>> MTLD(tokenizer="whitespace").corpus(["a b a b a b a b", "c d c d"]).value
    4.0
    """

    name = "mtld"

    def __init__(self, *, threshold: float = 0.72, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not 0 < threshold < 1:
            raise OptionError("threshold", "a number between 0 and 1", threshold)
        ratio = float(threshold)
        super().__init__(pool_definition(MTLD, MtldFormula(ratio), tokenizer, lowercase, threshold=ratio))
