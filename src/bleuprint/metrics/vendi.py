"""Vendi score: the effective number of different texts of a pool. Higher means more diverse.

    VS = exp(− Σ_i λ_i log λ_i),   λ: the eigenvalues of K / |X|

K(x, y) is the mean over the orders 1 to N of the cosine of the n-gram counts of x and y. Equal texts count as one, and
texts without a common n-gram as two. The time for eigenvalues grows with the cube of the number of texts, so the score
of a larger pool is that of `sample` texts: the mean over eight random samples; `error` is its standard error.
Friedman, Dieng (2023): The Vendi Score: A Diversity Evaluation Metric for Machine Learning. TMLR.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Members, np
from bleuprint.core.pool import PartScorer
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base import Definition
from bleuprint.metrics.base.formulas import Value, exact_sum, exp, log, where
from bleuprint.metrics.base.pool import CountFormula, PoolScore

_SAMPLES = 8
_COLUMNS = 4096  # n-grams at a time in the product that gives K


def similarities(pool: counts.Pool, max_order: int, threads: int) -> Floats:
    """K: the mean over all orders of the cosines of n-gram counts."""
    size, lengths, groups = len(pool), pool.lengths(), pool.duplicates(threads)
    texts = np.repeat(np.arange(size), lengths)
    kernel = np.zeros((size, size))
    for order in range(1, max_order + 1):
        numbers = pool.ngram_numbers(order, threads)
        shared = np.diag(np.bincount(texts[numbers == 0], minlength=size).astype(np.float64))
        for begin in range(1, int(numbers.max(initial=0)) + 1, _COLUMNS):
            inside = (begin <= numbers) & (numbers < begin + _COLUMNS)
            block = np.zeros((size, int(numbers[inside].max()) - begin + 1))
            np.add.at(block, (texts[inside], numbers[inside] - begin), 1.0)
            shared += block @ block.T
        # A text too short for the order is like its duplicates only.
        short = lengths < order
        shared[np.ix_(short, short)] = groups[short, None] == groups[short]
        norms = np.sqrt(np.diag(shared))
        kernel += shared / np.outer(norms, norms)
    return kernel / max_order


def eigenvalues(matrix: Floats) -> list[float]:
    """The eigenvalues of a matrix without those that are zero but for rounding, the largest first."""
    values = np.linalg.eigvalsh(matrix)[::-1]
    return [float(value) for value in values if value > 1e-15]


def effective_number(values: Sequence[Value]) -> Value:
    """exp(−Σ λ log λ) of eigenvalues, which is at least 1 but for rounding."""
    entropy = exact_sum([-value * log(value) for value in values])
    return exp(where(entropy > 0, entropy, 0.0))


class VendiFormula(CountFormula):
    """The exponential of the entropy of the eigenvalues."""

    def __init__(self, max_order: int, sample: int | None, seed: int) -> None:
        super().__init__()
        self.orders, self.sample, self.seed = max_order, sample, seed

    def count(self, pool: counts.Pool, references: counts.Pool, threads: int) -> dict[str, float]:
        """The eigenvalues e_1, e_2, … of all texts, or the scores V_1, V_2, … of the samples."""
        if self.sample is None or len(pool) <= self.sample:
            return label_eigenvalues(similarities(pool, self.orders, threads) / len(pool))
        generator, samples = np.random.default_rng(self.seed), {}
        for number in range(1, _SAMPLES + 1):
            texts = pool.select(generator.choice(len(pool), self.sample, replace=False).tolist())
            kernel = similarities(texts, self.orders, threads)
            samples[f"V_{number}"] = effective_number(eigenvalues(kernel / self.sample))
        return samples

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        values = list(counted.values())
        return [exact_sum(values) / _SAMPLES if "V_1" in counted else effective_number(values)]

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> VendiScore:
        counted = self.count(pool, references, threads)
        error = float(np.std(list(counted.values()), ddof=1)) / math.sqrt(_SAMPLES) if "V_1" in counted else 0.0
        return VendiScore(definition, len(pool), self.evaluate(counted)[-1], error)

    def part_scorer(self, pool: counts.Pool, references: counts.Pool, threads: int) -> PartScorer | None:
        if self.sample is not None and len(pool) > 2 * self.sample:  # of two pools, which a test puts together
            return None
        kernel = similarities(pool, self.orders, threads)

        def score(members: Members) -> Floats:
            kernels = (kernel[np.ix_(kept, kept)] / len(kept) for kept in counts.each_part(members))
            return np.array([[effective_number(eigenvalues(part))] for part in kernels])

        return score


def label_eigenvalues(matrix: Floats) -> dict[str, float]:
    """The eigenvalues of a matrix by their symbols."""
    return {f"e_{number}": value for number, value in enumerate(eigenvalues(matrix), start=1)}


class VendiScore(PoolScore):
    """The effective number of different texts, and its standard error: 0 where all texts were compared."""

    part_names = ("error", "texts")

    def __init__(self, definition: Definition, texts: int, value: float, error: float) -> None:
        super().__init__(definition, texts, (), value=value)
        self.error = error


class Vendi(TokenPool[VendiScore]):
    """Vendi score of a pool of texts with an n-gram kernel: the effective number of different texts.

    - `max_order`: length of the longest n-grams
    - `sample`: the score of a larger pool is that of random samples of so many texts; None compares all texts
    - `seed`: random seed for drawing them

    >>> score = Vendi(tokenizer="whitespace").corpus(["the cat sat", "the cat sat", "dogs bark"])
    >>> round(score.value, 4), score.error
    (1.8899, 0.0)
    """

    name = "vendi"
    has_percent = False

    def __init__(
        self,
        *,
        max_order: int = 2,
        sample: int | None = 500,
        seed: int = 12345,
        tokenizer: str | Tokenize = "nltk",
        lowercase: bool = False,
    ) -> None:
        order, start = checks.order("max_order", max_order), checks.integer("seed", seed, 0)
        size = checks.integer(
            "sample", sample, 2, optional=True, allowed="None (all texts) or an integer of at least 2"
        )
        formula = VendiFormula(order, size, start)
        super().__init__(formula, tokenizer, lowercase, max_order=order, sample=size, seed=start)
