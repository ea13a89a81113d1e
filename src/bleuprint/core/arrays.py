"""NumPy, loaded when it is first used: a command that prints its help, or a score of one pair, does without it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["Flags", "Floats", "Integers", "NDArray", "Numbers", "Places", "np"]


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

    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Numbers = Integers | Floats
    Places = NDArray[np.intp]  # in an array
    Members = NDArray[np.uint64]  # of parts of a pool, as a `PartScorer` reads them
else:
    np = _Lazy("numpy")
    NDArray = Flags = Floats = Integers = Numbers = Places = Members = None  # of annotations, which are never evaluated
