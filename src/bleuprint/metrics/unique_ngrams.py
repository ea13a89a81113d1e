"""Unique n-gram ratio as Texygen's UniqueGram: different n-grams for each text. Higher is more diverse.

    UniqueGram-n = different n-grams of the pool / number of texts

Not a share: it exceeds 1 as soon as texts have more than one n-gram of their own. distinct-n is the share.
Zhu et al. (2018): Texygen: A Benchmarking Platform for Text Generation Models. SIGIR.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bleuprint.core import counts
from bleuprint.metrics._pool_options import NgramPoolMetric
from bleuprint.metrics.base.pool import PoolScore

__all__ = ["UniqueNgrams"]


class UniqueNgrams(NgramPoolMetric):
    """Different n-grams for each text of a pool; `value` is that of order `max_order`.

    >>> UniqueNgrams(max_order=2, tokenizer="whitespace").corpus(["a b c", "a b"]).per_order
    (1.5, 1.0)
    """

    name = "unique-ngrams"

    def _score(self, pool: counts.Pool, threads: int) -> PoolScore:
        different = [different for different, _ in pool.distinct(self.max_order, threads)]
        return self._of_numbers(different, len(pool))

    def score_counts(self, tables: Sequence[Counter[int]], texts: int) -> PoolScore:
        """The score of n-grams that were counted elsewhere: for every order how many occur how often."""
        return self._of_numbers([table.total() for table in tables], texts)

    def _of_numbers(self, different: Sequence[int], texts: int) -> PoolScore:
        return PoolScore(self, texts, tuple(number / texts for number in different))
