"""Unique n-gram ratio as Texygen's UniqueGram: different n-grams for each text. Higher is more diverse.

    UniqueGram-n = different n-grams of the pool / number of texts

Not a share: it exceeds 1 as soon as texts have more than one n-gram of their own. distinct-n is the share.
Zhu et al. (2018): Texygen: A Benchmarking Platform for Text Generation Models. SIGIR.
"""

from __future__ import annotations

from bleuprint import counts
from bleuprint.metrics._pool_options import NgramPoolMetric
from bleuprint.pool import PoolScore

__all__ = ["UniqueNgrams"]


class UniqueNgrams(NgramPoolMetric):
    """Different n-grams for each text of a pool; `value` is that of order `max_order`.

    >>> UniqueNgrams(max_order=2, tokenizer="whitespace").corpus(["a b c", "a b"]).per_order
    (1.5, 1.0)
    """

    name = "unique-ngrams"

    def _score(self, pool: counts.Pool, threads: int) -> PoolScore:
        per_order = tuple(different / len(pool) for different, _ in pool.distinct(self.max_order, threads))
        return PoolScore(self, len(pool), per_order)
