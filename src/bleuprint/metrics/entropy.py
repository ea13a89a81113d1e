"""Ent-n: the Shannon entropy of the n-grams of a pool, in nats. Higher means more diverse.

    Ent-n = − Σ_g p(g) · log p(g),  p(g) = count of g / all n-grams

It measures how evenly n-grams are used, which distinct-n does not. The maximum is log(number of n-grams).
Zhang et al. (2018): Generating Informative and Diverse Conversational Responses via Adversarial Information
Maximization. NeurIPS.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from bleuprint.core import counts
from bleuprint.metrics._ngram_pool import NgramPool, of_texts
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.pool import PoolFormula, PoolScore, Table, occurrences


class EntropyFormula(PoolFormula):
    """Shannon entropy of each order."""

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> PoolScore:
        return PoolScore(definition, len(pool), tuple(map(_entropy, pool.frequency_counts(self.max_order, threads))))

    def score_tables(self, definition: Definition, tables: Sequence[Table], texts: int, references: int) -> PoolScore:
        return PoolScore(definition, texts, tuple(map(_entropy, of_texts(tables))))


def _entropy(ngrams_with_count: Counter[int]) -> float:
    # Grouped by count and summed exactly, so the result does not depend on the order in which n-grams were seen.
    total = occurrences(ngrams_with_count)
    return math.fsum(
        -ngrams * (count / total) * math.log(count / total) for count, ngrams in sorted(ngrams_with_count.items())
    )


class Entropy(NgramPool[PoolScore]):
    """Ent-n of a pool of texts, in nats; `value` is that of order `max_order`.

    - `max_order`: length of the longest n-grams
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

    >>> score = Entropy(max_order=1, tokenizer="whitespace").corpus(["a b", "c d"])
    >>> round(score.value, 4) == round(math.log(4), 4)
    True
    """

    name = "entropy"
    formula = EntropyFormula
    has_percent = False
