"""Every chart of a result by name: for the page, and alone as a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import exp, fsum, isfinite, log
from pathlib import Path

from markupsafe import Markup

from bleuprint.errors import OptionError
from bleuprint.report import analysis, charts
from bleuprint.report.analysis import Diversity, Grouping, ranked
from bleuprint.report.charts.drawing import WIDTH
from bleuprint.report.data import SCORE_STEPS, marking_of, segments_of
from bleuprint.report.text import visible
from bleuprint.results import MetricResult, Result, SystemResult

__all__ = ["CHARTS", "alone", "picture", "waterfall_steps"]

BINS = 20
_FOLDER = Path(__file__).parent
_HEAD = 34  # height of the title of a chart that stands alone


def digits(value: float) -> str:
    return f"{value:.3f}"


def signed(value: float, width: int = 3) -> str:
    return f"{value:+.{width}f}"


def scores(result: Result, metric: str) -> Markup:
    """All systems with their intervals."""
    known = analysis.intervals(result, metric)
    rows = []
    for system in ranked(result, metric):
        value = system.score(metric).value
        low, high, _ = known.get(system.name, (value, value, 0.0))
        rows.append(charts.Range(system.name, value, low, high, f"{value:.4f}"))
    return charts.ranges(rows, f"{metric} of the systems, with intervals")


def systems(result: Result, metric: str, *, most: int | None = None) -> Markup | None:
    """The difference of every pair that was compared, or of the first so many."""
    compared = analysis.comparison_of(result, metric)
    if compared is None:
        return None
    rows = []
    for pair in compared.pairs[:most]:
        between = pair["difference"]
        rows.append(
            charts.Range(
                f"{pair['first']} against {pair['second']}",
                float(between["value"]),
                float(between["low"]),
                float(between["high"]),
                signed(float(between["value"]), 4),
                strong=pair["better"] is not None,
            )
        )
    return charts.ranges(rows, f"differences in {metric}, with intervals", zero=True)


def waterfall_steps(score: MetricResult) -> list[charts.Bar]:
    """From the share of matched words to the score; empty where the score is made in another way."""
    precisions, penalty = score.parts.get("precisions"), score.parts.get("brevity_penalty")
    if not isinstance(precisions, tuple) or not precisions or not isinstance(penalty, float | int):
        return []
    means = []
    for order in range(1, len(precisions) + 1):
        used = precisions[:order]
        means.append(exp(fsum(map(log, used)) / order) if min(used) > 0 else 0.0)
    if abs(means[-1] * penalty - score.value) > 1e-6:
        return []
    steps = [charts.Bar("words", means[0], digits(means[0]), "precision of single words")]
    for order, (before, mean) in enumerate(pairwise(means), start=2):
        steps.append(charts.Bar(f"{order}-grams", mean, signed(mean - before), f"mean of orders 1 to {order}"))
    loss = score.value - means[-1]
    steps.append(charts.Bar("brevity", score.value, signed(loss) if loss <= -0.0005 else "0", "brevity penalty"))
    steps.append(charts.Bar(score.metric, score.value, digits(score.value), "the score"))
    return steps


def origin(result: Result, metric: str, system: SystemResult) -> Markup | None:
    """How the score comes about."""
    score = system.score(metric)
    steps = waterfall_steps(score)
    label = f"where the {metric} of {system.name} comes from"
    if steps:
        return charts.waterfall(steps, label)
    precisions = score.parts.get("precisions")
    if not isinstance(precisions, tuple):
        return None
    rows = [charts.Bar(f"{order}-grams", value, digits(value)) for order, value in enumerate(precisions, start=1)]
    return charts.bars(rows, label)


def distribution(result: Result, metric: str, system: SystemResult, *, brush: bool = False) -> Markup | None:
    """How the scores of single segments spread; all systems have the same axes."""
    # To as many digits as the page has: a bar is as tall as the list that a click on it gives is long.
    every = [_rounded(entry.score(metric).segments) for entry in result.systems]
    values = every[result.systems.index(system)]
    if not values:
        return None
    scale = charts.scale_of([value for row in every for value in row])
    tallest = max(max(charts.bins_of(row, BINS, scale)) for row in every)
    data = {"metric": result.metrics.index(metric), "system": result.systems.index(system)} if brush else None
    label = f"distribution of the segment scores of {system.name}"
    return charts.histogram(values, label, bins=BINS, tallest=tallest, scale=scale, data=data)


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value * SCORE_STEPS) / SCORE_STEPS if isfinite(value) else value for value in values]


def influence(result: Result, metric: str, system: SystemResult, *, rows: int = 10) -> Markup | None:
    """The segments that cost most."""
    found = analysis.costs(result, system, metric)
    worst = [place for place in sorted(range(len(found)), key=lambda place: -found[place])[:rows] if found[place] > 0]
    if not worst:
        return None
    full = found[worst[0]]
    drawn = [charts.Bar(f"segment {place + 1}", found[place] / full, f"{found[place]:.5f}") for place in worst]
    return charts.bars(drawn, f"what single segments take from the {metric} of {system.name}")


def by_group(
    result: Result, metric: str, system: SystemResult, grouping: Grouping, *, number: int | None = None
) -> Markup | None:
    """The score of every bucket; `number` is the grouping's in the page."""
    if not result.has_texts:
        return None
    values = analysis.bucket_values(result, system, metric, grouping)
    if not values:
        return None
    scale = max(1.0, *values)
    rows = []
    for place, (label, value) in enumerate(zip(grouping.labels, values, strict=True)):
        size = grouping.of.count(place)
        data = None if number is None else {"group": number, "bucket": place}
        rows.append(charts.Bar(label, value / scale, digits(value), f"{label}: {size} segments", data=data))
    return charts.bars(rows, f"{metric} of {system.name} by {grouping.name}")


def length(result: Result, metric: str, system: SystemResult) -> Markup | None:
    """The score by the length of the references."""
    if not result.has_texts or not result.size:
        return None
    lengths = segments_of(result, marking_of(result)).lengths
    return by_group(result, metric, system, analysis.groupings(lengths, {})[0])


def fluent_metrics(result: Result) -> tuple[str, str] | None:
    """The metric of fluency and the first beside it, where both are there."""
    fluency = [metric for metric in result.metrics if "perplexity" in metric.lower()]
    fidelity = [metric for metric in result.metrics if metric not in fluency]
    return (fluency[0], fidelity[0]) if fluency and fidelity else None


def fluency(result: Result, metric: str, system: SystemResult, *, brush: bool = False) -> Markup | None:
    """Fidelity against fluency."""
    found = fluent_metrics(result)
    if found is None or not system.score(found[0]).segments:
        return None
    across, upwards = found
    cloud = charts.Cloud(
        across=_rounded(system.score(across).segments),
        upwards=_rounded(system.score(upwards).segments),
        across_scale=_common_scale(result, across),
        upwards_scale=_common_scale(result, upwards),
        across_name=across,
        upwards_name=upwards,
        across_better_high=system.score(across).higher_is_better,
        upwards_better_high=system.score(upwards).higher_is_better,
    )
    places = {"x": result.metrics.index(across), "y": result.metrics.index(upwards)}
    data = {**places, "system": result.systems.index(system)} if brush else None
    return charts.scatter(cloud, f"{upwards} against {across} for every segment of {system.name}", data=data)


def _common_scale(result: Result, metric: str) -> charts.Scale:
    return charts.scale_of([value for system in result.systems for value in system.score(metric).segments])


def diversity_chart(found: Diversity) -> Markup:
    """Self-BLEU order by order."""
    rows = [charts.Bar(f"order {n}", value, digits(value)) for n, value in enumerate(found.per_order, start=1)]
    return charts.bars(rows, f"Self-BLEU of {found.name} by order")


def diversity(result: Result, metric: str, system: SystemResult) -> Markup | None:
    found = analysis.diversity(system.name, system.hypotheses)
    return None if found is None else diversity_chart(found)


@dataclass(frozen=True, slots=True)
class _Chart:
    """What a chart shows, and how it is drawn; `single` is of one system."""

    shows: str
    draw: Callable[..., Markup | None]
    single: bool = True


CHARTS = {
    "distribution": _Chart("how the scores of single segments spread", distribution),
    "diversity": _Chart("Self-BLEU of the outputs by order", diversity),
    "fluency": _Chart("fidelity against fluency, where a perplexity was measured", fluency),
    "influence": _Chart("the segments that cost most", influence),
    "length": _Chart("the score by the length of the references", length),
    "origin": _Chart("how the score comes about, from single words to the brevity penalty", origin),
    "scores": _Chart("all systems with their intervals", scores, single=False),
    "systems": _Chart("the differences between systems with their intervals", systems, single=False),
}


def picture(result: Result, chart: str, *, metric: str | None = None, system: str | None = None) -> Markup:
    """A chart of the result by name; the first metric and the best system unless named.

    >>> from bleuprint import evaluate
    >>> picture(evaluate(["a b c d"], ["a b c e"]), "origin")[:18]
    Markup('<svg class="chart ')
    """
    if chart not in CHARTS:
        raise OptionError("chart", f"one of {', '.join(CHARTS)}", chart)
    if not result.systems or not result.metrics:
        raise OptionError("chart", "left out: the result holds no scores", chart)
    metric = _named("metric", metric, result.metrics)
    entry = CHARTS[chart]
    if chart == "systems":
        result = analysis.with_comparison(result)
    if entry.single:
        order = [found.name for found in ranked(result, metric)]
        drawn = entry.draw(result, metric, result.system(_named("system", system, order)))
    else:
        drawn = entry.draw(result, metric)
    if drawn is None:
        raise OptionError("chart", "another: this result does not hold what it shows", chart)
    return drawn


def _named(option: str, name: str | None, names: Sequence[str]) -> str:
    if name is not None and name not in names:
        raise OptionError(option, f"one of {', '.join(names)}", name)
    return names[0] if name is None else name


def alone(drawn: Markup, title: str) -> str:
    """A chart as a file of its own: with its colours, a title and a ground."""
    found = re.match(r'<svg class="([^"]*)" viewBox="0 0 (\d+) ([\d.]+)"', drawn)
    assert found is not None
    height = float(found[3]) + _HEAD + 12
    width, shown = WIDTH + 24, visible(title)
    body = drawn[drawn.index(">") + 1 : -len("</svg>")]
    opening = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="{}" viewBox="0 0 {} {:g}" width="{}" height="{:g}" role="img">'
        '<title>{}</title><style>{}</style><rect class="ground" width="{}" height="{:g}"/>'
        '<text class="title" x="12" y="22">{}</text><g transform="translate(12 {})">'
    ).format(found[1], width, height, 2 * width, 2 * height, shown, Markup(_style()), width, height, shown, _HEAD)
    return f"{opening}{body}</g></svg>\n"


@cache
def _style() -> str:
    """The rules for charts with the colours of daylight put in: not every reader of SVG knows variables."""
    base, rules = ((_FOLDER / "style" / name).read_text(encoding="utf-8") for name in ("base.css", "charts.css"))
    colours = dict(re.findall(r"(--[a-z0-9-]+): light-dark\((#[0-9a-f]+),", base))
    return re.sub(r"var\((--[a-z0-9-]+)\)", lambda match: colours[match[1]], rules)
