"""Self-repetition: how many long n-grams of a text occur in other texts too. Lower means more diverse.

    SR = 1/|X| · Σ_i log(1 + Σ_g (texts with g − 1)),   g: the distinct n-grams of text i

It finds phrases that a generator uses again and again. `per_text` holds the terms.
Salkar, Trikalinos, Wallace, Nenkova (2022): Self-Repetition in Abstractive Neural Summarizers. AACL.
"""

from __future__ import annotations

import math

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import np
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.pool import PoolFormula, PoolScore


class SelfRepetitionFormula(PoolFormula):
    """Logarithms of the number of times that the n-grams of a text occur in others."""

    def __init__(self, order: int) -> None:
        super().__init__()
        self.order = order

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> PoolScore:
        per_text = np.log1p(pool.other_texts(self.order, threads))
        return PoolScore(definition, len(pool), (), per_text, math.fsum(per_text.tolist()) / len(pool))


class SelfRepetition(TokenPool[PoolScore]):
    """Self-repetition of a pool of texts; lower means more diverse.

    - `order`: length of the n-grams
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

    >>> score = SelfRepetition(order=2, tokenizer="whitespace").corpus(["a b c", "a b d", "x y z"])
    >>> score.per_text.round(4).tolist(), round(score.value, 4)
    ([0.6931, 0.6931, 0.0], 0.4621)
    """

    name = "self-repetition"
    higher_is_better = False
    has_percent = False

    def __init__(self, *, order: int = 4, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        size = checks.order("order", order)
        super().__init__(SelfRepetitionFormula(size), tokenizer, lowercase, order=size)
