"""Language models."""

from __future__ import annotations

from bleuprint import _core
from bleuprint._core import Column
from bleuprint._core import LanguageModel as LanguageModel
from bleuprint._core import ModelFault as ModelFault
from bleuprint._core import read_arpa as read_arpa
from bleuprint._core import unpack_model as unpack_model
from bleuprint.counts.preparation import prepare

# Log-probabilities stand in rows as multiples of one part in this many of log10.
LOG_PROBABILITY_SCALE = 1 << _core.LOG_PROBABILITY_BITS
LARGEST_MODEL_ORDER = _core.LARGEST_MODEL_ORDER
MODEL_COLUMNS = ("log_probability", "tokens", "unknown_words", "unknown_log_probability")


def train_model(
    texts: Column, reading: tuple[str, bool], prune: list[int], discounts: list[float], skip_marks: bool, threads: int
) -> LanguageModel:
    """A model with as many orders as `prune` has thresholds; `reading` is scheme and lower-casing."""
    prepare(*reading)
    return _core.train_model(texts, *reading, len(prune), prune, discounts, skip_marks, threads)
