"""Sentence BLEU as in evaluation suites: whitespace tokens, lowercased, add-one smoothing."""

from __future__ import annotations

from typing import Any, Self

from bleuprint.metrics.base import checks
from bleuprint.metrics.bleu import BLEU

__all__ = ["SentenceBleu"]


class SentenceBleu(BLEU):
    """BLEU of single outputs against single expected outputs.

    >>> metric = SentenceBleu()
    >>> round(metric.sentence("The cat sat on the mat.", "The cat is sitting on the mat.").value, 4)
    0.4139
    >>> metric.sentence("Paris", "paris").value
    1.0

    - `n_grams`: length of the longest n-grams
    - `case_sensitive`: do not ignore case
    - `smoothing`: add one to the matches and totals of every order, so that a text that shares nothing still scores
      above zero; without it, one order without a match gives 0
    - `threshold`: the score at which an output passes

    Orders that a text is too short for are skipped.
    """

    label = "sentence-bleu"

    def __init__(
        self,
        n_grams: int = 4,
        case_sensitive: bool = False,
        smoothing: bool = True,
        threshold: float | None = None,
    ) -> None:
        super().__init__(
            tokenizer="whitespace",
            lowercase=not checks.flag("case_sensitive", case_sensitive),
            max_order=checks.order("n_grams", n_grams),
            smoothing="add-all" if checks.flag("smoothing", smoothing) else "none",
            effective_order=True,
            zero_when="never",
        )
        if threshold is not None:
            self.threshold = threshold

    @classmethod
    def from_signature(cls, text: str, **replaced: Any) -> Self:
        """Recreate the metric from a signature of `BLEU`; keyword arguments replace BLEU's options."""
        return cls.of(BLEU.from_signature(text, **replaced).definition)
