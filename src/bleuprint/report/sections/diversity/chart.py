"""Self-BLEU order by order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.metrics.self_bleu import SelfBLEU, SelfBleuScore
from bleuprint.report import charts
from bleuprint.report.look import Look
from bleuprint.report.replay import if_possible
from bleuprint.results import Result, SystemResult
from bleuprint.results.digits import Digits

__all__ = ["draw", "draw_scores", "score_of"]


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
