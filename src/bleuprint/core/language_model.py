"""Native n-gram language models."""

from __future__ import annotations

from bleuprint.core import _native
from bleuprint.core._native import Column
from bleuprint.core._native import LanguageModel as LanguageModel
from bleuprint.core._native import ModelFault as ModelFault
from bleuprint.core._native import read_arpa as read_arpa
from bleuprint.core._native import unpack_model as unpack_model
from bleuprint.core.unicode import prepare

# Rows store log10 probabilities as integers, multiplied by this factor.
LOG_PROBABILITY_SCALE = 1 << _native.LOG_PROBABILITY_BITS
LARGEST_MODEL_ORDER = _native.LARGEST_MODEL_ORDER
MODEL_COLUMNS = ("log_probability", "tokens", "unknown_words", "unknown_log_probability")


def train_model(
    texts: Column, reading: tuple[str, bool], prune: list[int], discounts: list[float], skip_marks: bool, threads: int
) -> LanguageModel:
    """Train a model with one order per threshold in `prune`; `reading` is (scheme, lowercase)."""
    prepare(*reading)
    return _native.train_model(texts, *reading, len(prune), prune, discounts, skip_marks, threads)
