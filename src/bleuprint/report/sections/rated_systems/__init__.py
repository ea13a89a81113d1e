"""Systems by their score and their mean rating, each of them named."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.ratings.agreement.result import Agreement
from bleuprint.report import charts
from bleuprint.report.figures import Figure
from bleuprint.results.digits import FRACTIONS, Digits

LINK = "Systems"
_LARGEST = 1e12  # numbers above have no room beside an axis


def view(result: Agreement) -> list[tuple[str, list[Figure]]]:
    """A chart per metric for every column of ratings, the metrics that agree best first."""
    columns = []
    for entry in result.levels:
        if entry.level == "system":
            values = {metric.metric: metric.statistics[entry.statistic].text for metric in entry.metrics}
            figures = [_figure(result, entry.human, metric, value) for metric, value in values.items()]
            columns.append((entry.human, [figure for figure in figures if figure]))
    return [(human, figures) for human, figures in columns if figures]


def _figure(result: Agreement, human: str, metric: str, value: str) -> Figure | None:
    scores, ratings = result.scores.get(metric, {}), result.ratings[human]
    systems = [name for name in result.systems if name in scores and name in ratings]
    drawn = [value for name in systems for value in (scores[name], ratings[name])]
    if not systems or max(map(abs, drawn)) > _LARGEST:
        return None
    chart = charts.dots(
        {name: (scores[name], ratings[name]) for name in systems},
        f"{human} by {metric} of every system",
        axis=metric,
        value_axis=human,
        backwards=(metric in result.lower_is_better, human in result.lower_is_better),
        digits=(_digits(list(scores.values())), _digits(list(ratings.values()))),
    )
    return Figure(metric, value, chart)


def _digits(values: Sequence[float]) -> Digits:
    """As many decimals as tell the systems apart."""
    return FRACTIONS if max(values) - min(values) < 0.1 else Digits(width=2)
