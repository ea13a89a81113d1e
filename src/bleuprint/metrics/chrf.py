"""chrF: the F-score of character n-grams; chrF++ if word n-grams are included.

    P, R = means over all orders of  matches / n-grams of the hypothesis,  matches / n-grams of the reference
    chrF = (1 + β²) · P · R / (β² · P + R)

Matches are clipped per n-gram and counts are summed over the corpus. The means skip orders that either side is too
short for. With several references, the one with the highest score counts (on ties, the first).
Popović (2015): chrF: character n-gram F-score for automatic MT evaluation. WMT. (2017): chrF++: words helping
character n-grams. WMT.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.core.arrays import Floats, np
from bleuprint.errors import OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics.base import CoreRows, Definition, Metric, Score
from bleuprint.metrics.base.formulas import Value, named, ratio, sum_of, where
from bleuprint.metrics.base.rows import CHARACTERS_COUNT
from bleuprint.metrics.base.score import column
from bleuprint.metrics.bleu import sacrebleu_signature

_EPSILON = 1e-16  # what chrF++.py, Moses and sacrebleu use in place of an undefined ratio
_LARGEST_BETA = 1000


@dataclass(frozen=True)
class ChrfFormula:
    """The F-score of mean precision and mean recall; with `eps_smoothing`, the mean of the F-scores of all orders."""

    char_order: int
    word_order: int
    beta: float
    eps_smoothing: bool

    def __call__(self, columns: Sequence[Value], *, sentence: bool = False) -> Value:
        if self.eps_smoothing:
            rates = zip(self._names, self._orders(columns), strict=True)
            scores = [named(f"F_{order}", self._f_score(p, r, _EPSILON)) for order, (p, r, _) in rates]
            return named("chrF", sum_of(scores) / (self.char_order + self.word_order))
        return named("chrF", self._f_score(*self.means(columns), 0.0))

    def means(self, columns: Sequence[Value]) -> tuple[Value, Value]:
        """Mean precision and mean recall over the orders that both sides have."""
        precisions: Value = 0.0
        recalls: Value = 0.0
        orders: Value = 0
        for precision, recall, present in self._orders(columns):
            precisions = precisions + where(present, precision, 0.0)
            recalls = recalls + where(present, recall, 0.0)
            orders = orders + where(present, 1, 0)
        return named("P", ratio(precisions, orders)), named("R", ratio(recalls, orders))

    def for_rows(self) -> counts.RowFormula:
        """The score of one row, computed by the core."""
        return counts.mean_f_formula(self.char_order + self.word_order, self.beta**2, self.eps_smoothing)

    def slopes(self, low: Floats, high: Floats) -> tuple[Floats, Floats] | None:
        """Bounds of the slope in each column, while the summed columns stay between `low` and `high`.

        They are infinite where an order or its matches could be missing; None with `eps_smoothing`.
        """
        if self.eps_smoothing:
            return None
        factor, orders = self.beta**2, self.char_order + self.word_order
        (h_low, r_low, m_low), (h_high, r_high, m_high) = ((box[0::3], box[1::3], box[2::3]) for box in (low, high))
        p_low, p_high = (m_low / h_high).mean(axis=0), (m_high / h_low).mean(axis=0)
        r_least, r_most = (m_low / r_high).mean(axis=0), (m_high / r_low).mean(axis=0)

        def by_rates(p: Floats, r: Floats, other_p: Floats, other_r: Floats) -> tuple[Floats, Floats]:
            """The slopes in mean precision, which rises with r and falls with p, and in mean recall."""
            share = (1 + factor) / orders
            return share * (r / (factor * p + r)) ** 2, share * factor * (other_p / (factor * other_p + other_r)) ** 2

        p_least, r_fewest = by_rates(p_high, r_least, p_low, r_most)
        p_most, r_largest = by_rates(p_low, r_most, p_high, r_least)
        lowest, highest = np.empty_like(low), np.empty_like(low)
        lowest[0::3], highest[0::3] = -p_most * m_high / h_low**2, -p_least * m_low / h_high**2
        lowest[1::3], highest[1::3] = -r_largest * m_high / r_low**2, -r_fewest * m_low / r_high**2
        lowest[2::3], highest[2::3] = p_least / h_high + r_fewest / r_high, p_most / h_low + r_largest / r_low
        known = (low > 0).all(axis=0)
        return np.where(known, lowest, -np.inf), np.where(known, highest, np.inf)

    def _orders(self, columns: Sequence[Value]) -> list[tuple[Value, Value, Value]]:
        """Precision and recall of each order, and whether both sides have it."""
        rates = []
        orders = zip(self._names, columns[0::3], columns[1::3], columns[2::3], strict=True)
        for name, hypothesis, reference, matches in orders:
            precision = named(f"P_{name}", where(hypothesis > 0, ratio(matches, hypothesis), _EPSILON))
            recall = named(f"R_{name}", where(reference > 0, ratio(matches, reference), _EPSILON))
            rates.append((precision, recall, (hypothesis > 0) & (reference > 0)))
        return rates

    @property
    def _names(self) -> list[str]:
        """The orders as equations name them: 1, 2, … for characters, w1, w2, … for words."""
        words = (f"w{order}" for order in range(1, self.word_order + 1))
        return [*map(str, range(1, self.char_order + 1)), *words]

    def _f_score(self, precision: Value, recall: Value, undefined: float) -> Value:
        factor = self.beta**2
        denominator = factor * precision + recall
        return where(denominator > 0, ratio((1 + factor) * precision * recall, denominator), undefined)


class ChrfScore(Score):
    """A chrF score with its precision and recall."""

    __slots__ = ()
    part_names = ("precision", "recall", "matches", "hypothesis_totals", "reference_totals")
    matches: tuple[int, ...] = column(slice(2, None, 3), "Shared n-grams of each order.")
    hypothesis_totals: tuple[int, ...] = column(slice(0, None, 3))
    reference_totals: tuple[int, ...] = column(slice(1, None, 3))

    @property
    def precision(self) -> float:
        """Mean precision over the orders that both sides have."""
        return float(self.definition.formula.means(self.columns)[0])

    @property
    def recall(self) -> float:
        """Mean recall over the orders that both sides have."""
        return float(self.definition.formula.means(self.columns)[1])

    @property
    def sacrebleu_signature(self) -> str:
        """The signature sacrebleu prints for these options; it does not record beta."""
        options = self.definition.options
        return sacrebleu_signature(
            self.references,
            case="lc" if options["lowercase"] else "mixed",
            eff="no" if options["eps_smoothing"] else "yes",
            nc=options["char_order"],
            nw=options["word_order"],
            space="yes" if options["whitespace"] else "no",
        )

    def __str__(self) -> str:
        name = f"chrF{self.definition.formula.beta:g}{'+' * self.definition.formula.word_order}"
        return f"{name} = {self.value:.4f} (precision = {self.precision:.4f}, recall = {self.recall:.4f})"


class CHRF(Metric[ChrfScore]):
    """chrF, and chrF++ with `word_order=2`.

    >>> print(CHRF().sentence("the cat is on the mat", "there is a cat on the mat"))
    chrF2 = 0.4789 (precision = 0.5604, recall = 0.4621)
    >>> print(CHRF(word_order=2).sentence("the cat is on the mat", "there is a cat on the mat"))
    chrF2++ = 0.4942 (precision = 0.5744, recall = 0.4776)

    - `profile`: "sacrebleu" (the defaults) or "chrf++" (`word_order=2`)
    - `char_order`: length of the longest character n-grams; may be 0 if `word_order` is not
    - `word_order`: length of the longest word n-grams; may be 0 if `char_order` is not
    - `beta`: recall counts β² times as much as precision
    - `whitespace`: count whitespace as characters instead of dropping it
    - `eps_smoothing`: average the F-scores of all orders, with 10⁻¹⁶ for orders that do not exist
    """

    name = "chrf"

    def __init__(
        self,
        *,
        profile: str | None = None,
        char_order: int | None = None,
        word_order: int | None = None,
        beta: float = 2,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
    ) -> None:
        options = profiles.fill(self.name, profile, {"char_order": 6, "word_order": 0}, locals())
        formula = ChrfFormula(
            checks.order("char_order", options["char_order"], smallest=0),
            checks.order("word_order", options["word_order"], smallest=0),
            checks.number("beta", beta, 0, _LARGEST_BETA),
            checks.flag("eps_smoothing", eps_smoothing),
        )
        if formula.char_order + formula.word_order == 0:
            raise OptionError("char_order", "at least 1 if word_order is 0", 0)
        request = counts.characters(
            formula.char_order,
            formula.word_order,
            lowercase=checks.flag("lowercase", lowercase),
            keep_space=checks.flag("whitespace", whitespace),
            recall_factor=formula.beta**2,
            mean_of_scores=eps_smoothing,
        )
        # The core reads the texts unchanged.
        rows = CoreRows(request, tokenizers.resolve("whitespace"), strings_only=CHARACTERS_COUNT)
        options["beta"] = formula.beta
        super().__init__(Definition(CHRF, options, rows, formula, ChrfScore, row_formula=formula.for_rows))
