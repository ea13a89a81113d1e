"""Vendi score: the effective number of different texts of a pool. Higher means more diverse.

    VS = exp(− Σ_i λ_i log λ_i),   λ: the eigenvalues of K / |X|

K(x, y) is the mean over the orders 1 to N of the cosine of the n-gram counts of x and y. Equal texts count as one, and
texts without a common n-gram as two. The time for eigenvalues grows with the cube of the number of texts, so the score
of a larger pool is that of `sample` texts: the mean over eight random samples; `error` is its standard error.
Friedman, Dieng (2023): The Vendi Score: A Diversity Evaluation Metric for Machine Learning. TMLR.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.tokenizers import Tokenize
from bleuprint.errors import OptionError
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base import Definition
from bleuprint.metrics.base.pool import PoolFormula, PoolScore

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SAMPLES = 8
_COLUMNS = 4096  # n-grams at a time in the product that gives K


def similarities(pool: counts.Pool, max_order: int, threads: int) -> NDArray[np.float64]:
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


def effective_number(matrix: NDArray[np.float64]) -> float:
    """exp(−Σ λ log λ) of the eigenvalues of a matrix; those that are zero but for rounding count as zero."""
    eigenvalues = np.linalg.eigvalsh(matrix)
    values = eigenvalues[eigenvalues > 1e-15]
    return math.exp(max(0.0, -math.fsum((values * np.log(values)).tolist())))


class VendiFormula(PoolFormula):
    """The exponential of the entropy of the eigenvalues."""

    def __init__(self, max_order: int, sample: int | None, seed: int) -> None:
        super().__init__()
        self.max_order, self.sample, self.seed = max_order, sample, seed

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> VendiScore:
        if self.sample is None or len(pool) <= self.sample:
            kernel = similarities(pool, self.max_order, threads)
            return VendiScore(definition, len(pool), effective_number(kernel / len(pool)), 0.0, kernel)
        generator, values = np.random.default_rng(self.seed), []
        for _ in range(_SAMPLES):
            texts = pool.select(generator.choice(len(pool), self.sample, replace=False).tolist())
            values.append(effective_number(similarities(texts, self.max_order, threads) / self.sample))
        error = float(np.std(values, ddof=1)) / math.sqrt(_SAMPLES)
        return VendiScore(definition, len(pool), float(np.mean(values)), error)


class VendiScore(PoolScore):
    """The effective number of different texts, and its standard error: 0 where all texts were compared."""

    part_names = ("error", "texts")

    def __init__(
        self,
        definition: Definition,
        texts: int,
        value: float,
        error: float,
        kernel: NDArray[np.float64] | None = None,
    ) -> None:
        super().__init__(definition, texts, (), value=value)
        self.error, self._kernel = error, kernel

    @property
    def keeps_pairs(self) -> bool:
        """Whether the similarities of all pairs were computed, so that `among` can be called."""
        return self._kernel is not None

    def among(self, kept: NDArray[np.int64]) -> float:
        """The score of these texts alone, if the similarities of all pairs were computed."""
        if self._kernel is None:
            raise OptionError.because(f"among() needs a score of all texts, and {self.texts} texts were sampled")
        return effective_number(self._kernel[np.ix_(kept, kept)] / len(kept))


class Vendi(TokenPool[VendiScore]):
    """Vendi score of a pool of texts with an n-gram kernel: the effective number of different texts.

    - `max_order`: length of the longest n-grams
    - `sample`: the score of a larger pool is that of random samples of so many texts; None compares all texts
    - `seed`: random seed for drawing them
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

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
