"""How a picture is to look: its size, and the scale its scores are written on."""

from __future__ import annotations

from typing import NamedTuple

from bleuprint.report.charts import Canvas
from bleuprint.results import MetricResult
from bleuprint.results.digits import Digits

BROAD = 704  # pixels; what has many columns gets as much room as the page has beside its segments


class Look(NamedTuple):
    """A size in pixels, None where the content decides, and whether scores are shown times 100."""

    width: float | None = None
    height: float | None = None
    percent: bool = False

    def digits(self, score: MetricResult) -> Digits:
        """How scores like this one are written; a metric with its own scale has no percent."""
        return Digits(self.percent).of(score.signature)

    def canvas(self, score: MetricResult | None = None) -> Canvas:
        """What a chart is drawn on, with numbers written like this score."""
        return Canvas(self.width, self.height, Digits(self.percent) if score is None else self.digits(score))
