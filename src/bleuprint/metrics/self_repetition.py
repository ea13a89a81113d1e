"""Self-repetition: how many long n-grams of a text occur in other texts too. Lower means more diverse.

    SR = 1/|X| · Σ_i log(1 + Σ_g (texts with g − 1)),   g: the distinct n-grams of text i

It finds phrases that a generator uses again and again. `per_text` holds the terms.
Salkar, Trikalinos, Wallace, Nenkova (2022): Self-Repetition in Abstractive Neural Summarizers. AACL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value, exact_sum, log
from bleuprint.metrics.base.pool import CountFormula, PoolScore


class SelfRepetitionFormula(CountFormula):
    """Logarithms of the number of times that the n-grams of a text occur in others."""

    def __init__(self, order: int) -> None:
        super().__init__()
        self.order = order

    def count(self, pool: counts.Pool, references: counts.Pool, threads: int) -> dict[str, int]:
        """How many texts have n-grams that occur so often in others: n_3 texts, 3 times."""
        repeats = Counter(pool.other_texts(self.order, threads).tolist())
        return {"texts": len(pool), **{f"n_{times}": texts for times, texts in sorted(repeats.items())}}

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        terms = [texts * log(1 + int(label[2:])) for label, texts in counted.items() if label != "texts"]
        return [exact_sum(terms) / counted["texts"]]

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> PoolScore:
        per_text = log(1.0 + pool.other_texts(self.order, threads))
        return self.score_counts(definition, self.count(pool, references, threads), len(pool), per_text)


class SelfRepetition(TokenPool[PoolScore]):
    """Self-repetition of a pool of texts; lower means more diverse.

    - `order`: length of the n-grams

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
