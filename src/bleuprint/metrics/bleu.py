"""BLEU: how many n-grams of the hypotheses occur in their references.

    BLEU = BP · exp(Σ w_n · log p_n)        p_n = Σ clipped matches of order n / Σ n-grams of order n
    BP   = 1 if c ≥ r, exp(1 − r/c) if c < r

with c the length of the hypotheses and r that of the references, all summed over the corpus.
Papineni, Roukos, Ward, Zhu (2002): BLEU: a method for automatic evaluation of machine translation. ACL.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from bleuprint.core import counts, tokenizers
from bleuprint.errors import OptionError
from bleuprint.metrics import _options, profiles
from bleuprint.metrics._bleu_score import BleuScore
from bleuprint.metrics.base.metric import Metric, Value
from bleuprint.metrics.smoothing import Orders, Smoothing, brevity_penalty, ratio, weighted_geometric_mean, where
from bleuprint.signature import Option

__all__ = ["BLEU"]

_DEFAULTS: dict[str, Any] = {
    "tokenizer": "13a",
    "lowercase": False,
    "smoothing": "exp",
    "effective_order": None,
    "reference_length": "closest",
    "absent_order": "undefined",
    "zero_when": "no-match",
    "zero_precision": "zero",
    "context": "corpus",
}
_CHOICES = {
    "reference_length": ("closest", "closest-first", "shortest"),
    "absent_order": ("undefined", "one", "zero"),
    "zero_when": ("no-match", "any-order-without-match", "never"),
    "zero_precision": ("zero", "skip"),
    "context": ("corpus", "last-segment"),
}
_CONTEXTUAL = {"method5", "method6", "method7"}  # look at more than the sums of the orders


class BLEU(Metric[BleuScore]):
    """BLEU with all its options.

    >>> bleu = BLEU(max_order=2, smoothing="none", tokenizer="whitespace")
    >>> score = bleu.corpus(["the cat is on the mat"], ["there is a cat on the mat"])
    >>> print(f"{score.value:.4f}", score.matches, score.totals)
    0.4887 (5, 2) (6, 5)
    >>> bleu.update(["the cat"], ["the cat"]).update(["sat here"], ["sat here"]).compute().value
    1.0

    `effective_order` leaves out the orders a text is too short for; None: yes for sentences, no for corpora.
    `profile` fills in what reproduces another library: sacrebleu, nltk, hf, torchmetrics, axion, moses.
    The last five options exist for the profiles:

    - `reference_length`: which reference's length counts: closest (ties to the shorter), closest-first, shortest
    - `absent_order`: an order without n-grams is undefined, or counts as 0 of one, or makes the score zero
    - `zero_when`: the score is 0 outright if there is no-match, if any-order-without-match, or never
    - `zero_precision`: a precision of zero makes the score zero, or is left out of the mean (skip)
    - `context`: what methods 5 to 7 look at besides the sums: the whole corpus or its last-segment
    """

    name = "bleu"
    score_type = BleuScore
    _count: counts.ClippedCounts

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
        given = {key: value for key, value in locals().items() if key in _DEFAULTS and value is not None}
        rules: dict[str, Any] = {**_DEFAULTS, **profiles.find(self.name, profile), **given}
        for key, allowed in _CHOICES.items():
            _options.chosen(key, rules[key], allowed)
        _options.flag("effective_order", rules["effective_order"], optional=True)
        self.max_order = _options.order("max_order", max_order)
        self.weights = _options.weights("weights", weights, self.max_order)
        self.smoothing = Smoothing.parse(rules["smoothing"])
        self._rules = rules
        self._effective_order: bool | None = rules["effective_order"]
        self._skips_zero = rules["zero_precision"] == "skip"
        self._smooths_only_zeros = self.smoothing.for_zeros
        self._zero_when = rules["zero_when"]
        self._tokenizer = tokenizers.resolve(rules["tokenizer"], _options.flag("lowercase", rules["lowercase"]))
        self.options = {
            **rules,
            "tokenizer": self._tokenizer.name,
            "smoothing": str(self.smoothing),
            "max_order": self.max_order,
            "weights": None if weights is None else self.weights,
        }
        self._request_counts()
        super().__init__()

    def _request_counts(self) -> None:
        method, rules = self.smoothing.method, self._rules
        if method == "method6" and self.max_order < 3:
            raise OptionError("smoothing", "another than method6 below max_order=3", str(self.smoothing))
        # method5 averages over neighbours and takes order 5 for the one beyond the last, whatever the last is.
        self.counted_orders = max(self.max_order, 5) if method in {"method5", "method7"} else self.max_order
        self._uses_last_segment = rules["context"] == "last-segment" and method in _CONTEXTUAL
        self._count = counts.clipped(
            self._tokenizer.scheme,
            self._tokenizer.native_lowercase,
            self.counted_orders,
            rules["reference_length"],
            1 if rules["absent_order"] == "one" else 0,
        )

    def resolved_options(self, *, sentence: bool) -> dict[str, Option]:
        return {**self.options, "effective_order": self._effective(sentence)}

    def _effective(self, sentence: bool) -> bool:
        return sentence if self._effective_order is None else self._effective_order

    def formula(
        self, columns: Sequence[Value], *, sentence: bool = False, weights: tuple[float, ...] | None = None
    ) -> Value:
        used: Sequence[Value] = weights or self.weights
        last_total = columns[1 + self.counted_orders + self.max_order]
        if not (isinstance(last_total, int) and last_total) and self._effective(sentence):
            used = self._used_weights(columns[2 + self.counted_orders :][: self.max_order], weights or self.weights)
        mean = weighted_geometric_mean(self.precisions(columns), used, skip_zero=self._skips_zero)
        score = brevity_penalty(columns[0], columns[1]) * mean
        # Matches of an order imply matches of all lower ones, so the first and the last order answer for all.
        match self._zero_when:
            case "no-match":
                score = where(columns[2] == 0, 0.0, score)
            case "any-order-without-match":
                score = where(columns[1 + self.max_order] == 0, 0.0, score)
        if self.smoothing.method == "method6":  # has no meaning without a matching trigram: NLTK raises there
            score = where(columns[4] == 0, 0.0, score)
        return score

    def precisions(self, columns: Sequence[Value]) -> list[Value]:
        """Smoothed precisions of the orders 1..N."""
        n, counted = self.max_order, self.counted_orders
        matches, totals = columns[2 : 2 + n], columns[2 + counted : 2 + counted + n]
        if self._smooths_only_zeros and isinstance(matches[-1], int) and matches[-1]:
            return [m / t for m, t in zip(matches, totals, strict=True)]  # if the last order matches, all do
        orders = Orders(matches, totals, columns[0])
        if self.smoothing.method in _CONTEXTUAL:
            last = columns[-len(self.columns) :]  # the last segment's row where one was appended, else the sums
            orders.beyond = ratio(last[6], last[6 + counted]) if counted > 4 else 0.0
            orders.last_length = last[0]
        precisions = self.smoothing.precisions(orders)
        if self._rules["absent_order"] == "zero":
            precisions = [where(t > 0, p, 0.0) for p, t in zip(precisions, totals, strict=True)]
        return precisions

    def _used_weights(self, totals: Sequence[Value], weights: tuple[float, ...]) -> Sequence[Value]:
        """The weights of the orders that exist, scaled to sum to what they did."""
        # add-k adds to an order that does not exist as well, so for sacrebleu it does exist (as k of k).
        if self.smoothing.method == "add-k":
            return weights
        present = [where(t > 0, w, 0.0) for t, w in zip(totals, weights, strict=True)]
        kept = sum(present[1:], start=present[0])
        # Weights such as seven sevenths do not sum to 1 exactly, so those of all orders are left as they are.
        return [where(totals[-1] > 0, w, ratio(p, kept)) for w, p in zip(weights, present, strict=True)]
