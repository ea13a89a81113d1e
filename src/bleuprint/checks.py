"""Checks of options: one function for each kind of value, with one wording of the error."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from bleuprint.errors import OptionError

LARGEST_ORDER = 16
MOST_TRIALS = 1_000_000
WHITE_SPACE = ("keep", "strip", "collapse", "remove")
LEAST_MEMORY = 128 << 20
OUTSIDE = 96 << 20  # of a limit: the interpreter, NumPy and a block of input; the rest is for what grows with the texts
_ROUNDING = 1e-12  # relative; scores have 16 digits and lose one or two, and nobody writes a limit with twelve

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

Choice = TypeVar("Choice", bound=str)


def choice(option: str, value: object, allowed: Sequence[Choice]) -> Choice:
    """Return the value if it is one of the allowed words; raise an `OptionError` otherwise."""
    if isinstance(value, str) and value in allowed:  # comparing an array with == gives an array
        return allowed[allowed.index(value)]
    raise OptionError(option, " or ".join(allowed) if len(allowed) == 2 else f"one of {', '.join(allowed)}", value)


def integer(
    option: str, value: object, least: int = 1, most: int | None = None, *, optional: bool = False, allowed: str = ""
) -> Any:
    """Return the value if it is an integer in this range, or None where that is `optional`.

    >>> integer("limit", 3)
    3
    >>> integer("limit", True)
    Traceback (most recent call last):
    bleuprint.errors.OptionError: limit must be an integer of at least 1, got True.

    `allowed` says in other words what the option takes.
    """
    if value is None and optional:
        return value
    # A bool is an int to Python, and never what an option means.
    if isinstance(value, int) and not isinstance(value, bool) and value >= least and (most is None or value <= most):
        return value
    span = f"an integer of at least {least}" if most is None else f"an integer from {least} to {most}"
    raise OptionError(option, allowed or ("None or " * optional + span), value)


def memory(option: str, value: object) -> int:
    """The number of bytes of a limit such as "2GB"; an integer is one already.

    >>> memory("memory", "1.5GB")
    1610612736
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", str(value).strip(), re.IGNORECASE)
    size = 0.0 if match is None else float(match[1]) * _UNITS[match[2].upper()]
    if not LEAST_MEMORY <= size < 2**63:
        raise OptionError(option, "a size such as 2GB, or a number of bytes, from 128MB to 8,388,607TB", value)
    return int(size)


def trials(option: str, value: object, least: int = 1, most: int = MOST_TRIALS, *, optional: bool = False) -> Any:
    """Return the value if it is a number of random draws; no more are allowed than memory and patience last for.

    >>> trials("resamples", 10**9)
    Traceback (most recent call last):
    bleuprint.errors.OptionError: resamples must be an integer from 1 to 1,000,000, got 1000000000.
    """
    allowed = f"{'None or ' * optional}an integer from {least} to {most:,}"
    return integer(option, value, least, most, optional=optional, allowed=allowed)


def number(option: str, value: object, least: float = -math.inf, most: float = math.inf, *, allowed: str = "") -> float:
    """Return the value as a float if it is a finite number in this range.

    >>> number("beta", 2, 0, 100)
    2.0
    >>> number("beta", float("nan"), 0)
    Traceback (most recent call last):
    bleuprint.errors.OptionError: beta must be a number of at least 0, got nan.
    """
    # An integer may be too large for a float, and compares with one all the same.
    usual = isinstance(value, int | float) and not isinstance(value, bool)
    if usual and least <= value <= most and abs(value) <= sys.float_info.max:  # type: ignore[operator, arg-type]
        return float(value)  # type: ignore[arg-type]
    above = "" if least == -math.inf else f" of at least {least:g}"
    span = above if most == math.inf else f" from {least:g} to {most:g}"
    raise OptionError(option, allowed or f"a number{span}", value)


def fraction(option: str, value: object) -> float:
    """Return the value as a float if it is a number between 0 and 1, without these two."""
    allowed = "a number between 0 and 1"
    share = number(option, value, 0, 1, allowed=allowed)
    if share in (0, 1):
        raise OptionError(option, allowed, value)
    return share


def reaches(value: Any, limit: float, *, scale: float = 0.0) -> Any:
    """Whether a number, or each of an array, is at least a limit, where what rounding takes away does not count.

    `scale` is the size of the numbers that a difference was computed from, because it has their rounding errors. "At
    most" is the same with both signs turned.

    >>> 0.035 - 0.025 <= 0.01, reaches(-(0.035 - 0.025), -0.01, scale=0.035)
    (False, True)
    """
    return value >= limit - _ROUNDING * max(abs(limit), scale)


def difference(option: str, value: float | Mapping[str, float] | None, metric: str, has_percent: bool) -> float | None:
    """A limit on differences in the scores of a metric: one number for all metrics, or that of this one in a dict.

    It is refused if scores from 0 to 1 cannot differ by so much.
    """
    limit = value.get(metric) if isinstance(value, Mapping) else value
    if limit is not None and has_percent and abs(limit) >= 1:
        hint = f" (scores are fractions: {limit / 100:g}, not {limit:g})" if abs(limit) <= 100 else ""
        raise OptionError(option, f"below 1 for {metric}{hint}", limit)
    return limit


def order(option: str, value: object, *, smallest: int = 1, largest: int = LARGEST_ORDER) -> int:
    """Return the value if it is the length of n-grams."""
    size: int = integer(option, value, smallest, largest)
    return size


def flag(option: str, value: object, *, optional: bool = False) -> bool:
    """Return the value if it is True or False; None, where that is allowed, counts as False."""
    if not isinstance(value, bool) and not (optional and value is None):
        raise OptionError(option, "True, False or None" if optional else "True or False", value)
    return bool(value)


def instance(option: str, value: object, kinds: Any, allowed: str) -> None:
    """Raise an error unless the value is of one of these types."""
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        raise OptionError(option, allowed, value)


def items_of(value: object) -> list[Any] | None:
    """The items of a list of any kind; None for a text, and for what has none, such as a number or an array of one.

    >>> items_of(iter((1, 2))), items_of("ab"), items_of(3)
    ([1, 2], None, None)
    """
    # An array without dimensions is an Iterable by its type, and cannot be iterated over.
    iterable = isinstance(value, Iterable) and getattr(value, "ndim", 1) != 0
    return list(value) if iterable and not isinstance(value, str | bytes) else None  # type: ignore[call-overload]


def items(option: str, value: object, allowed: str) -> list[Any]:
    """Return the items of the value if it is a list of any kind."""
    listed = items_of(value)
    if listed is None:
        raise OptionError(option, allowed, value)
    return listed


def weights(option: str, value: Sequence[float] | None, orders: int) -> tuple[float, ...]:
    """One weight per order; uniform for None."""
    if value is None:
        return (1 / orders,) * orders
    try:
        # float() also parses a str, so '1000' would pass for (1, 0, 0, 0).
        numbers = tuple(float(item) for item in value if not isinstance(item, str | bytes))
    except (TypeError, ValueError, OverflowError):
        numbers = ()
    wrong = len(numbers) != orders or any(not 0 <= weight < math.inf for weight in numbers)
    if wrong or abs(sum(numbers) - 1) > 1e-6:
        raise OptionError(option, f"None or {orders} numbers of at least 0 that sum to 1", value)
    return numbers


def prior(value: object) -> str | None:
    """Check the prior named in a signature."""
    if value is not None and not isinstance(value, str):
        raise OptionError("prior", "None or a prior from a signature; use fit to create one", value)
    return value
