"""Validation of options that several metrics share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from bleuprint.errors import OptionError
from bleuprint.errors import choice as choice

LARGEST_ORDER = 16
WHITE_SPACE = ("keep", "strip", "collapse", "remove")


def order(name: str, value: object, *, smallest: int = 1, largest: int = LARGEST_ORDER) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not smallest <= value <= largest:
        raise OptionError(name, f"an integer from {smallest} to {largest}", value)
    return value


def flag(name: str, value: object, *, optional: bool = False) -> bool:
    if not isinstance(value, bool) and not (optional and value is None):
        raise OptionError(name, "True, False or None" if optional else "True or False", value)
    return bool(value)


def typed(name: str, value: object, kinds: Any, allowed: str) -> None:
    """Raise an error unless the value is of one of these types."""
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        raise OptionError(name, allowed, value)


def weights(name: str, value: Sequence[float] | None, orders: int) -> tuple[float, ...]:
    """One weight per order; uniform for None."""
    if value is None:
        return (1 / orders,) * orders
    try:
        # float() also parses a str, so '1000' would pass for (1, 0, 0, 0).
        numbers = tuple(float(item) for item in value if not isinstance(item, str | bytes))
    except (TypeError, ValueError, OverflowError):
        numbers = ()
    wrong = len(numbers) != orders or any(not 0 <= number < math.inf for number in numbers)
    if wrong or abs(sum(numbers) - 1) > 1e-6:
        raise OptionError(name, f"None or {orders} numbers of at least 0 that sum to 1", value)
    return numbers


def prior(value: object) -> str | None:
    """Check the prior named in a signature."""
    if value is not None and not isinstance(value, str):
        raise OptionError("prior", "None or a prior from a signature; use fit to create one", value)
    return value
