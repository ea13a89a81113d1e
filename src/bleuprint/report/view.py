"""What the page shows, worked out from a result: the template only lays it out.

Which sections a metric gets depends on the parts its score has, never on its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, median

from markupsafe import Markup

from bleuprint import cards
from bleuprint.errors import BleuprintError
from bleuprint.metrics import REFERENCE_TABLE
from bleuprint.report import charts
from bleuprint.results import MetricResult, Result, SystemResult
from bleuprint.signature import parse

__all__ = ["MetricView", "SegmentView", "metric_views", "reference_counts", "segment_views"]

_BINS = 20


@dataclass(frozen=True, slots=True)
class ScoreRow:
    name: str
    value: str
    bar: Markup


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature, and whose it is when the systems do not all have the same."""

    owners: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One system's chart with the facts under it."""

    name: str
    value: str
    chart: Markup
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """What the number means and when not to trust it, in the words of the metric's card."""

    meaning: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MetricView:
    name: str
    direction: str
    guide: Guide | None
    scores: tuple[ScoreRow, ...]
    signatures: tuple[Signature, ...]
    segment_signatures: tuple[Signature, ...]
    origins: tuple[Figure, ...]
    distributions: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Output:
    name: str
    text: str
    value: str
    bar: Markup


@dataclass(frozen=True, slots=True)
class SegmentView:
    number: int
    mean: str
    source: str | None
    references: tuple[str, ...]
    outputs: tuple[Output, ...]


def metric_views(result: Result) -> list[MetricView]:
    """One view per metric, systems best first."""
    views = []
    for metric in result.metrics:
        ranked = [(system.name, system.score(metric)) for system in _ranked(result, metric)]
        higher = ranked[0][1].higher_is_better
        scale = max(1.0, *(score.value for _, score in ranked))
        tallest = max((max(charts.bins_of(score.segments, _BINS)) for _, score in ranked), default=1)
        views.append(
            MetricView(
                name=metric,
                direction="higher is better" if higher else "lower is better",
                guide=_guide(ranked[0][1]),
                scores=tuple(_score_row(name, score, scale) for name, score in ranked),
                signatures=_signatures((name, score.signature) for name, score in ranked),
                segment_signatures=_signatures((name, score.segment_signature) for name, score in ranked),
                origins=tuple(_origin(name, score) for name, score in ranked if "precisions" in score.parts),
                distributions=tuple(_distribution(name, score, tallest) for name, score in ranked),
            )
        )
    return views


def segment_views(result: Result, limit: int) -> list[SegmentView]:
    """The segments that score worst under the first metric, on average over the systems."""
    if not result.metrics:
        return []
    systems = _ranked(result, result.metrics[0])
    scores = [system.score(result.metrics[0]) for system in systems]
    means = [fmean(values) for values in zip(*(score.segments for score in scores), strict=True)]
    worst = sorted(range(len(means)), key=means.__getitem__, reverse=not scores[0].higher_is_better)
    return [
        SegmentView(
            number=index + 1,
            mean=_digits(means[index]),
            source=None if result.sources is None else result.sources[index],
            references=result.references[index],
            outputs=tuple(
                Output(
                    system.name,
                    system.hypotheses[index],
                    _digits(score.segments[index]),
                    charts.meter(score.segments[index], f"score {_digits(score.segments[index])}"),
                )
                for system, score in zip(systems, scores, strict=True)
            ),
        )
        for index in worst[:limit]
    ]


def _ranked(result: Result, metric: str) -> list[SystemResult]:
    """The systems, best first."""
    higher = all(system.score(metric).higher_is_better for system in result.systems)
    return sorted(result.systems, key=lambda system: system.score(metric).value, reverse=higher)


def reference_counts(result: Result) -> str:
    """How many references a segment has, in words; nothing where there are no segments."""
    sizes = sorted({len(references) for references in result.references})
    if not sizes:
        return ""
    if len(sizes) > 1:
        return f"{sizes[0]} to {sizes[-1]} references"
    return "1 reference" if sizes == [1] else f"{sizes[0]} references"


def _guide(score: MetricResult) -> Guide | None:
    """From the card of the metric that the signature names; a metric of someone else's may have none."""
    try:
        measured = parse(score.signature).metric
        # The label is whatever the caller chose. It tells more than the signature only where it is a name of ours.
        known = REFERENCE_TABLE.get(score.metric)
        card = cards.load(score.metric if known is not None and known.name == measured else measured)
    except BleuprintError:
        return None
    return Guide(cards.plain_text(card.summary), tuple(map(cards.plain_text, card.avoid_when)))


def _score_row(name: str, score: MetricResult, scale: float) -> ScoreRow:
    bar = charts.meter(score.value / scale, f"{name}: {score.value:.4f}")
    return ScoreRow(name, f"{score.value:.4f}", bar)


def _signatures(owned: Iterable[tuple[str, str]]) -> tuple[Signature, ...]:
    owners: dict[str, list[str]] = {}
    for name, text in owned:
        owners.setdefault(text, []).append(name)
    if len(owners) == 1:
        return tuple(Signature((), text) for text in owners)
    return tuple(Signature(tuple(names), text) for text, names in owners.items())


def _origin(name: str, score: MetricResult) -> Figure:
    """Precisions by order and the brevity penalty as bars, the lengths as facts."""
    precisions = _numbers(score, "precisions")
    matches, totals = _numbers(score, "matches"), _numbers(score, "totals")
    rows = []
    for order, precision in enumerate(precisions, start=1):
        rows.append(charts.Bar(f"{order}-gram", precision, _digits(precision)))
    facts = [
        (f"{order}-grams matched", f"{match:,.0f} of {total:,.0f}")
        for order, (match, total) in enumerate(zip(matches, totals, strict=False), start=1)
    ]
    if (penalty := _number(score, "brevity_penalty")) is not None:
        rows.append(charts.Bar("brevity", penalty, _digits(penalty), "brevity penalty", quiet=True))
    hypothesis, reference = _number(score, "hypothesis_length"), _number(score, "reference_length")
    if hypothesis is not None and reference is not None:
        facts.append(("tokens", f"{hypothesis:,.0f} (references {reference:,.0f})"))
        facts.append(("length ratio", _digits(hypothesis / reference) if reference else "none"))
    label = f"n-gram precisions of {name}: " + ", ".join(_digits(precision) for precision in precisions)
    return Figure(name, f"{score.value:.4f}", charts.bars(rows, label), tuple(facts))


def _distribution(name: str, score: MetricResult, tallest: int) -> Figure:
    values = score.segments
    label = f"distribution of the segment scores of {name}"
    chart = charts.histogram(values, label, bins=_BINS, tallest=tallest)
    if not values:
        return Figure(name, "", chart, ())
    facts = (
        ("median", _digits(median(values))),
        ("mean", _digits(fmean(values))),
        ("at 0", str(sum(value == 0 for value in values))),
        ("at 1", str(sum(value == 1 for value in values))),
    )
    return Figure(name, "", chart, facts)


def _numbers(score: MetricResult, part: str) -> tuple[float, ...]:
    value = score.parts.get(part, ())
    return value if isinstance(value, tuple) else ()


def _number(score: MetricResult, part: str) -> float | None:
    value = score.parts.get(part)
    return None if isinstance(value, tuple) else value


def _digits(value: float) -> str:
    return f"{value:.3f}"
