"""What an analysis learned: from ratings, from simulated releases, or from an audit."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from bleuprint.insight.auditing import Audit
from bleuprint.ratings.estimation import RatingEstimate
from bleuprint.ratings.power import RatingPower
from bleuprint.ratings.threshold import Threshold
from bleuprint.report import charts
from bleuprint.results.display import DisplayTable
from bleuprint.runners.gates.audit import GateAudit

LINK = "Details"
Shown = Threshold | RatingEstimate | RatingPower | GateAudit | Audit
_CANVAS = charts.Canvas(charts.WHOLE)
_lines = partial(charts.lines, canvas=_CANVAS)


class View(NamedTuple):
    title: str
    heading: str
    tables: tuple[DisplayTable, ...]
    figures: tuple[tuple[str, Markup], ...]  # caption and drawing
    notes: tuple[str, ...]


def view_of(shown: Shown) -> View:
    """The charts and the table."""
    tables = shown.display()
    if isinstance(shown, Threshold):
        heading, figures = "Precision and recall", _of_threshold(shown)
    elif isinstance(shown, GateAudit):
        heading, figures = "What the gate stops", _of_audit(shown)
    elif isinstance(shown, Audit):
        heading, figures = "What the metric vectors find", ()
    elif isinstance(shown, RatingEstimate):
        heading, figures = "What people would rate", _of_estimate(shown)
    else:
        heading, figures = "What more ratings would tell", _of_power(shown)
    return View(tables[0].caption.removesuffix("."), heading, tables, figures, shown.notes)


def _of_estimate(shown: RatingEstimate) -> tuple[tuple[str, Markup], ...]:
    figures = []
    for entries, caption in (
        (shown.systems, f"Mean rating as {shown.human}: with {shown.metric}, and from the ratings alone."),
        (shown.differences, f"Differences between systems: with {shown.metric}, and from the ratings alone."),
    ):
        rows = [
            charts.Row(name, estimate.value or 0.0, estimate.text, interval=estimate.ends, strong=estimate is with_it)
            for name, with_it, alone in (
                (entry.name or "all outputs", entry.estimate, entry.alone) for entry in entries
            )
            for name, estimate in ((name, with_it), ("ratings alone", alone))
        ]
        zero = entries is shown.differences
        if rows:
            figures.append((caption, charts.ranges(rows, caption, zero=zero, axis=f"{shown.human} →", canvas=_CANVAS)))
    return tuple(figures)


def _of_threshold(threshold: Threshold) -> tuple[tuple[str, Markup], ...]:
    levels = [level for level, _, _ in threshold.curve]
    shares = {
        "precision": [precision for _, precision, _ in threshold.curve],
        "recall": [recall for _, _, recall in threshold.curve],
    }
    caption = f"Precision and recall in the rated outputs, for each threshold of {threshold.metric}."
    if threshold.value is not None:
        caption = f"{caption} The threshold that was found is {threshold.value:g}."
    drawn = _lines(
        levels, shares, caption, axis=f"threshold of {threshold.metric} →", value_axis="share ↑", from_zero=True
    )
    return ((caption, drawn),)


def _of_power(power: RatingPower) -> tuple[tuple[str, Markup], ...]:
    other = power.closest
    sizes = [float(point.items) for point in power.points]
    values = {f"half the interval of {power.best}": [point.margins[power.best] for point in power.points]}
    if other is not None:
        values[f"detectable difference from {other}"] = [point.detectable[other] for point in power.points]
    precise = f"Precision of correlations with {power.human}; there are {power.items:,} items at hand."
    figures = [(precise, _lines(sizes, values, precise, axis="items →", value_axis="r ↑"))]
    if other is not None:
        chances = {f"{power.best} against {other}": [point.told_apart[other] for point in power.points]}
        caption = "Chance that a test finds the difference at hand."
        figures.append(
            (caption, _lines(sizes, chances, caption, axis="items →", value_axis="chance ↑", from_zero=True))
        )
    return tuple(figures)


def _of_audit(audit: GateAudit) -> tuple[tuple[str, Markup], ...]:
    drops, stopped = [point.drop for point in audit.drops], [point.stopped for point in audit.drops]
    caption = f"How often the gate stops a release, by the drop of {audit.metric}; without a drop, a false alarm."
    values, ends = {"the gate": [rate.share for rate in stopped]}, {"the gate": [rate.ends for rate in stopped]}
    drawn = _lines(
        drops,
        values,
        caption,
        axis=f"drop of {audit.metric} →",
        value_axis="stopped ↑",
        intervals=ends,
        from_zero=True,
    )
    return ((caption, drawn),)
