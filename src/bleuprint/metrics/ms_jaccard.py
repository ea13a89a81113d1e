"""MS-Jaccard: how alike two corpora are in their n-grams, quality and diversity in one number.

    J_n   = Σ_g min(a(g), b(g)) / Σ_g max(a(g), b(g)),   a(g) = occurrences of g per text of the first corpus
    MSJ-N = (J_1 · … · J_N)^(1/N)

Generated texts that differ from the real ones lower it, and so do generated texts that only repeat some of them.
Montahaei, Alihosseini, Soleymani Baghshah (2019): Jointly Measuring Diversity and Quality in Text Generation Models.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from bleuprint.core import counts
from bleuprint.core.columns import Texts
from bleuprint.errors import PoolError
from bleuprint.metrics._pool_options import NgramPoolMetric
from bleuprint.metrics.base.metric import checked_threads
from bleuprint.metrics.base.pool import PoolScore
from bleuprint.metrics.smoothing import ratio, weighted_geometric_mean

__all__ = ["MSJaccard"]


class MSJaccard(NgramPoolMetric):
    """MS-Jaccard of generated texts with real ones; `per_order` holds MSJ-1 … MSJ-N.

    >>> metric = MSJaccard(max_order=2, tokenizer="whitespace").add_references(["a b d"])
    >>> score = metric.update(["a b c"]).compute()
    >>> [round(value, 4) for value in score.per_order]
    [0.5, 0.4082]

    The references are given first and stay until `reset`; texts come through `corpus` or `update`.
    """

    name = "ms-jaccard"

    def add_references(self, references: Texts, *, threads: int | None = None) -> Self:
        """Add texts to the corpus that is compared with."""
        self._references.append(self._filled(references, checked_threads(threads), "references"))
        return self

    def merge(self, other: Self) -> Self:
        super().merge(other)
        self._references.append(other._references)
        return self

    def reset(self) -> Self:
        self._references = counts.Pool(self._tokenizer.scheme, self._tokenizer.native_lowercase)
        return super().reset()

    def _score(self, pool: counts.Pool, threads: int) -> PoolScore:
        if len(self._references) == 0:
            raise PoolError(f"{self.name} with references", 1, 0)
        overlaps = [self._overlap(pool, order, threads) for order in range(1, self.max_order + 1)]
        return self.score_overlaps(overlaps, len(pool))

    def score_overlaps(self, overlaps: Sequence[tuple[int, int]], texts: int) -> PoolScore:
        """The score of corpora that were counted elsewhere: for every order the sums of minima and of maxima."""
        jaccard = [float(ratio(shared, either)) for shared, either in overlaps]
        orders = range(1, self.max_order + 1)
        means = (weighted_geometric_mean(jaccard[:order], (1 / order,) * order) for order in orders)
        return PoolScore(self, texts, tuple(means))

    def _overlap(self, pool: counts.Pool, order: int, threads: int) -> tuple[int, int]:
        import numpy as np

        # Per-text averages brought to one denominator: c/|S| against d/|T| is c·|T| against d·|S|, in integers.
        pairs = pool.paired_counts(self._references, order, threads) * [len(self._references), len(pool)]
        shared, either = np.minimum(*pairs.T), np.maximum(*pairs.T)
        return int(shared.sum()), int(either.sum())
