"""Charts of a result by name, alone as a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from bleuprint.errors import OptionError
from bleuprint.insight.quadrants import Quadrants
from bleuprint.metrics.base.metric import Metric
from bleuprint.report.charts import Drawing, scatter
from bleuprint.report.charts.drawing import WIDTH
from bleuprint.report.replay import ranked, using
from bleuprint.report.sections import (
    buckets,
    distribution,
    diversity,
    fluency,
    influence,
    origin,
    scores,
    systems,
)
from bleuprint.report.text import visible
from bleuprint.results import Result
from bleuprint.runners.replaying import check_result

__all__ = ["CHARTS", "alone", "picture", "quadrant_plot"]

_FOLDER = Path(__file__).parent
_PANEL = WIDTH + 24  # width of a chart with its margins
_HEAD = 34  # height of the title of a chart that stands alone


@dataclass(frozen=True, slots=True)
class Chart:
    """What a chart shows, and how it is drawn; `single` is of one system."""

    shows: str
    draw: Callable[..., Drawing | None]
    single: bool = True


CHARTS = {
    "distribution": Chart("how the scores of single segments spread", distribution.draw),
    "diversity": Chart("Self-BLEU of the outputs by order", diversity.draw),
    "fluency": Chart("fidelity against fluency, where a perplexity was measured", fluency.draw),
    "influence": Chart("the segments that cost most", influence.draw),
    "length": Chart("the score by the length of the references", buckets.draw),
    "origin": Chart("how the score comes about, from single words to the brevity penalty", origin.draw),
    "scores": Chart("all systems with their intervals", scores.draw, single=False),
    "systems": Chart("the differences between systems with their intervals", systems.draw, single=False),
}


def picture(
    result: Result,
    chart: str,
    *,
    metric: str | None = None,
    system: str | None = None,
    metrics: Mapping[str, Metric[Any]] | None = None,
) -> Drawing:
    """A chart of the result by name; the first metric and the best system unless named.

    `metrics` are those that cannot be recreated from their signature, by their name in the result.

    >>> from bleuprint import evaluate
    >>> picture(evaluate(["a b c d"], ["a b c e"]), "origin").kind
    'waterfall'
    """
    check_result(result, metrics)
    if not isinstance(chart, str) or chart not in CHARTS:
        raise OptionError("chart", f"one of {', '.join(CHARTS)}", chart)
    if not result.systems or not result.metrics:
        raise OptionError("chart", "left out: the result holds no scores", chart)
    metric = _named("metric", metric, result.metrics)
    with using(result, metrics):
        drawn = _drawn(result, chart, metric, system)
    if drawn is None:
        raise OptionError("chart", "another: this result does not hold what it shows", chart)
    return drawn


def _drawn(result: Result, chart: str, metric: str, system: str | None) -> Drawing | None:
    entry = CHARTS[chart]
    if chart == "systems":
        result = systems.with_comparison(result)
    if not entry.single:
        return entry.draw(result, metric)
    order = [best.name for best in ranked(result, metric)]
    return entry.draw(result, metric, result.system(_named("system", system, order)))


def _named(option: str, name: str | None, names: Sequence[str]) -> str:
    if name is not None and (not isinstance(name, str) or name not in names):
        raise OptionError(option, f"one of {', '.join(names)}", name)
    return names[0] if name is None else name


def alone(drawn: Drawing, title: str) -> str:
    """A chart as a file of its own: with its colors, a title and a background."""
    return _file({title: drawn}, title)


def quadrant_plot(assignment: Quadrants) -> str:
    """A file with the quadrants of every system, side by side, as the report draws them.

    >>> from bleuprint import evaluate, quadrants
    >>> result = evaluate(["a b", "c"], ["a b", "d"], metrics=["chrf", "bleu"])
    >>> quadrant_plot(quadrants(result, fluency="bleu")).startswith("<svg ")
    True
    """
    return _file({system: scatter(assignment, system, system) for system in assignment.systems}, assignment.rule)


def _file(panels: Mapping[str, Drawing], title: str) -> str:
    """Charts of one kind side by side, each under its name."""
    kind = next(drawn.kind for drawn in panels.values())
    width, height = len(panels) * _PANEL, max(drawn.height for drawn in panels.values()) + _HEAD + 12
    opening = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart {}" viewBox="0 0 {} {:g}" width="{}" height="{:g}" '
        'role="img"><title>{}</title><style>{}</style><rect class="ground" width="{}" height="{:g}"/>'
    ).format(kind, width, height, 2 * width, 2 * height, visible(title), Markup(_style()), width, height)
    panel = Markup('<text class="title" x="{}" y="22">{}</text><g transform="translate({} {})">{}</g>')
    drawn_panels = (
        panel.format(12 + place * _PANEL, visible(name), 12 + place * _PANEL, _HEAD, drawn.content)
        for place, (name, drawn) in enumerate(panels.items())
    )
    return f"{opening}{Markup('').join(drawn_panels)}</svg>\n"


@cache
def _style() -> str:
    """The rules for charts with the colors of daylight put in: not every reader of SVG knows variables."""
    base, rules = ((_FOLDER / "style" / name).read_text(encoding="utf-8") for name in ("base.css", "charts.css"))
    colors = dict(re.findall(r"(--[a-z0-9-]+): light-dark\((#[0-9a-f]+),", base))
    return re.sub(r"var\((--[a-z0-9-]+)\)", lambda match: colors[match[1]], rules)
