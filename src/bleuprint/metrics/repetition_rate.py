"""Repetition rate: the share of distinct n-grams that occur more than once. Lower means more diverse.

    RR = (Π_n  n-grams of order n that occur at least twice / distinct n-grams of order n)^(1/N)

over the whole pool. It grows with the pool, so only compare pools of equal size. `per_text` holds rep-N of each text,
1 − distinct/all n-grams within it (Welleck et al. 2020: Neural Text Generation with Unlikelihood Training. ICLR).
Bertoldi, Cettolo, Federico (2013): Cache-based Online Adaptation for Machine Translation Enhanced Computer Assisted
Translation. MT Summit. They average over windows of 1,000 words; a pool has no windows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bleuprint.core import counts
from bleuprint.metrics._ngram_pool import FrequencyFormula, NgramPool, by_order
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value, named, ratio, weighted_geometric_mean
from bleuprint.metrics.base.pool import PoolScore


class RepetitionFormula(FrequencyFormula):
    """The share of distinct n-grams that repeat, by order; the score is the geometric mean."""

    def label(self, tables: Sequence[Counter[int]], texts: int) -> dict[str, int]:
        """Distinct n-grams, and those that occur once, of each order."""
        return by_order([(table.total(), table[1]) for table in tables], "ds")

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        orders = range(1, self.max_order + 1)
        per_order = named("r", [ratio(counted[f"d_{n}"] - counted[f"s_{n}"], counted[f"d_{n}"]) for n in orders])
        return [*per_order, weighted_geometric_mean(per_order, (1 / self.max_order,) * self.max_order)]

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> PoolScore:
        totals = (pool.lengths() - self.max_order + 1).clip(min=0)
        repeated = totals - pool.distinct_per_text(self.max_order, threads)[:, -1]
        return self.score_counts(definition, self.count(pool, references, threads), len(pool), ratio(repeated, totals))


class RepetitionRate(NgramPool[PoolScore]):
    """Repetition rate of a pool of texts; lower means more diverse.

    >>> score = RepetitionRate(max_order=2, tokenizer="whitespace").corpus(["a b a b", "c d"])
    >>> score.per_order, round(score.value, 4)
    ((0.5, 0.3333333333333333), 0.4082)
    """

    name = "repetition-rate"
    formula = RepetitionFormula
    higher_is_better = False
