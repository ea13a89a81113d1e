"""MS-Jaccard: how similar two corpora are in their n-grams; measures quality and diversity in one number.

    J_n   = Σ_g min(a(g), b(g)) / Σ_g max(a(g), b(g)),   a(g) = occurrences of g per text of the first corpus
    MSJ-N = (J_1 · … · J_N)^(1/N)

Generated texts that differ from the real ones lower it, and so do generated texts that repeat only some of them.
Montahaei, Alihosseini, Soleymani Baghshah (2019): Jointly Measuring Diversity and Quality in Text Generation Models.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import ngram_pool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import ratio, weighted_geometric_mean
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PoolFormula, ReferencedScore, Table

__all__ = ["MSJaccard"]


class MSJaccardFormula(PoolFormula):
    """Geometric means of the Jaccard indices of all orders."""

    def score(
        self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int
    ) -> ReferencedScore:
        overlaps = [self._overlap(pool, references, order, threads) for order in range(1, self.max_order + 1)]
        return self._of_overlaps(definition, overlaps, len(pool)).against(references)

    def score_tables(
        self, definition: Definition, tables: Sequence[Table], texts: int, references: int
    ) -> ReferencedScore:
        overlaps = []
        for table in tables:
            scaled = [(first * references, second * texts, ngrams) for (first, second), ngrams in table.items()]
            shared = sum(min(first, second) * ngrams for first, second, ngrams in scaled)
            overlaps.append((shared, sum(max(first, second) * ngrams for first, second, ngrams in scaled)))
        return self._of_overlaps(definition, overlaps, texts)

    def _of_overlaps(self, definition: Definition, overlaps: Sequence[tuple[int, int]], texts: int) -> ReferencedScore:
        """Compute the score from the sums of minima and maxima of each order."""
        jaccard = [float(ratio(shared, either)) for shared, either in overlaps]
        orders = range(1, self.max_order + 1)
        means = (weighted_geometric_mean(jaccard[:order], (1 / order,) * order) for order in orders)
        return ReferencedScore(definition, texts, tuple(means))

    def _overlap(self, pool: counts.Pool, references: counts.Pool, order: int, threads: int) -> tuple[int, int]:
        # Bring the per-text averages to one denominator: c/|S| and d/|T| become the integers c·|T| and d·|S|.
        pairs = pool.paired_counts(references, order, threads) * [len(references), len(pool)]
        shared, either = np.minimum(*pairs.T), np.maximum(*pairs.T)
        return int(shared.sum()), int(either.sum())


class MSJaccard(Metric[ReferencedScore]):
    """MS-Jaccard of generated and real texts; `per_order` holds MSJ-1 to MSJ-N.

    >>> metric = MSJaccard(max_order=2, tokenizer="whitespace").add_references(["a b d"])
    >>> score = metric.update(["a b c"]).compute()
    >>> [round(value, 4) for value in score.per_order]
    [0.5, 0.4082]

    - `max_order`: length of the longest n-grams
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

    Add the references first; they stay until `reset`. Then pass texts to `corpus` or `update`. The signature of a score
    names the set of references by a digest.
    """

    name = "ms-jaccard"
    unit = "pool"

    def __init__(self, *, max_order: int = 4, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        super().__init__(ngram_pool(MSJaccard, MSJaccardFormula, max_order, tokenizer, lowercase))
