"""Metrics on their way to the workers: as a signature, for what counts in the core does not leave its process."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bleuprint import __version__
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.errors import BleuprintError, FitError, InputError, OptionError
from bleuprint.integrations._named import tells_its_state
from bleuprint.metrics import MODEL_TABLE
from bleuprint.metrics.base.definition import Defined
from bleuprint.metrics.base.fitted import FittedMetric
from bleuprint.metrics.base.metric import Metric

__all__ = ["Parcel", "parcels"]


@dataclass(frozen=True, slots=True)
class Parcel:
    """A metric that can be pickled."""

    kind: type[Any]
    signature: str
    replaced: Mapping[str, object]  # what a signature cannot hold
    prior: bytes | None
    versions: tuple[str, str]

    @classmethod
    def of(cls, metric: Defined) -> Parcel:
        tokenizer = getattr(metric, "_tokenizer", None)
        own = isinstance(tokenizer, Tokenizer) and tokenizer.name.startswith("custom(")
        replaced = {"tokenizer": tokenizer.plugin} if own and tokenizer is not None else {}
        prior = metric.prior_content() if isinstance(metric, FittedMetric) else None
        # A metric of fixed options signs as the general one it is made of, which can then be made again.
        kinds = [kind for kind in type(metric).__mro__ if issubclass(kind, Defined) and hasattr(kind, "name")]
        failure: BleuprintError | None = None
        for kind in kinds:
            parcel = cls(kind, metric.signature, replaced, prior, _versions())
            try:
                parcel.open()
                return parcel
            except BleuprintError as error:
                failure = failure or error
        raise failure or InputError(f"{metric.name} cannot be sent to workers.")

    def open(self) -> Any:
        """The metric again, as it was made on the driver."""
        if _versions() != self.versions:
            names = " and Unicode ".join(_versions()), " and Unicode ".join(self.versions)
            raise InputError(f"a worker has bleuprint {names[0]}, the driver {names[1]}: install the same on all.")
        metric = self.kind.from_signature(self.signature, **self.replaced)
        if self.prior is not None:
            metric = metric.with_prior(self.prior)
        if metric.signature != self.signature:
            raise InputError(f"a worker makes {metric.signature} of {self.signature}: install the same on all.")
        return metric


def parcels(metrics: Mapping[str, Metric[Any]]) -> dict[str, Parcel]:
    """The metrics to be shipped; those whose parts do not add up to the whole are refused."""
    if not metrics:
        raise OptionError("metrics", "at least one metric by name", dict(metrics))
    for label, metric in metrics.items():
        if not isinstance(metric, Metric):
            raise OptionError("metrics", "names or metrics that score texts against references", metric)
        if type(metric) in MODEL_TABLE.values():
            model = "its model is not sent to workers"
            raise OptionError("metrics", f"without {label} on Spark: {model}; score it with bleuprint.evaluate", label)
        if isinstance(metric, FittedMetric) and not metric.can_stream:
            raise FitError(label, "rows on Spark are too many to learn from them")
        if not tells_its_state(metric):
            more = "it keeps more than sums and does not say what in `state`"
            raise OptionError("metrics", f"without {label} on Spark: {more}", label)
    return {label: Parcel.of(metric) for label, metric in metrics.items()}


def _versions() -> tuple[str, str]:
    return __version__, unicodedata.unidata_version
