"""Ent-n: the Shannon entropy of the n-grams of a pool, in nats. Higher means more diverse.

    Ent-n = − Σ_g p(g) · log p(g),  p(g) = count of g / all n-grams

It measures how evenly n-grams are used, which distinct-n does not. The maximum is log(number of n-grams).
Zhang et al. (2018): Generating Informative and Diverse Conversational Responses via Adversarial Information
Maximization. NeurIPS.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bleuprint.metrics._ngram_pool import FrequencyFormula, NgramPool
from bleuprint.metrics.base.formulas import Value, exact_sum, log, named, sum_of
from bleuprint.metrics.base.pool import PoolScore


class EntropyFormula(FrequencyFormula):
    """Shannon entropy of each order."""

    def label(self, tables: Sequence[Counter[int]], texts: int) -> dict[str, int]:
        """How many n-grams of each order occur how often, such as n_2_5 for those of order 2 that occur 5 times."""
        orders = enumerate(tables, start=1)
        return {f"n_{order}_{count}": ngrams for order, table in orders for count, ngrams in sorted(table.items())}

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        tables: list[dict[int, Value]] = [{} for _ in range(self.max_order)]
        for label, ngrams in counted.items():
            _, order, count = label.split("_")
            tables[int(order) - 1][int(count)] = ngrams
        return [_entropy(order, table) for order, table in enumerate(tables, start=1)]


def _entropy(order: int, ngrams_with_count: Mapping[int, Value]) -> Value:
    # Grouped by count and summed exactly, so the result does not depend on the order in which n-grams were seen.
    total = named(f"t_{order}", sum_of(count * ngrams for count, ngrams in ngrams_with_count.items()))
    return exact_sum([-ngrams * (count / total) * log(count / total) for count, ngrams in ngrams_with_count.items()])


class Entropy(NgramPool[PoolScore]):
    """Ent-n of a pool of texts, in nats; `value` is that of order `max_order`.

    >>> round(Entropy(max_order=1, tokenizer="whitespace").corpus(["a b", "c d"]).value, 4)  # log 4
    1.3863
    """

    name = "entropy"
    formula = EntropyFormula
    has_percent = False
