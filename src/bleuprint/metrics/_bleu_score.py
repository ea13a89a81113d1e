"""What a BLEU score can tell about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuprint.metrics.base.metric import Part, Score
from bleuprint.metrics.smoothing import brevity_penalty, ratio

if TYPE_CHECKING:
    from bleuprint.metrics.bleu import BLEU

SACREBLEU_VERSION = "2.6.0"  # the version whose numbers the tests compare with


class BleuScore(Score):
    """A BLEU score with its parts.

    >>> from bleuprint import sentence_bleu
    >>> score = sentence_bleu("the cat is on the mat", "there is a cat on the mat", smoothing="floor")
    >>> print(score)
    BLEU = 0.1943 (83.3/40.0/25.0/3.3, BP = 0.846, ratio = 0.857, hyp_len = 6, ref_len = 7)
    """

    __slots__ = ()
    metric: BLEU

    @property
    def hypothesis_length(self) -> int:
        return self.columns[0]

    @property
    def reference_length(self) -> int:
        return self.columns[1]

    @property
    def matches(self) -> tuple[int, ...]:
        """Clipped matches of the orders 1..N."""
        return self.columns[2 : 2 + self.metric.max_order]

    @property
    def totals(self) -> tuple[int, ...]:
        """N-grams of the hypotheses, orders 1..N."""
        start = 2 + self.metric.counted_orders
        return self.columns[start : start + self.metric.max_order]

    @property
    def brevity_penalty(self) -> float:
        return float(brevity_penalty(self.hypothesis_length, self.reference_length))

    @property
    def precisions(self) -> tuple[float, ...]:
        """Smoothed precisions, as they enter the mean."""
        return tuple(self.metric.precisions(self.columns))

    @property
    def orders(self) -> tuple[float, ...]:
        """BLEU-1 … BLEU-N with uniform weights, all from the same counts."""
        n = self.metric.max_order
        return tuple(
            self.metric.formula(self.columns, sentence=self.sentence, weights=(1 / k,) * k + (0.0,) * (n - k))
            for k in range(1, n + 1)
        )

    @property
    def parts(self) -> dict[str, Part]:
        return {
            "precisions": self.precisions,
            "matches": self.matches,
            "totals": self.totals,
            "brevity_penalty": self.brevity_penalty,
            "hypothesis_length": self.hypothesis_length,
            "reference_length": self.reference_length,
        }

    @property
    def sacrebleu_signature(self) -> str | None:
        """The line sacrebleu prints for these options, or None where it has not got them all."""
        options = self.metric.resolved_options(sentence=self.sentence)
        if options != {**options, **_SACREBLEU_RULES} or options["tokenizer"] not in _SACREBLEU_TOKENIZERS:
            return None
        smooth, value = self.metric.smoothing.method, self.metric.smoothing.value
        if smooth not in {"none", "floor", "add-k", "exp"}:
            return None
        fields = {
            "nrefs": self.references if self.references >= 0 else "var",
            "case": "lc" if options["lowercase"] else "mixed",
            "eff": "yes" if options["effective_order"] else "no",
            "tok": options["tokenizer"],
            "smooth": smooth if value is None else f"{smooth}[{value:.2f}]",
            "version": SACREBLEU_VERSION,
        }
        return "|".join(f"{key}:{value}" for key, value in fields.items())

    def __str__(self) -> str:
        name = "BLEU" if self.metric.max_order == 4 else f"BLEU-{self.metric.max_order}"
        precisions = "/".join(f"{100 * p:.1f}" for p in self.precisions)
        return (
            f"{name} = {self.value:.4f} ({precisions}, BP = {self.brevity_penalty:.3f}, "
            f"ratio = {ratio(self.hypothesis_length, self.reference_length):.3f}, "
            f"hyp_len = {self.hypothesis_length}, ref_len = {self.reference_length})"
        )


# sacrebleu's signature does not name these, so it stands only for scores that have them so.
_SACREBLEU_RULES = {
    "max_order": 4,
    "weights": None,
    "reference_length": "closest",
    "absent_order": "undefined",
    "zero_when": "no-match",
    "zero_precision": "zero",
}
_SACREBLEU_TOKENIZERS = {"13a", "intl", "zh", "char", "none"}
