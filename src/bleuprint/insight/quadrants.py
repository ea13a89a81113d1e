"""Every segment in one of four quadrants, by a metric of fidelity and one of fluency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from bleuprint import signature
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics import cards
from bleuprint.results import MetricResult, Result
from bleuprint.results.text_tables import aligned

__all__ = ["NAMES", "Axis", "Quadrants", "quadrants"]

# By whether a segment is faithful and whether it is fluent.
NAMES = {
    (True, True): "faithful and fluent",
    (True, False): "faithful but clumsy",
    (False, True): "fluent but wrong",
    (False, False): "neither",
}


@dataclass(frozen=True, slots=True)
class Axis:
    """One metric of every segment of every system, and from where on a segment is on the good side."""

    metric: str
    higher_is_better: bool
    threshold: float
    values: Mapping[str, tuple[float, ...]]

    def good(self, value: float) -> bool:
        return value >= self.threshold if self.higher_is_better else value <= self.threshold

    def __str__(self) -> str:
        return f"{self.metric} {'≥' if self.higher_is_better else '≤'} {self.threshold:.4g}"


@dataclass(frozen=True, slots=True)
class Quadrants:
    """The quadrant of every segment, by system."""

    fidelity: Axis
    fluency: Axis
    systems: Mapping[str, tuple[str, ...]]

    def counts(self, system: str) -> dict[str, int]:
        """How many segments of a system are in each quadrant."""
        found = Counter(self.systems[system])
        return {name: found[name] for name in NAMES.values()}

    @property
    def rule(self) -> str:
        """The thresholds in words."""
        return f"faithful: {self.fidelity}; fluent: {self.fluency}"

    def rows(self) -> list[list[str]]:
        """The table: a line of names, then a line for each system."""
        named = [["system", *NAMES.values()]]
        return named + [[system, *map(str, self.counts(system).values())] for system in self.systems]

    def pretty(self) -> str:
        """The table to be printed, with the thresholds under it."""
        return "\n".join([*aligned(self.rows()), "", self.rule])


def quadrants(
    result: Result,
    *,
    fidelity: str | None = None,
    fluency: str | None = None,
    fidelity_threshold: float | None = None,
    fluency_threshold: float | None = None,
) -> Quadrants:
    """Name the quadrant of every segment of a result that has a metric of fluency and another one.

    The first of each is taken where none is named. A threshold that is not given is the median of all segments of all
    systems, so that systems are held to the same.

    >>> from bleuprint import BLEU, LanguageModel, Perplexity, evaluate
    >>> references = ["the cat sat on the mat", "the dog ran to the log", "a cat saw a dog", "the old dog sat"]
    >>> model = LanguageModel.train(references, order=2, discount_fallback=True)
    >>> texts = ["the cat sat on the mat", "the cat sat on the mat", "dog saw a cat a", "mat old log"]
    >>> result = evaluate(texts, references, metrics=[BLEU(effective_order=True), Perplexity(model)])
    >>> found = quadrants(result, fidelity_threshold=0.5)
    >>> found.systems["hypotheses"]
    ('faithful and fluent', 'fluent but wrong', 'neither', 'neither')
    """
    if not result.systems or not result.size:
        raise InputError("quadrants need segments, and the result has none.")
    found = {_kind(score): score.metric for score in reversed(result.systems[0].scores)}
    upwards = _axis(result, fidelity or found.get("fidelity"), fidelity_threshold, "fidelity")
    across = _axis(result, fluency or found.get("fluency"), fluency_threshold, "fluency")
    systems = {
        name: tuple(
            NAMES[upwards.good(faithful), across.good(fluent)]
            for faithful, fluent in zip(upwards.values[name], across.values[name], strict=True)
        )
        for name in upwards.values
    }
    return Quadrants(upwards, across, systems)


def _kind(score: MetricResult) -> str:
    card = cards.find(signature.parse(score.signature).metric)
    return "fluency" if card is not None and card.kind == "fluency" else "fidelity"


def _axis(result: Result, metric: str | None, threshold: float | None, role: str) -> Axis:
    if metric is None or metric not in result.metrics:
        asked = "a metric of the result" if metric else f"named, or a metric of {role} among those of the result"
        raise OptionError(role, f"{asked} ({', '.join(result.metrics)})", metric)
    scores = {system.name: system.score(metric) for system in result.systems}
    values = {name: score.segments for name, score in scores.items()}
    if any(len(segments) != result.size for segments in values.values()):
        raise InputError(f"the scores of single segments under {metric} were not kept in this result.")
    if threshold is None:
        threshold = median(value for segments in values.values() for value in segments)
    elif isinstance(threshold, bool) or not isinstance(threshold, int | float) or threshold != threshold:
        raise OptionError(f"{role}_threshold", "a number", threshold)
    return Axis(metric, result.systems[0].score(metric).higher_is_better, float(threshold), values)
