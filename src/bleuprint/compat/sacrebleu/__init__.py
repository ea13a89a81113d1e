"""sacrebleu's functions and classes: the same results, on its scale of 0 to 100 and with reference streams.

The differences: streams of unequal length raise an error instead of being cut to the shortest, and nothing is
downloaded, so there are no test sets.
"""

# ruff: noqa: F403

from __future__ import annotations

from typing import NoReturn

from bleuprint.compat.sacrebleu import compat
from bleuprint.compat.sacrebleu.compat import *
from bleuprint.compat.sacrebleu.metrics import BLEU, CHRF, TER
from bleuprint.compat.sacrebleu.metrics.base import VERSION

__all__ = ["BLEU", "CHRF", "TER", "__version__"]
__all__ += compat.__all__
__all__.sort()

__version__ = VERSION
_TEST_SETS = ("DATASETS", "SACREBLEU_DIR", "download_", "get_")  # what names that need them begin with


def __getattr__(name: str) -> NoReturn:
    problem = f"module {__name__!r} has no attribute {name!r}"
    if name.startswith(_TEST_SETS):
        problem += ": bleuprint downloads no test sets; write them to files with `sacrebleu -t SET -l PAIR --echo ref`"
    raise AttributeError(problem)
