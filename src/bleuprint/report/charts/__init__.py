"""The charts, as SVG text.

Shapes carry class names and take their colors from the page's style sheet, so one drawing serves light, dark and print.
Series differ in color, shape and dashes. One unit is one pixel: a chart is drawn for a width, never stretched to it, so
that text has one size everywhere. Markup.format escapes every text. Charts get numbers and names, never a result.
"""

from __future__ import annotations

from bleuprint.report.charts.axes import Scale as Scale
from bleuprint.report.charts.axes import logarithmic as logarithmic
from bleuprint.report.charts.axes import scale_of as scale_of
from bleuprint.report.charts.axes import zoom as zoom
from bleuprint.report.charts.bands import Ends as Ends
from bleuprint.report.charts.bands import Measure as Measure
from bleuprint.report.charts.bands import Part as Part
from bleuprint.report.charts.bands import groups as groups
from bleuprint.report.charts.bands import measures as measures
from bleuprint.report.charts.distributions import bins_of as bins_of
from bleuprint.report.charts.distributions import distributions as distributions
from bleuprint.report.charts.labels import shorten as shorten
from bleuprint.report.charts.labels import text_width as text_width
from bleuprint.report.charts.lines import lines as lines
from bleuprint.report.charts.matrix import Cell as Cell
from bleuprint.report.charts.matrix import matrix as matrix
from bleuprint.report.charts.rows import Row as Row
from bleuprint.report.charts.rows import bars as bars
from bleuprint.report.charts.rows import meter as meter
from bleuprint.report.charts.rows import ranges as ranges
from bleuprint.report.charts.rows import strip as strip
from bleuprint.report.charts.rows import waterfall as waterfall
from bleuprint.report.charts.scatter import dots as dots
from bleuprint.report.charts.scatter import panels as panels
from bleuprint.report.charts.scatter import scatter as scatter
from bleuprint.report.charts.scatter import versus as versus
from bleuprint.report.charts.svg import BROAD as BROAD
from bleuprint.report.charts.svg import WHOLE as WHOLE
from bleuprint.report.charts.svg import WIDTH as WIDTH
from bleuprint.report.charts.svg import Canvas as Canvas
from bleuprint.report.charts.svg import Drawing as Drawing
