"""Metrics by name, as other libraries request them: spelled with underscores; and these libraries, if installed."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from bleuprint.core.columns import References, Texts
from bleuprint.errors import MissingExtraError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import Score


def load_extra(module: str, purpose: str, package: str, extra: str) -> ModuleType:
    """A module of another package; raises an error with the extra to install if it is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(purpose, [package], extra) from error


def names() -> tuple[str, ...]:
    """Names of this package's metrics, spelled with underscores.

    >>> [name for name in names() if name.startswith("s")]
    ['sari', 'self_bleu', 'self_repetition', 'squad_f1']
    """
    return tuple(name.replace("-", "_") for name in registry.names())


def score_texts(
    metric: Metric[Score], predictions: Texts, references: References | None, sources: Texts | None
) -> Score:
    """The score of all predictions together; references are ignored if the metric does not use them.

    >>> score_texts(registry.resolve("self_bleu"), ["the cat sat", "the cat ran"], ["a", "b"], None).texts
    2
    """
    return metric.corpus(predictions, references if metric.needs_references else None, sources=sources)
