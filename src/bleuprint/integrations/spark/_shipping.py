"""Metrics on their way to the workers: as a signature, for what counts in the core does not leave its process."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bleuprint import __version__
from bleuprint.errors import FitError, InputError, OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base.definition import Recipe
from bleuprint.metrics.base.metric import FittedMetric, Metric
from bleuprint.metrics.base.pool import PoolMetric

__all__ = ["Parcel", "parcels"]


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a worker makes a metric of, with the versions that it needs."""

    recipe: Recipe
    versions: tuple[str, str]

    @classmethod
    def of(cls, metric: Metric[Any] | PoolMetric[Any]) -> Parcel:
        parcel = cls(metric.definition.recipe(), _versions())
        parcel.open()  # what cannot be made again is refused here, not on a worker
        return parcel

    def open(self) -> Any:
        """The metric again, as it was made on the driver."""
        if _versions() != self.versions:
            names = " and Unicode ".join(_versions()), " and Unicode ".join(self.versions)
            raise InputError(f"a worker has bleuprint {names[0]}, the driver {names[1]}: install the same on all.")
        definition = self.recipe.definition()
        if definition.signature != self.recipe.fitted_signature:
            wanted = self.recipe.fitted_signature
            raise InputError(f"a worker makes {definition.signature} of {wanted}: install the same on all.")
        return definition.kind.of(definition)


def parcels(metrics: Mapping[str, Metric[Any]]) -> dict[str, Parcel]:
    """The metrics to be shipped; those whose parts do not add up to the whole are refused."""
    if not metrics:
        raise OptionError("metrics", "at least one metric by name", dict(metrics))
    for label, metric in metrics.items():
        if not isinstance(metric, Metric):
            raise OptionError("metrics", "names or metrics that score texts against references", metric)
        if registry.model_option(metric.definition.kind) is not None:
            model = "its model is not sent to workers"
            raise OptionError("metrics", f"without {label} on Spark: {model}; score it with bleuprint.evaluate", label)
        if isinstance(metric, FittedMetric) and not metric.can_stream:
            raise FitError(label, "rows on Spark are too many to learn from them")
    return {label: Parcel.of(metric) for label, metric in metrics.items()}


def _versions() -> tuple[str, str]:
    return __version__, unicodedata.unidata_version
