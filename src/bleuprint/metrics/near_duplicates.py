"""Near-duplicates: the share of texts that nearly repeat another. Lower means more diverse.

    near-duplicates = 1 − groups of similar texts / all texts

Two texts are similar if their n-gram Jaccard similarity (shared n-grams over n-grams of either), or their ROUGE-L F1,
is at least the threshold. Texts that are linked by similar ones form a group; a text that is similar to none is a group
of its own. All similar pairs are found: two similar texts share one of their rarest elements (prefix filtering), so few
pairs have to be compared, and nothing is left to chance as it is with hashing.
Chaudhuri, Ganti, Kaushik (2006): A Primitive Operator for Similarity Joins in Data Cleaning. ICDE.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Integers, np
from bleuprint.core.pool import Sets, similar_sets
from bleuprint.core.tokenizers import Tokenize
from bleuprint.errors import OptionError
from bleuprint.metrics._ngram_pool import TokenPool, link_texts
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.duplicates import DuplicateGroups, DuplicatesFormula
from bleuprint.metrics.homogenization import pair_similarities

_MOST_PAIRS = 20_000_000  # 240 MB


class SimilarPair(NamedTuple):
    """Two texts, as indices, and how similar they are."""

    first: int
    second: int
    similarity: float


class NearDuplicatesFormula(DuplicatesFormula):
    """Groups of texts that are linked by similar pairs."""

    def __init__(self, measure: str, threshold: float, order: int) -> None:
        super().__init__()
        self.measure, self.threshold, self.order = measure, threshold, order

    def grouping(self, pool: counts.Pool, threads: int) -> Callable[[Integers], Integers]:
        groups, _, pairs, _ = self._join(pool, threads)
        linked, places = np.unique(pairs, return_inverse=True)
        places = places.reshape(pairs.shape)

        def group(kept: Integers) -> Integers:
            """Similar texts may be linked by others, but only by those that are kept too."""
            present = np.zeros(int(groups.max(initial=0)) + 1, dtype=bool)
            present[groups[kept]] = True
            leaders = np.arange(len(present))
            leaders[linked] = linked[link_texts(np.arange(len(linked)), places[present[pairs].all(axis=1)])]
            return leaders[groups[kept]]

        return group

    def score(
        self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int
    ) -> NearDuplicateGroups:
        _, firsts, pairs, similarities = self._join(pool, threads)
        numbers = self.grouping(pool, threads)(np.arange(len(pool)))
        return NearDuplicateGroups(definition, pool, numbers, firsts[pairs], similarities)

    def _join(self, pool: counts.Pool, threads: int) -> tuple[Integers, Integers, Integers, Floats]:
        """A number for each text, shared by its copies; their first texts; the similar pairs of these; how similar."""

        def join() -> tuple[Integers, Integers, Integers, Floats]:
            groups = pool.duplicates(threads)
            firsts = np.flatnonzero(np.diff(np.maximum.accumulate(groups), prepend=-1))  # numbered by first appearance
            different = pool.select(firsts.tolist()) if len(firsts) < len(pool) else pool
            return groups, firsts, *similar_texts(different, self.measure, self.threshold, self.order, threads)

        return pool.once(("similar", self.measure, self.threshold, self.order), join)


def similar_texts(
    pool: counts.Pool, measure: str, threshold: float, order: int, threads: int
) -> tuple[Integers, Floats]:
    """All pairs of texts whose similarity reaches the threshold, and the similarities."""
    if measure == "rouge-l":
        # The longest common subsequence has at most as many words as the texts share, and F1 ≥ t is J ≥ t / (2 − t).
        words = pool.ngram_sets(1, threads, repeats_count=True)
        lowest = (1 - 1e-9) * threshold / (2 - threshold)  # rounding must not lose a pair; what is below goes next
        pairs = _join(words, lowest, threads, threshold)[:, :2]
        similarities = pair_similarities(pool, pairs[:, 0], pairs[:, 1], measure, threads)
        reached = checks.reaches(similarities, threshold)
        return pairs[reached], similarities[reached]
    sets = pool.ngram_sets(order, threads)
    joined = _join(sets, threshold, threads, threshold)
    either = sets.sizes.astype(np.int64)[joined[:, :2]].sum(axis=1) - joined[:, 2]
    return joined[:, :2], joined[:, 2] / np.maximum(either, 1)


def _join(sets: Sets, jaccard: float, threads: int, threshold: float) -> Integers:
    pairs = similar_sets(sets, jaccard, _MOST_PAIRS, threads)
    if pairs is None:
        problem = f"more than {_MOST_PAIRS:,} pairs of texts reach threshold={threshold}; raise it"
        raise OptionError.because(problem)
    return pairs.astype(np.int64)


class NearDuplicateGroups(DuplicateGroups):
    """The share of texts that nearly repeat another, the groups, and the similar pairs."""

    def __init__(
        self, definition: Definition, pool: counts.Pool, numbers: Integers, pairs: Integers, similarities: Floats
    ) -> None:
        super().__init__(definition, pool, numbers)
        self._pairs, self._similarities = pairs, similarities

    def pairs(self) -> list[SimilarPair]:
        """All similar pairs of different texts, as indices; of texts with equal tokens only the first is listed."""
        return [
            SimilarPair(first, second, similarity)
            for (first, second), similarity in zip(self._pairs.tolist(), self._similarities.tolist(), strict=True)
        ]

    def kept(self) -> list[int]:
        """The texts that remain if only the first of each group is kept, as indices."""
        dropped = {text for group in self._groups for text in group[1:]}
        return [text for text in range(self.texts) if text not in dropped]


class NearDuplicates(TokenPool[NearDuplicateGroups]):
    """The share of texts that nearly repeat another; lower is better.

    - `measure`: "jaccard" (of n-grams) or "rouge-l" (F1)
    - `threshold`: the similarity from which on two texts are near-duplicates
    - `order`: length of the n-grams of "jaccard"; a shorter text is similar to its exact duplicates only

    >>> metric = NearDuplicates(threshold=0.5, order=2, tokenizer="whitespace")
    >>> score = metric.corpus(["the cat sat on the mat", "the cat sat on a mat", "dogs bark", "dogs bark"])
    >>> score.value, score.groups(), score.kept()
    (0.25, [[2, 3]], [0, 1, 2])
    >>> NearDuplicates(threshold=0.4, order=2).corpus(["the cat sat on the mat", "the cat sat on a mat"]).pairs()
    [SimilarPair(first=0, second=1, similarity=0.42857142857142855)]
    """

    name = "near-duplicates"
    higher_is_better = False

    def __init__(
        self,
        *,
        measure: str = "jaccard",
        threshold: float = 0.8,
        order: int = 3,
        tokenizer: str | Tokenize = "nltk",
        lowercase: bool = False,
    ) -> None:
        similarity, size = checks.choice("measure", measure, ("jaccard", "rouge-l")), checks.order("order", order)
        least = checks.number("threshold", threshold, math.ulp(0.0), 1, allowed="a number above 0 and at most 1")
        formula = NearDuplicatesFormula(similarity, least, size)
        super().__init__(formula, tokenizer, lowercase, measure=similarity, threshold=least, order=size)
