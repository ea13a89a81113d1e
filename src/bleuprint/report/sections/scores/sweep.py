"""iBLEU under other weights: how the choice of alpha orders the systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint import signature
from bleuprint.metrics.ibleu import IBLEU, IbleuScore, alphas_between
from bleuprint.report import charts
from bleuprint.report.replay import if_possible, metric_of
from bleuprint.results import MetricResult, Result, SystemResult

_ALPHAS = alphas_between("0", "1", "0.1")


def draw(result: Result, metric: str, systems: Sequence[SystemResult], canvas: charts.Canvas) -> charts.Drawing | None:
    """The iBLEU of every system by alpha, from the counts in the result."""
    scored = {system.name: if_possible(score_with_counts, system.score(metric)) for system in systems}
    known = {name: [score.at(alpha) for alpha in _ALPHAS] for name, score in scored.items() if score is not None}
    return draw_sweeps(known, canvas) if known else None


def ibleu_of(result: Result) -> str | None:
    """The first metric of the result that is iBLEU, under whatever name."""
    return next((score.metric for score in result.systems[0].scores if if_possible(score_with_counts, score)), None)


def score_with_counts(score: MetricResult) -> IbleuScore | None:
    """The score with its counts, which are the parts of a stored iBLEU; None for any other metric."""
    if signature.parse(score.signature).metric != IBLEU.name:
        return None
    definition = metric_of(score).definition
    counts = [score.parts.get(name) for name in definition.columns]
    columns = tuple(count for count in counts if isinstance(count, int))
    return IbleuScore(definition, columns, False, None) if len(columns) == len(counts) else None


def draw_sweeps(sweeps: Mapping[str, Sequence[IbleuScore]], canvas: charts.Canvas) -> charts.Drawing:
    """The iBLEU of every system by alpha."""
    alphas = [score.alpha for score in next(iter(sweeps.values()))]
    return charts.lines(
        alphas,
        {name: [score.value for score in scores] for name, scores in sweeps.items()},
        "iBLEU by alpha",
        axis="alpha (weight of the references)",
        value_axis="iBLEU",
        canvas=canvas,
    )
