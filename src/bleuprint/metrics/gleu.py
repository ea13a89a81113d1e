"""GLEU, also Google-BLEU: the smaller of precision and recall over n-grams of all orders together.

    GLEU = min(matches / n-grams of the hypothesis, matches / n-grams of the reference)
         = matches / max(n-grams of the hypothesis, n-grams of the reference)

Of several references the one with the highest GLEU counts, the first of equals. A corpus score divides the summed
matches by the summed maxima of the chosen references.
Wu et al. (2016): Google's Neural Machine Translation System, arXiv:1609.08144, section 4.3.
Not the GLEU of grammatical error correction: that is `GecGleu`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bleuprint.core import counts, tokenizers
from bleuprint.errors import OptionError
from bleuprint.metrics import _options, profiles
from bleuprint.metrics.base.metric import Metric, Score, Value
from bleuprint.metrics.smoothing import ratio

__all__ = ["GLEU", "GleuScore"]


class GleuScore(Score):
    """A GLEU score with its two sides."""

    __slots__ = ()

    @property
    def matches(self) -> int:
        return self.columns[0]

    @property
    def precision(self) -> float:
        return float(ratio(self.columns[0], self.columns[2]))

    @property
    def recall(self) -> float:
        return float(ratio(self.columns[0], self.columns[3]))

    def __str__(self) -> str:
        return f"GLEU = {self.value:.4f} (precision = {self.precision:.4f}, recall = {self.recall:.4f})"


class GLEU(Metric[GleuScore]):
    """GLEU with all its options; profiles: nltk, hf, autometrics.

    >>> print(GLEU().sentence("the cat is on the mat", "there is a cat on the mat"))
    GLEU = 0.3636 (precision = 0.4444, recall = 0.3636)
    """

    name = "gleu"
    score_type = GleuScore

    def __init__(
        self,
        *,
        profile: str | None = None,
        tokenizer: str | tokenizers.Tokenize | None = None,
        lowercase: bool | None = None,
        min_order: int = 1,
        max_order: int = 4,
    ) -> None:
        rules: dict[str, Any] = {"tokenizer": "13a", "lowercase": False, **profiles.find(self.name, profile)}
        rules.update({k: v for k, v in (("tokenizer", tokenizer), ("lowercase", lowercase)) if v is not None})
        self.min_order = _options.order("min_order", min_order)
        self.max_order = _options.order("max_order", max_order)
        if min_order > max_order:
            raise OptionError("min_order", f"at most max_order ({max_order})", min_order)
        self._tokenizer = tokenizers.resolve(rules["tokenizer"], _options.flag("lowercase", rules["lowercase"]))
        self.options = {
            "tokenizer": self._tokenizer.name,
            "lowercase": self._tokenizer.lowercase,
            "min_order": min_order,
            "max_order": max_order,
        }
        self._count = counts.best_overlap(
            self._tokenizer.scheme, self._tokenizer.native_lowercase, self.min_order, self.max_order
        )
        super().__init__()

    def formula(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        matches, larger = columns[:2]
        return ratio(matches, larger)
