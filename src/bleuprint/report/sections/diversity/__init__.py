"""Diversity: how much the outputs of a system repeat each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bleuprint.metrics.self_bleu import SelfBleuScore
from bleuprint.report.figures import Guide, guide_of
from bleuprint.report.look import Look
from bleuprint.report.page import Page
from bleuprint.report.replay import ranked
from bleuprint.report.sections.diversity.chart import draw_scores, score_of
from bleuprint.report.sections.diversity.measures import MeasureRow
from bleuprint.results import SystemResult
from bleuprint.results.digits import Digits

__all__ = ["LINK", "of_scores", "view"]

LINK = "Diversity"
_SHARED = 8  # n-grams
_GROUPS = 8  # of duplicates


@dataclass(frozen=True, slots=True)
class Repetition:
    """What the texts of one set have in common."""

    name: str
    system: int
    value: str
    shared: tuple[tuple[str, int], ...]
    duplicates: tuple[tuple[int, ...], ...]
    copies: int


@dataclass(frozen=True, slots=True)
class Diversity:
    guide: Guide | None
    chart: Markup
    figures: tuple[Repetition, ...]
    signatures: tuple[str, ...]
    pools: tuple[str, ...] = ()
    measures: tuple[MeasureRow, ...] = ()
    measures_chart: Markup | None = None
    measure_signatures: tuple[str, ...] = ()


def view(page: Page) -> Diversity | None:
    """Self-BLEU of every system's outputs, best system first."""
    result = page.result
    order: Sequence[SystemResult] = ranked(result, result.metrics[0]) if result.metrics else result.systems
    scores = {system.name: score_of(system) for system in order}
    numbers = {system.name: number for number, system in enumerate(result.systems)}
    known = {name: score for name, score in scores.items() if score is not None}
    return of_scores(known, numbers, page.look())


def of_scores(scores: Mapping[str, SelfBleuScore], numbers: Mapping[str, int], look: Look) -> Diversity | None:
    """The section for scores that are there; `numbers` are the systems' places in the page."""
    if not scores:
        return None
    figures = tuple(_repetition(name, numbers[name], score, Digits(look.percent)) for name, score in scores.items())
    signatures = tuple(dict.fromkeys(score.signature for score in scores.values()))
    drawn = {name: scores[name] for name in numbers if name in scores}  # a system has one color in all charts
    return Diversity(guide_of("self-bleu"), draw_scores(drawn, look), figures, signatures)


def _repetition(name: str, system: int, score: SelfBleuScore, digits: Digits) -> Repetition:
    groups = score.duplicates()
    shared = score.shared_ngrams(min(score.definition.formula.max_order, 4), limit=_SHARED)
    return Repetition(
        name=name,
        system=system,
        value=digits(score.value),
        shared=tuple((" ".join(map(str, ngram)), texts) for ngram, texts in shared),
        duplicates=tuple(tuple(group) for group in groups[:_GROUPS]),
        copies=sum(map(len, groups)),
    )
