"""Fidelity beside fluency: which outputs are right, which read well, which are both."""

from bleuprint.fluency.drawing import draw as draw
from bleuprint.fluency.naming import NAMES as NAMES
from bleuprint.fluency.naming import Quadrants as Quadrants
from bleuprint.fluency.naming import quadrants as quadrants

__all__ = ["NAMES", "Quadrants", "draw", "quadrants"]
