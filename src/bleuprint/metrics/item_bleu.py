"""BLEU of single items as in evaluation suites: whitespace tokens, lowercased, add-one smoothing.

    score(item) = BLEU of one output against its expected outputs      score(set) = mean of the items' scores

The score of a set is the mean, so that it can be read beside the threshold of an item. It is not corpus BLEU, which
sums the counts of all items before it divides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bleuprint import checks
from bleuprint.metrics.base import Definition, ExactMeans, MeanFormula, MeanScore, Metric, Part
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.bleu import BLEU, BleuScore


@dataclass(frozen=True)
class SentenceBleuFormula(MeanFormula):
    """BLEU of single items."""

    bleu: Definition

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        return {"item-bleu": self.bleu.formula(columns, sentence=True)}


class SentenceBleuScore(MeanScore):
    """The BLEU of one item and its components, or the mean over several items."""

    __slots__ = ()

    @property
    def parts(self) -> dict[str, Part]:
        """The components of one item; for several, only their mean, because it has no matches or precisions."""
        if not self.sentence:
            return super().parts
        return BleuScore(self.definition.formula.bleu, self.columns, True, self.references).parts


class SentenceBleu(Metric[SentenceBleuScore]):
    """BLEU of single outputs against single expected outputs; the score of a set is the mean of its items.

    >>> metric = SentenceBleu()
    >>> round(metric.sentence("The cat sat on the mat.", "The cat is sitting on the mat.").value, 4)
    0.4139
    >>> metric.sentence("Paris", "paris").value
    1.0
    >>> metric.corpus(["Paris", "no"], ["Paris", "yes"]).value
    0.75

    - `n_grams`: length of the longest n-grams
    - `case_sensitive`: do not ignore case
    - `smoothing`: add one to the matches and totals of every order, so that a text that shares nothing still scores
      above zero; without it, one order without a match gives 0
    - `threshold`: the score at which an output passes

    Orders that a text is too short for are skipped.
    """

    name = "item-bleu"

    def __init__(
        self, n_grams: int = 4, case_sensitive: bool = False, smoothing: bool = True, threshold: float | None = None
    ) -> None:
        options = {
            "n_grams": checks.order("n_grams", n_grams),
            "case_sensitive": checks.flag("case_sensitive", case_sensitive),
            "smoothing": checks.flag("smoothing", smoothing),
        }
        bleu = BLEU(
            tokenizer="whitespace",
            lowercase=not case_sensitive,
            max_order=n_grams,
            smoothing="add-all" if smoothing else "none",
            effective_order=True,
            zero_when="never",
        ).definition
        formula = SentenceBleuFormula(bleu)
        super().__init__(
            Definition(
                SentenceBleu, options, bleu.rows, formula, SentenceBleuScore, ExactMeans, row_formula=bleu.row_formula
            )
        )
        if threshold is not None:
            self.threshold = threshold
