"""MATTR: the mean share of different words in a moving window. Higher means more diverse.

    MATTR-W = mean over all windows of W words:  different words of the window / W

The texts are read one after another as one text, so their order matters. The window makes pools of different size
comparable, which the plain ratio of types to tokens is not.
Covington, McFall (2010): Cutting the Gordian Knot: The Moving-Average Type-Token Ratio (MATTR). Journal of Quantitative
Linguistics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Members
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.formulas import Value, named, ratio
from bleuprint.metrics.base.pool import Counted, CountFormula, PoolScore


class MattrFormula(CountFormula):
    """Different words of all windows over words of all windows."""

    def __init__(self, window: int) -> None:
        super().__init__()
        self.window = window

    def count_parts(self, pool: counts.Pool, members: Members, threads: int) -> Iterable[Counted]:
        rows = pool.window_types(self.window, members, threads).tolist()
        return [dict(zip(("words", "w", "d"), row, strict=True)) for row in rows]

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        windows = named("windows", counted["words"] - counted["w"] + 1)
        return [ratio(counted["d"], windows * counted["w"])]


class MATTR(TokenPool[PoolScore]):
    """Moving-average type-token ratio of a pool of texts, read in the given order.

    - `window`: words in a window; a shorter pool is one window

    >>> MATTR(window=3, tokenizer="whitespace").corpus(["a b c", "a a"]).value
    0.8888888888888888
    """

    name = "mattr"

    def __init__(self, *, window: int = 50, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        size = checks.integer("window", window)
        super().__init__(MattrFormula(size), tokenizer, lowercase, window=size)
