"""What a comparison says about the systems of a result, read from the result or made now."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from bleuprint.errors import ResultError
from bleuprint.metrics.base.pool import PoolFormula
from bleuprint.report.replay import if_possible, metric_of, passed_metrics
from bleuprint.results import MetricResult, Result
from bleuprint.results.digits import FRACTIONS, Digits
from bleuprint.runners.comparisons import compared

__all__ = ["Compared", "Difference", "Rank", "comparison_of", "with_comparison"]

# Where a sentence names a difference or a margin: results of earlier versions have hundredths, called points.
_SIZE = re.compile(r"\b(\d+\.\d+)( points)?(?= may well be | is unlikely | or more$|$)")


_MOST_POOLS = 3  # systems


class Difference(NamedTuple):
    """The difference of two systems with its interval, and what it means."""

    first: str
    second: str
    value: float
    low: float
    high: float
    significant: bool
    verdicts: tuple[str, ...]  # of the test and, with a margin, about equivalence


class Rank(NamedTuple):
    """The best and the worst rank that the significant differences allow, and how many systems are worse."""

    best: int
    worst: int
    wins: int

    def __str__(self) -> str:
        return f"{self.best}" if self.best == self.worst else f"{self.best}–{self.worst}"


@dataclass(frozen=True, slots=True)
class Compared:
    """The systems under one metric, as the comparison in a result has them."""

    intervals: dict[str, tuple[float, float, float]]  # low, high, level
    pairs: tuple[Difference, ...]
    clusters: tuple[tuple[str, ...], ...]
    ranks: dict[str, Rank]  # empty in results of versions that stored clusters alone
    signature: str

    def pair(self, first: str, second: str) -> Difference | None:
        """The difference of two systems, in either order; None if they were not compared."""
        return next((pair for pair in self.pairs if {pair.first, pair.second} == {first, second}), None)


def with_comparison(result: Result) -> Result:
    """The result with its systems compared, if they are not yet and can be."""
    if result.comparison is not None or len(result.systems) < 2 or not result.has_texts or result.size < 2:
        return result
    entries, signature = [], ""
    for score in result.systems[0].scores:  # one by one: a metric that cannot be resampled keeps no other from it
        if score.unit == "pool" and not if_possible(_is_quick, score, len(result.systems)):
            continue
        comparison = if_possible(_compared_alone, result, score.metric)
        if comparison is not None:
            entries += comparison["metrics"]
            signature = comparison["signature"]
    return replace(result, comparison={"signature": signature, "metrics": entries}) if entries else result


def _is_quick(score: MetricResult, systems: int) -> bool:
    """Whether a test of a pool metric takes seconds: a thousand counts of n-grams for each of a few pairs."""
    formula = metric_of(score).definition.formula
    return systems <= _MOST_POOLS and isinstance(formula, PoolFormula) and formula.exchange is not None


def _compared_alone(result: Result, metric: str) -> Mapping[str, Any] | None:
    alone = [replace(system, scores=(system.score(metric),)) for system in result.systems]
    passed = {name: known for name, known in passed_metrics().items() if name == metric}
    return compared(replace(result, systems=tuple(alone)), metrics=passed).comparison


def comparison_of(result: Result, metric: str, digits: Digits = FRACTIONS) -> Compared | None:
    """What the comparison in the result says about a metric; its sentences write differences with these digits."""
    if result.comparison is None:
        return None
    names = {system.name for system in result.systems}
    try:
        for entry in result.comparison["metrics"]:
            if entry["metric"] == metric and names == {system["name"] for system in entry["systems"]}:
                return Compared(
                    intervals={system["name"]: _interval(system["score"])[1:] for system in entry["systems"]},
                    pairs=tuple(_difference(pair, names, digits) for pair in entry["pairs"]),
                    clusters=tuple(_cluster(cluster, names) for cluster in entry["clusters"]),
                    ranks={
                        system["name"]: Rank(int(system["best_rank"]), int(system["worst_rank"]), system["wins"])
                        for system in entry["systems"]
                        if isinstance(system.get("wins"), int)
                    },
                    signature=_text(result.comparison["signature"]),
                )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise ResultError("this result", f"its comparison under {metric} is not what compare writes") from None
    return None


def _difference(pair: Mapping[str, Any], names: set[str], digits: Digits) -> Difference:
    first, second, better = pair["first"], pair["second"], pair["better"]
    if not {first, second} <= names or better not in (None, first, second):
        raise ValueError
    value, low, high, _ = _interval(pair["difference"])
    equivalence = pair.get("equivalence")
    verdicts = [pair["verdict"], *([] if equivalence is None else [equivalence["sentence"]])]
    shown = tuple(_on_one_scale(_text(verdict), digits) for verdict in verdicts)
    return Difference(first, second, value, low, high, better is not None, shown)


def _on_one_scale(verdict: str, digits: Digits) -> str:
    """Differences and margins as the charts beside the sentence have them; names before the colon and p-values stay."""
    names, colon, words = verdict.rpartition(": ")
    return names + colon + _SIZE.sub(lambda match: digits(float(match[1]) / (100 if match[2] else 1)), words)


def _interval(interval: Mapping[str, Any]) -> tuple[float, float, float, float]:
    value, low, high, level = (interval[key] for key in ("value", "low", "high", "level"))
    if not all(isinstance(number, int | float) for number in (value, low, high, level)):
        raise TypeError
    if not (math.isfinite(value) and low <= high and math.isfinite(high - low) and 0 < level < 1):
        raise ValueError
    return value, low, high, level


def _cluster(cluster: Sequence[str], names: set[str]) -> tuple[str, ...]:
    if not isinstance(cluster, list) or not cluster or not names.issuperset(cluster):
        raise ValueError
    return tuple(cluster)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
