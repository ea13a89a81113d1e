"""Systems compared under one or more metrics: what `compare` returns and a result holds."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from bleuprint import checks
from bleuprint.metrics import registry
from bleuprint.results.digits import FRACTIONS, Digits, list_first
from bleuprint.results.display import Displayed, DisplayTable
from bleuprint.results.escaping import visible
from bleuprint.results.fields import MalformedError, expect, items, one_of, record
from bleuprint.results.methods import methods_text
from bleuprint.results.score_tables import comparison_tables
from bleuprint.statistics.comparison import PairComparison, SampleComparison
from bleuprint.statistics.intervals import Interval
from bleuprint.statistics.power import UNREACHABLE, has_spread


@dataclass(frozen=True, slots=True, repr=False)
class MetricComparison:
    """The comparison of all systems under one metric."""

    metric: str
    signature: str
    result: SampleComparison

    def to_dict(self) -> dict[str, object]:
        """The comparison as plain numbers, strings and lists, ready for JSON."""
        return {"metric": self.metric, "signature": self.signature, **self.result.to_dict()}

    def sentences(self, digits: Digits, *, pairs: bool = True) -> Iterator[str]:
        """Who is better, unless `pairs` is false, what these segments can detect, and whether differences matter."""
        shown = self.adapt(digits)
        for pair in self.result.pairs if pairs else ():
            size = "" if pair.effect_size is None else f"; effect size {pair.effect_size:.2f}"
            same = f"{pair.first} and {pair.second} score the same on all segments"
            outcome = pair.in_words(shown) if pair.difference.value or pair.standard_error else same
            yield f"{outcome}; {self._level(pair.difference)}: {_range(pair.difference, shown)}{size}."
            if sentence := flips_in_words(pair):
                yield sentence
        spread = [pair for pair in self.result.pairs if has_spread(pair.standard_error, pair.difference.value)]
        if spread:
            missed = _span(map(shown, sorted(pair.detectable for pair in spread)))
            line = (
                f"With {self.result.segments:,} segments, a true difference below about {missed} would often be missed"
            )
            needed = sorted(pair.segments_needed for pair in spread if pair.segments_needed is not None)
            reachable = [f"{number:,}" for number in needed if number < UNREACHABLE]
            if reachable:
                line += f"; detecting the requested one needs about {_span(reachable)}"
            if len(reachable) < len(needed):
                which = "it in every pair" if reachable else "the requested one"
                line += f"; no number of segments would detect {which}"
            yield f"{line}."
        if len(spread) < len(self.result.pairs):
            start = "In some pairs, the" if spread else "The"
            yield f"{start} difference is the same in all segments: without spread, nobody knows what they can detect."
        for pair in self.result.pairs:
            if pair.equivalence is not None:
                tests = (
                    f"p = {pair.equivalence.p_value:.4f} for equivalence, "
                    f"{pair.equivalence.non_inferiority_p_value:.4f} for non-inferiority"
                )
                interval = pair.equivalence.interval
                verdict = pair.equivalence_in_words(shown)
                yield f"{verdict} ({tests}); {100 * interval.level:.4g} %: {_range(interval, shown)}."

    def finding(self, digits: Digits) -> str:
        """Which pool of texts repeats itself most, in a sentence; empty for metrics that do not ask that."""
        kind = registry.metrics("pool").get(self.signature.partition(".")[0])
        best, *_, worst = self.result.systems
        pair = self.result.find_pair(best.name, worst.name)
        if kind is None or kind.needs_references or pair is None:
            return ""
        shown = self.adapt(digits)
        numbers = f"{self.metric} {shown(worst.value)} against {shown(best.value)} ({pair.p_in_words()})"
        if pair.better is None:
            return f"{worst.name} and {best.name} cannot be told apart: {numbers}."
        return f"{worst.name} repeats itself more than {best.name}: {numbers}."

    def adapt(self, digits: Digits) -> Digits:
        """The digits for these scores; a metric with its own scale has no percent."""
        shares = self.result.pairs[0].has_percent
        return replace(digits, percent=digits.percent and shares, by_size=not shares)

    def _level(self, interval: Interval) -> str:
        """The confidence level of a difference in words; that of pools is the same for all pairs."""
        pairs = len(self.result.pairs)
        if pairs > 1 and interval.method == "jackknife":
            return f"{100 * (1 - pairs * (1 - interval.level)):g} % for all pairs"
        how = "" if pairs == 1 else " without correction" if interval.method == "sacrebleu" else " (Holm)"
        return f"{100 * interval.level:.4g} %{how}"

    def __str__(self) -> str:
        found = (self.finding(FRACTIONS), *self.sentences(FRACTIONS))
        lines = [f"{self.metric}: {sentence}" for sentence in found if sentence]
        for system in self.result.systems:
            if system.wins is not None:
                others = len(self.result.systems) - 1
                lines.append(f"{self.metric}: {system.name}: rank {system.rank}, better than {system.wins} of {others}")
        lines += [f"{self.metric}: note: {note}" for note in self.result.notes]
        return "\n".join(map(visible, lines))

    def __repr__(self) -> str:
        return f"<MetricComparison {self.metric}: {self.result!r}>"


def flips_in_words(pair: PairComparison) -> str:
    """Which items only one of the systems passes; empty if there are none."""
    if pair.flips is None or not (pair.flips.first or pair.flips.second):
        return ""
    sides = ((pair.first, pair.flips.first), (pair.second, pair.flips.second))
    alone = (f"{len(items):,} with {name} alone ({list_first(items) or 'none'})" for name, items in sides)
    return f"Items that pass: {', '.join(alone)}."


def _range(interval: Interval, digits: Digits) -> str:
    return f"{digits(interval.low)} … {digits(interval.high)}"


def _span(numbers: Iterable[str]) -> str:
    """The least and the most of sorted numbers."""
    listed = list(numbers)
    return listed[0] if listed[0] == listed[-1] else f"{listed[0]} to {listed[-1]}"


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Displayed):
    """Systems compared under one or more metrics; print it to read the verdicts, or show it as tables.

    >>> from bleuprint import compare
    >>> texts = [f"the {word} sat on the mat" for word in "cat dog cow hen pig".split()]
    >>> print(compare({"A": texts, "B": texts}, texts))
    bleu: A and B score the same on all segments; 95 %: -0.5218 … 0.5218.
    bleu: The difference is the same in all segments: without spread, nobody knows what they can detect.
    bleu: A: rank 1-2, better than 0 of 1
    bleu: B: rank 1-2, better than 0 of 1
    """

    signature: str  # how the systems were compared; each metric has a signature of its own
    metrics: tuple[MetricComparison, ...]

    @property
    def segments(self) -> int:
        return self.metrics[0].result.segments

    @property
    def alpha(self) -> float:
        """The significance level, which the confidence intervals of the scores have as well."""
        return 1 - self.metrics[0].result.systems[0].score.level

    def metric(self, name: str) -> SampleComparison:
        """The comparison under one metric."""
        return next(entry.result for entry in self.metrics if entry.metric == name)

    def to_dict(self) -> dict[str, object]:
        """The comparison as plain numbers, strings and lists, ready for JSON."""
        return {"signature": self.signature, "metrics": [entry.to_dict() for entry in self.metrics]}

    def to_json(self) -> str:
        """The comparison as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    def display(
        self,
        *,
        percent: bool = False,
        level: Literal["systems", "pairs", "matrix"] = "systems",
        intervals: bool = False,
    ) -> tuple[DisplayTable, ...]:
        """The tables that `pretty`, `to_markdown`, `to_latex`, `to_csv` and `to_pandas` draw.

        - `level`: "systems" is the scores with significance marks, then the pairs as a matrix per metric; "pairs" is
          one row per pair; "matrix" is the matrices alone
        - `intervals`: show confidence intervals beside the scores

        >>> from bleuprint import compare
        >>> words = "cat dog cow hen pig fox owl bee ant elk".split()
        >>> good = [f"the {word} sat on the mat" for word in words]
        >>> comparison = compare({"good": good, "bad": [f"a {word} is on a mat" for word in words]}, good)
        >>> print(comparison.to_markdown().partition("`")[0].rstrip())
        | System | BLEU ↑ | Rank |
        |---|---:|---:|
        | good | **1.0000** | 1 |
        | bad | 0.0190† | 2 |
        <BLANKLINE>
        †: significantly worse than the best (p \\< 0.05, exact paired permutation test).
        """
        checks.choice("level", level, ("systems", "pairs", "matrix"))
        return comparison_tables(self, Digits(percent), level=level, intervals=intervals)

    def methods_text(self, form: Literal["text", "markdown", "latex"] = "text", *, bibtex: bool = True) -> str:
        """A paragraph for a paper that says how the systems were scored and compared; see `Result.methods_text`."""
        signatures = {entry.metric: entry.signature for entry in self.metrics}
        systems = len(self.metrics[0].result.systems)
        return methods_text(signatures, systems, self.segments, self, form, bibtex=bibtex)

    def __repr__(self) -> str:
        systems = len(self.metrics[0].result.systems)
        metrics = ", ".join(entry.metric for entry in self.metrics)
        return f"<Comparison of {systems} systems on {self.segments:,} segments: {metrics}>"

    def __str__(self) -> str:
        return "\n".join(map(str, self.metrics))


def read_comparison(value: object, where: str) -> Comparison:
    """Restore a comparison from JSON; fields it does not know are left out."""
    fields = expect(value, dict, where)
    signature = expect(fields.get("signature"), str, f"{where}.signature")
    entries = items(fields.get("metrics"), dict, f"{where}.metrics")
    if not entries:
        raise MalformedError(f"{where}.metrics must hold at least one metric")
    metrics = []
    for index, entry in enumerate(entries):
        place = f"{where}.metrics[{index}]"
        name, written = (expect(entry.get(key), str, f"{place}.{key}") for key in ("metric", "signature"))
        result = record(SampleComparison, entry, place)
        for number, pair in enumerate(entry["pairs"]):
            expect(pair.get("verdict"), str, f"{place}.pairs[{number}].verdict")  # for people, and written anew
        _check(result, place)
        metrics.append(MetricComparison(name, written, result))
    return Comparison(signature, tuple(metrics))


def _check(result: SampleComparison, where: str) -> None:
    """Check what the types cannot say: names, probabilities, and the ends of intervals."""
    names = [system.name for system in result.systems]
    if len(names) < 2 or not result.pairs:
        raise MalformedError(f"{where} must compare at least two systems")
    for place, pair in enumerate(result.pairs):
        here = f"{where}.pairs[{place}]"
        one_of(pair.first, names, f"{here}.first")
        one_of(pair.second, names, f"{here}.second")
        if pair.better is not None:
            one_of(pair.better, (pair.first, pair.second), f"{here}.better")
        for key, value in (("p_value", pair.p_value), ("corrected_p_value", pair.corrected_p_value)):
            if not 0 <= value <= 1:
                raise MalformedError(f"{here}.{key} must be from 0 to 1, got {value}")
        if pair.samples < 1:
            raise MalformedError(f"{here}.samples must be at least 1, got {pair.samples}")
    for place, cluster in enumerate(result.clusters):
        if not cluster:
            raise MalformedError(f"{where}.clusters[{place}] must hold at least one system")
        for inner, name in enumerate(cluster):
            one_of(name, names, f"{where}.clusters[{place}][{inner}]")
    for here, interval in _intervals(result):
        if not (interval.low <= interval.high and math.isfinite(interval.high - interval.low)):
            raise MalformedError(f"{where}.{here}.low must be at most {interval.high}, got {interval.low}")
        if not 0 < interval.level < 1:
            raise MalformedError(f"{where}.{here}.level must be between 0 and 1, got {interval.level}")


def _intervals(result: SampleComparison) -> Iterator[tuple[str, Interval]]:
    for place, system in enumerate(result.systems):
        yield f"systems[{place}].score", system.score
    for place, pair in enumerate(result.pairs):
        yield f"pairs[{place}].difference", pair.difference
