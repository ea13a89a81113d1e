"""Self-repetition: how many long n-grams of a text occur in other texts too. Lower means more diverse.

    SR = 1/|X| · Σ_i log(1 + Σ_g (texts with g − 1)),   g: the distinct n-grams of text i

It finds phrases that a generator uses again and again. `per_text` holds the terms.
Salkar, Trikalinos, Wallace, Nenkova (2022): Self-Repetition in Abstractive Neural Summarizers. AACL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Members
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value, exact_sum, log
from bleuprint.metrics.base.pool import Counted, CountFormula, PoolScore


class SelfRepetitionFormula(CountFormula):
    """Logarithms of the number of times that the n-grams of a text occur in others."""

    is_quick = True

    def __init__(self, order: int) -> None:
        super().__init__()
        self.order = order

    def label(self, repeats: Counter[int]) -> dict[str, int]:
        """How many texts have n-grams that occur so often in others: n_3 texts, 3 times."""
        return {"texts": repeats.total(), **{f"n_{times}": texts for times, texts in sorted(repeats.items())}}

    def count_parts(self, pool: counts.Pool, members: Members, threads: int) -> Iterable[Counted]:
        return map(self.label, pool.holders(self.order, threads).other_texts(members))

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        terms = [texts * log(1 + int(label[2:])) for label, texts in counted.items() if label != "texts"]
        return [exact_sum(terms) / counted["texts"]]

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> PoolScore:
        repeats = pool.other_texts(self.order, threads)
        return self.score_counts(definition, self.label(Counter(repeats.tolist())), len(pool), log(1.0 + repeats))


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
