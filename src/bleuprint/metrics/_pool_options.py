"""What the pool metrics that only count n-grams have in common."""

from __future__ import annotations

from collections import Counter

from bleuprint.core import tokenizers
from bleuprint.metrics import _options
from bleuprint.metrics.base.pool import PoolMetric, PoolScore


class NgramPoolMetric(PoolMetric[PoolScore]):
    """A pool metric with the options tokenizer, lowercase and max_order."""

    def __init__(
        self,
        *,
        max_order: int = 4,
        tokenizer: str | tokenizers.Tokenize = "nltk",
        lowercase: bool = False,
    ) -> None:
        self.max_order = _options.order("max_order", max_order)
        self._tokenizer = tokenizers.resolve(tokenizer, _options.flag("lowercase", lowercase))
        self.options = {"tokenizer": self._tokenizer.name, "lowercase": lowercase, "max_order": self.max_order}
        super().__init__()


def occurrences(table: Counter[int]) -> int:
    """All n-grams, of how many occur how often."""
    return sum(count * ngrams for count, ngrams in table.items())
