"""jiwer's error rates, alignments and transforms, counted by the core.

As in jiwer, references come before hypotheses, and words are separated by spaces only.
"""

# ruff: noqa: F403

from __future__ import annotations

from bleuprint.compat.jiwer import alignment, measures, process, transformations, transforms
from bleuprint.compat.jiwer.alignment import *
from bleuprint.compat.jiwer.measures import *
from bleuprint.compat.jiwer.process import *
from bleuprint.compat.jiwer.transformations import *
from bleuprint.compat.jiwer.transforms import *

_MODULES = (alignment, measures, process, transformations, transforms)
__all__ = sorted(name for module in _MODULES for name in module.__all__)  # as in jiwer
