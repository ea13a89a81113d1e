"""The charts, as SVG text.

Shapes carry class names and take their colors from the page's style sheet, so one drawing serves light, dark and print.
Series differ in color, shape and dashes. One unit is one pixel: a chart is drawn for a width, never stretched to it, so
that text has one size everywhere. Markup.format escapes every text. Charts get numbers and names, never a result.
"""

from __future__ import annotations

from bleuprint.report.charts.axes import Scale, logarithmic, scale_of, zoom
from bleuprint.report.charts.bands import Ends, Measure, Part, groups, measures
from bleuprint.report.charts.distributions import bins_of, distributions
from bleuprint.report.charts.labels import shorten, text_width
from bleuprint.report.charts.lines import lines
from bleuprint.report.charts.matrix import Cell, matrix
from bleuprint.report.charts.rows import Row, bars, meter, ranges, strip, waterfall
from bleuprint.report.charts.scatter import dots, panels, scatter, versus
from bleuprint.report.charts.svg import BROAD, WHOLE, WIDTH, Canvas, Data, Drawing

__all__ = ["BROAD", "WHOLE", "WIDTH", "Canvas", "Cell", "Data", "Drawing", "Ends", "Measure", "Part", "Row", "Scale"]
__all__ += ["bars", "bins_of", "distributions", "dots", "groups", "lines", "logarithmic", "matrix"]
__all__ += ["measures", "meter", "panels", "ranges", "scale_of", "scatter", "shorten", "strip"]
__all__ += ["text_width", "versus", "waterfall", "zoom"]
