"""distinct-n: the share of n-grams that are different ones. Higher is more diverse.

    distinct-n = different n-grams of the pool / all n-grams of the pool

`per_text` holds the same inside each text. It falls as a pool grows: compare pools of equal size only.
Li, Galley, Brockett, Gao, Dolan (2016): A Diversity-Promoting Objective Function for Neural Conversation Models. NAACL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bleuprint.core import counts
from bleuprint.metrics._pool_options import NgramPoolMetric, occurrences
from bleuprint.metrics.base.pool import PoolScore
from bleuprint.metrics.smoothing import ratio

__all__ = ["Distinct"]


class Distinct(NgramPoolMetric):
    """distinct-n of a pool; `value` is that of order `max_order`.

    >>> score = Distinct(max_order=2, tokenizer="whitespace").corpus(["a b a b", "a b"])
    >>> score.per_order, score.per_text.tolist()
    ((0.3333333333333333, 0.5), [0.6666666666666666, 1.0])
    """

    name = "distinct"

    def _score(self, pool: counts.Pool, threads: int) -> PoolScore:
        per_order = _shares(pool.distinct(self.max_order, threads))
        different = pool.distinct_per_text(self.max_order, threads)[:, -1]
        totals = (pool.lengths() - self.max_order + 1).clip(min=0)
        return PoolScore(self, len(pool), per_order, ratio(different, totals))

    def score_counts(self, tables: Sequence[Counter[int]], texts: int) -> PoolScore:
        """The score of n-grams that were counted elsewhere: for every order how many occur how often."""
        return PoolScore(self, texts, _shares([(table.total(), occurrences(table)) for table in tables]))


def _shares(counted: Sequence[tuple[int, int]]) -> tuple[float, ...]:
    return tuple(ratio(different, total) for different, total in counted)
