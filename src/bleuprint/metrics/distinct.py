"""distinct-n: the share of n-grams that are distinct. Higher means more diverse.

    distinct-n = distinct n-grams of the pool / all n-grams of the pool

`per_text` holds the same share within each text. The score falls as a pool grows, so only compare pools of equal size.
Li, Galley, Brockett, Gao, Dolan (2016): A Diversity-Promoting Objective Function for Neural Conversation Models. NAACL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.core import counts
from bleuprint.metrics._ngram_pool import DistinctCounts, NgramPool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value, ratio
from bleuprint.metrics.base.pool import PoolScore


class DistinctFormula(DistinctCounts):
    """Distinct n-grams over all n-grams, per order and within each text."""

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        orders = range(1, self.max_order + 1)
        return [ratio(counted[f"d_{order}"], counted[f"t_{order}"]) for order in orders]

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> PoolScore:
        different = pool.distinct_per_text(self.max_order, threads)[:, -1]
        totals = (pool.lengths() - self.max_order + 1).clip(min=0)
        counted = self.count(pool, references, threads)
        return self.score_counts(definition, counted, len(pool), ratio(different, totals))


class Distinct(NgramPool[PoolScore]):
    """distinct-n of a pool of texts; `value` is that of order `max_order`.

    >>> score = Distinct(max_order=2, tokenizer="whitespace").corpus(["a b a b", "a b"])
    >>> score.per_order, score.per_text.tolist()
    ((0.3333333333333333, 0.5), [0.6666666666666666, 1.0])
    """

    name = "distinct"
    formula = DistinctFormula
