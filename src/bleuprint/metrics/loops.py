"""Loops: the share of tokens in phrases that are repeated one after another. Lower means more diverse.

    loops = tokens in loops / all tokens

A loop is a span of one text in which a phrase of at most `max_period` tokens occurs at least `times` times in a row,
such as "I know. I know. I know." Greedy decoding gets stuck in such loops. `per_text` holds the share of each text, and
`spans` says where the loops are.
Holtzman, Buys, Du, Forbes, Choi (2020): The Curious Case of Neural Text Degeneration. ICLR, section 5.4, who look for
loops at the end of a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import PoolOnly, pool_definition, positive
from bleuprint.metrics.base.formulas import ratio
from bleuprint.metrics.base.pool import PoolDefinition, PoolMetric, PoolScore

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Loop", "Loops", "LoopsScore"]


class Loop(NamedTuple):
    """A phrase of `period` tokens that fills the tokens from `begin` to `end` of a text."""

    text: int
    begin: int
    end: int
    period: int
    phrase: tuple[str | int, ...]


class LoopsFormula(PoolOnly):
    """Tokens in runs that repeat themselves."""

    def __init__(self, max_period: int, times: int) -> None:
        super().__init__()
        self.max_period, self.times = max_period, times

    def score(
        self, definition: PoolDefinition[Any], pool: counts.Pool, references: counts.Pool, threads: int
    ) -> LoopsScore:
        numbers, lengths = pool.ngram_numbers(1, threads), pool.lengths()
        texts = np.repeat(np.arange(len(pool), dtype=np.int64), lengths)
        runs = [self._runs(numbers, texts, period) for period in range(1, self.max_period + 1)]
        return LoopsScore(definition, pool, lengths, np.concatenate(runs))

    def _runs(self, numbers: NDArray[np.int64], texts: NDArray[np.int64], period: int) -> NDArray[np.int64]:
        """The begin, end and period of all runs with this period that are long enough."""
        repeats = (numbers[period:] == numbers[:-period]) & (numbers[period:] > 0) & (texts[period:] == texts[:-period])
        edges = np.flatnonzero(np.diff(repeats.astype(np.int8), prepend=0, append=0))
        begins, ends = edges[::2], edges[1::2] + period
        long = ends - begins >= self.times * period
        return np.stack([begins[long], ends[long], np.full(int(long.sum()), period)], axis=1)


class LoopsScore(PoolScore):
    """The share of tokens in loops, and the loops."""

    per_text: NDArray[np.float64]

    def __init__(
        self,
        definition: PoolDefinition[Any],
        pool: counts.Pool,
        lengths: NDArray[np.int64],
        runs: NDArray[np.int64],
    ) -> None:
        self._pool = pool
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        text = np.searchsorted(offsets, runs[:, 0], side="right") - 1
        self._places = np.column_stack([text, runs[:, 0] - offsets[text], runs[:, 1] - offsets[text], runs[:, 2]])
        # +1 where a loop begins and -1 where it ends: a token is in a loop where their sum is positive.
        inside = np.zeros(int(offsets[-1]) + 1, dtype=np.int64)
        np.add.at(inside, runs[:, 0], 1)
        np.add.at(inside, runs[:, 1], -1)
        looping = np.concatenate([[0], np.cumsum(np.cumsum(inside)[:-1] > 0)])
        tokens = looping[offsets[1:]] - looping[offsets[:-1]]
        super().__init__(
            definition, len(lengths), (), ratio(tokens, lengths), float(ratio(int(tokens.sum()), int(lengths.sum())))
        )

    def spans(self) -> list[Loop]:
        """All loops, in the order of the texts; a loop with a shorter period stands for what it contains."""
        longest: dict[int, list[tuple[int, int, int]]] = {}
        for text, begin, end, period in self._places.tolist():  # the shortest periods first
            spans = longest.setdefault(text, [])
            if not any(first <= begin and end <= last for first, last, _ in spans):
                spans.append((begin, end, period))
        texts = sorted(longest)
        return [
            Loop(text, begin, end, period, tuple(tokens[begin : begin + period]))
            for text, tokens in zip(texts, self._pool.tokens(texts), strict=True)
            for begin, end, period in sorted(longest[text])
        ]


class Loops(PoolMetric[LoopsScore]):
    """The share of tokens in loops; lower is better. `spans` of the score lists the loops.

    - `max_period`: length of the longest phrase to look for
    - `times`: how often it has to occur in a row
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

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
        period, least = positive("max_period", max_period), positive("times", times, 2)
        options = {"max_period": period, "times": least}
        super().__init__(pool_definition(Loops, LoopsFormula(period, least), tokenizer, lowercase, **options))
