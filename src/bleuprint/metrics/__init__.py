"""The metrics: one file each, beside what they are made of (`base`), their cards, profiles and functions.

Classes are loaded when they are first asked for. `registry` is the table of all of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_FROM_REGISTRY = ("find", "from_signature")


def __getattr__(name: str) -> Any:
    # Modules of this folder are asked for here before they are looked for, and while the registry loads them.
    if not name[0].isupper() and name not in ("__all__", *_FROM_REGISTRY):
        raise AttributeError(f"module 'bleuprint.metrics' has no attribute {name!r}")
    registry = import_module("bleuprint.metrics.registry")
    if name == "__all__":
        return sorted([*registry.class_names(), "ExactStringMatch", "PlainMetric", *_FROM_REGISTRY], key=_rank)
    if name in _FROM_REGISTRY:
        return getattr(registry, name)
    if name == "PlainMetric":
        from bleuprint.metrics.base.plain import PlainMetric

        return PlainMetric
    if name == "ExactStringMatch":  # the name it has in evaluation suites
        return registry.class_names()["ExactMatch"]
    try:
        return registry.class_names()[name]
    except KeyError:
        raise AttributeError(f"module 'bleuprint.metrics' has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})


def _rank(name: str) -> tuple[int, str]:
    """Constants, classes, functions, each by name."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)
