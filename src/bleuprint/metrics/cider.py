"""CIDEr-D: the cosine between an output and its references, n-grams weighed by how few segments have them.

    CIDEr-D = 10/N · Σ_n mean over references of   exp(−(c − r)² / 2σ²) · g(output)∧g(reference) · g(reference)
                                                                          ─────────────────────────────────────
                                                                             |g(output)| · |g(reference)|
    g_k = occurrences of n-gram k · log(segments / segments whose references have k)

with c and r the lengths, N = 4, σ = 6, and ∧ the smaller of two coordinates, so that repeating an n-gram does not pay.
An n-gram that no reference has counts as one segment's. CIDEr (`variant="cider"`) is the plain cosine, without ∧ and
the penalty. The score of a corpus is the mean over its segments; the scale ends at 10, as in the authors' own code.
Vedantam, Zitnick, Parikh (2015): CIDEr: Consensus-based Image Description Evaluation. CVPR.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleuprint.core import counts, tokenizers
from bleuprint.errors import OptionError
from bleuprint.metrics import _options
from bleuprint.metrics.base.averaged import AveragedMetric, AveragedScore
from bleuprint.metrics.base.fitted import FittedMetric
from bleuprint.metrics.base.metric import Value

__all__ = ["CIDEr"]

_UNIT = 2.0**-36  # of the core's cosines


class CIDEr(FittedMetric[AveragedScore, counts.Prior], AveragedMetric):
    """CIDEr-D, or CIDEr with `variant="cider"`.

    >>> references = [["a cat on a mat", "the cat sits on a mat"], ["two dogs run", "dogs running outside"]]
    >>> print(CIDEr(max_order=2).corpus(["a cat on a mat", "dogs run outside"], references))
    cider = 6.1038 (cider = 6.1038, cosine_1 = 0.7355, cosine_2 = 0.4853)

    One segment alone says nothing about which n-grams are rare, so scoring one takes `fit`, and so does adding batches:

    >>> fitted = CIDEr(max_order=2).fit(references)
    >>> round(fitted.sentence("a dog on a mat", "a cat on a mat").value, 4)
    6.7857
    """

    name = "cider"
    has_percent = False
    fewest_segments = 2

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
        self.variant = _options.chosen("variant", variant, ("cider-d", "cider"))
        self.max_order = _options.order("max_order", max_order)
        if not isinstance(sigma, int | float) or isinstance(sigma, bool) or not 0 < sigma < math.inf:
            raise OptionError("sigma", "a number above 0", sigma)
        self.sigma = float(sigma)
        self._tokenizer = tokenizers.resolve(tokenizer, _options.flag("lowercase", lowercase))
        self.options = {
            "variant": self.variant,
            "tokenizer": self._tokenizer.name,
            "lowercase": lowercase,
            "max_order": max_order,
            "sigma": self.sigma,
        }
        self._names = tuple(f"cosine_{order}" for order in range(1, max_order + 1))
        super().__init__(prior)

    def scores(self, columns: Sequence[Value]) -> dict[str, Value]:
        """The score, then the cosine of every order."""
        cosines = [column * _UNIT for column in columns]
        return {"cider": 10 * (sum(cosines) / self.max_order), **dict(zip(self._names, cosines, strict=True))}

    def _learn(self, references: counts.Column | bytes, threads: int) -> counts.Prior:
        reading = self._tokenizer.scheme, self._tokenizer.native_lowercase
        return counts.Prior(references, *reading, self.max_order, by_segment=True, threads=threads)

    def _adopt(self, prior: counts.Prior) -> None:
        super()._adopt(prior)
        clipped = self.variant == "cider-d"
        self._count = counts.cosines(prior, clipped=clipped, sigma=self.sigma if clipped else 0.0)
