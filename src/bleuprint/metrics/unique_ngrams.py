"""Unique n-gram ratio, Texygen's UniqueGram: distinct n-grams per text. Higher means more diverse.

    UniqueGram-n = distinct n-grams of the pool / number of texts

This is not a share: it exceeds 1 as soon as texts have more than one n-gram of their own. distinct-n is the share.
Zhu et al. (2018): Texygen: A Benchmarking Platform for Text Generation Models. SIGIR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.core import counts
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import ngram_pool, of_texts
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import CountFormula, PoolScore, Table


class UniqueNgramsFormula(CountFormula):
    """Distinct n-grams per text, by order."""

    def count(self, pool: counts.Pool, references: counts.Pool, threads: int) -> dict[str, int]:
        return _counted([different for different, _ in pool.distinct(self.max_order, threads)], len(pool))

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        return [counted[f"d_{order}"] / counted["N"] for order in range(1, self.max_order + 1)]

    def score(self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int) -> PoolScore:
        return PoolScore(definition, len(pool), tuple(self.evaluate(self.count(pool, references, threads))))

    def score_tables(self, definition: Definition, tables: Sequence[Table], texts: int, references: int) -> PoolScore:
        counted = _counted([table.total() for table in of_texts(tables)], texts)
        return PoolScore(definition, texts, tuple(self.evaluate(counted)))


def _counted(different: Sequence[int], texts: int) -> dict[str, int]:
    return {"N": texts, **{f"d_{order}": number for order, number in enumerate(different, start=1)}}


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
