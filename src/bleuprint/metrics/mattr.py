"""MATTR: the mean share of different words in a moving window. Higher means more diverse.

    MATTR-W = mean over all windows of W words:  different words of the window / W

The texts are read one after another as one text, so their order matters. The window makes pools of different size
comparable, which the plain ratio of types to tokens is not.
Covington, McFall (2010): Cutting the Gordian Knot: The Moving-Average Type-Token Ratio (MATTR). Journal of Quantitative
Linguistics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import PoolOnly, pool_definition, positive
from bleuprint.metrics.base.formulas import ratio
from bleuprint.metrics.base.pool import PoolDefinition, PoolMetric, PoolScore

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MATTR", "previous_occurrences"]


class MattrFormula(PoolOnly):
    """Different words of all windows over words of all windows."""

    def __init__(self, window: int) -> None:
        super().__init__()
        self.window = window

    def score(
        self, definition: PoolDefinition[Any], pool: counts.Pool, references: counts.Pool, threads: int
    ) -> PoolScore:
        previous = previous_occurrences(pool.ngram_numbers(1, threads))
        window = min(self.window, len(previous))
        place, last_window = np.arange(len(previous)), len(previous) - window
        # A word counts in the windows that begin after its previous occurrence and not after the word itself.
        first = np.maximum(np.maximum(previous + 1, place - window + 1), 0)
        different = np.maximum(np.minimum(place, last_window) - first + 1, 0)
        value = ratio(int(different.sum()), (last_window + 1) * window)
        return PoolScore(definition, len(pool), (), value=float(value))


def previous_occurrences(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each word, the place of its previous occurrence; -1 where there is none. Words of number 0 never recur."""
    previous = np.full(len(numbers), -1, dtype=np.int64)
    again = np.flatnonzero(numbers)
    by_word = again[np.argsort(numbers[again], kind="stable")]
    same = numbers[by_word[1:]] == numbers[by_word[:-1]]
    previous[by_word[1:][same]] = by_word[:-1][same]
    return previous


class MATTR(PoolMetric[PoolScore]):
    """Moving-average type-token ratio of a pool of texts, read in the given order.

    - `window`: words in a window; a shorter pool is one window
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

    >>> MATTR(window=3, tokenizer="whitespace").corpus(["a b c", "a a"]).value
    0.8888888888888888
    """

    name = "mattr"

    def __init__(self, *, window: int = 50, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        size = positive("window", window)
        super().__init__(pool_definition(MATTR, MattrFormula(size), tokenizer, lowercase, window=size))
