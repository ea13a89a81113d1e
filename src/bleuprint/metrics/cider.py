"""CIDEr-D: the cosine between an output and its references, with n-grams weighted by rarity.

    CIDEr-D = 10/N · Σ_n mean over references of   exp(−(c − r)² / 2σ²) · g(output)∧g(reference) · g(reference)
                                                                          ─────────────────────────────────────
                                                                             |g(output)| · |g(reference)|
    g_k = occurrences of n-gram k · log(segments / segments whose references have k)

where c and r are the lengths, N = 4, σ = 6, and ∧ is the smaller of two coordinates, so repeating an n-gram does not
pay. An n-gram that no reference has counts as occurring in one segment. CIDEr (`variant="cider"`) is the plain cosine,
without ∧ and the length penalty. A corpus score is the mean over segments; the maximum is 10, as in the authors' code.
Vedantam, Zitnick, Parikh (2015): CIDEr: Consensus-based Image Description Evaluation. CVPR.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.core.arrays import Floats, Integers, np
from bleuprint.metrics.base import CoreRows, Definition, ExactMeans, MeanFormula, MeanScore
from bleuprint.metrics.base.fitting import Fitting
from bleuprint.metrics.base.formulas import Value, named, sum_of
from bleuprint.metrics.base.metric import FittedMetric
from bleuprint.metrics.base.options import options_in
from bleuprint.metrics.base.rows import RowSource, Unfitted

_UNIT = 2.0**-36  # unit of the core's cosines


@dataclass(frozen=True)
class CiderFormula(MeanFormula):
    """Ten times the mean cosine over all orders."""

    max_order: int

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        """The score, then the cosine of each order."""
        cosines = named("C", [column * _UNIT for column in columns])
        by_order = {f"cosine_{order}": cosine for order, cosine in enumerate(cosines, start=1)}
        return {"cider": named("CIDEr", 10 * (sum_of(cosines) / self.max_order)), **by_order}


class CIDEr(FittedMetric[MeanScore]):
    """CIDEr-D, or CIDEr with `variant="cider"`.

    >>> references = [["a cat on a mat", "the cat sits on a mat"], ["two dogs run", "dogs running outside"]]
    >>> print(CIDEr(max_order=2).corpus(["a cat on a mat", "dogs run outside"], references))
    cider = 6.1038 (cider = 6.1038, cosine_1 = 0.7355, cosine_2 = 0.4853)

    - `variant`: "cider-d" or "cider"
    - `sigma`: width of the length penalty of CIDEr-D

    A single segment does not show which n-grams are rare, so `sentence` and `update` need `fit` first:

    >>> fitted = CIDEr(max_order=2).fit(references)
    >>> round(fitted.sentence("a dog on a mat", "a cat on a mat").value, 4)
    6.7857
    """

    name = "cider"
    value_range = (0.0, 10.0)
    has_percent = False
    needs_corpus = True

    def __init__(
        self,
        *,
        variant: str = "cider-d",
        tokenizer: str | tokenizers.Tokenize = "unicode-words",
        lowercase: bool = True,
        max_order: int = 4,
        sigma: float = 6.0,
        prior: str | None = None,
    ) -> None:
        options = options_in(locals())
        checks.choice("variant", variant, ("cider-d", "cider"))
        order = checks.order("max_order", max_order)
        width = checks.number("sigma", sigma, math.ulp(0.0), allowed="a number above 0")
        reader = tokenizers.resolve(tokenizer, lowercase)
        options |= {"tokenizer": reader.name, "sigma": width}
        clipped = variant == "cider-d"

        def learn(references: counts.Column | bytes, threads: int) -> counts.Prior:
            return counts.Prior(references, *reader.reading, order, by_segment=True, threads=threads)

        def rows(learned: counts.Prior) -> RowSource:
            return CoreRows(counts.cosine(learned, clipped=clipped, sigma=width if clipped else 0.0), reader)

        def of_sums(sums: Integers) -> Floats:
            return np.array([10 * sum(row) / ((len(sums) - 1) * order << 36) for row in sums.tolist()])

        exact = order & (order - 1) == 0  # the score of a segment is then its cosines times a constant, not rounded
        unfitted = Unfitted(self.name, tuple(f"cosine_{n}" for n in range(1, order + 1)), reader)
        fitting = Fitting(learn, rows, 2, checks.prior(prior), of_sums if exact else None)
        super().__init__(
            Definition(CIDEr, options, unfitted, CiderFormula(order), MeanScore, ExactMeans, fitting=fitting)
        )
