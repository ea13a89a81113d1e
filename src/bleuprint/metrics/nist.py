"""NIST: matched n-grams weighted by information, so that rare ones count more.

    NIST = exp(β · log²(min(1, c/r))) · Σ_n (Σ information of matched n-grams / n-grams of the hypotheses)
    information of w_1 … w_n = log2(occurrences of w_1 … w_n−1 / occurrences of w_1 … w_n)

where occurrences are counted in the references (for n = 1 the numerator is their total number of words), c and r are
the lengths of hypotheses and references, and β makes the penalty 1/2 at c/r = 2/3. As in NLTK, each order of each
segment is matched with the one reference that gives the most information (on ties, the longest), whose length counts.
An order that is too long for every text adds nothing. An n-gram that the prior has not seen counts as seen once.
Doddington (2002): Automatic evaluation of machine translation quality using n-gram co-occurrence statistics. HLT.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.core.arrays import np
from bleuprint.metrics.base import CoreRows, Definition, Part, Score
from bleuprint.metrics.base.fitting import Fitting
from bleuprint.metrics.base.formulas import Value, exp, log, named, power, ratio, sum_of, where
from bleuprint.metrics.base.metric import FittedMetric
from bleuprint.metrics.base.rows import Unfitted

_BETA = math.log(0.5) / math.log(1.5) ** 2


@dataclass(frozen=True)
class NistFormula:
    """Information per n-gram, summed over orders, times the brevity penalty."""

    max_order: int

    def __call__(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        return named("NIST", sum_of(self.informations(columns)) * self.penalty(columns))

    def informations(self, columns: Sequence[Value]) -> list[Value]:
        """Information per n-gram of the hypotheses, by order."""
        sums = [whole * 2.0**-20 + rest * 2.0**-40 for whole, rest in zip(columns[2::3], columns[3::3], strict=True)]
        means = [ratio(information, total) for information, total in zip(named("I", sums), columns[4::3], strict=True)]
        by_order: list[Value] = named("E", means)
        return by_order

    def penalty(self, columns: Sequence[Value]) -> Value:
        lengths = named("lengths", ratio(self.max_order * columns[0], columns[1]))
        shorter = (lengths > 0) & (lengths < 1)
        penalty = exp(_BETA * power(log(where(shorter, lengths, 1.0)), 2))
        return named("BP", where(shorter, penalty, where(lengths > 0, 1.0, 0.0)))


class NistScore(Score):
    """A NIST score and its components; at least 0, with no upper bound."""

    __slots__ = ()

    @property
    def informations(self) -> tuple[float, ...]:
        """Mean information per hypothesis n-gram, by order."""
        return tuple(float(value) for value in self.definition.formula.informations(self.columns))

    @property
    def brevity_penalty(self) -> float:
        return float(self.definition.formula.penalty(self.columns))

    @property
    def parts(self) -> dict[str, Part]:
        return {
            "informations": self.informations,
            "brevity_penalty": self.brevity_penalty,
            "hypothesis_length": self.columns[0],
            "reference_length": self.columns[1] / self.definition.formula.max_order,
        }

    def __str__(self) -> str:
        orders = " / ".join(f"{value:.4f}" for value in self.informations)
        return f"NIST = {self.value:.4f} ({orders}, BP = {self.brevity_penalty:.4f})"


class NIST(FittedMetric[NistScore]):
    """NIST as NLTK computes it.

    >>> metric = NIST(max_order=2)
    >>> print(metric.corpus(["the cat sat", "the dog"], ["the cat sat", "the dog ran"]))
    NIST = 2.4787 (2.1850 / 0.6667, BP = 0.8692)

    Without `fit`, information is counted on the references being scored: those of the whole corpus, or of one segment
    in `sentence`. After `fit`, scores of different outputs and of single segments are comparable, and `update` works:

    >>> fitted = metric.fit(["the cat sat", "the dog ran"])
    >>> fitted.sentences(["the cat sat", "the dog"], ["the cat sat", "the dog ran"]).round(4).tolist()
    [2.7516, 1.5425]
    """

    name = "nist"
    has_percent = False

    def __init__(
        self,
        *,
        tokenizer: str | tokenizers.Tokenize = "13a",
        lowercase: bool = False,
        max_order: int = 5,
        prior: str | None = None,
    ) -> None:
        order = checks.order("max_order", max_order)
        reader = tokenizers.resolve(tokenizer, lowercase)
        options = {"tokenizer": reader.name, "lowercase": lowercase, "max_order": max_order, "prior": prior}

        def learn(references: counts.Column | bytes, threads: int) -> counts.Prior:
            return counts.Prior(references, *reader.reading, order, by_segment=False, threads=threads)

        fitting = Fitting(
            learn,
            lambda learned: CoreRows(counts.information(learned), reader),
            named=checks.prior(prior),
            of_sums=lambda sums: np.asarray(NistFormula(order)(tuple(sums.T)), dtype=np.float64),
        )
        rows = Unfitted(self.name, counts.information_columns(range(1, order + 1)), reader)
        super().__init__(Definition(NIST, options, rows, NistFormula(order), NistScore, fitting=fitting))
