"""Segment scores to as many digits as the page has: a bar is as tall as the list that a click on it gives is long."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from bleuprint.report.sections.segments.data import SCORE_STEPS

BINS = 20


def rounded(values: Sequence[float]) -> list[float]:
    return [round(value * SCORE_STEPS) / SCORE_STEPS if isfinite(value * SCORE_STEPS) else value for value in values]
