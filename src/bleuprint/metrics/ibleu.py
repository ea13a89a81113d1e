"""iBLEU: similar to the references, different from the input.

    iBLEU(O, R, I) = α · BLEU(O, R) − (1 − α) · BLEU(O, I)

for outputs O, references R and inputs (sources) I. The range is [−(1−α), α].
Sun and Zhou (2012): Joint Learning of a Dual SMT System for Paraphrase Generation. ACL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bleuprint import checks
from bleuprint.core import tokenizers
from bleuprint.core.columns import Corpus
from bleuprint.metrics import profiles
from bleuprint.metrics.base import Definition, Metric, Score
from bleuprint.metrics.base.formulas import Value, named, within
from bleuprint.metrics.base.rows import SideBySide
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
        weight = checks.number("alpha", alpha, 0, 1)
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
        weight = checks.number("alpha", rules.pop("alpha"), 0, 1)
        bleu = BLEU(**rules).definition
        parts = {"reference": (bleu.rows, _see_references), "source": (bleu.rows, _see_sources)}
        super().__init__(
            Definition(
                IBLEU,
                {**bleu.options, "alpha": weight},
                SideBySide(parts, bleu.tokenizer, bleu.rows.strings_only),
                IbleuFormula(weight, bleu),
                IbleuScore,
                level_options=bleu.level_options,
            )
        )


def _see_references(corpus: Corpus) -> Corpus:
    return Corpus(corpus.hypotheses, corpus.references)


def _see_sources(corpus: Corpus) -> Corpus:
    assert corpus.sources is not None
    return Corpus(corpus.hypotheses, corpus.sources)
