"""The metrics by what they need, from the registry."""

from __future__ import annotations

from typing import Any

from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import FittedMetric

# Classes by label; every class has options of its own, so a type checker is told nothing about their constructors.

# Everything that scores texts against references and needs no model.
REFERENCE_TABLE: dict[str, Any] = {
    label: kind for label, kind in registry.scored_by_name("segment").items() if kind.needs_references
}
# Texts against their sources alone.
SOURCE_TABLE: dict[str, Any] = {
    label: kind for label, kind in registry.scored_by_name("segment").items() if label not in REFERENCE_TABLE
}
# Of these, the metrics that learn weights from references first, and the others.
FITTED_TABLE: dict[str, Any] = {
    label: kind for label, kind in REFERENCE_TABLE.items() if issubclass(kind, FittedMetric)
}
TABLE: dict[str, Any] = {label: kind for label, kind in REFERENCE_TABLE.items() if label not in FITTED_TABLE}
# Texts under a model that has to be given.
MODEL_TABLE: dict[str, Any] = {
    label: kind for label, kind in registry.metrics("segment").items() if registry.model_option(kind) is not None
}
# Texts against each other, without a model.
POOL_TABLE: dict[str, Any] = {
    label: kind for label, kind in registry.metrics("pool").items() if registry.model_option(kind) is None
}


def small_orders(name: str) -> dict[str, int]:
    """A small `max_order` for a pool metric that has one."""
    return {"max_order": 2} if "max_order" in registry.options_of(POOL_TABLE[name]) else {}
