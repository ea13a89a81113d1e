"""The metrics, one file each, along with their building blocks (`base`), cards, profiles and functions.

Classes are imported on first use. `registry` lists all of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bleuprint.signature import RECORDED

_FROM_REGISTRY = ("find", "from_signature")
RECORDED["item-bleu"] = "sentence-bleu"


def __getattr__(name: str) -> Any:
    # Submodules are looked up here before they are imported, also while the registry is loading them.
    if not name[0].isupper() and name not in ("__all__", *_FROM_REGISTRY):
        raise AttributeError(f"module 'bleuprint.metrics' has no attribute {name!r}")
    registry = import_module("bleuprint.metrics.registry")
    if name == "__all__":
        listed = [*registry.class_names(), "ExactStringMatch", "PlainMetric", *_FROM_REGISTRY]
        return sorted(listed, key=lambda name: (name[0].islower(), not name.isupper(), name))  # functions last
    if name in _FROM_REGISTRY:
        return getattr(registry, name)
    if name == "PlainMetric":
        from bleuprint.metrics.base.plain import PlainMetric

        return PlainMetric
    if name == "ExactStringMatch":  # the name used by evaluation suites
        return registry.find("exact-match")
    kind = registry.find_class(name)
    if kind is None:
        raise AttributeError(f"module 'bleuprint.metrics' has no attribute {name!r}")
    return kind


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
