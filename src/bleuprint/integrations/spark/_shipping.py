"""Send metrics to the workers as signatures, because the core's objects cannot leave their process."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from bleuprint import __version__
from bleuprint.errors import FitError, InputError, OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base.definition import Recipe
from bleuprint.metrics.base.metric import FittedMetric, Metric
from bleuprint.metrics.base.score import Score


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a worker needs to recreate metrics, with the required versions."""

    recipes: Mapping[str, Recipe]
    versions: tuple[str, str]

    def open(self) -> dict[str, Metric[Score]]:
        """Recreate the metrics as they were on the driver."""
        check_versions(self.versions)
        metrics = {}
        for label, recipe in self.recipes.items():
            definition, wanted = recipe.definition(), recipe.fitted_signature
            if definition.signature != wanted:
                raise InputError(f"a worker recreates {wanted} as {definition.signature}: install the same everywhere.")
            metrics[label] = definition.kind.of(definition)
        return metrics


def pack(metrics: Mapping[str, Metric[Score]]) -> Parcel:
    """The metrics to send; raises an error for metrics whose partial results do not add up."""
    if not metrics:
        raise OptionError("metrics", "at least one metric by name", dict(metrics))
    for label, metric in metrics.items():
        # An index is sent by its path, and every worker maps the file; a limit is a number.
        if metric.definition.outside.keys() - {"memory"} and registry.model_option(metric.definition.kind) != "index":
            model = "its model cannot be sent to workers"
            raise OptionError(
                "metrics", f"without {label} on Spark, because {model}; score it with bleuprint.evaluate", label
            )
        if isinstance(metric, FittedMetric) and not metric.can_stream:
            raise FitError(label, "does not learn from the rows on Spark, which are too many")
    parcel = Parcel({label: metric.definition.recipe() for label, metric in metrics.items()}, versions())
    parcel.open()  # raises errors here, not on a worker
    return parcel


def check_versions(expected: tuple[str, str]) -> None:
    """Raise an error on a worker that may count differently from the driver."""
    if versions() != expected:
        names = " and Unicode ".join(versions()), " and Unicode ".join(expected)
        raise InputError(
            f"a worker has bleuprint {names[0]}, but the driver has {names[1]}: install the same everywhere."
        )


def versions() -> tuple[str, str]:
    """Those that decide how texts are read."""
    return __version__, unicodedata.unidata_version
