"""A page in the making: the result, and what sections share of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from bleuprint.metrics.base.metric import Unit
from bleuprint.metrics.cards import Card
from bleuprint.report.charts import Canvas
from bleuprint.report.figures import card_for
from bleuprint.report.replay import if_possible, rank_systems
from bleuprint.report.sections.buckets import Grouping, by_frequency, groupings
from bleuprint.report.sections.segments import scored_metric
from bleuprint.report.sections.segments.data import Marking, Segments, embed, marking_of, segments_of
from bleuprint.results import Result
from bleuprint.results.digits import FRACTIONS, Digits

if TYPE_CHECKING:
    from bleuprint.report.sections.history import History


class MetricHead(NamedTuple):
    """A metric as headings and links need it."""

    name: str
    number: int
    higher_is_better: bool
    card: Card | None
    digits: Digits

    @property
    def direction(self) -> str:
        return "higher is better" if self.higher_is_better else "lower is better"


@dataclass(frozen=True)
class Page:
    """A result with the labels that segments are sorted by, and how it is shown."""

    result: Result
    columns: Mapping[str, Sequence[object]]
    corpus: Sequence[str] | None
    segments_shown: int
    digits: Digits = FRACTIONS
    history: History | None = None

    def canvas(self, width: float | None = None) -> Canvas:
        """What a chart of the page is drawn on."""
        return Canvas(width, digits=self.digits)

    @cached_property
    def browsed(self) -> Result:
        """The result with the outputs of earlier runs behind its own systems."""
        return self.result if self.history is None else self.history.merged

    @cached_property
    def metrics(self) -> list[MetricHead]:
        """The metrics of the result, in order."""
        heads = []
        for number, metric in enumerate(self.result.metrics):
            best = rank_systems(self.result, metric)[0].score(metric)
            digits = self.digits.of(best.signature)
            heads.append(MetricHead(metric, number, best.higher_is_better, card_for(best), digits))
        return heads

    def unit(self, head: MetricHead) -> Unit:
        """What a metric scores: each segment, or the pool of all outputs."""
        return self.result.systems[0].score(head.name).unit

    @cached_property
    def marking(self) -> Marking:
        return marking_of(self.browsed)

    @cached_property
    def segments(self) -> Segments:
        return segments_of(self.browsed, self.marking)

    @cached_property
    def groupings(self) -> list[Grouping]:
        """The ways in which segments are sorted into buckets."""
        ways = groupings(self.segments.lengths, self.columns)
        if self.corpus is not None and self.result.has_texts and self.result.metrics:
            frequency = if_possible(by_frequency, self.result, self.corpus)
            ways += [] if frequency is None else [frequency]
        return ways

    @cached_property
    def data(self) -> str:
        """All segments, for the page's script; empty where there are none."""
        scored = scored_metric(self.result)
        return embed(self, scored) if self.result.has_texts and self.result.size and scored else ""
