"""iBLEU: similar to the references, different from the input.

    iBLEU(O, R, I) = α · BLEU(O, R) − (1 − α) · BLEU(O, I)

for outputs O, references R and inputs (sources) I. The range is [−(1−α), α].
Sun and Zhou (2012): Joint Learning of a Dual SMT System for Paraphrase Generation. ACL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bleuprint.core import tokenizers
from bleuprint.errors import OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.rows import ReferenceAndSourceRows
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.bleu import BLEU, BleuFormula, BleuScore
from bleuprint.metrics.smoothing import Smoothing

__all__ = ["IBLEU", "IbleuScore"]


@dataclass(frozen=True)
class IbleuFormula:
    """α · BLEU against the references − (1 − α) · BLEU against the sources."""

    alpha: float
    bleu: Definition[BleuFormula]

    def __call__(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        half = len(columns) // 2
        adequacy = self.bleu.formula(columns[:half], sentence=sentence)
        similarity = self.bleu.formula(columns[half:], sentence=sentence)
        return self.alpha * adequacy - (1 - self.alpha) * similarity


class IbleuScore(Score):
    """An iBLEU score and its two terms."""

    __slots__ = ()
    definition: Definition[IbleuFormula]

    @property
    def adequacy(self) -> BleuScore:
        """BLEU against the references."""
        half = len(self.columns) // 2
        return BleuScore(self.definition.formula.bleu, self.columns[:half], self.sentence, self.references)

    @property
    def similarity(self) -> BleuScore:
        """BLEU against the input; this is subtracted."""
        half = len(self.columns) // 2
        return BleuScore(self.definition.formula.bleu, self.columns[half:], self.sentence, 1)

    def __str__(self) -> str:
        alpha = self.definition.formula.alpha
        return (
            f"iBLEU = {self.value:.4f} "
            f"({alpha:g} · {self.adequacy.value:.4f} − {1 - alpha:g} · {self.similarity.value:.4f})"
        )


class IBLEU(Metric[IbleuScore]):
    """iBLEU of outputs against their references and inputs.

    - `alpha`: weight of BLEU against the references; 1 − `alpha` is the weight of BLEU against the inputs
    - `profile`: options that reproduce another library: editeval or autometrics
    - all other options are those of `BLEU`

    >>> ibleu = IBLEU(alpha=0.9)
    >>> print(ibleu.sentence("a quick brown fox", "a fast brown fox", source="a quick brown fox"))
    iBLEU = 0.2182 (0.9 · 0.3536 − 0.1 · 1.0000)
    """

    name = "ibleu"
    needs_sources = True

    def __init__(
        self,
        *,
        alpha: float | None = None,
        profile: str | None = None,
        tokenizer: str | tokenizers.Tokenize | None = None,
        lowercase: bool | None = None,
        max_order: int = 4,
        weights: Sequence[float] | None = None,
        smoothing: str | Smoothing | None = None,
        effective_order: bool | None = None,
        reference_length: Literal["closest", "closest-first", "shortest"] | None = None,
        absent_order: Literal["undefined", "one", "zero"] | None = None,
        zero_when: Literal["no-match", "any-order-without-match", "never"] | None = None,
        zero_precision: Literal["zero", "skip"] | None = None,
        context: Literal["corpus", "last-segment"] | None = None,
    ) -> None:
        given = {key: value for key, value in locals().items() if key in _BLEU_OPTIONS and value is not None}
        rules: dict[str, Any] = {"alpha": 0.9, **profiles.find(self.name, profile), **given}
        default_alpha = rules.pop("alpha")
        alpha = default_alpha if alpha is None else alpha
        if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 <= alpha <= 1:
            raise OptionError("alpha", "a number from 0 to 1", alpha)
        bleu = BLEU(**rules).definition
        super().__init__(
            Definition(
                IBLEU,
                {**bleu.options, "alpha": float(alpha)},
                ReferenceAndSourceRows(bleu.rows),
                IbleuFormula(float(alpha), bleu),
                IbleuScore,
                level_options=bleu.level_options,
            )
        )


_BLEU_OPTIONS = {
    *("tokenizer", "lowercase", "max_order", "weights", "smoothing", "effective_order", "reference_length"),
    *("absent_order", "zero_when", "zero_precision", "context"),
}
