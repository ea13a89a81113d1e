"""N-gram diversity: the sum of distinct-1 to distinct-N. Higher means more diverse.

    NGD = Σ_n  distinct n-grams of the pool / all n-grams of the pool

N-grams stay within their texts.
Padmakumar, He (2024): Does Writing with Language Models Reduce Content Diversity? ICLR.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleuprint.core import counts
from bleuprint.metrics._ngram_pool import NgramPool, distinct_of, shares
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.pool import PoolFormula, PoolScore, Table


class NgramDiversityFormula(PoolFormula):
    """The sum of the shares of distinct n-grams."""

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> PoolScore:
        per_order = shares(pool.distinct(self.max_order, threads))
        return PoolScore(definition, len(pool), per_order, value=math.fsum(per_order))

    def score_tables(self, definition: Definition, tables: Sequence[Table], texts: int, references: int) -> PoolScore:
        per_order = shares(distinct_of(tables))
        return PoolScore(definition, texts, per_order, value=math.fsum(per_order))


class NgramDiversity(NgramPool[PoolScore]):
    """The sum of distinct-1 to distinct-N of a pool of texts; `per_order` holds the terms.

    - `max_order`: length of the longest n-grams
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

    >>> NgramDiversity(max_order=2, tokenizer="whitespace").corpus(["a b a b", "a b"]).value
    0.8333333333333333
    """

    name = "ngram-diversity"
    formula = NgramDiversityFormula
    has_percent = False
