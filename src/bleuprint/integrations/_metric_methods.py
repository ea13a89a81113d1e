"""One method per metric, for the data frame namespaces."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

from bleuprint.errors import OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric, Unit
from bleuprint.metrics.base.score import AnyScore, Score
from bleuprint.metrics.functions import ONE, THREE


def _by_method(unit: Unit) -> dict[str, type[Metric[Score]]]:
    known = ((name.replace("-", "_"), registry.find(name)) for name in sorted((*THREE, *ONE)))
    return {name: kind for name, kind in known if kind.unit == unit}


# The metrics that have functions; all others are scored with `score(metrics=[…])`.
SCORED, POOLED = _by_method("segment"), _by_method("pool")


class MetricMethods:
    """A class with one method per metric, which calls its `_whole`, `_each` or `_pool` with the metric's class."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for work, prefix, table in (("_whole", "", SCORED), ("_each", "sentence_", SCORED), ("_pool", "", POOLED)):
            for name, kind in table.items() if work in vars(cls) else ():
                setattr(cls, prefix + name, _method(cls, prefix + name, kind, getattr(cls, work)))


def _method(
    namespace: type[object], name: str, kind: type[Metric[Score]], work: Callable[..., object]
) -> Callable[..., object]:
    def method(self: object, *args: object, **options: object) -> object:
        return work(self, kind, *args, **options)

    signature = inspect.signature(work)
    parameters = [parameter for parameter in signature.parameters.values() if parameter.name != "kind"]
    method.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    method.__name__, method.__qualname__ = name, f"{namespace.__qualname__}.{name}"
    method.__module__ = namespace.__module__
    method.__doc__ = f"{inspect.getdoc(work)} The metric is {kind.name}; options are those of `{kind.__name__}`."
    return method


def build_metric(
    kind: type[Metric[AnyScore]], references: object, sources: object, options: Mapping[str, object]
) -> Metric[AnyScore]:
    """The metric with these options; raises an error if a column it needs is missing."""
    metric = kind(**options)  # type: ignore[arg-type]  # a metric's own constructor takes options
    metric.definition.check_sources(sources)
    check_references(references, {kind.name: metric})
    return metric


def check_references(references: object, metrics: Mapping[str, Metric[Score]]) -> None:
    """Raise an error if a metric needs references and there are none."""
    for name, metric in metrics.items():
        if references is None and metric.needs_references:
            raise OptionError(
                "references", f"a column or a list of columns, because {name} compares with references", None
            )
