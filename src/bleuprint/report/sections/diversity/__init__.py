"""Diversity: how much the outputs of a system repeat each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from bleuprint.metrics.self_bleu import SelfBLEU, SelfBleuScore
from bleuprint.pools.diversity import Pools
from bleuprint.report import charts
from bleuprint.report.page import Page
from bleuprint.report.replay import if_possible, rank_systems
from bleuprint.results import Result, SystemResult
from bleuprint.results.digits import Digits, has_percent

if TYPE_CHECKING:
    from bleuprint.pools.diversity import Diversity, Measure

LINK = "Diversity"


class View(NamedTuple):
    """Self-BLEU of each set of texts by its name, and of pools also all measures and which of them differ."""

    chart: Markup
    scores: Mapping[str, SelfBleuScore]
    numbers: Mapping[str, int]  # the places of the sets among the systems of the page
    digits: Digits
    pools: Pools | None
    measures_chart: Markup | None
    differences_chart: Markup | None


def view(page: Page) -> View | None:
    """Self-BLEU of every system's outputs, best system first."""
    result = page.result
    order: Sequence[SystemResult] = rank_systems(result, result.metrics[0]) if result.metrics else result.systems
    numbers = {system.name: number for number, system in enumerate(result.systems)}
    return of_scores(_scores(order), numbers, page.canvas(charts.BROAD))


def _scores(systems: Sequence[SystemResult]) -> dict[str, SelfBleuScore]:
    """Self-BLEU of the outputs of every system that has at least two."""
    texts = {system.name: system.hypotheses for system in systems if len(system.hypotheses) > 1}
    scores = {name: if_possible(SelfBLEU().corpus, outputs) for name, outputs in texts.items()}
    return {name: score for name, score in scores.items() if score is not None}


def of_scores(
    scores: Mapping[str, SelfBleuScore],
    numbers: Mapping[str, int],
    canvas: charts.Canvas,
    measures: Mapping[str, Diversity] | None = None,
) -> View | None:
    """The section for scores that are there; `numbers` are the systems' places in the page."""
    if not scores:
        return None
    drawn = draw_scores({name: scores[name] for name in numbers if name in scores}, canvas)  # one color in all charts
    if not measures:
        return View(drawn, scores, numbers, canvas.digits, None, None, None)
    wide = charts.Canvas(charts.BROAD)
    pools, differences = Pools(measures), draw_differences(measures, wide)
    return View(drawn, scores, numbers, canvas.digits, pools, draw_measures(measures, wide), differences)


def draw(result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas) -> charts.Drawing | None:
    """Self-BLEU of the outputs of every system by order."""
    known = _scores(systems)
    return draw_scores(known, canvas) if known else None


def draw_scores(scores: Mapping[str, SelfBleuScore], canvas: charts.Canvas) -> charts.Drawing:
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
        canvas=canvas,
    )


def draw_measures(results: Mapping[str, Diversity], canvas: charts.Canvas) -> charts.Drawing:
    """All measures, with the more diverse pools at the right.

    Shares are drawn from 0 to 1, and all others from 0 to their largest value, so that lengths can be compared.
    """
    return charts.measures(
        [_measure(dict(zip(results, row, strict=True)), canvas.digits) for row in Pools(results).rows()],
        "Measures of diversity",
        direction="more diverse",
        canvas=canvas,
    )


def _measure(measures: Mapping[str, Measure], digits: Digits) -> charts.Measure:
    first = next(iter(measures.values()))
    values = {
        name: (one.value, one.value if one.low is None else one.low, one.value if one.high is None else one.high)
        for name, one in measures.items()
    }
    texts = {name: one.cells(digits)[0].text for name, one in measures.items()}
    highest = 1.0 if has_percent(first.signature) else max(high for _, _, high in values.values())
    scale = (0.0, highest) if first.higher_is_better else (highest, 0.0)
    return charts.Measure(first.name, values, texts, scale)


def draw_differences(results: Mapping[str, Diversity], canvas: charts.Canvas) -> charts.Drawing | None:
    """The first of two pools minus the second, for all shares; None if there are others."""
    rows = []
    for row in Pools(results).rows() if len(results) == 2 else ():
        one, other = row
        ends = one.minus(other)
        if ends is not None and has_percent(one.signature):
            difference, write = one.value - other.value, canvas.digits.delta
            strong = not ends[0] <= 0 <= ends[1]
            rows.append(charts.Row(one.name, difference, write(difference), interval=ends, strong=strong))
    first, *others = results
    label = f"{first} minus {others[0]}, with 95 % intervals" if others else ""
    return charts.ranges(rows, label, axis=label, zero=True, canvas=canvas) if rows else None
