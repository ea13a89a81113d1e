"""MS-Jaccard: how similar two corpora are in their n-grams; measures quality and diversity in one number.

    J_n   = Σ_g min(a(g), b(g)) / Σ_g max(a(g), b(g)),   a(g) = occurrences of g per text of the first corpus
    MSJ-N = (J_1 · … · J_N)^(1/N)

Generated texts that differ from the real ones lower it, and so do generated texts that repeat only some of them.
Montahaei, Alihosseini, Soleymani Baghshah (2019): Jointly Measuring Diversity and Quality in Text Generation Models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.metrics._ngram_pool import NgramPool, by_order
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value, named, ratio, weighted_geometric_mean
from bleuprint.metrics.base.pool import CountFormula, ReferencedScore


class MSJaccardFormula(CountFormula):
    """Geometric means of the Jaccard indices of all orders."""

    def score(
        self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int
    ) -> ReferencedScore:
        means = self.evaluate(self.count(pool, references, threads))
        return ReferencedScore(definition, len(pool), tuple(means)).against(references)

    def count(self, pool: counts.Pool, references: counts.Pool, threads: int) -> dict[str, int]:
        """The sums of minima and of maxima of each order."""
        return by_order([self._overlap(pool, references, n, threads) for n in range(1, self.max_order + 1)], "su")

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        orders = range(1, self.max_order + 1)
        jaccard = named("J", [ratio(counted[f"s_{order}"], counted[f"u_{order}"]) for order in orders])
        return [weighted_geometric_mean(jaccard[:order], (1 / order,) * order) for order in orders]

    def _overlap(self, pool: counts.Pool, references: counts.Pool, order: int, threads: int) -> tuple[int, int]:
        # Bring the per-text averages to one denominator: c/|S| and d/|T| become the integers c·|T| and d·|S|.
        pairs = pool.paired_counts(references, order, threads) * [len(references), len(pool)]
        shared, either = np.minimum(*pairs.T), np.maximum(*pairs.T)
        return int(shared.sum()), int(either.sum())


class MSJaccard(NgramPool[ReferencedScore]):
    """MS-Jaccard of generated and real texts; `per_order` holds MSJ-1 to MSJ-N.

    >>> metric = MSJaccard(max_order=2, tokenizer="whitespace").add_references(["a b d"])
    >>> score = metric.update(["a b c"]).compute()
    >>> [round(value, 4) for value in score.per_order]
    [0.5, 0.4082]

    Add the references first; they stay until `reset`. Then pass texts to `corpus` or `update`. The signature of a score
    names the set of references by a digest.
    """

    name = "ms-jaccard"
    formula = MSJaccardFormula
    needs_references = True
