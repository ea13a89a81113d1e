"""iBLEU: similar to the references, different from the input.

    iBLEU(O, R, I) = α · BLEU(O, R) − (1 − α) · BLEU(O, I)

for outputs O, references R and inputs (sources) I. The range is [−(1−α), α].
Sun and Zhou (2012): Joint Learning of a Dual SMT System for Paraphrase Generation. ACL.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Literal

from bleuprint import checks
from bleuprint.core import tokenizers
from bleuprint.core.columns import References, Texts
from bleuprint.errors import OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics.base import Definition, Metric, Score
from bleuprint.metrics.base.formulas import Value, named, within
from bleuprint.metrics.base.rows import ReferenceAndSourceRows
from bleuprint.metrics.bleu import BLEU, BleuScore
from bleuprint.metrics.smoothing import Smoothing


@dataclass(frozen=True)
class IbleuFormula:
    """α · BLEU against the references − (1 − α) · BLEU against the sources."""

    alpha: float
    bleu: Definition

    def __call__(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        half = len(columns) // 2
        adequacy = self.bleu.formula(within("R", columns[:half]), sentence=sentence)
        similarity = self.bleu.formula(within("I", columns[half:]), sentence=sentence)
        return named("iBLEU", self.alpha * adequacy - (1 - self.alpha) * similarity)


class IbleuScore(Score):
    """An iBLEU score and its two terms."""

    __slots__ = ()

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

    @property
    def alpha(self) -> float:
        """The weight of BLEU against the references."""
        return float(self.definition.formula.alpha)

    def at(self, alpha: float) -> IbleuScore:
        """The score of the same counts with another `alpha`; nothing is counted again.

        >>> score = IBLEU(alpha=0.9).sentence("a quick brown fox", "a fast brown fox", source="a quick brown fox")
        >>> print(score.at(0.5))
        iBLEU = -0.3232 (0.5 · 0.3536 − 0.5 · 1.0000)
        """
        weight = _check_alpha(alpha)
        definition = replace(
            self.definition,
            options={**self.definition.options, "alpha": weight},
            formula=replace(self.definition.formula, alpha=weight),
        )
        return IbleuScore(definition, self.columns, self.sentence, self.references)

    def __str__(self) -> str:
        alpha = self.alpha
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
        rules = profiles.fill(self.name, profile, {"alpha": 0.9}, locals())
        weight = _check_alpha(rules.pop("alpha"))
        bleu = BLEU(**rules).definition
        super().__init__(
            Definition(
                IBLEU,
                {**bleu.options, "alpha": weight},
                ReferenceAndSourceRows(bleu.rows),
                IbleuFormula(weight, bleu),
                IbleuScore,
                level_options=bleu.level_options,
            )
        )

    def sweep(
        self,
        hypotheses: Texts,
        references: References,
        *,
        sources: Texts,
        alphas: Iterable[float] = (0.5, 0.6, 0.7, 0.8, 0.9),
        threads: int | None = None,
    ) -> list[IbleuScore]:
        """The corpus score for every alpha, whatever that of the metric is; the texts are counted once.

        Each score equals that of a metric with this alpha, and has the same signature.

        >>> outputs, references, sources = ["a quick brown fox"], ["a fast brown fox"], ["the quick brown fox"]
        >>> for score in IBLEU(max_order=2).sweep(outputs, references, sources=sources, alphas=[0.5, 0.9]):
        ...     print(score)
        iBLEU = -0.1036 (0.5 · 0.5000 − 0.5 · 0.7071)
        iBLEU = 0.3793 (0.9 · 0.5000 − 0.1 · 0.7071)
        """
        weights = [_check_alpha(alpha) for alpha in checks.items_of(alphas) or ()]
        if not weights:
            raise OptionError("alphas", "a list of at least one number from 0 to 1", alphas)
        counted = self.corpus(hypotheses, references, sources=sources, threads=threads)
        return [counted.at(alpha) for alpha in weights]


_MOST_ALPHAS = 1000


def _check_alpha(alpha: object) -> float:
    return checks.number("alpha", alpha, 0, 1)


def alphas_between(first: str, last: str, step: str) -> tuple[float, ...]:
    """The numbers from the first to the last, both included, as decimals: 0.7 and not 0.7000000000000001.

    >>> alphas_between("0.5", "0.9", "0.1")
    (0.5, 0.6, 0.7, 0.8, 0.9)
    """
    given = f"{first}:{last}:{step}"
    allowed = "FIRST:LAST:STEP, such as 0.5:0.9:0.1, with 0 ≤ FIRST ≤ LAST ≤ 1 and at most 1,000 steps"
    try:
        begin, end, stride = Decimal(first), Decimal(last), Decimal(step)
    except InvalidOperation:
        raise OptionError("alpha", allowed, given) from None
    finite = all(number.is_finite() for number in (begin, end, stride))
    if not finite or not 0 <= begin <= end <= 1 or not stride > 0 or (end - begin) / stride > _MOST_ALPHAS:
        raise OptionError("alpha", allowed, given)
    return tuple(float(begin + place * stride) for place in range(int((end - begin) / stride) + 1))
