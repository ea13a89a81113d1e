"""A page in the making: the result, and what sections share of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bleuprint.report.figures import Guide, guide_for
from bleuprint.report.replay import ranked
from bleuprint.report.sections.buckets.grouping import Grouping, by_frequency, groupings
from bleuprint.report.sections.segments.data import Marking, Segments, embedded, marking_of, segments_of
from bleuprint.results import Result

__all__ = ["MetricHead", "Page"]


@dataclass(frozen=True, slots=True)
class MetricHead:
    """A metric as headings and links need it."""

    name: str
    number: int
    direction: str
    guide: Guide | None


@dataclass(frozen=True)
class Page:
    """A result with the labels that segments are sorted by."""

    result: Result
    columns: Mapping[str, Sequence[object]]
    corpus: Sequence[str] | None
    segments_shown: int

    @cached_property
    def metrics(self) -> list[MetricHead]:
        """The metrics of the result, in order."""
        heads = []
        for number, metric in enumerate(self.result.metrics):
            best = ranked(self.result, metric)[0].score(metric)
            direction = "higher is better" if best.higher_is_better else "lower is better"
            heads.append(MetricHead(metric, number, direction, guide_for(best)))
        return heads

    @cached_property
    def marking(self) -> Marking:
        return marking_of(self.result)

    @cached_property
    def segments(self) -> Segments:
        return segments_of(self.result, self.marking)

    @cached_property
    def groupings(self) -> list[Grouping]:
        """The ways in which segments are sorted into buckets."""
        frequency = [] if self.corpus is None else by_frequency(self.result, self.corpus)
        return groupings(self.segments.lengths, self.columns) + frequency

    @cached_property
    def data(self) -> str:
        """All segments, for the page's script; empty where there are none."""
        result = self.result
        if not (result.has_texts and result.size and result.metrics):
            return ""
        return embedded(result, self.marking, self.segments, self.groupings)
