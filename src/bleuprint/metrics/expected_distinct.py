"""Expectation-adjusted distinct-n (EAD): distinct n-grams over those of random text. Higher means more diverse.

    EAD-n = N / E,   E = Vⁿ · (1 − (1 − 1/Vⁿ)^C)

N is the number of distinct n-grams, C of all n-grams, and E how many different ones C draws from Vⁿ equally frequent
n-grams give. It falls less with the length of the texts than distinct-n does.
Liu, Sabour, Zheng, Ke, Zhu, Huang (2022): Rethinking and Refining the Distinct Metric. ACL. They define it for words;
for n-grams, V becomes the number of possible n-grams, Vⁿ.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from bleuprint import checks
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import FrequencyFormula, TokenPool, count_items
from bleuprint.metrics.base.formulas import Value, ratio
from bleuprint.metrics.base.pool import PoolScore


class ExpectedDistinctFormula(FrequencyFormula):
    """Distinct n-grams over the expected number, per order."""

    def __init__(self, max_order: int, vocabulary: int) -> None:
        super().__init__(max_order)
        self.vocabulary = vocabulary

    def label(self, tables: Sequence[Counter[int]], texts: int) -> dict[str, int | float]:
        """Distinct n-grams of each order, and how many are expected of so many n-grams."""
        numbers: dict[str, int | float] = {}
        for order, table in enumerate(tables, start=1):
            expected = expected_kinds(count_items(table), float(self.vocabulary) ** order)
            numbers |= {f"d_{order}": table.total(), f"E_{order}": expected}
        return numbers

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        orders = range(1, self.max_order + 1)
        return [ratio(counted[f"d_{order}"], counted[f"E_{order}"]) for order in orders]


def expected_kinds(draws: int, kinds: float) -> float:
    """How many different kinds so many draws give, if all kinds are equally frequent."""
    return 0.0 if draws == 0 else 1.0 if kinds == 1 else -kinds * math.expm1(draws * math.log1p(-1 / kinds))


class ExpectedDistinct(TokenPool[PoolScore]):
    """Expectation-adjusted distinct-n of a pool of texts; `value` is that of order `max_order`.

    - `vocabulary`: how many different tokens there are to choose from; 30,522 is the size of BERT's vocabulary

    >>> score = ExpectedDistinct(max_order=1, vocabulary=4, tokenizer="whitespace").corpus(["a b a b", "a b"])
    >>> round(score.value, 4)
    0.6083
    """

    name = "expected-distinct"

    def __init__(
        self,
        *,
        max_order: int = 4,
        vocabulary: int = 30522,
        tokenizer: str | Tokenize = "nltk",
        lowercase: bool = False,
    ) -> None:
        order, words = checks.order("max_order", max_order), checks.integer("vocabulary", vocabulary, 1, 2**53)
        formula = ExpectedDistinctFormula(order, words)
        super().__init__(formula, tokenizer, lowercase, max_order=order, vocabulary=words)
