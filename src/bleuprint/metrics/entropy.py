"""Ent-n: Shannon entropy of the n-grams of a pool, in nats. Higher is more diverse.

    Ent-n = − Σ_g p(g) · log p(g),  p(g) = count of g / all n-grams

It looks at how evenly n-grams are used, which distinct-n does not. At most log(number of n-grams).
Zhang et al. (2018): Generating Informative and Diverse Conversational Responses via Adversarial Information
Maximization. NeurIPS.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from bleuprint.core import counts
from bleuprint.metrics._pool_options import NgramPoolMetric, occurrences
from bleuprint.metrics.base.pool import PoolScore

__all__ = ["NgramEntropy"]


class NgramEntropy(NgramPoolMetric):
    """Ent-n of a pool; `value` is that of order `max_order`.

    >>> score = NgramEntropy(max_order=1, tokenizer="whitespace").corpus(["a b", "c d"])
    >>> round(score.value, 4) == round(math.log(4), 4)
    True
    """

    name = "entropy"

    def _score(self, pool: counts.Pool, threads: int) -> PoolScore:
        orders = range(1, self.max_order + 1)
        per_order = tuple(_entropy(Counter(pool.frequencies(order, threads).tolist())) for order in orders)
        return PoolScore(self, len(pool), per_order)

    def score_counts(self, tables: Sequence[Counter[int]], texts: int) -> PoolScore:
        """The score of n-grams that were counted elsewhere: for every order how many occur how often."""
        return PoolScore(self, texts, tuple(map(_entropy, tables)))


def _entropy(ngrams_with_count: Counter[int]) -> float:
    # Grouped by count and summed exactly, so that the order in which n-grams were met cannot move the last digit.
    total = occurrences(ngrams_with_count)
    return math.fsum(
        -ngrams * (count / total) * math.log(count / total) for count, ngrams in sorted(ngrams_with_count.items())
    )
