"""Self-BLEU order by order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.metrics.self_bleu import SelfBLEU, SelfBleuScore
from bleuprint.pools.diversity import Diversity, Measure
from bleuprint.report import charts
from bleuprint.report.look import Look
from bleuprint.report.replay import if_possible
from bleuprint.results import Result, SystemResult
from bleuprint.results.digits import Digits, has_percent


def score_of(system: SystemResult) -> SelfBleuScore | None:
    """Self-BLEU of the outputs; None of fewer than two."""
    texts = system.hypotheses
    return None if len(texts) < 2 else if_possible(SelfBLEU().corpus, texts)


def draw(result: Result, metric: str, systems: Sequence[SystemResult], look: Look) -> charts.Drawing | None:
    """Self-BLEU of the outputs of every system by order."""
    scored = {system.name: score_of(system) for system in systems}
    known = {name: score for name, score in scored.items() if score is not None}
    return draw_scores(known, look) if known else None


def draw_scores(scores: Mapping[str, SelfBleuScore], look: Look) -> charts.Drawing:
    """Self-BLEU of every set of texts by order."""
    orders = max(len(score.per_order) for score in scores.values())
    values = {
        name: [*score.per_order, *[float("nan")] * (orders - len(score.per_order))] for name, score in scores.items()
    }
    return charts.lines(
        range(1, orders + 1),
        values,
        "Self-BLEU by order",
        axis="longest n-grams",
        value_axis="Self-BLEU (lower is more diverse)",
        digits=Digits(look.percent),
        width=look.width,
        height=look.height,
    )


def draw_measures(results: Mapping[str, Diversity], look: Look) -> charts.Drawing:
    """All measures, with the more diverse pools at the right.

    Of one pool, shares are drawn from 0 to 1. Several pools are drawn on scales that fit their values.
    """
    rows = zip(*(result.measures for result in results.values()), strict=True)
    return charts.measures(
        [_row(dict(zip(results, several, strict=True)), Digits(look.percent)) for several in rows],
        "Measures of diversity",
        direction="more diverse",
        width=look.width,
        height=look.height,
    )


def _row(measures: Mapping[str, Measure], digits: Digits) -> charts.Row:
    first = next(iter(measures.values()))
    values = {
        name: (one.value, one.value if one.low is None else one.low, one.value if one.high is None else one.high)
        for name, one in measures.items()
    }
    texts = {name: one.cells(digits)[0].text for name, one in measures.items()}
    if len(measures) == 1:
        is_share = has_percent(first.signature) and 0 <= first.value <= 1
        return charts.Row(first.name, values, texts, _turned(first, 0.0, 1.0) if is_share else None)
    numbers = [number for ends in values.values() for number in ends]
    scale = _turned(first, min(numbers), max(numbers))
    written = digits.of(first.signature)
    return charts.Row(first.name, values, texts, scale, (written(scale[0]), written(scale[1])))


def _turned(measure: Measure, low: float, high: float) -> tuple[float, float]:
    return (low, high) if measure.higher_is_better else (high, low)
