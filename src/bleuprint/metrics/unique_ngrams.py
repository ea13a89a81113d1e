"""Unique n-gram ratio, Texygen's UniqueGram: distinct n-grams per text. Higher means more diverse.

    UniqueGram-n = distinct n-grams of the pool / number of texts

This is not a share: it exceeds 1 as soon as texts have more than one n-gram of their own. distinct-n is the share.
Zhu et al. (2018): Texygen: A Benchmarking Platform for Text Generation Models. SIGIR.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bleuprint.metrics._ngram_pool import FrequencyFormula, NgramPool
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.pool import PoolScore


class UniqueNgramsFormula(FrequencyFormula):
    """Distinct n-grams per text, by order."""

    def label(self, tables: Sequence[Counter[int]], texts: int) -> dict[str, int]:
        return {"N": texts, **{f"d_{order}": table.total() for order, table in enumerate(tables, start=1)}}

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        return [counted[f"d_{order}"] / counted["N"] for order in range(1, self.max_order + 1)]


class UniqueNgrams(NgramPool[PoolScore]):
    """Distinct n-grams per text of a pool; `value` is that of order `max_order`.

    >>> UniqueNgrams(max_order=2, tokenizer="whitespace").corpus(["a b c", "a b"]).per_order
    (1.5, 1.0)
    """

    name = "unique-ngrams"
    formula = UniqueNgramsFormula
    has_percent = False
