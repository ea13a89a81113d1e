"""What the page shows, worked out from a result: the template only lays it out.

Which sections a metric gets depends on the parts its score has, never on its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from statistics import fmean, median

from markupsafe import Markup

from bleuprint.errors import BleuprintError
from bleuprint.metrics import cards, registry
from bleuprint.report import analysis, charts, pictures
from bleuprint.report.analysis import ranked
from bleuprint.report.pictures import digits
from bleuprint.results import MetricResult, Result
from bleuprint.signature import parse

__all__ = ["Figure", "Guide", "MetricView", "Signature", "guide_of", "metric_views", "reference_counts", "title_of"]

_PAIRS = 12  # verdicts before the others are folded away


@dataclass(frozen=True, slots=True)
class ScoreRow:
    name: str
    value: str
    interval: str
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
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Guide:
    """What the number means and when not to trust it, in the words of the metric's card."""

    title: str
    summary: str
    meaning: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """The systems side by side, in words and as a chart."""

    ranks: tuple[str, ...]
    verdicts: tuple[str, ...]
    more_verdicts: tuple[str, ...]
    chart: Markup
    signature: str


@dataclass(frozen=True, slots=True)
class MetricView:
    name: str
    number: int
    direction: str
    guide: Guide | None
    scores: tuple[ScoreRow, ...]
    level: str
    comparison: ComparisonView | None
    signatures: tuple[Signature, ...]
    segment_signatures: tuple[Signature, ...]
    origins: tuple[Figure, ...]
    falls: bool  # the origins are waterfalls
    distributions: tuple[Figure, ...]


def metric_views(result: Result) -> list[MetricView]:
    """One view per metric, systems best first."""
    views = []
    for number, metric in enumerate(result.metrics):
        order = [(system.name, system.score(metric)) for system in ranked(result, metric)]
        known = analysis.intervals(result, metric)
        origins = tuple(_origins(result, metric))
        views.append(
            MetricView(
                name=metric,
                number=number,
                direction="higher is better" if order[0][1].higher_is_better else "lower is better",
                guide=_guide(order[0][1]),
                scores=tuple(_score_rows(order, known)),
                level=f"{100 * next(iter(known.values()))[2]:g} %" if known else "",
                comparison=_comparison(result, metric),
                signatures=_signatures((name, score.signature) for name, score in order),
                segment_signatures=_signatures((name, score.segment_signature) for name, score in order),
                origins=origins,
                falls=any("waterfall" in figure.chart for figure in origins),
                distributions=tuple(_distributions(result, metric)),
            )
        )
    return views


def title_of(result: Result) -> str:
    """How much there is, in words."""
    many, size = len(result.systems), result.size
    return f"{many} {'system' if many == 1 else 'systems'}, {size:,} {'segment' if size == 1 else 'segments'}"


def reference_counts(result: Result) -> str:
    """How many references a segment has, in words; nothing where there are no segments."""
    sizes = sorted({len(references) for references in result.references})
    if not sizes:
        return ""
    if len(sizes) > 1:
        return f"{sizes[0]} to {sizes[-1]} references"
    return "1 reference" if sizes == [1] else f"{sizes[0]} references"


def guide_of(name: str) -> Guide | None:
    """The card of that name, as far as the page shows it."""
    card = cards.find(name)
    if card is None:
        return None
    meaning = card.sections["What the number means"].split("\n\n")
    return Guide(
        card.title,
        cards.plain_text(card.summary),
        tuple(cards.plain_text(" ".join(paragraph.split())) for paragraph in meaning if not _is_block(paragraph)),
        tuple(map(cards.plain_text, card.avoid_when)),
    )


def _is_block(paragraph: str) -> bool:
    return paragraph.lstrip().startswith(("```", "|", "- "))


def _guide(score: MetricResult) -> Guide | None:
    """From the card of the metric that the signature names; a metric of someone else's may have none."""
    try:
        measured = parse(score.signature).metric
    except BleuprintError:
        return None
    # The label is whatever the caller chose. It tells more than the signature only where it is a name of ours.
    known = registry.segment_metrics().get(score.metric)
    return guide_of(score.metric if known is not None and known.name == measured else measured)


def _score_rows(
    order: list[tuple[str, MetricResult]], known: dict[str, tuple[float, float, float]]
) -> Iterable[ScoreRow]:
    ends = [end for entry in known.values() for end in entry[:2]]
    scale = max(1.0, *filter(isfinite, (*(score.value for _, score in order), *ends)))
    for name, score in order:
        text, places = "", None
        if name in known:
            low, high, _ = known[name]
            text, places = f"{low:.4f} … {high:.4f}", (low / scale, high / scale)
        bar = charts.meter(score.value / scale, f"{name}: {score.value:.4f} {text}".rstrip(), interval=places)
        yield ScoreRow(name, f"{score.value:.4f}", text, bar)


def _comparison(result: Result, metric: str) -> ComparisonView | None:
    found = analysis.comparison_of(result, metric)
    chart = pictures.systems(result, metric, most=_PAIRS)
    if found is None or chart is None:
        return None
    verdicts = tuple(f"{pair['verdict']}." for pair in found.pairs)
    return ComparisonView(
        ranks=tuple(_rank(number, names) for number, names in enumerate(found.clusters, start=1)),
        verdicts=verdicts[:_PAIRS],
        more_verdicts=verdicts[_PAIRS:],
        chart=chart,
        signature=found.signature,
    )


def _rank(number: int, names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return f"Rank {number}: {names[0]}."
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"Rank {number}: {listed}, with no clear order among them."


def _signatures(owned: Iterable[tuple[str, str]]) -> tuple[Signature, ...]:
    owners: dict[str, list[str]] = {}
    for name, text in owned:
        owners.setdefault(text, []).append(name)
    if len(owners) == 1:
        return tuple(Signature((), text) for text in owners)
    return tuple(Signature(tuple(names), text) for text, names in owners.items())


def _origins(result: Result, metric: str) -> Iterable[Figure]:
    """How each score comes about, the counts and lengths as facts."""
    for system in ranked(result, metric):
        chart = pictures.origin(result, metric, system)
        if chart is None:
            continue
        score = system.score(metric)
        precisions, matches, totals = (_numbers(score, part) for part in ("precisions", "matches", "totals"))
        facts = [
            (f"{order}-grams matched", f"{match:,.0f} of {total:,.0f} · {digits(precision)}")
            for order, (match, total, precision) in enumerate(zip(matches, totals, precisions, strict=False), start=1)
        ]
        if (penalty := _number(score, "brevity_penalty")) is not None:
            facts.append(("brevity penalty", digits(penalty)))
        hypothesis, reference = _number(score, "hypothesis_length"), _number(score, "reference_length")
        if hypothesis is not None and reference is not None:
            facts.append(("tokens", f"{hypothesis:,.0f} (references {reference:,.0f})"))
            facts.append(("length ratio", digits(hypothesis / reference) if reference else "none"))
        yield Figure(system.name, f"{score.value:.4f}", chart, tuple(facts))


def _distributions(result: Result, metric: str) -> Iterable[Figure]:
    for system in ranked(result, metric):
        chart = pictures.distribution(result, metric, system, brush=result.has_texts)
        if chart is None:
            continue
        values = system.score(metric).segments
        facts = [("median", digits(median(values))), ("mean", digits(fmean(values)))]
        if min(values) >= 0 and max(values) <= 1:
            facts += [(f"at {end}", f"{sum(value == end for value in values):,}") for end in (0, 1)]
        else:
            facts += [("lowest", digits(min(values))), ("highest", digits(max(values)))]
        yield Figure(system.name, "", chart, tuple(facts))


def _numbers(score: MetricResult, part: str) -> tuple[float, ...]:
    value = score.parts.get(part, ())
    return value if isinstance(value, tuple) else ()


def _number(score: MetricResult, part: str) -> float | None:
    value = score.parts.get(part)
    return None if isinstance(value, tuple) else value
