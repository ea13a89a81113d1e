"""Loops: the share of tokens in phrases that are repeated one after another. Lower means more diverse.

    loops = tokens in loops / all tokens

A loop is a span of one text in which a phrase of at most `max_period` tokens occurs at least `times` times in a row,
such as "I know. I know. I know." Greedy decoding gets stuck in such loops. `per_text` holds the share of each text, and
`spans` says where the loops are.
Holtzman, Buys, Du, Forbes, Choi (2020): The Curious Case of Neural Text Degeneration. ICLR, section 5.4, who look for
loops at the end of a text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from typing import NamedTuple

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Integers, Members, NDArray, np
from bleuprint.core.pool import each_part
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value, ratio
from bleuprint.metrics.base.pool import Counted, CountFormula, PoolScore


class Loop(NamedTuple):
    """A phrase of `period` tokens that fills the tokens from `begin` to `end` of a text."""

    text: int
    begin: int
    end: int
    period: int
    phrase: tuple[str | int, ...]


class LoopsFormula(CountFormula):
    """Tokens in runs that repeat themselves."""

    is_quick = True

    def __init__(self, max_period: int, times: int) -> None:
        super().__init__()
        self.max_period, self.times = max_period, times

    def count_parts(self, pool: counts.Pool, members: Members, threads: int) -> Iterable[Counted]:
        lengths, (looping, _) = pool.lengths(), pool.loops(self.max_period, self.times)
        return (_count_tokens(lengths[kept], looping[kept]) for kept in each_part(members))

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        return [ratio(counted["looping"], counted["tokens"])]

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> LoopsScore:
        return LoopsScore(definition, pool, *pool.loops(self.max_period, self.times))


def _count_tokens(lengths: Integers, looping: Integers) -> dict[str, int]:
    return {"tokens": int(lengths.sum()), "looping": int(looping.sum())}


class LoopsScore(PoolScore):
    """The share of tokens in loops, and the loops."""

    per_text: Floats

    def __init__(
        self, definition: Definition, pool: counts.Pool, looping: Integers, places: NDArray[np.uint32]
    ) -> None:
        self._pool, self._places = pool, places
        (value,) = definition.formula.evaluate(_count_tokens(pool.lengths(), looping))
        super().__init__(definition, len(pool), (), ratio(looping, pool.lengths()), value)

    def spans(self, limit: int | None = None) -> list[Loop]:
        """All loops or the first, in the order of the texts; one with a shorter period stands for what it contains."""
        longest: dict[int, list[tuple[int, int, int]]] = {}
        last = np.unique(self._places[:, 0])[:limit].max(initial=0)  # each of these texts has one
        ordered = sorted(self._places[self._places[:, 0] <= last].tolist(), key=itemgetter(0, 3))
        # Loops of one period cannot contain each other, so each is compared with those of shorter periods.
        for (text, period), places in groupby(ordered, itemgetter(0, 3)):
            spans = longest.setdefault(text, [])
            begins = [begin for begin, _, _ in spans]
            reached = [0, *accumulate((end for _, end, _ in spans), max)]  # by those that begin so early
            spans += [(begin, end, period) for _, begin, end, _ in places if reached[bisect_right(begins, begin)] < end]
            spans.sort()
        texts = sorted(longest)
        return [
            Loop(text, begin, end, period, tuple(tokens[begin : begin + period]))
            for text, tokens in zip(texts, self._pool.tokens(texts), strict=True)
            for begin, end, period in longest[text]
        ][:limit]


class Loops(TokenPool[LoopsScore]):
    """The share of tokens in loops; lower is better. `spans` of the score lists the loops.

    - `max_period`: length of the longest phrase to look for
    - `times`: how often it has to occur in a row

    >>> score = Loops(tokenizer="whitespace").corpus(["so we go on and on and on and on", "we go home"])
    >>> round(score.value, 4), score.per_text.round(4).tolist()
    (0.5385, [0.7, 0.0])
    >>> [(loop.text, loop.begin, loop.end, loop.phrase) for loop in score.spans()]
    [(0, 3, 10, ('on', 'and'))]
    """

    name = "loops"
    higher_is_better = False

    def __init__(
        self, *, max_period: int = 20, times: int = 3, tokenizer: str | Tokenize = "nltk", lowercase: bool = False
    ) -> None:
        formula = LoopsFormula(checks.integer("max_period", max_period), checks.integer("times", times, 2))
        super().__init__(formula, tokenizer, lowercase, max_period=max_period, times=times)
