"""Homogenization: the mean similarity of two texts of a pool. Lower means more diverse.

    homogenization = mean over all pairs i ≠ j of similarity(x_i, x_j)

The similarity is ROUGE-L (F1) or sentence BLEU. A pool with more than `pairs` pairs is estimated from so many pairs
drawn at random; `error` is the standard error of that.
Padmakumar, He (2024): Does Writing with Language Models Reduce Content Diversity? ICLR.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Integers, Members, np
from bleuprint.core.pool import PartScorer
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value, ratio
from bleuprint.metrics.base.pool import CountFormula, PoolScore
from bleuprint.metrics.bleu import BLEU
from bleuprint.metrics.rouge import ROUGE

_MOST_PAIRS = 10_000_000  # 240 MB of places and similarities
_BLOCK = 1 << 14  # pairs whose tokens are in memory at a time


class HomogenizationFormula(CountFormula):
    """Mean similarity of all pairs, or of a sample of them."""

    is_quick = True

    def __init__(self, measure: str, pairs: int, seed: int) -> None:
        super().__init__()
        self.measure, self.pairs, self.seed = measure, pairs, seed

    def count(self, pool: counts.Pool, references: counts.Pool, threads: int) -> dict[str, int | float]:
        """The sum of the similarities, and the number of pairs."""
        similarities = self._compare(pool, threads)[2]
        return {"S": math.fsum(similarities.tolist()), "pairs": len(similarities)}

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        return [counted["S"] / counted["pairs"]]

    def score(
        self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int
    ) -> HomogenizationScore:
        return HomogenizationScore(definition, len(pool), self._compare(pool, threads)[2])

    def part_scorer(self, pool: counts.Pool, references: counts.Pool, threads: int) -> PartScorer:
        first, second, similarities = self._compare(pool, threads)

        def score(members: Members) -> Floats:
            """The mean similarity of those of the compared pairs of which both texts are in the part."""
            both = members[:, first] & members[:, second]
            inside = (both[part // 64] >> np.uint64(part % 64) & np.uint64(1) for part in range(64 * len(members)))
            return np.array([[ratio(float(similarities @ kept), int(kept.sum()))] for kept in inside])

        return score

    def _compare(self, pool: counts.Pool, threads: int) -> tuple[Integers, Integers, Floats]:
        """The pairs that are compared, and their similarities."""

        def compare() -> tuple[Integers, Integers, Floats]:
            size = len(pool)
            if size * (size - 1) // 2 <= self.pairs:
                first, second = np.triu_indices(size, 1)
            else:
                generator = np.random.default_rng(self.seed)
                first = generator.integers(size, size=self.pairs)
                second = (first + generator.integers(1, size, size=self.pairs)) % size
            return first, second, pair_similarities(pool, first, second, self.measure, threads)

        return pool.once(("pairs", self.measure, self.pairs, self.seed), compare)


def pair_similarities(pool: counts.Pool, first: Integers, second: Integers, measure: str, threads: int) -> Floats:
    """The similarity of texts `first[i]` and `second[i]`; that of BLEU is the mean of both directions."""
    metric: BLEU | ROUGE = (
        BLEU(tokenizer="whitespace") if measure == "bleu" else ROUGE(types="rougeL", tokenizer="whitespace")
    )
    similarities = np.zeros(len(first))
    for begin in range(0, len(first), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        ones, others = pool.tokens(first[block].tolist()), pool.tokens(second[block].tolist())
        similarities[block] = metric.sentences(ones, [[other] for other in others], threads=threads)
        if measure == "bleu":
            backward = metric.sentences(others, [[one] for one in ones], threads=threads)
            similarities[block] = (similarities[block] + backward) / 2
    return similarities


class HomogenizationScore(PoolScore):
    """The mean similarity, the number of pairs compared, and its standard error: 0 where all pairs were compared."""

    part_names = ("pairs", "error", "texts")

    def __init__(self, definition: Definition, texts: int, similarities: Floats) -> None:
        total = math.fsum(similarities.tolist())
        (value,) = definition.formula.evaluate({"S": total, "pairs": len(similarities)})
        super().__init__(definition, texts, (), value=value)
        self.pairs = len(similarities)
        exact = self.pairs == texts * (texts - 1) // 2
        self.error = 0.0 if exact else float(similarities.std(ddof=1)) / math.sqrt(self.pairs)


class Homogenization(TokenPool[HomogenizationScore]):
    """The mean similarity of two texts of a pool; lower means more diverse.

    - `measure`: "rouge-l" (F1) or "bleu" (sentence BLEU, the mean of both directions)
    - `pairs`: a pool with more pairs is estimated from so many
    - `seed`: random seed for drawing them

    >>> score = Homogenization().corpus(["the cat sat", "the cat ran", "dogs bark"])
    >>> round(score.value, 4), score.pairs, score.error
    (0.2222, 3, 0.0)
    """

    name = "homogenization"
    higher_is_better = False
    fewest_texts = 2

    def __init__(
        self,
        *,
        measure: str = "rouge-l",
        pairs: int = 100_000,
        seed: int = 12345,
        tokenizer: str | Tokenize = "nltk",
        lowercase: bool = False,
    ) -> None:
        similarity = checks.choice("measure", measure, ("rouge-l", "bleu"))
        most, start = checks.trials("pairs", pairs, 2, _MOST_PAIRS), checks.integer("seed", seed, 0)
        formula = HomogenizationFormula(similarity, most, start)
        super().__init__(formula, tokenizer, lowercase, measure=similarity, pairs=most, seed=start)
