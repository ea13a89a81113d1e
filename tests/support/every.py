"""Every metric of the registry, ready for data: with a small model or a prior where it needs one."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import bleuprint as bp
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import FittedMetric, Metric
from tests.support.encoders import encoder, letters_model

EVERY = sorted(registry.metrics())
_TRAINED = ["the cat sat on the mat", "a dog ran off", "so it goes", "a cat sat", "the dog ran", "it goes", ""]


class Row(NamedTuple):
    """An output, its references and its source."""

    output: str
    references: list[str]
    source: str


ROWS = [
    Row("the cat sat on the mat", ["the cat sat on a mat", "a cat sat"], "the cat sits on a mat"),
    Row("a dog ran off", ["the dog ran off"], "a dog run off"),
    Row("so it goes", ["so it went", "it goes"], "so it go"),
    Row("the cat ran off", ["the cat ran away"], "the cat run off"),
]


_folder = tempfile.TemporaryDirectory()  # an index travels to another process as the file that it is in


@cache
def _models() -> dict[str, Any]:
    path = Path(_folder.name) / "corpus.bpi"
    bp.NgramIndex.build(_TRAINED, max_order=13, tokenizer="whitespace").save(path)
    return {
        "encoder": encoder(),
        "index": bp.NgramIndex.open(path),
        "lm": bp.LanguageModel.train(_TRAINED, order=2, discount_fallback=True),
        "model": letters_model(),
    }


def models_of(name: str) -> dict[str, Any]:
    """The option that a metric has to be given."""
    option = registry.model_option(registry.metrics()[name])
    return {} if option is None else {option: _models()[option]}


def make(name: str) -> Metric[Any]:
    """The metric without data; one that weights by references has learned some."""
    kind: Any = registry.metrics()[name]
    metric: Metric[Any] = kind(**models_of(name))
    if isinstance(metric, FittedMetric) and not metric.can_stream:
        return metric.fit([row.references for row in ROWS])
    return metric


def add(metric: Metric[Any], rows: Sequence[Row]) -> Metric[Any]:
    """Add rows to a metric, as far as it reads them; the references of a pool are texts of their own."""
    outputs, groups = [row.output for row in rows], [row.references for row in rows]
    texts: dict[str, Any] = {"sources": [row.source for row in rows]} if metric.needs_sources else {}
    if metric.needs_references:
        pooled = [text for group in groups for text in group]
        texts["references"] = pooled if metric.unit == "pool" else groups
    return metric.update(outputs, **texts)
