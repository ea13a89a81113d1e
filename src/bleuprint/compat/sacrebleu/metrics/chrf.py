"""sacrebleu's chrF and chrF++: counted by the core, computed with sacrebleu's formula, bit for bit."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import ClassVar

from bleuprint.compat.sacrebleu.metrics.base import Metric, Pairs, Score, Stats, Streams
from bleuprint.core import counts
from bleuprint.errors import OptionError

__all__ = ["CHRF", "CHRFScore"]

_EPSILON = 1e-16


@dataclass(eq=False, repr=False)
class CHRFScore(Score):
    """A chrF score; its name contains beta, and a "+" per word order."""

    score: float
    char_order: int
    word_order: int
    beta: int

    def __post_init__(self) -> None:
        super().__init__(f"chrF{self.beta}" + "+" * self.word_order, self.score)


@dataclass(eq=False, repr=False)
class CHRF(Metric[CHRFScore]):
    """chrF with sacrebleu's options.

    >>> CHRF(word_order=2).corpus_score(["the cat sat"], [["the cat sat down"]])
    chrF2++ = 68.36
    """

    CHAR_ORDER: ClassVar[int] = 6
    WORD_ORDER: ClassVar[int] = 0
    BETA: ClassVar[int] = 2

    char_order: int = CHAR_ORDER
    word_order: int = WORD_ORDER
    beta: int = BETA
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False
    references: InitVar[Streams | None] = None

    def __post_init__(self, references: Streams | None) -> None:
        for name in ("char_order", "word_order"):
            if getattr(self, name) < 0:
                raise OptionError(name, "an integer of at least 0", getattr(self, name))
        self.order = self.char_order + self.word_order
        if self.order == 0:
            raise OptionError("char_order", "at least 1 if word_order is 0, so that there is an order to score", 0)
        super().__init__(references)

    def _pairs(self) -> Pairs:
        return {
            "case": ("c", "lc" if self.lowercase else "mixed"),
            "eff": ("e", "no" if self.eps_smoothing else "yes"),
            "nc": ("nc", self.char_order),
            "nw": ("nw", self.word_order),
            "space": ("s", "yes" if self.whitespace else "no"),
        }

    def _counts(self) -> counts.Counts:
        return counts.characters(
            self.char_order,
            self.word_order,
            lowercase=self.lowercase,
            keep_space=self.whitespace,
            recall_factor=float(self.beta**2),
            mean_of_scores=self.eps_smoothing,
        )

    def _compute_f_score(self, statistics: Stats) -> float:
        factor = self.beta**2
        score, precisions, recalls, orders = 0.0, 0.0, 0.0, 0
        for at in range(0, 3 * self.order, 3):
            hypothesis, reference, matches = statistics[at : at + 3]
            precision = matches / hypothesis if hypothesis > 0 else _EPSILON
            recall = matches / reference if reference > 0 else _EPSILON
            weighted = factor * precision + recall
            score += ((1 + factor) * precision * recall / weighted) if weighted > 0 else _EPSILON
            if hypothesis > 0 and reference > 0:
                precisions += precision
                recalls += recall
                orders += 1
        if self.eps_smoothing:
            return 100 * score / self.order
        if not orders or not precisions + recalls:
            return 0.0
        precisions /= orders
        recalls /= orders
        score = (1 + factor) * precisions * recalls
        score /= (factor * precisions) + recalls
        return 100 * score

    def _compute_score_from_stats(self, stats: Stats) -> CHRFScore:
        return CHRFScore(self._compute_f_score(stats), self.char_order, self.word_order, self.beta)
