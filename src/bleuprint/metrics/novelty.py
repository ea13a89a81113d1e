"""Novelty: the share of a text's n-grams that a corpus does not contain.

    novelty_n = 1 − n-grams of order n that occur in the corpus / n-grams of order n

counted with repetition over all texts together, for every order: the novelty curve. The value is that of one order. A
text shorter than n has no such n-grams; texts without any have novelty 0.
Merrill, Smith and Elazar (2024): Evaluating n-Gram Novelty of Language Models Using Rusty-DAWG. EMNLP.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

from bleuprint import checks
from bleuprint.metrics._model_metric import ModelMetric
from bleuprint.metrics.base import CoreRows, Definition, Part, Score
from bleuprint.metrics.base.formulas import Value, ratio
from bleuprint.models.ngram_index import NgramIndex


@dataclass(frozen=True)
class NoveltyFormula:
    """The share of unseen n-grams of one order."""

    order: int

    def __call__(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        return self.of(columns, self.order)

    def of(self, columns: Sequence[Value], order: int) -> Value:
        ngrams, seen = columns[3 * order - 2 : 3 * order]
        return ratio(ngrams - seen, ngrams)


class NoveltyScore(Score):
    """The novelty of one order, and the curve over all of them."""

    __slots__ = ()

    @property
    def curve(self) -> tuple[float, ...]:
        """The novelty of order 1, 2, …"""
        orders = range(1, len(self.columns) // 3 + 1)
        return tuple(float(self.definition.formula.of(self.columns, order)) for order in orders)

    @property
    def parts(self) -> dict[str, Part]:
        tokens, ngrams, seen = self.columns[0], self.columns[1::3], self.columns[2::3]
        return {"curve": self.curve, "ngrams": ngrams, "seen": seen, "tokens": tokens}

    def __str__(self) -> str:
        curve = "/".join(f"{value:.2f}" for value in self.curve)
        return (
            f"novelty = {self.value:.4f} (n = {self.definition.formula.order}; orders 1 to {len(self.curve)}: {curve})"
        )


class Novelty(ModelMetric[NoveltyScore]):
    """Share of the n-grams of texts that an indexed corpus does not contain.

    >>> from bleuprint import NgramIndex
    >>> index = NgramIndex.build(["the cat sat on the mat", "the dog ran"], max_order=4)
    >>> print(Novelty(index, order=2).sentence("the cat sat on the log"))
    novelty = 0.2000 (n = 2; orders 1 to 4: 0.17/0.20/0.25/0.33)

    - `index`: an `NgramIndex` or the path of its file
    - `order`: the order whose novelty is the value
    """

    name = "novelty"
    model_option = model_noun = "index"
    load_model = NgramIndex.resolve
    needs_references = False
    value_range = (0.0, 1.0)

    def __init__(self, index: NgramIndex | str | PathLike[str], *, order: int = 4) -> None:
        corpus = NgramIndex.resolve(index)
        chosen = checks.order("order", order, largest=corpus.max_order)
        rows = CoreRows(corpus.seen_counts(tuple(range(1, corpus.max_order + 1))), corpus.tokenizer)
        options = {**corpus.options, "order": chosen}
        formula = NoveltyFormula(chosen)
        super().__init__(Definition(Novelty, options, rows, formula, NoveltyScore, outside={"index": corpus}))
