"""Unique n-gram ratio, Texygen's UniqueGram: distinct n-grams per text. Higher means more diverse.

    UniqueGram-n = distinct n-grams of the pool / number of texts

This is not a share: it exceeds 1 as soon as texts have more than one n-gram of their own. distinct-n is the share.
Zhu et al. (2018): Texygen: A Benchmarking Platform for Text Generation Models. SIGIR.
"""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.core import counts
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import ngram_pool, of_texts
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import PoolFormula, PoolScore, Table

__all__ = ["UniqueNgrams"]


class UniqueNgramsFormula(PoolFormula):
    """Distinct n-grams per text, by order."""

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> PoolScore:
        different = [different for different, _ in pool.distinct(self.max_order, threads)]
        return PoolScore(definition, len(pool), tuple(number / len(pool) for number in different))

    def score_tables(self, definition: Definition, tables: Sequence[Table], texts: int, references: int) -> PoolScore:
        return PoolScore(definition, texts, tuple(table.total() / texts for table in of_texts(tables)))


class UniqueNgrams(Metric[PoolScore]):
    """Distinct n-grams per text of a pool; `value` is that of order `max_order`.

    - `max_order`: length of the longest n-grams
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case

    >>> UniqueNgrams(max_order=2, tokenizer="whitespace").corpus(["a b c", "a b"]).per_order
    (1.5, 1.0)
    """

    name = "unique-ngrams"
    unit = "pool"
    needs_references = False
    has_percent = False

    def __init__(self, *, max_order: int = 4, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        super().__init__(ngram_pool(UniqueNgrams, UniqueNgramsFormula, max_order, tokenizer, lowercase))
