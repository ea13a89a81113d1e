"""The charts, as SVG text.

Shapes carry class names and take their colours from the page's style sheet, so one drawing serves light, dark
and print. Markup.format escapes every text it puts in. Nothing here reads a result, only numbers and labels.
"""

from __future__ import annotations

from bleuprint.report.charts.bars import Bar, bars, meter, waterfall
from bleuprint.report.charts.drawing import Drawing
from bleuprint.report.charts.histogram import Scale, bins_of, histogram, scale_of
from bleuprint.report.charts.ranges import Range, ranges
from bleuprint.report.charts.scatter import scatter
from bleuprint.report.charts.strip import strip, zoomed

__all__ = [
    "Bar",
    "Drawing",
    "Range",
    "Scale",
    "bars",
    "bins_of",
    "histogram",
    "meter",
    "ranges",
    "scale_of",
    "scatter",
    "strip",
    "waterfall",
    "zoomed",
]
