"""Outputs that a metric and people rank most differently, with the words that stand in the references."""

from __future__ import annotations

from typing import NamedTuple

from bleuprint.ratings.agreement.result import Agreement, Disagreement
from bleuprint.report.sections.disagreements.highlighting import Piece, highlight

LINK = "Disagreements"
_SHOWN = 5  # outputs of a metric
_REFERENCES = 3


class Output(NamedTuple):
    name: str
    words: str
    pieces: tuple[Piece, ...]
    references: tuple[tuple[Piece, ...], ...]
    more_references: int
    source: str | None


class MetricOutputs(NamedTuple):
    heading: str
    outputs: tuple[Output, ...]


def view(result: Agreement) -> list[MetricOutputs]:
    """The outputs of each metric, the metric that agrees best first; nothing without texts."""
    lists = []
    for entry in result.levels:
        if entry.level != "segment":
            continue
        for metric in entry.metrics:
            found = [
                other
                for other in result.disagreements
                if (other.metric, other.human) == (metric.metric, entry.human) and other.hypothesis is not None
            ]
            if found:
                lists.append(MetricOutputs(f"{metric.metric} and {entry.human}", tuple(map(_output, found[:_SHOWN]))))
    return lists


def _output(entry: Disagreement) -> Output:
    hypothesis = entry.hypothesis or ""
    higher = "higher" if entry.score_rank > entry.rating_rank else "lower"
    words = (
        f"{entry.metric} {entry.score:.4g} (better than {entry.score_rank:.0%} of outputs), {entry.human} "
        f"{entry.rating:.4g} (better than {entry.rating_rank:.0%}): rank {higher} than by people"
    )
    shown = entry.references[:_REFERENCES]
    return Output(
        name=f"segment {entry.segment}" + (f", {entry.system}" if entry.system else ""),
        words=words,
        pieces=highlight(hypothesis, entry.references),
        references=tuple(highlight(reference, [hypothesis]) for reference in shown),
        more_references=len(entry.references) - len(shown),
        source=entry.source,
    )
