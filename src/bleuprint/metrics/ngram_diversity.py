"""N-gram diversity: the sum of distinct-1 to distinct-N. Higher means more diverse.

    NGD = Σ_n  distinct n-grams of the pool / all n-grams of the pool

N-grams stay within their texts.
Padmakumar, He (2024): Does Writing with Language Models Reduce Content Diversity? ICLR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.metrics._ngram_pool import DistinctCounts, NgramPool
from bleuprint.metrics.base.formulas import Value, exact_sum, named, ratio
from bleuprint.metrics.base.pool import PoolScore


class NgramDiversityFormula(DistinctCounts):
    """The shares of distinct n-grams, and their sum."""

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        orders = range(1, self.max_order + 1)
        shares = named("distinct", [ratio(counted[f"d_{order}"], counted[f"t_{order}"]) for order in orders])
        return [*shares, exact_sum(shares)]


class NgramDiversity(NgramPool[PoolScore]):
    """The sum of distinct-1 to distinct-N of a pool of texts; `per_order` holds the terms.

    >>> NgramDiversity(max_order=2, tokenizer="whitespace").corpus(["a b a b", "a b"]).value
    0.8333333333333333
    """

    name = "ngram-diversity"
    formula = NgramDiversityFormula
    has_percent = False
