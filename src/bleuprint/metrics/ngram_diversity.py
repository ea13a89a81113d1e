"""N-gram diversity: the sum of distinct-1 to distinct-N. Higher means more diverse.

    NGD = Σ_n  distinct n-grams of the pool / all n-grams of the pool

N-grams stay within their texts.
Padmakumar, He (2024): Does Writing with Language Models Reduce Content Diversity? ICLR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.core import counts
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import by_order, ngram_pool, of_texts
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value, exact_sum, named, ratio
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import CountFormula, PoolScore, Table, occurrences


class NgramDiversityFormula(CountFormula):
    """The shares of distinct n-grams, and their sum."""

    def count(self, pool: counts.Pool, references: counts.Pool, threads: int) -> dict[str, int]:
        return by_order(pool.distinct(self.max_order, threads), "dt")

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        orders = range(1, self.max_order + 1)
        shares = named("distinct", [ratio(counted[f"d_{order}"], counted[f"t_{order}"]) for order in orders])
        return [*shares, exact_sum(shares)]

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> PoolScore:
        return self._score(definition, len(pool), self.count(pool, references, threads))

    def score_tables(self, definition: Definition, tables: Sequence[Table], texts: int, references: int) -> PoolScore:
        counted = by_order([(table.total(), occurrences(table)) for table in of_texts(tables)], "dt")
        return self._score(definition, texts, counted)

    def _score(self, definition: Definition, texts: int, counted: Mapping[str, int]) -> PoolScore:
        *per_order, value = self.evaluate(counted)
        return PoolScore(definition, texts, tuple(per_order), value=value)


class NgramDiversity(Metric[PoolScore]):
    """The sum of distinct-1 to distinct-N of a pool of texts; `per_order` holds the terms.

    - `max_order`: length of the longest n-grams
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

    >>> NgramDiversity(max_order=2, tokenizer="whitespace").corpus(["a b a b", "a b"]).value
    0.8333333333333333
    """

    name = "ngram-diversity"
    unit = "pool"
    needs_references = False
    has_percent = False

    def __init__(self, *, max_order: int = 4, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        super().__init__(ngram_pool(NgramDiversity, NgramDiversityFormula, max_order, tokenizer, lowercase))
