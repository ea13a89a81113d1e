"""NumPy, loaded when it is first used: a command that prints its help, or a score of one pair, does without it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["NDArray", "np"]


class _Lazy(ModuleType):
    """A module that becomes another when an attribute is asked for."""

    def __getattr__(self, name: str) -> Any:
        vars(self).update(vars(import_module(self.__name__)))
        return getattr(import_module(self.__name__), name)

    def __reduce__(self) -> tuple[object, ...]:
        # Spark sends functions with the globals they use.
        return import_module, (self.__name__,)


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = _Lazy("numpy")
    NDArray = None  # of annotations, which are never evaluated
