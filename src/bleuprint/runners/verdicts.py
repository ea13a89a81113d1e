"""Verdicts: the score of one item, its band on the metric's card, and whether it passes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bleuprint import checks
from bleuprint.errors import OptionError
from bleuprint.metrics import cards, registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Measured, Part, Score
from bleuprint.results.digits import Digits, format_part
from bleuprint.results.display import Cell, Displayed, DisplayTable
from bleuprint.results.escaping import visible
from bleuprint.results.naming import short_signature

_HIGHEST_RATE = 10.0  # errors per word: no bound on TER or WER is higher, but one in percent is


class Item(Protocol):
    """Anything that can be scored: an output and the expected output."""

    @property
    def actual_output(self) -> str: ...
    @property
    def expected_output(self) -> str | Sequence[str]: ...
    @property
    def source(self) -> str | None: ...


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Displayed):
    """The verdict of one metric on one item."""

    metric: str
    score: float
    threshold: float
    higher_is_better: bool
    band: str  # as named on the card; empty if the card has no bands
    parts: Mapping[str, Part]
    signature: str

    @property
    def passed(self) -> bool:
        """Whether the score meets the threshold."""
        return bool(meets(self.score, self.threshold, self.higher_is_better))

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """A table of one row; the parts of the score are its notes."""
        return (verdict_table([self], percent=percent),)

    def __repr__(self) -> str:
        return f"<Verdict {self._headline()}>"

    def pretty(self, *, percent: bool = False) -> str:  # type: ignore[override]
        """The verdict as text."""
        lines = [self._headline(percent=percent)]
        lines += [f"  {name}: {format_part(value)}" for name, value in self.parts.items()]
        return "\n".join(map(visible, [*lines, f"  signature: {short_signature(self.signature)}"]))

    def _headline(self, *, percent: bool = False) -> str:
        sign = "≥" if self.higher_is_better else "≤"
        outcome = "passed" if self.passed else "failed"
        band = f" ({self.band})" if self.band else ""
        digits = Digits(percent).of(self.signature)
        score = digits(self.score)
        threshold = digits(self.threshold) if percent else f"{self.threshold:g}"
        return f"{self.metric}: {score}{band}, {outcome}: threshold {sign} {threshold}"


def meets(score: Any, bound: float, higher_is_better: bool) -> Any:
    """Whether a score, or each of an array of them, is as good as a bound."""
    return checks.reaches(score, bound) if higher_is_better else checks.reaches(-score, -bound)


def outcome_cell(passed: bool) -> Cell:
    """Whether something passes, for a table."""
    return Cell("passed" if passed else "failed", passed, tone="good" if passed else "bad")


def verdict_table(verdicts: Sequence[Verdict], *, percent: bool = False) -> DisplayTable:
    """Verdicts as a table, one row each."""
    rows = []
    for verdict in verdicts:
        sign = "≥" if verdict.higher_is_better else "≤"
        score, threshold = (
            Digits(percent).of(verdict.signature)(value) for value in (verdict.score, verdict.threshold)
        )
        bound = Cell(f"{sign} {threshold}", verdict.threshold)
        rows.append(
            (Cell(verdict.metric), Cell(score, verdict.score), bound, Cell(verdict.band), outcome_cell(verdict.passed))
        )
    parts = (f"{name}: {format_part(value)}" for name, value in verdicts[0].parts.items())
    return DisplayTable(
        ("metric", "score", "threshold", "band", "outcome"),
        tuple(rows),
        caption="Verdicts on one item.",
        notes=("; ".join(parts),) if len(verdicts) == 1 and verdicts[0].parts else (),
        signatures={verdict.metric: verdict.signature for verdict in verdicts},
        words=frozenset({0, 3, 4}),
        label="verdicts",
    )


def band_of(score: float, bands: Sequence[tuple[str, float]], *, higher_is_better: bool) -> str:
    """The first band whose bound the score reaches; bounds are listed from best to worst.

    >>> band_of(0.71, [("perfect", 1.0), ("high", 0.7), ("low", 0.0)], higher_is_better=True)
    'high'
    >>> band_of(0.71, [("perfect", 0.0), ("few errors", 0.2), ("many errors", 1e9)], higher_is_better=False)
    'many errors'
    """
    return next((name for name, bound in bands if meets(score, bound, higher_is_better)), "")


def threshold_of(metric: Metric[Score]) -> float:
    """The default threshold on the metric's card."""
    card = cards.find(metric.name)
    on_card = None if card is None else card.default_threshold
    return metric.default_threshold if on_card is None else on_card


def card_of(names: Sequence[str]) -> cards.Card | None:
    """The card of the first of these names that has one."""
    return next(filter(None, map(cards.find, names)), None)


def checked_threshold(option: str, names: Sequence[str], value: object) -> float:
    """Check a bound on a metric's scores; `names` are those by which the card is found, and its range must hold it.

    >>> checked_threshold("at_least", ["bleu"], 0.3)
    0.3
    >>> checked_threshold("threshold", ["bleu"], 30)
    Traceback (most recent call last):
    ...
    bleuprint.errors.OptionError: threshold must be from 0 to 1 for bleu (scores are fractions: 0.3, not 30), got 30.
    """
    limit = checks.number(option, value)
    card = card_of(names)
    low, high = (-math.inf, math.inf) if card is None else card.limits
    if card is not None and high == math.inf and registry.find(card.name).has_percent:
        high = _HIGHEST_RATE
    if not low <= limit <= high:
        allowed = f"from {low:g} to {high:g}" if high < math.inf else f"at least {low:g}"
        percent = high in {1, _HIGHEST_RATE} and 1 < limit <= 100
        hint = f" (scores are fractions: {limit / 100:g}, not {limit:g})" if percent else ""
        raise OptionError(option, f"{allowed} for {names[0]}{hint}", value)
    return limit


def verdict_of(metric: Metric[Score], item: Item) -> Verdict:
    """The verdict on one item."""
    source = item.source if metric.needs_sources else None
    score = metric.sentence(item.actual_output, item.expected_output, source=source)
    return _verdict(metric, score.value, score.parts, score.signature, metric.name)


def verdict_at(metric: Metric[Score], measured: Measured[Score], place: int, references: int, label: str) -> Verdict:
    """The verdict on one segment of a scored corpus."""
    value, definition = float(measured.segments[place]), measured.score.definition
    if measured.statistics is None:
        signature = definition.signature_of(sentence=True, references=references)
        return _verdict(metric, value, {}, signature, label)
    score = definition.segment_score(tuple(measured.statistics.rows[place].tolist()), references)
    return _verdict(metric, value, score.parts, score.signature, label)


def _verdict(metric: Metric[Score], value: float, parts: Mapping[str, Part], signature: str, label: str) -> Verdict:
    card, better = cards.find(metric.name), metric.higher_is_better
    band = band_of(value, () if card is None else card.bands, higher_is_better=better)
    return Verdict(label, value, metric.threshold, better, band, parts, signature)
