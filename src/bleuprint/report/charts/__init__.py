"""The charts, as SVG text.

Shapes carry class names and take their colors from the page's style sheet, so one drawing serves light, dark and print.
Series differ in color, shape and dashes. One unit is one pixel: a chart is drawn for a width, never stretched to it, so
that text has one size everywhere. Markup.format escapes every text. Charts get numbers and names, never a result.
"""

from __future__ import annotations

from bleuprint.report.charts.bars import Bar, bars, meter, waterfall
from bleuprint.report.charts.drawing import NARROWEST, WIDTH, Drawing
from bleuprint.report.charts.groups import Part, groups
from bleuprint.report.charts.histogram import bins_of, distributions, histogram
from bleuprint.report.charts.labels import fitted, text_width
from bleuprint.report.charts.lines import lines
from bleuprint.report.charts.matrix import Cell, matrix
from bleuprint.report.charts.measures import Row, measures
from bleuprint.report.charts.panels import panels
from bleuprint.report.charts.ranges import Range, ranges
from bleuprint.report.charts.scales import Scale, logarithmic, scale_of, zoomed
from bleuprint.report.charts.scatter import Dot, dots, scatter, versus
from bleuprint.report.charts.strip import strip

__all__ = [
    "NARROWEST",
    "WIDTH",
    "Bar",
    "Cell",
    "Dot",
    "Drawing",
    "Part",
    "Range",
    "Row",
    "Scale",
    "bars",
    "bins_of",
    "distributions",
    "dots",
    "fitted",
    "groups",
    "histogram",
    "lines",
    "logarithmic",
    "matrix",
    "measures",
    "meter",
    "panels",
    "ranges",
    "scale_of",
    "scatter",
    "strip",
    "text_width",
    "versus",
    "waterfall",
    "zoomed",
]
