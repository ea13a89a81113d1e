"""One method per metric, for the data frame namespaces."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from bleuprint.errors import OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric, Unit
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.functions import ONE, THREE


def _by_method(unit: Unit) -> dict[str, type[Metric[Score]]]:
    known = ((name.replace("-", "_"), registry.find(name)) for name in sorted((*THREE, *ONE)))
    return {name: kind for name, kind in known if kind.unit == unit}


# The metrics that have functions; all others are scored with `score(metrics=[…])`.
SCORED, POOLED = _by_method("segment"), _by_method("pool")


def add_methods(
    namespace: type[Any], table: Mapping[str, type[Any]], work: Callable[..., Any], *, prefix: str = ""
) -> None:
    """Add one method per metric to the class; each calls `work` with the metric's class as first argument."""
    for name, kind in table.items():
        setattr(namespace, prefix + name, _method(namespace, prefix + name, kind, work))


def _method(namespace: type[Any], name: str, kind: type[Metric[Score]], work: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        return work(self, kind, *args, **options)

    signature = inspect.signature(work)
    parameters = [parameter for parameter in signature.parameters.values() if parameter.name != "kind"]
    method.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    method.__name__, method.__qualname__ = name, f"{namespace.__qualname__}.{name}"
    method.__module__ = namespace.__module__
    method.__doc__ = f"{inspect.getdoc(work)} The metric is {kind.name}; options are those of `{kind.__name__}`."
    return method


def made(kind: type[Metric[Score]], references: object, sources: object, options: Mapping[str, Any]) -> Metric[Score]:
    """The metric with these options; raises an error if a column it needs is missing."""
    metric = kind(**options)
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
