"""Sort segments into four quadrants, by one metric of fidelity and one of fluency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median

from bleuprint import checks, signature
from bleuprint.errors import InputError, OptionError
from bleuprint.metrics import cards
from bleuprint.results import MetricResult, Result
from bleuprint.results.digits import has_percent
from bleuprint.results.display import Displayed, DisplayTable, words
from bleuprint.runners.verdicts import checked_threshold, meets

# Keys: whether a segment is faithful, and whether it is fluent.
NAMES = {
    (True, True): "faithful and fluent",
    (True, False): "faithful but clumsy",
    (False, True): "fluent but wrong",
    (False, False): "neither",
}


@dataclass(frozen=True, slots=True)
class Axis:
    """The scores of all segments under one metric, and the threshold of the good side."""

    metric: str
    higher_is_better: bool
    threshold: float
    values: Mapping[str, tuple[float, ...]] = field(repr=False)
    has_percent: bool = True  # whether its scores can be shown times 100

    def good(self, value: float) -> bool:
        return bool(meets(value, self.threshold, self.higher_is_better))

    def in_words(self, *, percent: bool = False) -> str:
        """What the good side is."""
        threshold = 100 * self.threshold if percent and self.has_percent else self.threshold
        return f"{self.metric} {'≥' if self.higher_is_better else '≤'} {threshold:.4g}"


@dataclass(frozen=True, slots=True, repr=False)
class Quadrants(Displayed):
    """The quadrant of each segment, by system."""

    fidelity: Axis
    fluency: Axis
    systems: Mapping[str, tuple[str, ...]]

    def counts(self, system: str) -> dict[str, int]:
        """Number of segments of a system in each quadrant."""
        by_quadrant = Counter(self.systems[system])
        return {name: by_quadrant[name] for name in NAMES.values()}

    def __repr__(self) -> str:
        return f"<Quadrants of {len(self.systems)} systems, {self.rule()}>"

    def rule(self, *, percent: bool = False) -> str:
        """The thresholds in words, times 100 with `percent` where the metric can be shown so."""
        return f"faithful: {self.fidelity.in_words(percent=percent)}; fluent: {self.fluency.in_words(percent=percent)}"

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """A table with one row per system, and the thresholds below."""
        rows = tuple(words(system, *map(str, self.counts(system).values())) for system in self.systems)
        header, notes = ("system", *NAMES.values()), (self.rule(percent=percent),)
        return (DisplayTable(header, rows, notes=notes, label="quadrants"),)


def quadrants(
    result: Result,
    *,
    fidelity: str | None = None,
    fluency: str | None = None,
    fidelity_threshold: float | None = None,
    fluency_threshold: float | None = None,
) -> Quadrants:
    """Find the quadrant of each segment of a result with a metric of fluency and one of fidelity.

    - `fidelity`, `fluency`: names of metrics of the result; by default the first of each kind
    - `fidelity_threshold`, `fluency_threshold`: from which score on a segment is faithful or fluent; by default the
      median over all segments of all systems, so that all systems are held to the same standard

    >>> from bleuprint import BLEU, LanguageModel, Perplexity, evaluate
    >>> references = ["the cat sat on the mat", "the dog ran to the log", "a cat saw a dog", "the old dog sat"]
    >>> model = LanguageModel.train(references, order=2, discount_fallback=True)
    >>> texts = ["the cat sat on the mat", "the cat sat on the mat", "dog saw a cat a", "mat old log"]
    >>> result = evaluate(texts, references, metrics=[BLEU(effective_order=True), Perplexity(model)])
    >>> by_system = quadrants(result, fidelity_threshold=0.5)
    >>> by_system.systems["hypotheses"]
    ('faithful and fluent', 'fluent but wrong', 'neither', 'neither')
    """
    checks.instance("result", result, Result, "a Result, as from evaluate or Result.read_json")
    if not result.systems or not result.size:
        raise InputError("quadrants need segments, but the result has none.")
    by_kind = {kind_of(score): score.metric for score in reversed(result.systems[0].scores)}
    upwards = _axis(result, by_kind.get("fidelity") if fidelity is None else fidelity, fidelity_threshold, "fidelity")
    across = _axis(result, by_kind.get("fluency") if fluency is None else fluency, fluency_threshold, "fluency")
    systems = {
        name: tuple(
            NAMES[upwards.good(faithful), across.good(fluent)]
            for faithful, fluent in zip(upwards.values[name], across.values[name], strict=True)
        )
        for name in upwards.values
    }
    return Quadrants(upwards, across, systems)


def kind_of(score: MetricResult) -> str:
    """Whether a score measures fluency or fidelity."""
    card = cards.find(signature.parse(score.signature).metric)
    return "fluency" if card is not None and card.kind == "fluency" else "fidelity"


def _axis(result: Result, metric: str | None, threshold: float | None, role: str) -> Axis:
    known = ", ".join(result.metrics)
    if metric is None:
        raise OptionError.because(f"the result has no metric of {role}; pass {role}, one of {known}")
    if not isinstance(metric, str) or metric not in result.metrics:
        raise OptionError(role, f"a metric of the result ({known})", metric)
    scores = {system.name: system.score(metric) for system in result.systems}
    values = {name: score.segments for name, score in scores.items()}
    if any(len(segments) != result.size for segments in values.values()):
        raise InputError(f"this result does not contain the segment scores of {metric}.")
    score = result.systems[0].score(metric)
    if threshold is None:
        threshold = median(value for segments in values.values() for value in segments)
    else:
        checked_threshold(f"{role}_threshold", (metric, signature.parse(score.signature).metric), threshold)
    return Axis(metric, score.higher_is_better, float(threshold), values, has_percent(score.signature))
